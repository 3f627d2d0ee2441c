// The keys of the board and of the board as text: what they ask for, in words; and the list of keys.
import { HAND, RANKS, describe, square, squareName } from "../../kifu/analysis/src/output/report/board.js";
import { attackers, notation, spelled, spelledLine } from "../../kifu/analysis/src/output/report/notation.js";
import { at, make, w } from "../../kifu/analysis/src/output/report/page.js";
import {
  engine,
  game,
  go,
  input,
  lines,
  positionOf,
  rules,
  shownPosition,
  shownText,
  stopHints,
  tab,
  thinking,
  updateHints,
} from "./app.js";
import { practice } from "./practice.js";
import { announce } from "./speech.js";
import { attempt } from "./tsume.js";
import { clockText, evaluationText, nameOf, say } from "./view.js";

export const squareWord = (point) => (notation() === "ja" ? `${9 - point.x}${RANKS[point.y]}` : squareName(point));
const pieceWord = (piece) => w.pieceOf(w.names[Number(piece.white)], w.pieces[piece.kind]);

/** What is on a square, in words. */
export function squareInWords(point, position = shownPosition()) {
  const piece = position.board[point.y][point.x];
  return `${squareWord(point)} ${piece ? pieceWord(piece) : w.emptySquare}`;
}

const inHand = (held) =>
  HAND.filter((kind) => held[kind] > 0)
    .map((kind) => `${w.pieces[kind]} ${held[kind]}`)
    .join(", ") || w.nothing;

/** The pieces in both hands, in words. */
export const handsInWords = (position = shownPosition()) =>
  [0, 1].map((color) => `${w.names[color]} ${w.inHand} ${inHand(position.held[color])}`).join("; ");

/** The pieces of both sides that go to a square as they move, those that defend what is there included. */
function attackersInWords(point) {
  const all = attackers(shownPosition(), point);
  const of = (white) =>
    all
      .filter((from) => shownPosition().board[from.y][from.x].white === white)
      .map((from) => `${w.pieces[shownPosition().board[from.y][from.x].kind]} ${squareWord(from)}`)
      .join(", ") || w.nothing;
  return `${squareWord(point)}: ${w.names[0]} ${of(false)}; ${w.names[1]} ${of(true)}`;
}

/** The move that led to the position shown. */
function lastInWords() {
  const [start, moves] = shownText().split(" moves ");
  if (!moves) return w.noMoveYet;
  const all = moves.split(" ");
  const last = all.pop();
  const text = all.length ? `${start} moves ${all.join(" ")}` : start;
  return `${all.length + 1} ${spelled(positionOf(text), last, rules.names(text, [last])[0])}`;
}

/** Whose turn it is, check, and the time left. */
function turnInWords() {
  const position = shownPosition();
  const parts = [w.toMove(nameOf(Number(position.white)))];
  if (rules.position(shownText()).check) parts.push(w.check);
  if (tab === "play" && game.clock)
    [0, 1].forEach((color) => clockText(color) && parts.push(`${w.names[color]} ${clockText(color)}`));
  return parts.join(", ");
}

const lineInWords = (line) =>
  `${evaluationText(line.score, line.turn)} ${spelledLine(line.sfen, line.pv.slice(0, 5), line.names).join(" ")}`;

/** The engine's line: the one that is shown, or that of a search of one second. */
async function bestLine() {
  const text = shownText();
  const known = lines[0]?.text === text ? lines[0] : null;
  if (known) return say(lineInWords(known));
  if (thinking || (attempt && tab === "mate") || (practice.task && tab === "games")) return say(w.noLineNow, true);
  const { legal, sfen, turn } = rules.position(text);
  if (!legal.length) return say(w.noMoves);
  say(w.lookingForLine);
  if (game.active && tab === "play") game.hints = 1;
  await stopHints();
  let found = null;
  try {
    await engine.search(text, { movetime: 1000 }, (info) => {
      if (info.bound === "exact" && info.pv.length && info.multipv === 1) found = info;
    });
  } catch (error) {
    return say(error.message, true);
  }
  if (shownText() !== text) return undefined;
  if (at("hint").checked) updateHints();
  if (!found) return say(w.noLineYet);
  return say(lineInWords({ ...found, sfen, turn, names: rules.names(text, found.pv.slice(0, 5)) }));
}

function openKeys() {
  at("keys-fold").open = true;
  at("keys-fold").scrollIntoView({ block: "nearest" });
  at("keys-fold").querySelector("summary").focus();
}

function takeBackHere() {
  const button = { play: at("undo"), setup: at("setup-undo") }[tab];
  if (!button || button.disabled) return say(w.nothingToUndo, true);
  return button.click();
}

/** Keys of the boards; each gets the square, if there is one. */
const COMMANDS = {
  a: (point) => say(point ? attackersInWords(point) : w.chooseSquare),
  h: () => say(handsInWords()),
  l: () => say(lastInWords()),
  e: bestLine,
  p: () => say(describe(shownPosition(), w)),
  t: () => say(turnInWords()),
  n: () => go("next"),
  b: () => go("previous"),
  u: takeBackHere,
  m: () => !at("move-form").hidden && at("move-field").focus(),
  "?": openKeys,
};
const ELSEWHERE = ["←→", "Home End", "F", "Esc", "Ctrl+Z"];

/** Does what a key on a board asks for; false if it asks for nothing. */
export function command(key, point) {
  const action = COMMANDS[key.toLowerCase()];
  if (!action) return false;
  action(point);
  return true;
}

let file = null; // the digit of a file that was typed

/** The square whose name has been typed, such as 7 and f or 7 and 6; null before its second letter. */
export function squareTyped(key) {
  const before = file;
  file = null;
  const rank = /^[1-9]$/.test(key) ? Number(key) - 1 : "abcdefghi".indexOf(key);
  if (before && rank >= 0 && key.length === 1) return square(before + "abcdefghi"[rank]);
  if (/^[1-9]$/.test(key)) file = key;
  return null;
}
export const typesSquare = (key) => file !== null && /^[a-i1-9]$/.test(key);

/** Tells what is chosen now on a board, after a key. */
export function tellChoice(point, textBefore) {
  // The question of promotion has the focus, and a move is told as one.
  if (input.choice || shownText() !== textBefore) {
    if (tab === "setup" && !input.choice) announce(squareInWords(point), true);
    return;
  }
  const { selected } = input;
  if (selected === null) {
    if (!at("status").classList.contains("alarm")) announce(squareInWords(point), true);
    return;
  }
  const what = typeof selected === "string" ? w.pieces[selected] : squareInWords(selected);
  const targets = input.targets().map(squareWord).join(", ");
  announce(tab === "setup" ? w.chosen(what) : w.chosenTo(what, targets || w.nothing), true);
}

/** The list of keys. */
export function drawKeys() {
  const row = (key, text) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)];
  at("keys-list").replaceChildren(
    ...row(w.arrowKeys, w.keyWords.arrows),
    ...row("Enter", w.keyWords.enter),
    ...row("7 F", w.keyWords.square),
    ...Object.keys(COMMANDS).flatMap((key) => row(key.toUpperCase(), w.keyWords[key])),
  );
  at("keys-elsewhere").replaceChildren(...ELSEWHERE.flatMap((key) => row(key, w.keyWords[key])));
}
