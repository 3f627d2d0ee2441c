// Mate problems to solve on the board: the engine defends and refutes wrong tries. Problems come from mates that
// analyses of games have found.
const MATES_KEPT = 60;
let attempt = null; // the problem being solved: moves so far, legal moves, whether the engine is at work

/** Adds the mates of an analysed game, those missed first, to the problems kept. */
function keepMates({ steps, start, facts }) {
  const position = parse(start);
  const found = [];
  steps.forEach((step, index) => {
    const sfen = toSfen(position, 1);
    const before = steps[index - 1]?.lines[0]?.mate;
    const mate = step.lines[0]?.mate;
    const forMover = mate && mate > 0 === (step.turn === "b");
    // The first position of a mate is the problem; the rest is its solution.
    if (forMover && Math.abs(mate) <= 15 && (step.missed || !before)) found.push({ sfen, plies: Math.abs(mate), when: `${facts.date?.split(" ")[0] ?? ""} ${index + 1}`.trim(), missed: Boolean(step.missed) });
    if (step.played) play(position, step.played);
  });
  const known = new Set(kept.mates.map((mate) => mate.sfen));
  kept.mates = [...found.filter((mate) => !known.has(mate.sfen)).sort((a, b) => Number(b.missed) - Number(a.missed)), ...kept.mates].slice(0, MATES_KEPT);
  keep();
}

const mayTry = () => attempt !== null && !attempt.waiting && !attempt.done;

function newAttempt() {
  attempt = {
    start: problem.text, moves: [], legal: rules.position(problem.text).legal, waiting: false, done: false,
    text() { return this.moves.length ? `${this.start} moves ${this.moves.join(" ")}` : this.start; },
  };
  turnBoard(rules.position(problem.text).turn === "w");
  changed();
  say(w.tsumeTask(problem.moves.length));
}

/** The user's move: it must be a check, and the mate must still be there after the best defence. */
async function tryMove(move, dragged) {
  const now = attempt;
  now.moves.push(move);
  draggedNow = dragged;
  now.waiting = true;
  changed();
  const retract = (text) => {
    now.moves.pop();
    finish(text, true);
  };
  const finish = (text, alarm) => {
    now.waiting = false;
    if (attempt !== now || tab !== "mate") return;
    now.legal = rules.position(now.text()).legal;
    changed();
    say(text, alarm);
  };
  const { check, over } = rules.position(now.text());
  if (!check) return retract(w.tsumeNoCheck);
  if (over === "mate") {
    now.done = true;
    return finish(w.tsumeRight, false);
  }
  try {
    await stopHints();
    const reply = await defence(now);
    if (attempt !== now) return undefined;
    if (reply.escapes) return retract(w.tsumeRefuted(reply.name));
    now.moves.push(reply.move);
    return finish(w.tsumeOn, false);
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
    if (!answer.mate) return { escapes: true, name: answer.mate === false ? spelled(positionOf(text), move, rules.names(text, [move])[0]) : "" };
    if (!longest || answer.moves.length > longest.plies) longest = { move, plies: answer.moves.length };
  }
  return { escapes: false, move: longest.move };
}

function drawTsume() {
  const button = at("tsume-play");
  button.hidden = !problem.moves.length;
  button.textContent = attempt ? w.tsumeLeave : w.tsumePlay;
  at("tsume-field").hidden = !kept.mates.length;
  const list = at("tsume-list");
  const key = language + kept.mates.map((mate) => mate.sfen).join();
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(make("option"), ...kept.mates.map((mate, index) => make("option", { value: String(index) }, w.tsumeItem(mate.plies, mate.when))));
}

function startTsume() {
  at("tsume-play").addEventListener("click", () => {
    if (!attempt) return newAttempt();
    attempt = null;
    return changed();
  });
  at("tsume-list").addEventListener("change", async () => {
    const mate = kept.mates[Number(at("tsume-list").value)];
    if (!mate || at("tsume-list").value === "") return;
    at("mate-sfen").value = mate.sfen;
    await solve();
    if (problem.moves.length) newAttempt();
  });
}
