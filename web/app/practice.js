// Mistakes of analysed games, to be played better on the board: those that were solved come again after longer and
// longer intervals.
import { spelled } from "../../kifu/analysis/src/output/report/notation.js";
import { at, w } from "../../kifu/analysis/src/output/report/page.js";
import { changeNotes, readGame } from "./archive.js";
import { changed, placeMoveForm, positionOf, rules, tab, turnBoard } from "./app.js";
import { announce } from "./speech.js";
import { due, practised } from "./statistics.js";
import { markDragged, say } from "./view.js";

/** The exercise on the board: `task` is null without one, `tries` counts wrong answers. */
export const practice = { task: null, start: "", moves: [], legal: [], played: "", done: false, tries: 0 };
const missed = new Set(); // exercises that were not solved today; they come again after the others
let afterwards = () => {}; // what draws the games anew

const keyOf = ({ game, mistake }) => `${game.name} ${mistake.ply}`;

export const practiceText = () =>
  practice.moves.length
    ? `${practice.start}${practice.start.includes(" moves ") ? " " : " moves "}${practice.moves.join(" ")}`
    : practice.start;

export const mayAnswer = () => practice.task !== null && !practice.done;

/** The next exercise of these games. */
async function nextTask(games) {
  const list = due(games, new Date());
  list.sort((a, b) => Number(missed.has(keyOf(a))) - Number(missed.has(keyOf(b))));
  const task = list.find((other) => !practice.task || keyOf(other) !== keyOf(practice.task)) ?? list[0];
  if (!task) {
    leavePractice();
    return say(w.nothingDue);
  }
  const { ply } = task.mistake;
  const [record] = rules.openRecords(await readGame(task.game.name));
  const text = (count) => `sfen ${record.start}${count ? ` moves ${record.moves.slice(0, count).join(" ")}` : ""}`;
  const { legal, turn } = rules.position(text(ply));
  Object.assign(practice, {
    task,
    start: text(ply),
    moves: [],
    legal,
    played: record.moves[ply],
    done: false,
    tries: 0,
  });
  turnBoard(turn === "w");
  drawPractice();
  const [name] = rules.names(text(ply), [practice.played]);
  const lost = Math.round(task.mistake.loss * 100);
  const asked = w.task(ply + 1, spelled(positionOf(text(ply)), practice.played, name), lost);
  at("practice-task").textContent = asked;
  changed();
  return announce(asked);
}

function drawPractice() {
  document.body.dataset.practice = practice.task ? "on" : "off";
  at("practice").hidden = !practice.task;
  at("text-fold").hidden = tab === "analyse" || (tab === "games" && !practice.task);
  placeMoveForm();
  at("practice-solution").disabled = practice.done;
}

/** Notes how an exercise went. */
async function note(solved) {
  const { game, mistake } = practice.task;
  const next = practised(mistake, solved, new Date());
  Object.assign(mistake, next);
  if (!solved) missed.add(keyOf(practice.task));
  await changeNotes(game.name, (notes) => {
    Object.assign(notes.mistakes.find(({ ply }) => ply === mistake.ply) ?? {}, next);
  });
  afterwards();
}

/** The user's answer. */
export function tryAnswer(move, dragged) {
  const { right } = practice.task.mistake;
  if (!right.includes(move)) {
    practice.tries++;
    changed();
    return say(move === practice.played ? w.wrongAgain : w.wrong, true);
  }
  const solved = practice.tries === 0;
  Object.assign(practice, { moves: [move], done: true });
  markDragged(dragged);
  drawPractice();
  changed();
  say(solved ? w.right : w.rightLater);
  return note(solved);
}

function showSolution() {
  const { start, task } = practice;
  const names = task.mistake.right.map((move) => spelled(positionOf(start), move, rules.names(start, [move])[0]));
  practice.done = true;
  practice.moves = [task.mistake.right[0]];
  drawPractice();
  changed();
  say(names.join(" "));
  return note(false);
}

export function leavePractice() {
  practice.task = null;
  drawPractice();
}

/** `games()` gives the games; `after` is called when the notes of one have changed. */
export function startPractice(games, after) {
  afterwards = after;
  const tell = (promise) => promise.catch((error) => say(error.message, true));
  at("practise").addEventListener("click", () => tell(nextTask(games())));
  at("practice-next").addEventListener("click", () => tell(nextTask(games())));
  at("practice-solution").addEventListener("click", () => tell(showSolution()));
  at("practice-leave").addEventListener("click", () => {
    leavePractice();
    changed();
  });
}
