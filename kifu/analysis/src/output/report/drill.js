// The page of exercises: state, panels and input.
import { describe, drawHand, drawPosition, mark, parse, play, squareUnder } from "./board.js";
import { Question, questionParts } from "./exercise.js";
import { spelled, spelledLine } from "./notation.js";
import { addWords, at, chooseLanguage, language, make, translate, w, word } from "./page.js";
import { DRILL_WORDS } from "./words.js";

/** @import { Arrow, Exercise, Line, Position, Shown, Target } from "./types.d.ts" */

addWords(DRILL_WORDS);
const data = JSON.parse(at("data").textContent);
/** @type {Exercise[]} */
const exercises = data.exercises;
exercises.forEach((exercise) =>
  // Lines are stored as text.
  [...exercise.answers.right, ...exercise.answers.wrong].forEach((/** @type {any} */ line) => {
    line.moves = line.moves.split(" ");
    line.japanese = line.names.split(/(?=[▲△])/);
  }),
);
const questions = exercises.map((exercise) => new Question(exercise.sfen, exercise.answers, exercise.played));
let number = 0;
/** The line shown.
 *  @type {Shown | null} */
let line = null;
let flipped = false;
/** @type {{ number: number, index: number } | null} */
let shownBefore = null;

/** @param {[string, string] | null | undefined} pair */
const text = (pair) => (pair ? pair[language === "ja" ? 0 : 1] : "");
/**
 * @param {Exercise} exercise
 * @param {number} color
 */
const player = (exercise, color) => exercise.players[color] || w.names[color];

function current() {
  const position = parse(exercises[number].sfen);
  const { previous } = exercises[number];
  if (!line && previous) mark(position, previous);
  if (line) line.moves.slice(0, line.index).forEach((move) => play(position, move));
  return position;
}

function drawBoard() {
  const [position, question] = [current(), questions[number]];
  /** @type {Arrow[]} */
  const arrows = question.done && !line ? [[question.answers.right[0].moves[0], "best"]] : [];
  const point = typeof question.selected === "string" ? null : question.selected;
  const index = line?.index ?? 0;
  drawPosition(at("board"), position, {
    flipped,
    arrows,
    selected: line ? null : point,
    moved: shownBefore?.number === number && index === shownBefore.index + 1,
  });
  shownBefore = { number, index };
  at("board").setAttribute("aria-label", describe(position, w));
  ["side-top", "side-bottom"].forEach((id, side) =>
    drawSide(at(id), (side === 0) === flipped ? 0 : 1, position, question),
  );
}

/**
 * @param {any} side
 * @param {number} color
 * @param {Position} position
 * @param {Question} question
 */
function drawSide(side, color, position, question) {
  if (!side.children.length) side.append(make("span", { class: "name" }), make("span", { class: "pieces" }));
  const mine = !question.done && Number(position.white) === color;
  side.className = Number(position.white) === color ? "side turn" : "side";
  side.firstChild.textContent = side.firstChild.title = "▲△"[color] + player(exercises[number], color);
  drawHand(side.lastChild, position.held[color], {
    color,
    flipped,
    mine,
    selected: typeof question.selected === "string" ? question.selected : null,
  });
}

// A line as buttons that step through it.
/** @param {Line} found */
const follow = (found) =>
  spelledLine(exercises[number].sfen, found.moves, found.japanese).map((name, index) =>
    make(
      "button",
      {
        type: "button",
        class: line && line.moves === found.moves && line.index === index + 1 ? "move now" : "move",
        onclick: () => show({ moves: found.moves, japanese: found.japanese, index: index + 1 }),
      },
      name,
    ),
  );

/**
 * @param {Line} found
 * @param {string} turn
 */
function evaluation(found, turn) {
  if (found.mate !== undefined)
    return found.mate === 0
      ? w.wins[turn === "w" ? 0 : 1]
      : `${"▲△"[Number(found.mate < 0)]}${w.mateIn(Math.abs(found.mate))}`;
  return (Number(found.cp) > 0 ? "+" : "") + found.cp;
}

function drawQuestion() {
  const [exercise, question] = [exercises[number], questions[number]];
  const side = exercise.turn === "b" ? w.names[0] : w.names[1];
  const task = (exercise.missed ? w.findMate : w.find)(side, exercise.number);
  /** @param {number} step */
  const to = (step) => () => open(neighbour(step));
  at("exercise").replaceChildren(
    ...questionParts(question, {
      task,
      redraw: () => (question.done ? show(null) : draw()),
      follow,
      ends: [
        [w.previousTask, to(-1)],
        [w.nextTask, to(1)],
      ],
    }),
  );
  const { right, wrong } = exercise.answers;
  const played = wrong.find((found) => found.moves[0] === exercise.played);
  const lines = question.done ? [...right, ...(played ? [played] : [])] : [];
  at("lines").replaceChildren(
    ...lines.map((found) =>
      make(
        "li",
        { class: found === played ? "dubious" : "best" },
        make("span", { class: "score" }, evaluation(found, exercise.turn)),
        " ",
        ...follow(found),
      ),
    ),
  );
  const name = spelled(parse(exercise.sfen), exercise.played, exercise.name);
  const source = [
    w.played(name, (exercise.loss * 100).toFixed(1)),
    text(exercise.reason),
    exercise.missed ? w.missedMate(exercise.missed) : "",
    exercise.hard ? w.difficulty(word(exercise.hard[0]), exercise.hard[1].toLocaleString(language)) : "",
    exercise.date,
    `▲${player(exercise, 0)} △${player(exercise, 1)}`,
    exercise.game,
  ];
  at("source").textContent = question.done ? source.filter(Boolean).join("  ·  ") : "";
}

/**
 * @param {Question} question
 * @returns {"" | "given" | "right"}
 */
const state = (question) => (!question.done ? "" : question.given ? "given" : "right");

// The exercises of the chosen kind of mistake, by their numbers.
const ofKind = () => {
  const chosen = at("kind").value;
  return exercises.map((_, index) => index).filter((index) => !chosen || exercises[index].kind === +chosen);
};

// The kinds of mistakes that occur, each with the number of its exercises.
function drawKinds() {
  const chosen = at("kind").value;
  /** @param {number} kind */
  const count = (kind) => exercises.filter((exercise) => exercise.kind === kind).length;
  /** @type {string[]} */
  const kinds = data.kinds;
  const option = (/** @type {string} */ value, /** @type {string} */ name) => make("option", { value }, name);
  at("kind").replaceChildren(
    option("", w.allKinds),
    ...kinds.flatMap((name, kind) => {
      const own = name.split(" / ")[language === "ja" ? 0 : 1];
      return count(kind) ? [option(String(kind), `${own} (${count(kind)})`)] : [];
    }),
  );
  at("kind").value = chosen;
}

/** The number of the exercise after or before this one, of the chosen kind.
 *  @param {number} step
 */
function neighbour(step) {
  const own = ofKind();
  const place = own.indexOf(number);
  return place < 0 ? own[0] : own[(place + step + own.length) % own.length];
}

function drawList() {
  at("list").replaceChildren(
    ...ofKind().map((index) => {
      const question = questions[index];
      const button = make(
        "button",
        { type: "button", "data-state": state(question), onclick: () => open(index) },
        `${index + 1}${{ right: " ○", given: " –", "": "" }[state(question)]}`,
      );
      if (index === number) button.setAttribute("aria-current", "true");
      return button;
    }),
  );
  at("score").textContent = w.score(
    questions.filter((question) => state(question) === "right").length,
    questions.length,
  );
}

function draw() {
  drawBoard();
  drawQuestion();
  drawList();
  const names = line ? spelledLine(exercises[number].sfen, line.moves, line.japanese) : [];
  at("where").textContent = line
    ? `${line.index}/${line.moves.length} ${names[line.index - 1] ?? ""}`
    : `${number + 1}/${exercises.length}`;
}

/** @param {Shown | null} found */
function show(found) {
  line = found;
  draw();
}

/** @param {number} index */
function open(index) {
  number = index;
  flipped = exercises[number].turn === "w";
  show(null);
}

/** @param {string} where */
function go(where) {
  const question = questions[number];
  const shown = line ?? (question.done ? { ...question.answers.right[0], index: 0 } : null);
  if (!shown) return;
  /** @type {Record<string, number>} */
  const places = {
    first: 0,
    previous: shown.index - 1,
    next: Math.min(shown.index + 1, shown.moves.length),
    last: shown.moves.length,
  };
  const index = places[where];
  show(index > 0 ? { ...shown, index } : null);
}

/** @param {Target} target */
function choose(target) {
  const question = questions[number];
  if (question.done) return;
  // After a look at the refutation of an answer.
  if (line) return show(null);
  question.choose(target);
  return draw();
}

function frame() {
  translate();
  drawKinds();
  at("title").textContent = document.title = w.drill;
  at("engine").textContent = [
    `${w.engine}: ${data.engine}`,
    `${w.network}: ${data.network}`,
    `${w.limits}: ${data.limits}`,
  ].join("  ·  ");
  draw();
}

at("board").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const point = squareUnder(at("board"), event, flipped);
  if (point) choose(point);
});
["side-top", "side-bottom"].forEach((id) =>
  at(id).addEventListener("click", (/** @type {any} */ event) => {
    const button = event.target.closest("[data-kind]");
    if (button) choose(button.dataset.kind);
  }),
);
document
  .querySelectorAll("[data-go]")
  .forEach((/** @type {any} */ button) => button.addEventListener("click", () => go(button.dataset.go)));
at("language").addEventListener("click", () => {
  chooseLanguage(language === "ja" ? "en" : "ja");
  frame();
});
function flip() {
  flipped = !flipped;
  at("flip").setAttribute("aria-pressed", String(flipped));
  draw();
}
at("flip").addEventListener("click", flip);
document.addEventListener("keydown", (event) => {
  const { tagName } = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || ["INPUT", "SELECT", "TEXTAREA"].includes(tagName)) return;
  /** @type {Record<string, string>} */
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  const where = keys[event.key];
  if (where) {
    event.preventDefault();
    go(where);
  } else if (event.key === "f") flip();
  else if (event.key === "n") open(neighbour(1));
  else if (event.key === "p") open(neighbour(-1));
  else if (event.key === "Escape") show(null);
});
at("kind").addEventListener("change", () => open(ofKind().includes(number) ? number : ofKind()[0]));
flipped = exercises[0].turn === "w";
frame();
