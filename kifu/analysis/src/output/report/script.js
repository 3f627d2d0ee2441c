// The report: state, panels and input.
import { HAND, describe, drawHand, drawPosition, mark, parse, play, square, squareUnder, toSfen } from "./board.js";
import { Question, questionParts } from "./exercise.js";
import { drawEvaluation, drawTimes } from "./graph.js";
import { spelled, spelledLine } from "./notation.js";
import { at, chooseLanguage, language, make, removeButton, save, shape, translate, w } from "./page.js";
import { look } from "./pieces.js";
import { BAD, KANJI, SYMBOLS, clock } from "./words.js";

export const untouched = document.documentElement.cloneNode(true); // the page as it was written
export const data = JSON.parse(document.getElementById("data").textContent);
export const steps = data.steps;
// Lines are stored as text, and positions only once, to keep the file small.
export const lists = (found) =>
  Object.assign(found, {
    moves: found.moves ? found.moves.split(" ") : [],
    japanese: found.names ? found.names.split(/(?=[▲△])/) : [],
  });
const played = parse(data.start);
steps.forEach((step, index) => {
  step.lines.forEach(lists);
  if (step.exercise) [...step.exercise.right, ...step.exercise.wrong].forEach(lists);
  step.sfen = toSfen(played, data.ply + index);
  if (step.played) play(played, step.played);
});
data.branches.forEach((branch) => Object.assign(lists(branch), { sfen: steps[branch.before].sfen }));
const last = steps.length - 1;

/** Writes all moves in the chosen notation. */
function spellMoves() {
  steps.forEach((step) => {
    step.japanese ??= step.name;
    if (step.played) step.name = spelled(parse(step.sfen), step.played, step.japanese);
    step.lines.forEach((found) => {
      found.names = spelledLine(step.sfen, found.moves, found.japanese);
    });
  });
  data.branches.forEach((branch) => {
    branch.names = spelledLine(branch.sfen, branch.moves, branch.japanese);
  });
}
export let ply = 0;
export let line = null; // a variation or a line of the engine: { sfen, moves, japanese, index, label }
let flipped = false;
let scale = data.handicap ? "cp" : "win"; // chances mean little where one side begins far ahead
let hover = null;
let place = () => 0;
export let exercise = null; // { list, number, question }
let pointing = false; // at the reason: its squares and moves are marked
let shownBefore = "";
/** What reports with the engine add (live.js): the reader's own moves, and records with them. */
export const live = {
  trial: null,
  withEngine: false,
  endTrial: () => {},
  removeBranch: () => {},
  /** The annotated record; with the branches of the reader. */
  exported: async () => data.exported ?? data.kif,
};

const player = (index) => data.players[index] || (data.handicap ? w.handicapNames : w.names)[index];
const text = (pair) => (pair ? pair[language === "ja" ? 0 : 1] : "");

export function current() {
  if (line) {
    const position = parse(line.sfen);
    line.moves.slice(0, line.index).forEach((move) => play(position, move));
    return position;
  }
  const position = parse(steps[ply].sfen);
  if (ply > 0) mark(position, steps[ply - 1].played);
  return position;
}

// The evaluation of a step or a line in words, for Black.
export function evaluation(item, turn) {
  if (item.mate !== null && item.mate !== undefined) {
    const black = item.mate === 0 ? turn === "w" : item.mate > 0;
    return item.mate === 0 ? w.wins[black ? 0 : 1] : `${"▲△"[black ? 0 : 1]}${w.mateIn(Math.abs(item.mate))}`;
  }
  if (item.cp === null || item.cp === undefined) return "";
  // Not a number of centipawns but a game that is won.
  if (Math.abs(item.cp) >= 29000) return w.wins[item.cp > 0 ? 0 : 1];
  return (item.cp > 0 ? "+" : "") + item.cp;
}

// The move that the side which does not move threatens.
function threatened(step) {
  const position = parse(step.sfen);
  position.white = !position.white;
  return spelled(position, step.menace.move, step.menace.name);
}

const percent = (value, digits = 0) => (value * 100).toFixed(digits) + "%";

function verdict(step) {
  const parts = [];
  if (step.class === "inaccuracy") parts.push(w.hint(percent(step.loss, 1)));
  else if (w[step.class] && !["best", "good"].includes(step.class)) parts.push(w[step.class]);
  if (BAD.includes(step.class)) parts.push(`-${percent(step.loss, 1)}`);
  if (step.reason) parts.push(text(step.reason.text));
  if (step.plan) parts.push(w.plan(text(step.plan)));
  if (step.missed) parts.push(w.missedMate(step.missed));
  return parts;
}

// Where the move before a position was bad, the line with which its side would have stood better, else null.
function better(index = ply) {
  const before = index > 0 ? steps[index - 1] : null;
  if (!before || !(isMistake(before) || before.class === "inaccuracy")) return null;
  const found = before.lines[0];
  return found?.moves.length && found.moves[0] !== before.played ? { step: before, found } : null;
}

/** Shows the better line on the board, up to one of its moves. */
function showBetter(index = 1, of = line?.back ?? ply) {
  const known = better(of);
  if (!known) return;
  const { step, found } = known;
  show(of - 1, { sfen: step.sfen, moves: found.moves, japanese: found.japanese, index, label: w.better, back: of });
}

/** Begins the better line. On a phone its moves are below the board, which comes into view. */
function playBetter(of = line?.back ?? ply) {
  if (!better(of)) return;
  showBetter(1, of);
  at("side-top").scrollIntoView({ block: "nearest" });
}

const isAsked = () => Boolean(exercise && !exercise.question.done);
const isMistake = (step) => BAD.includes(step.class) || step.missed;
const tone = (step) => (step.missed && !BAD.includes(step.class) ? "mistake" : step.class || "");

export function drawBoard() {
  const position = current();
  const hidden = isAsked();
  const arrows = [];
  if (live.trial) arrows.push(...live.trial.arrows());
  else if (!line && !hidden) {
    const found = steps[ply].lines;
    // After a bad move the better one matters more than the reply, but not than the answer of an exercise.
    const instead = ply > 0 && !exercise && isMistake(steps[ply - 1]) ? better() : null;
    if (instead) arrows.push([instead.found.moves[0], "better", instead.step.turn === "w"]);
    else if (found[1] && found[1].moves.length) arrows.push([found[1].moves[0], "second"]);
    if (!instead && found[0] && found[0].moves.length) arrows.push([found[0].moves[0], "best"]);
  }
  const told = pointing && ply > 0 && !line && !hidden && !live.trial ? steps[ply - 1].reason : null;
  if (told) {
    const moves = told.moves ? told.moves.split(" ") : [];
    arrows.splice(0, arrows.length, ...moves.map((move) => [move, "reason", told.white]));
  }
  const input = hidden ? exercise.question : live.trial;
  const shown = `${ply} ${line?.index ?? ""}`;
  drawPosition(at("board"), position, {
    flipped,
    arrows,
    selected: input?.selected && input.selected.x !== undefined ? input.selected : null,
    targets: live.trial ? live.trial.targets() : [],
    told: told?.squares ? told.squares.split(" ").map(square) : [],
    moved: follows(shown, shownBefore),
  });
  shownBefore = shown;
  at("board").setAttribute("aria-label", describe(position, w));
  ["side-top", "side-bottom"].forEach((id, index) =>
    drawSide(at(id), (index === 0) === flipped ? 0 : 1, position, input),
  );
}

// Whether a place in the game or a line is one move after another.
function follows(shown, before) {
  const [[ply, index], [plyBefore, indexBefore]] = [shown, before].map((text) => text.split(" ").map(Number));
  return ply === plyBefore ? index === indexBefore + 1 : ply === plyBefore + 1 && !index && !indexBefore;
}

function drawSide(side, color, position, input) {
  if (!side.children.length) side.append(make("span", { class: "name" }), make("span", { class: "pieces" }));
  const mine = Boolean(input) && Number(position.white) === color;
  side.className = Number(position.white) === color ? "side turn" : "side";
  side.firstChild.textContent = side.firstChild.title = "▲△"[color] + player(color);
  drawHand(side.lastChild, position.held[color], {
    color,
    flipped,
    mine,
    selected: typeof input?.selected === "string" ? input.selected : null,
  });
}

// What a click on a square or a piece in hand does now.
const taker = () => (isAsked() ? choose : live.trial?.choose);
at("board").addEventListener("click", (event) => {
  const point = squareUnder(at("board"), event, flipped);
  if (point) taker()?.(point);
});
["side-top", "side-bottom"].forEach((id) =>
  at(id).addEventListener("click", (event) => {
    const button = event.target.closest("[data-kind]");
    if (button) taker()?.(button.dataset.kind);
  }),
);

// Branches of the record, and those that the reader has tried, with their evaluation.
const branchLabel = (branch) => (branch.own ? w.trial : w.variation);
const branchValue = (branch) =>
  branch.own
    ? [
        make("span", { class: "score", "data-branch": data.branches.indexOf(branch) }, evaluation(branch, branch.turn)),
        " ",
      ]
    : [];

function drawLines() {
  const step = steps[ply];
  const items = step.lines.map((found, number) => {
    // The better line of the next move is shown already.
    if (!found.moves.length || (line?.back && line.moves === found.moves)) return null;
    const moves = found.names.map((name, index) =>
      make(
        "button",
        {
          type: "button",
          class: line && line.moves === found.moves && line.index === index + 1 ? "move now" : "move",
          onclick: () =>
            show(ply, {
              sfen: step.sfen,
              moves: found.moves,
              japanese: found.japanese,
              index: index + 1,
              label: `${w.candidate} ${number + 1}`,
            }),
        },
        name,
      ),
    );
    return make("li", {}, make("span", { class: "score" }, evaluation(found, step.turn)), " ", ...moves);
  });
  const branches = data.branches
    .filter((branch) => branch.before === ply)
    .map((branch) =>
      make(
        "li",
        { class: "branch" },
        `${branchLabel(branch)} `,
        ...branchValue(branch),
        ...branch.names.map((name, index) =>
          make(
            "button",
            {
              type: "button",
              class: line && line.moves === branch.moves && line.index === index + 1 ? "move now" : "move",
              onclick: () => show(ply, { ...branch, index: index + 1, label: branchLabel(branch) }),
            },
            name,
          ),
        ),
        ...(branch.own && live.withEngine
          ? [" ", removeButton(w.removeBranch, () => live.removeBranch(branch))]
          : []),
      ),
    );
  at("lines").replaceChildren(...items.filter(Boolean), ...branches);
  at("lines").hidden = isAsked();
}

// The better line, each move of which can be shown; also while it is shown.
function betterParts() {
  const of = line?.back ?? ply;
  const known = better(of);
  if (!known) return [];
  const moves = known.found.names.map((name, index) =>
    make(
      "button",
      {
        type: "button",
        class: line?.back && line.index === index + 1 ? "move now" : "move",
        onclick: () => showBetter(index + 1, of),
      },
      name,
    ),
  );
  return [
    make(
      "span",
      { class: "better" },
      make(
        "button",
        { type: "button", class: "word", title: w.showBetter, "aria-keyshortcuts": "b", onclick: () => playBetter(of) },
        w.better,
      ),
      " ",
      ...moves,
    ),
  ];
}

// The reason of a move marks on the board what it speaks of: while the pointer is over it, or after a tap.
function pointer(step) {
  if (!step.reason || !(step.reason.squares || step.reason.moves)) return {};
  const point = (on) => () => {
    pointing = on;
    drawBoard();
  };
  return {
    tabindex: "0",
    role: "button",
    title: w.showReason,
    onmouseenter: point(true),
    onmouseleave: point(false),
    onclick: point(true),
    onfocus: point(true),
    onblur: point(false),
  };
}

function drawVerdict() {
  const step = steps[ply];
  const before = ply > 0 ? steps[ply - 1] : null;
  const parts = [];
  if (!isAsked()) {
    if (step.win !== undefined)
      parts.push(
        make("span", { class: "big" }, evaluation(step, step.turn)),
        make("span", { class: "chance" }, `▲${percent(step.win)}`),
      );
    if (step.threat)
      parts.push(
        make(
          "span",
          { class: "badge mistake" },
          w[step.threat],
          step.menace?.mate ? ` ${w.threatensMate(step.turn === "b" ? "△" : "▲", step.menace.mate)}` : "",
        ),
      );
    else if (step.menace) parts.push(make("span", { class: "chance" }, w.threatens(threatened(step))));
    if (before) {
      const said = verdict(before);
      if (said.length) parts.push(make("span", { class: `badge ${tone(before)}`, ...pointer(before) }, said.join(" ")));
      if (before.hard)
        parts.push(
          make("span", { class: "depth" }, w.difficulty(w[before.hard[0]], before.hard[1].toLocaleString(language))),
        );
    }
    if (!exercise) parts.push(...betterParts());
    if (step.depth) parts.push(make("span", { class: "depth" }, `${w.depth} ${step.depth}`));
  }
  at("verdict").replaceChildren(...parts);
  at("comments").textContent = (line?.comments ? (line.comments[line.index - 1] ?? []) : step.comments).join("\n");
  const names = line ? spelledLine(line.sfen, line.moves, line.japanese) : [];
  at("where").textContent = line
    ? `${line.label} ${line.index}/${line.moves.length} ${names[line.index - 1] || ""}`
    : before
      ? `${w.ply(ply)} ${before.name}`
      : w.start;
}

function drawGraphs() {
  const label = (index) =>
    `${index} ${index > 0 ? steps[index - 1].name : w.start}  ${evaluation(steps[index], steps[index].turn)}` +
    (steps[index].win === undefined ? "" : ` ▲${percent(steps[index].win)}`);
  place = drawEvaluation(at("graph"), steps, ply, { scale, hover, label });
  at("graph").setAttribute("aria-valuenow", ply);
  at("graph").setAttribute("aria-valuetext", label(ply));
}

export function draw() {
  drawBoard();
  drawVerdict();
  drawLines();
  drawGraphs();
  document.querySelectorAll("#moves [data-ply]").forEach((row) => {
    const here = !line && Number(row.dataset.ply) === ply;
    if (here) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    if (here) {
      const list = at("moves");
      list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  });
  drawExercise();
  live.trial?.changed();
}

export function show(target, variation = null) {
  ply = Math.max(0, Math.min(last, target));
  line = variation;
  pointing = false;
  try {
    history.replaceState(history.state, "", `#${ply}`);
  } catch {
    // Some browsers forbid this for files.
  }
  draw();
}

export function go(where) {
  const mistakes = steps.map((step, index) => (isMistake(step) ? index + 1 : 0)).filter(Boolean);
  if (where === "nextMistake") return show(mistakes.find((index) => index > ply) ?? ply);
  if (where === "previousMistake") return show(mistakes.filter((index) => index < ply).pop() ?? ply);
  if (line) {
    const index = {
      first: 0,
      previous: line.index - 1,
      next: Math.min(line.index + 1, line.moves.length),
      last: line.moves.length,
    }[where];
    return show(ply, index > 0 ? { ...line, index } : null);
  }
  return show({ first: 0, previous: ply - 1, next: ply + 1, last }[where]);
}

// "Find the better move".
const isExercise = (step) => Boolean(step.exercise) && isMistake(step);

function ask(list, number) {
  const step = steps[list[number]];
  exercise = { list, number, question: new Question(step.sfen, step.exercise, step.played) };
  flipped = step.turn === "w";
  show(list[number]);
}

function startExercise() {
  const list = steps.map((step, index) => index).filter((index) => isExercise(steps[index]));
  if (!list.length) return;
  if (live.trial) live.endTrial();
  ask(list, 0);
}

export function endExercise() {
  exercise = null;
  draw();
}

function choose(target) {
  // After a look at the refutation of an answer, or at another position.
  const asked = exercise.list[exercise.number];
  if (line || ply !== asked) return show(asked);
  exercise.question.choose(target);
  return draw();
}

function drawExercise() {
  const panel = at("exercise");
  panel.hidden = !exercise;
  at("practice").setAttribute("aria-pressed", String(Boolean(exercise)));
  document.body.classList.toggle("exercising", isAsked());
  if (!exercise) return;
  const { list, number, question } = exercise;
  const asked = list[number];
  const step = steps[asked];
  const follow = (found) =>
    spelledLine(step.sfen, found.moves, found.japanese).map((name, index) =>
      make(
        "button",
        {
          type: "button",
          class: line && line.moves === found.moves && line.index === index + 1 ? "move now" : "move",
          onclick: () =>
            show(asked, {
              sfen: step.sfen,
              moves: found.moves,
              japanese: found.japanese,
              index: index + 1,
              label: w.refutation,
            }),
        },
        name,
      ),
    );
  const back = () => {
    if (ply !== asked || (line && question.done)) show(asked);
    else draw();
  };
  panel.replaceChildren(
    ...questionParts(question, {
      task: w.task(asked + 1, step.name, (step.loss * 100).toFixed(1)),
      redraw: back,
      follow,
      ends: [
        [w.nextTask, () => ask(list, (number + 1) % list.length)],
        [w.leave, endExercise],
      ],
    }),
  );
}

// An evaluation for a narrow column.
const shortly = (step) =>
  step.mate === 0
    ? "#"
    : step.mate
      ? `${"▲△"[Number(step.mate < 0)]}#${Math.abs(step.mate)}`
      : evaluation(step, step.turn);

// Parts that depend only on the language.
function moveRow(step, index) {
  const cells = [
    make("span", { class: "number" }, String(index + 1)),
    make("span", { class: "name" }, step.name),
    make(
      "span",
      { class: `symbol ${tone(step)}`, title: verdict(step).join(" ") },
      SYMBOLS[step.class] || (step.missed ? "#" : ""),
    ),
    make("span", { class: "score" }, shortly(steps[index + 1])),
  ];
  const said = [...verdict(step), step.seconds === undefined ? "" : clock(step.seconds)].join(" ").trim();
  return make(
    "button",
    {
      type: "button",
      class: "row",
      "data-ply": index + 1,
      onclick: () => show(index + 1),
      title: said,
      "aria-label": `${index + 1} ${step.name} ${said} ${evaluation(steps[index + 1], steps[index + 1].turn)}`,
    },
    ...cells,
  );
}

export function drawMoves() {
  const [side, kind] = [at("by-side").value, at("by-class").value];
  const wanted = (step) =>
    (!side || step.turn === side) &&
    (!kind ||
      (kind === "bad"
        ? BAD.includes(step.class) || step.missed
        : kind === "missed"
          ? step.missed
          : step.class === kind));
  const items =
    side || kind
      ? []
      : [
          make(
            "li",
            { class: "both" },
            make(
              "button",
              { type: "button", class: "row", "data-ply": 0, onclick: () => show(0) },
              make("span", { class: "number" }, "0"),
              make("span", { class: "name" }, w.start),
            ),
          ),
        ];
  steps.forEach((step, index) => {
    if (!step.played || !wanted(step)) return;
    const item = make("li", { class: step.turn === "b" ? "black" : "white" }, moveRow(step, index));
    const branches = data.branches.filter((branch) => branch.before === index);
    if (branches.length) {
      item.append(
        make(
          "ul",
          {},
          ...branches.map((branch) =>
            make(
              "li",
              { class: "branch" },
              make(
                "button",
                {
                  type: "button",
                  onclick: () =>
                    show(index, { ...branch, index: branch.own ? branch.moves.length : 1, label: branchLabel(branch) }),
                },
                `${branchLabel(branch)} `,
                ...branchValue(branch),
                ...branch.names.map((name) => make("span", { class: "word" }, name + " ")),
              ),
            ),
          ),
        ),
      );
    }
    items.push(item);
  });
  if (!items.length) items.push(make("li", { class: "none" }, w.noMistakes));
  if (data.result && !side && !kind) items.push(make("li", { class: "ending" }, resultText()));
  at("moves").replaceChildren(...items);
}

const accurate = (value) => (value === null ? "–" : value.toFixed(1) + "%");

function drawPlayers() {
  const rows = [
    ["", ...data.players.map((_, index) => "▲△"[index] + player(index))],
    [w.accuracy, ...data.sides.map((s) => accurate(s.accuracy))],
    ...w.phases.map((phase, i) => [`${w.accuracy} (${phase})`, ...data.sides.map((s) => accurate(s.phases[i]))]),
    [w.loss, ...data.sides.map((s) => (s.accuracy === null ? "–" : percent(s.loss, 1)))],
    [w.agreement, ...data.sides.map((s) => (s.accuracy === null ? "–" : percent(s.best)))],
    ...BAD.map((kind, i) => [w[kind], ...data.sides.map((s) => s.bad[i])]),
    [w.missed, ...data.sides.map((s) => s.missed_mates)],
    [w.inaccuracy, ...data.sides.map((s) => s.hints)],
  ];
  const table = () =>
    rows.map(([head, ...cells], row) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, head),
        ...cells.map((cell) => make(row === 0 ? "th" : "td", {}, String(cell))),
      ),
    );
  at("players").replaceChildren(...table());
  at("turning").replaceChildren(
    ...data.turning.map((index) =>
      make(
        "li",
        {},
        make(
          "button",
          { type: "button", class: "turning", onclick: () => show(index + 1) },
          make("span", { class: "word" }, `${index + 1} ${steps[index].name}`),
          " ",
          make("span", { class: `badge ${tone(steps[index])}` }, verdict(steps[index]).join(" ")),
        ),
      ),
    ),
  );
  return table;
}

// The ending with the winner.
const resultText = () => text(data.result);

function facts() {
  const handicap = data.handicap && /^手合割[：:](.+)$/m.exec(data.kif)?.[1];
  const known = [
    ["handicap", handicap],
    ["event", data.facts.event],
    ["date", data.facts.date],
    ["site", data.facts.site],
    ["time", data.facts.time],
    ["result", resultText()],
    ["opening", text(data.opening)],
    [
      "castles",
      data.castles
        .map((castle, index) => (castle ? "▲△"[index] + text(castle) : ""))
        .filter(Boolean)
        .join(" "),
    ],
  ];
  return known
    .filter(([, value]) => value)
    .map(([key, value]) => make("div", {}, make("dt", {}, w[key]), make("dd", {}, value)));
}

// What the game was about, with its moves in the chosen notation; neither they nor numbers are torn apart at the end
// of a line.
function story() {
  if (!data.story) return [];
  const step = steps[data.story.ply];
  const names = { "{played}": () => step.name, "{better}": () => step.lines[0].names[0] };
  return text(data.story.text)
    .replaceAll(" %", "\u00a0%")
    .split(/(\{played\}|\{better\})/)
    .map((part) => (step && names[part] ? make("span", { class: "word" }, names[part]()) : part));
}

// Diagrams at the turning points and the whole record, for printing.
function drawPaper(table) {
  const diagrams = data.turning.map((index) => {
    const svg = shape("svg", { viewBox: "0 0 936 1010", class: "diagram" });
    const position = parse(steps[index].sfen);
    if (index > 0) mark(position, steps[index - 1].played);
    const best = steps[index].lines[0]?.moves[0];
    drawPosition(svg, position, { flipped: false, arrows: best ? [[best, "best"]] : [] });
    const hand = (color) =>
      `${"▲△"[color]} ${
        HAND.filter((k) => position.held[color][k] > 0)
          .map((k) => KANJI[k] + (position.held[color][k] > 1 ? position.held[color][k] : ""))
          .join(" ") || w.none
      }`;
    return make(
      "figure",
      {},
      make("div", {}, hand(1)),
      svg,
      make("div", {}, hand(0)),
      make(
        "figcaption",
        {},
        `${index + 1} ${steps[index].name} ${verdict(steps[index]).join(" ")}; ` +
          `${w.better} ${(steps[index].lines[0]?.names || []).slice(0, 5).join("")}`,
      ),
    );
  });
  const moves = steps
    .filter((step) => step.played)
    .map((step, index) =>
      make(
        "li",
        {},
        `${index + 1} ${step.name} `,
        evaluation(steps[index + 1], steps[index + 1].turn),
        verdict(step).length ? make("b", {}, " " + verdict(step).join(" ")) : null,
      ),
    );
  const statistics = make("table", {}, ...table());
  const graph = shape("svg", { class: "graph" });
  drawEvaluation(graph, steps, 0, { scale, hover: null, width: 700 });
  at("paper").replaceChildren(
    make("p", {}, ...story()),
    make("div", { class: "summary" }, statistics, graph),
    make("div", { class: "diagrams" }, ...diagrams),
    make("ol", {}, ...moves),
    make("p", {}, resultText() || ""),
  );
}

export function frame() {
  translate();
  spellMoves();
  at("title").replaceChildren(
    ...[0, 1].map((index) => make("span", { class: "player", title: player(index) }, "▲△"[index] + player(index))),
  );
  at("title").title = data.name;
  at("story").replaceChildren(...story());
  document.title = [0, 1].map((index) => "▲△"[index] + player(index)).join(" ");
  at("facts").replaceChildren(...facts());
  at("engine").textContent = [
    `${w.engine}: ${data.engine}`,
    `${w.network}: ${data.network}`,
    `${w.limits}: ${data.limits}`,
  ].join("  ·  ");
  const options = (select, list) => {
    const { value } = select;
    select.replaceChildren(...list.map(([key, word]) => make("option", { value: key || "" }, word)));
    // An empty attribute is not written, so the text would count as the value.
    select.options[0].value = "";
    select.value = value || "";
  };
  options(at("by-side"), [
    ["", w.all],
    ["b", "▲" + player(0)],
    ["w", "△" + player(1)],
  ]);
  options(at("by-class"), [
    ["", w.all],
    ["bad", w.bad],
    ...["blunder", "mistake", "dubious", "inaccuracy", "missed", "brilliant", "only", "best", "good"].map((key) => [
      key,
      w[key],
    ]),
  ]);
  drawMoves();
  at("scale").value = scale;
  const mistakes = steps.some(isMistake);
  document.querySelectorAll("[data-go$=Mistake]").forEach((button) => {
    button.disabled = !mistakes;
  });
  at("practice").disabled = !steps.some(isExercise);
  drawPaper(drawPlayers());
  at("graph").setAttribute("aria-valuemax", last);
  at("graph").setAttribute("aria-label", w.evaluation);
  drawTimes(at("times"), steps, w.timeGraph);
  draw();
}

async function copy(content) {
  try {
    await navigator.clipboard.writeText(content);
    at("copied").textContent = w.copied;
  } catch {
    // Without permission for the clipboard: the old way.
    const area = make("textarea", { class: "offscreen" });
    area.value = content;
    document.body.append(area);
    area.select();
    at("copied").textContent = document.execCommand("copy") ? w.copied : w.notCopied;
    area.remove();
  }
  setTimeout(() => {
    at("copied").textContent = "";
  }, 3000);
}

document
  .querySelectorAll("[data-go]")
  .forEach((button) => button.addEventListener("click", () => go(button.dataset.go)));
document.querySelectorAll("[data-copy]").forEach((button) =>
  button.addEventListener("click", async () =>
    copy(
      await {
        kif: live.exported,
        sfen: () => steps[ply].sfen,
        usi: () =>
          `position sfen ${steps[0].sfen} moves ${steps
            .slice(0, -1)
            .map((step) => step.played)
            .join(" ")}`,
      }[button.dataset.copy](),
    ),
  ),
);
at("download").addEventListener("click", async () => save(await live.exported(), data.file, "text/plain"));
at("print").addEventListener("click", () => window.print());
at("language").addEventListener("click", () => {
  chooseLanguage(language === "ja" ? "en" : "ja");
  frame();
});
at("flip").addEventListener("click", flip);
at("practice").addEventListener("click", () => (exercise ? endExercise() : startExercise()));
at("scale").addEventListener("change", () => {
  scale = at("scale").value;
  drawGraphs();
});
["by-side", "by-class"].forEach((id) =>
  at(id).addEventListener("change", () => {
    drawMoves();
    draw();
  }),
);

function flip() {
  flipped = !flipped;
  at("flip").setAttribute("aria-pressed", String(flipped));
  draw();
}

const graph = at("graph");
const pointed = (event) => place(event.clientX - graph.getBoundingClientRect().left);
graph.addEventListener("pointerdown", (event) => {
  graph.setPointerCapture(event.pointerId);
  show(pointed(event));
});
graph.addEventListener("pointermove", (event) => {
  hover = pointed(event);
  if (event.buttons) show(hover);
  else drawGraphs();
});
graph.addEventListener("pointerleave", () => {
  hover = null;
  drawGraphs();
});

let turned = 0;
at("play").addEventListener(
  "wheel",
  (event) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < 30) return;
    go(turned > 0 ? "next" : "previous");
    turned = 0;
  },
  { passive: false },
);
let touch = null;
at("board").addEventListener(
  "touchstart",
  (event) => {
    touch = event.touches.length === 1 ? event.touches[0] : null;
  },
  { passive: true },
);
at("board").addEventListener("touchend", (event) => {
  if (!touch) return;
  const moved = event.changedTouches[0].clientX - touch.clientX;
  const rose = Math.abs(event.changedTouches[0].clientY - touch.clientY);
  if (Math.abs(moved) > 40 && Math.abs(moved) > 2 * rose) go(moved < 0 ? "next" : "previous");
  touch = null;
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName))
    return;
  const where = {
    ArrowLeft: "previous",
    ArrowRight: "next",
    Home: "first",
    End: "last",
    n: "nextMistake",
    p: "previousMistake",
  }[event.key];
  if (where) {
    event.preventDefault();
    go(where);
  } else if (event.key === "f") flip();
  else if (event.key === "Escape") {
    if (exercise) endExercise();
    else if (live.trial) live.endTrial();
    else show(line?.back ?? ply);
  } else if (event.key === "b" && !exercise && !live.trial) playBetter();
  else if (
    event.key === "Enter" &&
    ["BODY", "svg"].includes(event.target.tagName) &&
    !line &&
    !exercise &&
    steps[ply].lines[0]?.moves.length
  ) {
    const found = steps[ply].lines[0];
    show(ply, {
      sfen: steps[ply].sfen,
      moves: found.moves,
      japanese: found.japanese,
      index: 1,
      label: `${w.candidate} 1`,
    });
  }
});
const fromAddress = () => Math.max(0, Math.min(last, parseInt(location.hash.slice(1), 10) || 0));
window.addEventListener("hashchange", () => {
  if (fromAddress() !== ply) show(fromAddress());
});
window.addEventListener("resize", () => {
  drawTimes(at("times"), steps, w.timeGraph);
  draw();
});
// In the app, the report has the app's language, pieces and board.
window.addEventListener("message", (event) => {
  if (event.source !== window.parent || event.source === window || !["ja", "en"].includes(event.data?.language)) return;
  chooseLanguage(event.data.language);
  document.documentElement.dataset.board = event.data.board;
  Object.assign(look, event.data.look);
  at("language").hidden = true;
  frame();
});
ply = fromAddress();
frame();
