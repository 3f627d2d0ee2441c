// Mate problems to solve on the board: the engine defends and refutes wrong tries. Problems are those of
// problems.js, and mates that analyses of games have found.
import { parse, play, toSfen } from "../../kifu/analysis/src/output/report/board.js";
import { spelled } from "../../kifu/analysis/src/output/report/notation.js";
import { at, language, make, w } from "../../kifu/analysis/src/output/report/page.js";
import { changed, engine, placeMoveForm, positionOf, rules, stopHints, tab, turnBoard } from "./app.js";
import { keep, kept } from "./kept.js";
import { PROBLEMS } from "./problems.js";
import { problem, solve } from "./setup.js";
import { markDragged, say } from "./view.js";

const MATES_KEPT = 60;
const LENGTHS = [...new Set(PROBLEMS.map(({ moves }) => moves.length))];
export let attempt = null; // the problem being solved: moves so far, legal moves, whether the engine is at work

/** Adds the mates of an analysed game, those missed first, to the problems kept. */
export function keepMates({ steps, start, facts }) {
  const position = parse(start);
  const found = [];
  steps.forEach((step, index) => {
    const sfen = toSfen(position, 1);
    const before = steps[index - 1]?.lines[0]?.mate;
    const mate = step.lines[0]?.mate;
    const forMover = mate && mate > 0 === (step.turn === "b");
    // The first position of a mate is the problem; the rest is its solution.
    if (forMover && Math.abs(mate) <= 15 && (step.missed || !before))
      found.push({
        sfen,
        plies: Math.abs(mate),
        when: `${facts.date?.split(" ")[0] ?? ""} ${index + 1}`.trim(),
        missed: Boolean(step.missed),
      });
    if (step.played) play(position, step.played);
  });
  const known = new Set(kept.mates.map((mate) => mate.sfen));
  kept.mates = [
    ...found.filter((mate) => !known.has(mate.sfen)).sort((a, b) => Number(b.missed) - Number(a.missed)),
    ...kept.mates,
  ].slice(0, MATES_KEPT);
  keep();
}

/** Ends the attempt. */
export function leaveAttempt() {
  attempt = null;
  placeMoveForm();
}

export const mayTry = () => attempt !== null && !attempt.waiting && !attempt.done;

function newAttempt() {
  attempt = {
    start: problem.text,
    sfen: problem.text.replace(/^sfen /, ""),
    moves: [],
    legal: rules.position(problem.text).legal,
    waiting: false,
    done: false,
    text() {
      return this.moves.length ? `${this.start} moves ${this.moves.join(" ")}` : this.start;
    },
  };
  turnBoard(rules.position(problem.text).turn === "w");
  placeMoveForm();
  changed();
  say(w.tsumeTask(problem.moves.length));
}

/** The user's move: it must be a check, and the mate must still be there after the best defence. */
export async function tryMove(move, dragged) {
  const now = attempt;
  now.moves.push(move);
  markDragged(dragged);
  now.waiting = true;
  changed();
  const retract = (text) => {
    now.moves.pop();
    finish(text, true);
  };
  const finish = (text, alarm, spoken = text) => {
    now.waiting = false;
    if (attempt !== now || tab !== "mate") return;
    now.legal = rules.position(now.text()).legal;
    changed();
    say(text, alarm, spoken);
  };
  const { check, over } = rules.position(now.text());
  if (!check) return retract(w.tsumeNoCheck);
  if (over === "mate") {
    now.done = true;
    const { sfen } = now;
    if (!kept.solved.includes(sfen)) kept.solved.push(sfen);
    keep();
    return finish(w.tsumeRight, false);
  }
  try {
    await stopHints();
    const reply = await defence(now);
    if (attempt !== now) return undefined;
    if (reply.escapes) return retract(w.tsumeRefuted(reply.name));
    const before = now.text();
    const name = spelled(positionOf(before), reply.move, rules.names(before, [reply.move])[0]);
    now.moves.push(reply.move);
    return finish(w.tsumeOn, false, `${name}${w.stop}${w.tsumeOn}`);
  } catch (error) {
    return retract(error.message);
  }
}

/** The defender's move: one after which there is no mate if there is any, else the one that lasts longest. */
async function defence(now) {
  const text = now.text();
  const { legal } = rules.position(text);
  let longest = null;
  for (const move of legal) {
    const answer = await engine.mate(`${text} ${move}`, 5000);
    if (attempt !== now) return { escapes: false };
    if (!answer.mate)
      return {
        escapes: true,
        name: answer.mate === false ? spelled(positionOf(text), move, rules.names(text, [move])[0]) : "",
      };
    if (!longest || answer.moves.length > longest.plies) longest = { move, plies: answer.moves.length };
  }
  return { escapes: false, move: longest.move };
}

/** The problems of the length chosen, or the mates from games. */
const tsumeList = () =>
  at("tsume-length").value === "games"
    ? kept.mates
    : PROBLEMS.filter(({ moves }) => moves.length === Number(at("tsume-length").value));
const isSolved = ({ sfen }) => kept.solved.includes(sfen);

export function drawTsume() {
  const button = at("tsume-play");
  button.hidden = !problem.moves.length;
  button.textContent = attempt ? w.tsumeLeave : w.tsumePlay;
  const key = language + kept.mates.map((mate) => mate.sfen).join() + kept.solved.length;
  const lengths = at("tsume-length");
  if (lengths.dataset.key !== key) {
    lengths.dataset.key = key;
    const { value } = lengths;
    const option = (value, name, list) =>
      make("option", { value }, `${name} (${list.filter(isSolved).length}/${list.length})`);
    lengths.replaceChildren(
      ...LENGTHS.map((plies) =>
        option(
          String(plies),
          w.mateFound(plies),
          PROBLEMS.filter(({ moves }) => moves.length === plies),
        ),
      ),
      ...(kept.mates.length ? [option("games", w.tsumeFrom, kept.mates)] : []),
    );
    lengths.value = [...lengths.options].some((option) => option.value === value) ? value : String(LENGTHS[0]);
  }
  const list = at("tsume-list");
  if (list.dataset.key === key + lengths.value) return;
  const same = list.dataset.of === lengths.value;
  const { value } = list;
  Object.assign(list.dataset, { key: key + lengths.value, of: lengths.value });
  list.replaceChildren(
    make("option", {}, "–"),
    ...tsumeList().map((item, index) =>
      make(
        "option",
        { value: String(index) },
        (item.when === undefined ? String(index + 1) : w.tsumeItem(item.plies, item.when)) +
          (isSolved(item) ? " ✓" : ""),
      ),
    ),
  );
  list.options[0].value = "";
  list.value = same ? value : "";
}

/** Opens a problem of the list to be solved. */
async function openTsume(index) {
  const item = tsumeList()[index];
  if (!item) return;
  at("tsume-list").value = String(index);
  at("mate-sfen").value = item.sfen;
  if (item.moves) {
    const text = `sfen ${item.sfen}`;
    at("mate-answer").textContent = "";
    Object.assign(problem, { text, moves: item.moves, names: rules.names(text, item.moves), index: 0 });
  } else await solve();
  if (problem.moves.length) newAttempt();
}

/** The next problem that is not solved yet; after the last one the first. */
function nextTsume() {
  const list = tsumeList();
  const now = at("tsume-list").value === "" ? -1 : Number(at("tsume-list").value);
  const order = list.map((_, index) => (now + 1 + index) % list.length);
  openTsume(order.find((index) => !isSolved(list[index])) ?? order[0]);
}

export function startTsume() {
  at("tsume-play").addEventListener("click", () => {
    if (!attempt) return newAttempt();
    leaveAttempt();
    at("mate-answer").textContent = w.mateFound(problem.moves.length);
    return changed();
  });
  at("tsume-length").addEventListener("change", drawTsume);
  at("tsume-list").addEventListener("change", () => {
    if (at("tsume-list").value !== "") openTsume(Number(at("tsume-list").value));
  });
  at("tsume-next").addEventListener("click", nextTsume);
}
