// What the app shows: board, hands, clocks, moves, status. Elements stay as they are unless they change.
import {
  BOARD_HEIGHT,
  centre,
  drawHand,
  drawPosition,
  parse,
  square,
} from "../../kifu/analysis/src/output/report/board.js";
import { spelledLine } from "../../kifu/analysis/src/output/report/notation.js";
import { at, language, make, removeButton, shape, translate, w } from "../../kifu/analysis/src/output/report/page.js";
import { BOARDS, PIECE_SETS, koma } from "../../kifu/analysis/src/output/report/pieces.js";
import { clock } from "../../kifu/analysis/src/output/report/words.js";
import { judgeGame } from "./analysis.js";
import {
  flipped,
  followBranch,
  game,
  input,
  lines,
  mayMove,
  newGame,
  parseStart,
  playMove,
  removeBranch,
  rules,
  show,
  shown,
  shownPosition,
  shownText,
  tab,
  thinking,
} from "./app.js";
import { drawKeys } from "./commands.js";
import { keep, kept, knock } from "./kept.js";
import { practice } from "./practice.js";
import { drawPreview, preview } from "./preview.js";
import { drawRemarks } from "./remarks.js";
import { drawReplay } from "./replay.js";
import { START, drawProblem, drawSetup, problem } from "./setup.js";
import { announce, drawSpeech } from "./speech.js";
import { drawTextBoard } from "./text-board.js";
import { attempt } from "./tsume.js";

let notice = null; // { text, alarm }: shown instead of the state of the game until the next event
let draggedNow = false; // the last move was made by dragging: the piece is there already
let scrolledTo = null; // the row of the list of moves that was brought into view last
let beforeChoice = null; // what had the keyboard before the question whether to promote
let boardBefore = ""; // text of the position drawn last

/** Tells the user something; it stays until the next event. `spoken`: the same for those who listen. */
export function say(text, alarm = false, spoken = text) {
  notice = text ? { text, alarm } : null;
  drawStatus();
  announce(spoken, true);
}

/** Takes back what has been said. */
export function clearNotice() {
  notice = null;
}

/** Whether the move that is drawn next was made by dragging. */
export function markDragged(dragged) {
  draggedNow = dragged;
}

function drawStatus() {
  const text = notice?.text ?? (tab === "play" && rules && game.info ? status() : "");
  // On a phone the board is hidden while a game is analysed or chosen, and what is said below it with it.
  const place = tab === "analyse" ? "analyse-status" : tab === "games" && !practice.task ? "games-status" : "status";
  for (const id of ["status", "analyse-status", "games-status"]) {
    const here = id === place ? text : "";
    if (at(id).textContent !== here) at(id).textContent = here;
    at(id).classList.toggle("alarm", Boolean(notice?.alarm));
  }
}

let stateTold = ""; // the state of the game that was spoken last

/** Speaks what is new in the game: moves, whose turn it is, the result. */
function tellState() {
  const text = tab === "play" && game.info ? stateInWords() : "";
  if (text !== stateTold) announce(text);
  stateTold = text;
}

function stateInWords() {
  const { line, count } = preview;
  if (line) return count ? spelledLine(line.sfen, line.pv.slice(0, count), line.names)[count - 1] : "";
  const atEnd = shown === game.moves.length;
  if (!shown && game.active) return game.turn() === game.human ? w.yourTurn : "";
  if (!shown) return game.moves.length ? w.start : w.ready;
  const name = moveNames()[shown - 1];
  const said = game.comments[shown] ? ` ${game.comments[shown]}` : "";
  if (atEnd && game.result) return `${name}${w.stop}${status()}`;
  if (!atEnd || !game.active) return w.moveNumber(shown, name) + said;
  if (thinking || game.turn() !== game.human) return name;
  return `${name}${w.stop}${w.yourTurn}${game.info.check ? w.inCheck : ""}`;
}

export const nameOf = (color) =>
  tab !== "play" || !game.began
    ? w.names[color]
    : color === game.human
      ? w.you
      : `${w.monomi} ${levelName(game.level)}`;
export const levelName = (level) => (level === 20 ? w.full : w.levelOf(level, w.grades[level]));

/** The best moves of the engine's lines for the position shown. */
export function arrows() {
  if (!at("hint").checked || lines[0]?.text !== shownText()) return [];
  return lines
    .slice(0, 2)
    .map((line, index) => [line.pv[0], line.threat ? "reason" : index ? "second" : "best", line.turn === "w"])
    .reverse();
}

export function drawBoard() {
  const position = shownPosition();
  const text = shownText();
  // One move further than before: the piece moves there.
  const moved =
    text !== boardBefore &&
    text.startsWith(boardBefore) &&
    text.split(" moves ")[1]?.split(" ").length === (boardBefore.split(" moves ")[1]?.split(" ").length ?? 0) + 1;
  drawPosition(at("board"), position, {
    flipped,
    arrows: arrows(),
    selected: input.selected && typeof input.selected === "object" ? input.selected : null,
    targets: input.targets(),
    cursor: input.cursor,
    moved: moved && !draggedNow,
    lifted: input.lifted && typeof input.lifted === "object" ? input.lifted : null,
  });
  if (moved) knock();
  draggedNow = false;
  boardBefore = text;
  drawTextBoard();
  ["side-top", "side-bottom"].forEach((id, index) => drawSide(at(id), (index === 0) === flipped ? 0 : 1, position));
  drawClocks();
  drawChoice(position);
  drawBar();
}

function drawSide(side, color, position) {
  const mine = mayMove() && Number(position.white) === color;
  side.className = Number(position.white) === color ? "side turn" : "side";
  side.dataset.color = color;
  const name = "▲△"[color] + nameOf(color);
  const field = side.querySelector(".name");
  if (field.textContent !== name) field.textContent = field.title = name;
  const selected = typeof input.selected === "string" ? input.selected : null;
  drawHand(side.querySelector(".pieces"), position.held[color], {
    color,
    flipped,
    mine,
    selected,
    label: (kind, number) => `${w.handOf(w.names[color], w.pieces[kind])} ${number}`,
  });
}

/** The question whether to promote, on the square that the piece goes to. */
function drawChoice(position) {
  const panel = at("promotion");
  const asked = input.choice;
  // The keyboard goes on where it was.
  if (!asked && panel.contains(document.activeElement)) (beforeChoice ?? at("board")).focus({ preventScroll: true });
  panel.hidden = !asked;
  if (!asked) panel.dataset.moves = "";
  if (!asked || panel.dataset.moves === asked.moves.join()) return;
  panel.dataset.moves = asked.moves.join();
  const piece = position.board[square(asked.moves[1]).y][square(asked.moves[1]).x];
  const button = (move, kind, word) => {
    const element = make("button", {
      type: "button",
      "aria-label": word,
      title: word,
      "data-move": move,
      onclick: (event) => event.detail === 0 && playMove(move, asked.dragged),
    });
    // At once, as on the board; a click without a pointer comes from the keyboard.
    element.addEventListener("pointerdown", (event) => {
      if (event.button === 0) playMove(move, asked.dragged);
    });
    element.append(
      shape(
        "svg",
        { viewBox: "-48 -52 96 104", "aria-hidden": "true" },
        koma(kind, piece.white, piece.white !== flipped),
      ),
      make("span", {}, word),
    );
    return element;
  };
  panel.replaceChildren(
    button(asked.moves[0], `+${piece.kind}`, w.promote),
    button(asked.moves[1], piece.kind, w.stay),
  );
  const [x, y] = centre(asked.target.x, asked.target.y, flipped);
  panel.style.left = `${Math.max(13, Math.min(87, x / 9.36))}%`;
  panel.style.top = `${(y / BOARD_HEIGHT) * 100}%`;
  beforeChoice = document.activeElement.closest("#board, #text-board td");
  panel.querySelector("button").focus({ preventScroll: true });
}

/** The seconds that a side has left; null without clocks. */
function secondsLeft(color) {
  if (tab !== "play" || !game.clock || !(game.active || game.result)) return null;
  const main = game.time(color);
  return Math.max(0, Math.ceil((main > 0 ? main : main + game.clock.byoyomi) / 1000));
}

/** The time that a side has left; "" without clocks. */
export function clockText(color) {
  const seconds = secondsLeft(color);
  return seconds === null ? "" : clock(seconds);
}

export function drawClocks() {
  for (const side of document.querySelectorAll(".side")) {
    const color = Number(side.dataset.color);
    const element = side.querySelector(".clock");
    const seconds = secondsLeft(color);
    setText(element, clockText(color));
    element.classList.toggle("low", seconds !== null && game.running?.color === color && seconds <= 10);
  }
}

/** The chances of Black from the engine's first line, beside the board. */
export function drawBar() {
  const bar = at("evaluation");
  const line = at("hint").checked && lines[0]?.text === shownText() ? lines[0] : null;
  bar.hidden = !at("hint").checked || tab === "analyse" || tab === "games";
  if (!line || line.threat) return;
  const chance = line.turn === "b" ? line.win : 1 - line.win;
  bar.firstElementChild.style.height = `${(flipped ? 1 - chance : chance) * 100}%`;
  bar.classList.toggle("turned", flipped);
  bar.setAttribute("aria-valuenow", Math.round(chance * 100));
}

/** Moves of the game in the chosen notation. */
export function moveNames() {
  return spelledLine(parseStart(game.start), game.moves, game.names);
}

/** The number and the name of the move that led to the position shown; "" where there is none. */
export const lastMoveName = () => (tab === "play" && shown ? w.moveNumber(shown, moveNames()[shown - 1]) : "");

/** The list of moves: rows are added, taken away or renamed, not made anew. */
function drawMoves() {
  const list = at("moves");
  const names = moveNames();
  list.querySelectorAll(".branch").forEach((item) => item.remove());
  while (list.children.length > names.length) list.lastChild.remove();
  names.forEach((name, index) => {
    let row = list.children[index]?.firstElementChild;
    if (!row) {
      row = make(
        "button",
        { type: "button", class: "row", onclick: () => show(index + 1) },
        make("span", { class: "number" }, String(index + 1)),
        make("span", { class: "name" }),
      );
      list.append(make("li", {}, row));
    }
    if (row.lastElementChild.textContent !== name) row.lastElementChild.textContent = name;
  });
  drawBranches(list);
  const before = list.querySelector("[aria-current]");
  const now = list.querySelectorAll(".row")[shown - 1];
  if (before !== now) before?.removeAttribute("aria-current");
  now?.setAttribute("aria-current", "true");
  // The list has no size while another tab is open.
  if (scrolledTo === now || !list.clientHeight) return;
  scrolledTo = now;
  const [row, all] = [now ?? list, list].map((element) => element.getBoundingClientRect());
  list.scrollTop = now ? list.scrollTop + row.top - all.top - (all.height - row.height) / 2 : 0;
}

/** Bookmarks and comments at the moves of a branch. Lines for programs, such as `#評価値=63`, are not shown. */
const remarksOf = ({ before, line }) =>
  line.moves.slice(before).flatMap((_, index) => {
    const ply = before + index + 1;
    const comment = (line.comments?.[ply] ?? "").replaceAll(/^#.*\n?/gm, "").trim();
    const marks = (line.bookmarks?.includes(ply) ? "★" : "") + (comment ? "✎" : "");
    return marks ? [`${marks} ${ply} ${comment}`.trim()] : [];
  });

/** Moves that were taken back, below the move that was played instead. */
function drawBranches(list) {
  const rows = [...list.children];
  game.branches().forEach((branch) => {
    const { before, line } = branch;
    const names = spelledLine(parseStart(game.start), line.moves, line.names).slice(before);
    const rest = names.length > 6 ? ` … (${w.movesOf(names.length)})` : "";
    const text = `${w.variation} ${before + 1} ${names.slice(0, 6).join(" ")}${rest}`;
    const item = make(
      "li",
      { class: "branch" },
      make("button", { type: "button", onclick: () => followBranch(branch) }, text),
      " ",
      removeButton(w.removeBranch, () => removeBranch(line)),
      ...remarksOf(branch).map((text) => make("p", { class: "remark" }, text)),
    );
    list.insertBefore(item, rows[before + 1] ?? null);
  });
}

export function draw() {
  if (!rules) return;
  drawBoard();
  const end = tab === "mate" ? problem.moves.length : game.moves.length;
  const place = tab === "mate" ? problem.index : shown;
  drawPreview();
  const name = tab === "mate" ? problem.names[place - 1] : place ? moveNames()[place - 1] : "";
  at("where").textContent = tab === "setup" ? "" : place ? `${place} ${name}` : w.start;
  const [now, most] = preview.line ? [preview.count, preview.line.names.length] : [place, end];
  document.querySelectorAll("nav [data-go]").forEach((button) => {
    button.disabled =
      tab === "setup" ||
      (tab === "mate" && attempt !== null) ||
      (tab === "games" && practice.task !== null) ||
      (["first", "previous"].includes(button.dataset.go) ? now === 0 : now === most);
  });
  if (tab === "setup") drawSetup();
  if (tab === "mate") drawProblem();
  if (tab === "play") drawPlay();
  drawStatus();
  tellState();
}

function drawPlay() {
  // On a phone the board is small before a game: the settings are what matters then.
  document.body.dataset.game = game.active ? "on" : game.moves.length ? "over" : "none";
  drawMoves();
  drawRemarks();
  drawReplay();
  at("undo").disabled = !game.moves.length;
  at("resign").disabled = !game.active;
  at("declare").hidden = !(mayMove() && game.active && game.info.declaration);
  at("analyse-game").disabled = at("copy-kif").disabled = at("save-kif").disabled = !game.moves.length;
  drawEnd();
}

/** The card at the end of a game. */
function drawEnd() {
  const card = at("end-card");
  card.hidden = !game.result || game.result.seen || tab !== "play";
  if (card.hidden || card.dataset.of === game.text() + language) return;
  card.dataset.of = game.text() + language;
  const button = (word, action, className) =>
    make("button", { type: "button", class: className, onclick: action }, word);
  const close = () => {
    game.result.seen = true;
    keep();
    draw();
  };
  const used = [0, 1].map((color) =>
    game.seconds
      .filter((_, index) => (index % 2 === 0) === (color === firstColor()))
      .reduce((sum, seconds) => sum + (seconds ?? 0), 0),
  );
  card.replaceChildren(
    make("h2", {}, status()),
    make("p", {}, `${w.movesOf(game.moves.length)} · ▲${clock(used[0])} △${clock(used[1])}`),
    make("p", { id: "end-verdict" }),
    make(
      "div",
      { class: "buttons" },
      button(
        w.analyseGame,
        () => {
          close();
          at("analyse-game").click();
        },
        "primary",
      ),
      button(w.rematch, () => {
        close();
        newGame(game.start);
      }),
      button(w.close, close),
    ),
  );
  judgeGame();
}

const firstColor = () => (parse(parseStart(game.start)).white ? 1 : 0);

/** The state of the game in words. */
function status() {
  if (game.result) {
    const { winner, how } = game.result;
    return winner === null ? w.drawn : w.won(nameOf(winner), w[how]);
  }
  if (thinking) return w.thinking;
  if (!game.active) return game.moves.length ? "" : w.ready;
  const answered = game.active && game.moves.length ? `${moveNames().at(-1)} · ` : "";
  return answered + w.yourTurn + (game.info.check ? w.inCheck : "");
}

/** Makes as many children as wanted, and keeps those that are there: a click on an element that is replaced between
 *  press and release would be lost. */
function childrenOf(element, number, create) {
  while (element.children.length > number) element.lastElementChild.remove();
  while (element.children.length < number) element.append(create());
  return [...element.children];
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The engine's lines. Each move can be shown on the board. */
export function drawLines() {
  const all = lines.filter(Boolean);
  const about = all.length ? 1 : 0;
  const item = () => make("li", {}, make("span", { class: "score" }), make("span", { class: "line" }));
  const rows = childrenOf(at("lines"), all.length + about, item);
  all.forEach((line, number) => {
    const [score, moves] = rows[number].children;
    rows[number].className = "";
    setText(score, evaluationText(line.score, line.turn));
    const names = spelledLine(line.sfen, line.pv.slice(0, 10), line.names);
    const buttons = childrenOf(moves, names.length, () => make("button", { type: "button", class: "step" }));
    buttons.forEach((button, index) => {
      Object.assign(button.dataset, { line: number, move: index + 1 });
      button.disabled = tab !== "play" || line.threat;
      setText(button, names[index]);
    });
  });
  if (!about) return;
  const [depth, rest] = rows[all.length].children;
  rows[all.length].className = "about";
  rest.replaceChildren();
  setText(depth, `${w.depth} ${lines[0].depth} · ${lines[0].nodes.toLocaleString()} ${w.nodesWord}`);
}

/** A score of the side to move in words, for Black. */
export function evaluationText(score, turn) {
  const sign = turn === "b" ? 1 : -1;
  if (score.cp !== undefined) return (score.cp * sign > 0 ? "+" : "") + score.cp * sign;
  return `${score.mate > 0 === (turn === "b") ? "▲" : "△"}${w.mateIn(Math.abs(score.mate))}`;
}

export function frame() {
  translate();
  at("move-field").placeholder = w.moveHint;
  at("look-language").value = language;
  at("language").lang = language === "ja" ? "en" : "ja";
  const fill = (id, list, value) => {
    const before = at(id).value || value;
    at(id).replaceChildren(...list.map(([key, word]) => make("option", key === "" ? {} : { value: key }, word)));
    [...at(id).options].forEach((option, index) => {
      option.value = list[index][0];
    });
    at(id).value = before;
  };
  const levels = [...Array(20).keys()].map((n) => [String(n), levelName(n)]);
  fill("level", [["auto", w.autoLevel(levelName(kept.autoLevel))], ...levels, ["20", w.full]], "4");
  fill(
    "clock",
    [
      ["", w.noClock],
      ["10,30,0", `10${w.minutes} + ${w.byoyomi} ${w.secondsOf(30)}`],
      ["5,0,5", `5${w.minutes} + ${w.increment} ${w.secondsOf(5)}`],
      ["0,30,0", `${w.byoyomi} ${w.secondsOf(30)}`],
      ["3,0,0", `3${w.minutes}`],
    ],
    "",
  );
  const most = document.documentElement.dataset.engine === "native" ? 10 : 5;
  fill(
    "line-count",
    [...Array(most).keys()].map((n) => [String(n + 1), String(n + 1)]),
    "3",
  );
  fill(
    "per-move",
    ["1", "3", "10"].map((n) => [n, w.secondsOf(n)]),
    "1",
  );
  fill(
    "mate-limit",
    ["10000", "60000", "600000"].map((n) => [n, w.secondsOf(n / 1000)]),
    "10000",
  );
  fill(
    "look-pieces",
    PIECE_SETS.map((set) => [set, w.pieceSets[set]]),
    "kanji",
  );
  fill(
    "look-board",
    BOARDS.map((board) => [board, w.boards[board]]),
    "wood",
  );
  fill(
    "look-notation",
    [
      ["", w.notationOfLanguage],
      ["ja", "７六歩"],
      ["western", "P-7f"],
      ["usi", "7g7f"],
    ],
    "",
  );
  if (rules)
    fill(
      "handicap",
      rules
        .handicaps()
        .filter(([name]) => name !== "飛落ち")
        .map(([name, sfen]) => [sfen, w.handicapName(name)]),
      START,
    );
  drawKeys();
  drawSpeech();
  draw();
  drawLines();
}
