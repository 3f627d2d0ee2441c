// The tabs that set up positions and solve mate problems.
import { HAND, parse, toSfen } from "../../kifu/analysis/src/output/report/board.js";
import { spelledLine } from "../../kifu/analysis/src/output/report/notation.js";
import { at, language, make, shape, w } from "../../kifu/analysis/src/output/report/page.js";
import { koma, look } from "../../kifu/analysis/src/output/report/pieces.js";
import { engine, input, newGame, openTab, parseStart, rules, show, stopHints, tab, updateHints } from "./app.js";
import { attempt, drawTsume, leaveAttempt } from "./tsume.js";
import { clearNotice, draw, say } from "./view.js";

export const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const TSUME = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1";
const PIECES = ["K", "R", "+R", "B", "+B", "G", "S", "+S", "N", "+N", "L", "+L", "P", "+P"];
const MOST = { K: 2, R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18 };
// `piece`: what a click on a square places; MOVE moves the piece that is there, null takes it away.
// `full`: all pieces are there, those that are nowhere else in the hand of the side that is mated.
const MOVE = "move";
export const setup = { position: parse(START), piece: MOVE, full: false, undone: [], done: [] };
export const problem = { text: "", moves: [], names: [], index: 0 };

const setupSfen = () => toSfen(setup.position, 1);
export const setupText = () => `sfen ${setupSfen()}`;

/** Pieces of a kind on the board and in the hands. */
function number(kind) {
  const { board, held } = setup.position;
  return (
    board.flat().filter((piece) => piece?.kind.replace("+", "") === kind).length +
    (held[0][kind] || 0) +
    (held[1][kind] || 0)
  );
}

/** Remembers the position for *Undo*, then changes it. */
function change(edit) {
  const before = { sfen: setupSfen(), full: setup.full };
  clearNotice();
  edit();
  setup.position.from = setup.position.to = null;
  if (setupSfen() !== before.sfen) {
    setup.done.push(before);
    setup.undone = [];
  }
  draw();
}

/** Goes back to the last of these positions; the one shown goes to the others. */
function goTo(from, others) {
  const { sfen, full } = from.pop();
  others.push({ sfen: setupSfen(), full: setup.full });
  setup.position = parse(sfen);
  setup.full = full;
  clearNotice();
  draw();
}

function takeSetup(sfen) {
  change(() => {
    setup.position = parse(sfen);
    setup.full =
      HAND.every((kind) => number(kind) === MOST[kind]) && setup.position.board.flat().filter(Boolean).length < 20;
  });
}

/** How many pieces of a kind can still be placed. */
function left(kind) {
  const inHand = setup.full ? setup.position.held[setup.position.white ? 0 : 1][kind] || 0 : 0;
  return MOST[kind] - number(kind) + inHand;
}

/** The position set up if the rules allow it; reports the fault otherwise. */
function usableSetup() {
  try {
    rules.position(setupText());
    return setupText();
  } catch (error) {
    say(w.positionFault(error.message), true);
    return null;
  }
}

/** Makes room for one more piece of a kind: takes one from a hand, first from that of the side that does not move,
 *  or the king that is on the board already. False if all are on the board. */
function makeRoom(kind, white) {
  const { board, held } = setup.position;
  if (kind === "K") {
    board.forEach((row) =>
      row.forEach((piece, x) => {
        if (piece?.kind === "K" && piece.white === white) row[x] = null;
      }),
    );
    return true;
  }
  if (number(kind) < MOST[kind]) return true;
  const defender = setup.position.white ? 0 : 1;
  const from = [held[defender], held[1 - defender]].find((hand) => hand[kind] > 0);
  if (!from) return false;
  from[kind]--;
  return true;
}

/** A piece leaves the board or a hand. */
function giveBack(kind) {
  if (!setup.full || kind === "K") return;
  const hand = setup.position.held[setup.position.white ? 0 : 1];
  hand[kind] = (hand[kind] || 0) + 1;
}

/** A square was chosen; `from` is the one that was chosen before, or null. Returns what is chosen then; undefined where
 *  no position is set up. */
export function editSquare(target, from) {
  if (tab !== "setup") return undefined;
  if (typeof target === "string") return null;
  const { board } = setup.position;
  const there = board[target.y][target.x];
  if (setup.piece === MOVE) {
    if (!from) return there ? target : null;
    if (from.x === target.x && from.y === target.y) return null;
    change(() => {
      if (there) giveBack(there.kind.replace("+", ""));
      board[target.y][target.x] = board[from.y][from.x];
      board[from.y][from.x] = null;
    });
  } else change(() => place(setup.piece, target, there));
  return null;
}

/** Places a piece instead of what is there; the same piece again, or null, only takes that away. */
function place(wanted, target, there) {
  const row = setup.position.board[target.y];
  const same = there && wanted && there.kind === wanted.kind && there.white === wanted.white;
  if (there) giveBack(there.kind.replace("+", ""));
  row[target.x] = null;
  if (!wanted || same) return;
  const kind = wanted.kind.replace("+", "");
  if (makeRoom(kind, wanted.white)) row[target.x] = { ...wanted };
  else say(w.noMore(w.pieces[kind], MOST[kind]), true);
}

/** Changes the number of a kind in a hand by one. */
const changeHand = (color, kind, by) => change(() => addToHand(color, kind, by));

function addToHand(color, kind, by) {
  const { held } = setup.position;
  const defender = setup.position.white ? 0 : 1;
  if (by < 0) {
    if (!held[color][kind]) return;
    held[color][kind]--;
    if (color !== defender) giveBack(kind);
  } else {
    // A piece may go from one hand to the other.
    const other = held[1 - color];
    if (number(kind) < MOST[kind] || other[kind] > 0) {
      if (number(kind) >= MOST[kind]) other[kind]--;
      held[color][kind] = (held[color][kind] || 0) + 1;
    } else say(w.noMore(w.pieces[kind], MOST[kind]), true);
  }
}

export function drawSetup() {
  if (at("palette").dataset.look !== language + look.pieces) {
    at("palette").dataset.look = language + look.pieces;
    const button = (piece, label, ...content) =>
      make(
        "button",
        {
          type: "button",
          "data-piece": JSON.stringify(piece),
          "aria-label": label,
          title: label,
          onclick: () => {
            setup.piece = piece;
            input.clear();
            draw();
          },
        },
        ...content,
      );
    const picture = (piece) =>
      shape("svg", { viewBox: "-48 -52 96 104", "aria-hidden": "true" }, koma(piece.kind, piece.white, piece.white));
    const row = (white) =>
      PIECES.map((kind) => ({ kind, white })).map((piece) => {
        const count = piece.kind in MOST ? [make("small", { "data-left": piece.kind })] : [];
        return button(piece, "▲△"[Number(white)] + w.pieces[piece.kind], picture(piece), ...count);
      });
    at("palette").replaceChildren(
      make("div", {}, ...row(false)),
      make("div", {}, ...row(true)),
      make("div", {}, button(MOVE, w.movePieces, `✥ ${w.movePieces}`), " ", button(null, w.erase, `✕ ${w.erase}`)),
    );
  }
  at("palette")
    .querySelectorAll("[data-left]")
    .forEach((element) => {
      // As style: a screen reader gets it with the name of the piece.
      element.dataset.count = left(element.dataset.left);
      const button = element.parentElement;
      button.setAttribute("aria-label", `${button.title}, ${w.leftOf(element.dataset.count)}`);
    });
  at("setup-undo").disabled = !setup.done.length;
  at("setup-redo").disabled = !setup.undone.length;
  at("palette")
    .querySelectorAll("button")
    .forEach((element) =>
      element.setAttribute("aria-pressed", String(element.dataset.piece === JSON.stringify(setup.piece))),
    );
  const step = (color, kind, by) =>
    make(
      "button",
      {
        type: "button",
        "data-key": `${color}${kind}${by}`,
        "aria-label": `${w.handOf(w.names[color], w.pieces[kind])} ${by > 0 ? "+" : "−"}1`,
        onclick: () => changeHand(color, kind, by),
      },
      by > 0 ? "+" : "−",
    );
  if (at("hands").dataset.language !== language) {
    at("hands").dataset.language = language;
    at("hands").replaceChildren(
      ...[0, 1].map((color) =>
        make(
          "div",
          { class: "hand" },
          make("span", { class: "mark" }, "▲△"[color]),
          ...HAND.map((kind) =>
            make(
              "span",
              { class: "count-field" },
              step(color, kind, -1),
              make("b", { "data-of": `${color}${kind}` }),
              step(color, kind, 1),
            ),
          ),
        ),
      ),
    );
  }
  at("hands")
    .querySelectorAll("[data-of]")
    .forEach((element) => {
      const [color, kind] = element.dataset.of;
      const name = language === "ja" ? w.pieces[kind] : kind;
      element.textContent = `${name} ${setup.position.held[color][kind] || 0}`;
      element.title = w.pieces[kind];
    });
  at("setup-turn").value = setup.position.white ? "w" : "b";
  if (document.activeElement !== at("sfen-field")) at("sfen-field").value = setupSfen();
}

/** The text of the problem, with the moves of its solution that are shown. */
export function problemText() {
  const moves = problem.moves.slice(0, problem.index);
  return moves.length ? `${problem.text} moves ${moves.join(" ")}` : problem.text;
}

function openProblem(text) {
  leaveAttempt();
  Object.assign(problem, { text, moves: [], names: [], index: 0 });
  at("mate-answer").textContent = "";
  at("mate-sfen").value = text.replace(/^sfen /, "");
  openTab("mate");
}

export async function solve() {
  leaveAttempt();
  const sfen = at("mate-sfen")
    .value.trim()
    .replace(/^(position )?(sfen )?/, "");
  const text = `sfen ${sfen}`;
  try {
    rules.position(text);
  } catch (error) {
    // The answer to another position says nothing here.
    Object.assign(problem, { text: "", moves: [], names: [], index: 0 });
    at("mate-answer").textContent = "";
    draw();
    return say(w.positionFault(error.message), true);
  }
  Object.assign(problem, { text, moves: [], names: [], index: 0 });
  at("mate-answer").textContent = w.solving;
  at("mate-start").disabled = true;
  draw();
  try {
    await stopHints();
    const { mate, moves } = await engine.mate(text, Number(at("mate-limit").value));
    at("mate-answer").textContent = mate ? w.mateFound(moves.length) : mate === false ? w.noMate : w.unknown;
    if (mate) Object.assign(problem, { moves, names: rules.names(text, moves) });
    say("");
  } catch (error) {
    at("mate-answer").textContent = "";
    say(error.message, true);
  }
  at("mate-start").disabled = false;
  return draw();
}

export function drawProblem() {
  drawTsume();
  if (attempt) {
    at("mate-line").replaceChildren();
    return;
  }
  const names = problem.text ? spelledLine(parseStart(problem.text), problem.moves, problem.names) : [];
  at("mate-line").replaceChildren(
    ...names.map((name, index) =>
      make(
        "li",
        {},
        make(
          "button",
          {
            type: "button",
            class: problem.index === index + 1 ? "move now" : "move",
            onclick: () => show(index + 1),
          },
          name,
        ),
      ),
    ),
  );
}

export function startSetup() {
  at("setup-turn").addEventListener("change", () => {
    change(() => {
      setup.position.white = at("setup-turn").value === "w";
      // The pieces that are nowhere else belong to the other side now.
      if (setup.full) setup.position.held.reverse();
    });
  });
  at("setup-undo").addEventListener("click", () => goTo(setup.done, setup.undone));
  at("setup-redo").addEventListener("click", () => goTo(setup.undone, setup.done));
  document.addEventListener("keydown", (event) => {
    if (tab !== "setup" || !(event.ctrlKey || event.metaKey) || event.target.tagName === "INPUT") return;
    const key = event.key.toLowerCase();
    const id = key === "y" || (key === "z" && event.shiftKey) ? "setup-redo" : key === "z" ? "setup-undo" : null;
    if (!id || at(id).disabled) return;
    event.preventDefault();
    at(id).click();
  });
  at("setup-start").addEventListener("click", () => takeSetup(START));
  at("setup-empty").addEventListener("click", () => takeSetup(TSUME));
  at("sfen-form").addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      takeSetup(
        rules.position(
          `sfen ${at("sfen-field")
            .value.trim()
            .replace(/^(position )?(sfen )?/, "")}`,
        ).sfen,
      );
      say("");
    } catch (error) {
      say(w.positionFault(error.message), true);
    }
  });
  at("setup-play").addEventListener("click", () => {
    const text = usableSetup();
    if (!text) return undefined;
    const kings = setup.position.board.flat().filter((piece) => piece?.kind === "K");
    if (kings.length < 2) return say(w.needsKings, true);
    if (!rules.position(text).legal.length) return say(w.nothingToMove, true);
    openTab("play");
    return newGame(text);
  });
  at("setup-hint").addEventListener("click", () => {
    if (!usableSetup()) return;
    at("hint").checked = true;
    updateHints();
  });
  at("setup-mate").addEventListener("click", () => {
    const text = usableSetup();
    if (!text) return;
    openProblem(text);
    solve();
  });
  at("mate-start").addEventListener("click", solve);
  at("mate-form").addEventListener("submit", (event) => {
    event.preventDefault();
    solve();
  });
}
