// Questions for a better move: shared by the report and the page of exercises.
import { isOwn, movesTo, parse, square } from "./board.js";
import { illegality, movesTyped } from "./notation.js";
import { make, w } from "./page.js";

/** @import { Answers, Child, Line, Position, Target } from "./types.d.ts" */

/** A question and what the reader has answered. `answers` has the lines that begin with right moves and those that
 *  refute wrong ones. */
export class Question {
  /** @type {Target | null} */
  selected = null;
  /** Two moves where the promotion is a choice.
   *  @type {string[] | null} */
  promotion = null;
  message = "";
  /** The line against a wrong answer.
   *  @type {Line | null} */
  refutation = null;
  done = false;
  given = false; // by showing the answer
  tries = 0;

  /**
   * @param {string} sfen
   * @param {Answers} answers
   * @param {string} played
   */
  constructor(sfen, answers, played) {
    this.sfen = sfen;
    this.answers = answers;
    this.played = played;
  }

  /** A click on a square or a piece in hand.
   *  @param {Target} target
   */
  choose(target) {
    const position = parse(this.sfen);
    this.promotion = null;
    if (typeof target === "string" || isOwn(position, target)) this.selected = target;
    else if (this.selected !== null) {
      const moves = movesTo(position, this.selected, target).filter((move) => !illegal(position, move));
      if (moves.length > 1) this.promotion = moves;
      else if (moves.length === 1) this.answer(moves[0]);
      else this.selected = null;
    }
  }

  /** A move as typed.
   *  @param {string} text
   */
  type(text) {
    const lines = [...this.answers.right, ...this.answers.wrong];
    const known = lines.map((found) => found.moves[0]);
    const moves = movesTyped(text, parse(this.sfen), known, () => lines.map((found) => found.japanese[0]));
    this.answer(moves[0] ?? text.trim());
  }

  /** @param {string} move */
  answer(move) {
    /** @param {Line} found */
    const begins = (found) => found.moves[0] === move;
    const { right, wrong, unclear } = this.answers;
    this.selected = this.promotion = this.refutation = null;
    this.tries++;
    const found = right.findIndex(begins);
    if (found >= 0) {
      this.message = found === 0 ? w.right : w.close;
      this.done = true;
      return;
    }
    this.refutation = wrong.find(begins) ?? null;
    const known = !unclear.split(" ").includes(move) && !illegal(parse(this.sfen), move);
    if (known) this.message = move === this.played ? w.wrongAgain : w.wrong;
    else this.message = w.unknown;
  }
}

// Whether a move cannot be played. A pawn dropped with check might be mate, which the answers know.
/**
 * @param {Position} position
 * @param {string} move
 */
function illegal(position, move) {
  if (!/^([1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i])$/.test(move)) return true;
  const own = move[1] === "*" ? position.held[Number(position.white)][move[0]] > 0 : isOwn(position, square(move));
  return !own || !["noMove", "pawnMate"].includes(illegality(position, move));
}

/** What the reader sees of a question. `task` is its text, `redraw` is called after an answer, `follow(line)` shows a
 *  line, `ends` are the buttons after it.
 *  @param {Question} question
 *  @param {{ task: string, redraw: () => void, follow: (line: Line) => Child[], ends: [string, () => void][] }} options
 */
export function questionParts(question, { task, redraw, follow, ends }) {
  /**
   * @param {string} word
   * @param {() => void} action
   */
  const button = (word, action) => make("button", { type: "button", onclick: action }, word);
  /** @param {() => void} action */
  const then = (action) => () => {
    action();
    redraw();
  };
  const field = make("input", { id: "answer", "aria-label": w.input, placeholder: w.input, size: 18 });
  const form = make("form", {}, field, make("button", {}, w.answer));
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    then(() => question.type(field.value))();
  });
  const parts = [make("p", {}, task), make("p", { class: "message", role: "status" }, question.message)];
  if (question.refutation && !question.done)
    parts.push(make("p", { class: "refutation" }, `${w.refutation} `, ...follow(question.refutation)));
  const choice = question.promotion;
  if (choice)
    parts.push(
      button(
        w.promote,
        then(() => question.answer(choice[0])),
      ),
      " ",
      button(
        w.stay,
        then(() => question.answer(choice[1])),
      ),
    );
  else if (!question.done)
    parts.push(
      form,
      button(
        w.solution,
        then(() => {
          question.done = true;
          question.message = "";
          question.given = true;
        }),
      ),
    );
  ends.forEach(([word, action]) => parts.push(" ", button(word, action)));
  return parts;
}
