// The app: loads the engine, shows a position and plays.
import { drawPosition, parse, play } from "../../kifu/analysis/src/output/report/board.js";
import { illegality, movesTyped, spelled } from "../../kifu/analysis/src/output/report/notation.js";
import {
  addWords,
  at,
  chooseLanguage,
  language,
  save,
  translate,
  w,
} from "../../kifu/analysis/src/output/report/page.js";
import { APP_WORDS } from "../../kifu/analysis/src/output/report/words.js";
import { WorkerEngine } from "../package/src/client.js";
import { embeddedEngine } from "../package/src/embedded.js";
import { Engine } from "../package/src/engine.js";
import { compileModule } from "../package/src/load.js";
import { analysis, dressReport, restoreReport, startAnalysis } from "./analysis.js";
import { startArchive } from "./archive.js";
import { BoardInput, noClickAfterTouch } from "./board-input.js";
import { command, squareInWords, squareTyped, tellChoice, typesSquare } from "./commands.js";
import { startOptions } from "./engine-options.js";
import { Game } from "./game.js";
import { drawGames, refreshGames, startGames } from "./games.js";
import {
  SETTINGS,
  applyLook,
  ask,
  copy,
  keep,
  kept,
  listenLook,
  readKept,
  saveImage,
  shareAddress,
  sharedGame,
  showKept,
} from "./kept.js";
import { NativeHost, nativeRules } from "./native.js";
import { leavePractice, mayAnswer, practice, practiceText, tryAnswer } from "./practice.js";
import { leaveLine, preview, previewText, startPreview, stepLine } from "./preview.js";
import { startRemarks } from "./remarks.js";
import { startReplay, stopReplay } from "./replay.js";
import { announce, forgetSpoken, startSpeech } from "./speech.js";
import { START, editSquare, problem, problemText, setup, setupText, startSetup } from "./setup.js";
import { focusText, startTextBoard, textPoint } from "./text-board.js";
import { attempt, mayTry, startTsume, tryMove } from "./tsume.js";
import {
  arrows,
  clearNotice,
  draw,
  drawBar,
  drawBoard,
  drawClocks,
  drawLines,
  frame,
  markDragged,
  nameOf,
  say,
} from "./view.js";

export let rules = null; // Engine in this thread: legal moves, names, records
export let engine = null; // WorkerEngine: searches
export let engineSource = null; // what engines are created from
export const game = new Game();
export let tab = "play";
export let shown = 0;
export let flipped = false;
export let thinking = false;
let turnToken = 0;
let hints = null; // the search that shows lines
let hintToken = 0;
export let lines = [];
const pace = { answer: 300 }; // milliseconds; an answer at once looks like a jump

/** Shows a ply of another game; `changed` draws it. */
export function showFrom(ply) {
  shown = ply;
}

/** The text of the position shown. */
export function shownText() {
  if (tab === "setup") return setupText();
  if (tab === "games" && practice.task) return practiceText();
  if (tab === "mate" && problem.text) return attempt ? attempt.text() : problemText();
  return preview.line ? previewText() : game.text(shown);
}

/** The SFEN of a text without moves, as after `position` in USI. */
export const parseStart = (text) => (text === "startpos" ? START : text.replace("sfen ", ""));

/** A position of a text, with its last move marked. */
export function positionOf(text) {
  const [start, moves] = text.split(" moves ");
  const position = parse(parseStart(start));
  (moves ? moves.split(" ") : []).forEach((move) => play(position, move));
  return position;
}

export const shownPosition = () => (tab === "setup" ? setup.position : positionOf(shownText()));
/** What the rules say about the position shown of the game. */
const shownInfo = () => (shown === game.moves.length ? game.info : rules.position(game.text(shown)));

/** Whether a move can be made in the position shown. In an earlier one, it takes back the moves after it. */
export const mayMove = () => {
  if (tab === "mate") return mayTry();
  if (tab === "games") return mayAnswer();
  if (tab !== "play" || preview.line || !rules || thinking) return false;
  if (game.result && shown === game.moves.length) return false;
  return !game.active || (shownPosition().white ? 1 : 0) === game.human;
};

/** The moves allowed in the position shown. */
const allowed = () => {
  if (!mayMove()) return [];
  return tab === "mate" ? attempt.legal : tab === "games" ? practice.legal : shownInfo().legal;
};

export const input = new BoardInput(at("board"), {
  position: shownPosition,
  text: shownText,
  flipped: () => flipped,
  draw: () => drawBoard(),
  edit: editSquare,
  legal: allowed,
  play: playMove,
  refused: (move) => say(w[illegality(shownPosition(), move)], true),
  announce: (point) => announce(squareInWords(point), true),
  chosen: tellChoice,
  focusBoard,
  square: (key) => {
    const typed = typesSquare(key);
    const goal = squareTyped(key);
    if (goal) {
      input.cursor = goal;
      announce(squareInWords(goal), true);
    }
    return typed;
  },
});
["side-top", "side-bottom"].forEach((id) => input.addHand(at(id).querySelector(".pieces")));
addWords(APP_WORDS);

/** Gives the keyboard to a square of the board that is in use: the one as text if it is open. */
function focusBoard(point) {
  if (focusText(point)) return;
  if (point) input.cursor = point;
  at("board").focus({ preventScroll: true });
}

export function show(ply) {
  leaveLine();
  if (tab === "mate") problem.index = Math.max(0, Math.min(problem.moves.length, ply));
  else shown = Math.max(0, Math.min(game.moves.length, ply));
  changed();
}

/** Goes to another position of the game, of the line or of the solution that is shown. */
export function go(where) {
  if (tab === "setup" || (attempt && tab === "mate") || (practice.task && tab === "games") || !rules) return;
  if (preview.line) {
    const { count, line } = preview;
    return stepLine({ first: 0, previous: count - 1, next: count + 1, last: line.names.length }[where]);
  }
  const [now, end] = tab === "mate" ? [problem.index, problem.moves.length] : [shown, game.moves.length];
  return show({ first: 0, previous: now - 1, next: now + 1, last: end }[where]);
}

/** Shows another position: nothing is selected there, and nothing has been said about it. */
export function changed() {
  input.clear();
  clearNotice();
  draw();
  updateHints();
}

export function playMove(move, dragged = false) {
  input.clear();
  leaveLine();
  if (tab === "mate") return tryMove(move, dragged);
  if (tab === "games") return tryAnswer(move, dragged);
  if (game.moves[shown] === move) return show(shown + 1);
  try {
    if (shown < game.moves.length) game.goBack(shown);
    game.play(move);
  } catch {
    return say(w.illegal(move), true);
  }
  markDragged(dragged);
  if (game.result) adjustLevel();
  shown = game.moves.length;
  keep();
  changed();
  return engineMoves();
}

/** Makes a branch the game, and shows its first move. */
export function followBranch({ before, line }) {
  if (thinking) return say(w.notYourTurn, true);
  leaveLine();
  game.follow(line);
  shown = game.active ? game.moves.length : before + 1;
  keep();
  changed();
  return engineMoves();
}

/** Removes a branch, if the user agrees: it cannot be brought back. */
export async function removeBranch(line) {
  if (!(await ask(w.removeBranchAsk, w.removeBranch))) return;
  game.removeLine(line);
  keep();
  changed();
}

export async function engineMoves() {
  if (!game.active || game.turn() === game.human) return;
  const token = ++turnToken;
  thinking = true;
  draw();
  const since = performance.now();
  try {
    await stopHints();
    const { move } = await engine.search(game.text(), game.limits());
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, pace.answer - (performance.now() - since))));
    if (token !== turnToken || !game.active) return;
    thinking = false;
    if (move === "resign") game.finish(game.human, "resignEnd");
    else if (move === "win") game.finish(1 - game.human, "declareEnd");
    else game.play(move);
    if (game.result) adjustLevel();
    leaveLine();
    shown = game.moves.length;
  } catch (error) {
    if (token !== turnToken) return;
    thinking = false;
    say(error.message, true);
    return;
  }
  keep();
  changed();
}

/** With the automatic level, the engine becomes stronger after a loss and weaker after a win. */
function adjustLevel() {
  if (at("level").value !== "auto" || game.result.winner === null) return;
  kept.autoLevel = Math.max(0, Math.min(20, game.level + (game.result.winner === game.human ? 1 : -1)));
  frame();
}

/** Ends the search for a move, if there is one. */
async function interrupt() {
  turnToken++;
  if (thinking) {
    thinking = false;
    await engine.restart();
  }
}

/** Asks before a game in progress is ended. */
export const mayEndGame = async (word) =>
  !(game.active && game.moves.length) || ask(w.endGameAsk(game.moves.length), word);

export async function newGame(start) {
  if (!(await mayEndGame(w.newGame))) return;
  const side = Number(at("human").value);
  await beginGame(start, [], side === 2 ? Math.floor(Math.random() * 2) : side);
}

/** Begins a game with the settings shown, after some moves. */
export async function beginGame(start, moves, human) {
  await interrupt();
  game.human = human;
  game.level = at("level").value === "auto" ? kept.autoLevel : Number(at("level").value);
  game.perMove = Number(at("per-move").value);
  const [main, byoyomi, increment] = at("clock").value.split(",").map(Number);
  game.clock = at("clock").value ? { main: main * 60000, byoyomi: byoyomi * 1000, increment: increment * 1000 } : null;
  game.setUp(start, moves);
  turnBoard(game.human === 1);
  leaveLine();
  shown = game.moves.length;
  engine.newGame().catch(() => {});
  game.begin();
  // The button goes away with the settings: the keyboard goes on at the board.
  if (at("start").matches(":focus-visible")) focusBoard();
  at("settings-fold").open = false;
  keep();
  changed();
  at("play").scrollIntoView({ block: "nearest" });
  at("panel").scrollTop = 0;
  await engineMoves();
}

export function turnBoard(way) {
  flipped = way;
  at("flip").setAttribute("aria-pressed", String(flipped));
}

async function takeBack() {
  await interrupt();
  const plies =
    (game.active && game.turn() === game.human && game.moves.length > 1) ||
    (game.result && game.began && game.turn() === game.human)
      ? 2
      : 1;
  game.undo(plies);
  leaveLine();
  shown = game.moves.length;
  keep();
  changed();
  engineMoves();
}

export async function stopHints() {
  hintToken++;
  analysis.judging?.stop();
  if (analysis.trying) {
    const { search } = analysis.trying;
    analysis.trying = null;
    search.stop();
    await search.catch(() => {});
  }
  const search = hints;
  hints = null;
  if (!search) return;
  search.stop();
  await search.catch(() => {});
}

/** A position with the other side to move. */
function passed(sfen) {
  const [board, turn, hands] = sfen.split(" ");
  return `sfen ${board} ${turn === "b" ? "w" : "b"} ${hands} 1`;
}

/** Shows the engine's lines for the position shown, if wanted. */
export async function updateHints() {
  const stopped = stopHints();
  const token = hintToken;
  await stopped;
  // Meanwhile a later call may have begun.
  if (token !== hintToken) return;
  lines = [];
  drawLines();
  if (!engine || !at("hint").checked || tab === "games" || thinking || (attempt && tab === "mate")) return;
  const text = shownText();
  const threat = at("threat").checked;
  let searched = text;
  let info;
  try {
    info = rules.position(text);
    // What the other side would do if this one could pass.
    if (threat && info.check) return say(w.noThreat);
    if (threat) {
      searched = passed(info.sfen);
      info = rules.position(searched);
    }
    if (info.legal.length === 0) return;
  } catch {
    return;
  }
  if (game.active && tab === "play") game.hints = 1;
  hints = engine.search(searched, { multipv: Number(at("line-count").value) }, (found) => {
    if (token !== hintToken || found.bound !== "exact" || !found.pv.length) return;
    const before = arrows().join();
    lines[found.multipv - 1] = {
      text,
      sfen: info.sfen,
      turn: info.turn,
      threat,
      names: rules.names(searched, found.pv.slice(0, 10)),
      ...found,
    };
    if (found.multipv === 1) lines.length = 1;
    drawLines();
    drawBar();
    if (arrows().join() !== before) drawBoard();
  });
  hints.catch((error) => {
    if (token === hintToken) say(error.message, true);
  });
}

export function openTab(name) {
  leaveLine();
  if (name !== "play") stopReplay();
  if (name !== "games") leavePractice();
  tab = name;
  for (const button of document.querySelectorAll("[role=tab]")) {
    const here = button.id === `tab-${name}`;
    button.setAttribute("aria-selected", String(here));
    button.tabIndex = here ? 0 : -1;
    at(button.getAttribute("aria-controls")).hidden = !here;
  }
  at("hints").hidden = name === "analyse" || name === "games";
  at("play-buttons").hidden = name !== "play";
  at("text-fold").hidden = name === "analyse" || (name === "games" && !practice.task);
  placeMoveForm();
  document.body.dataset.tab = name;
  changed();
  // What had the keyboard may be hidden now.
  const { activeElement } = document;
  if (activeElement !== document.body && !activeElement.checkVisibility()) at(`tab-${name}`).focus();
  if (name === "games") refreshGames();
}

/** The field for moves is where moves can be made. */
export function placeMoveForm() {
  const form = at("move-form");
  form.hidden = !{ play: true, mate: attempt, games: practice.task }[tab];
  const before = { mate: at("tsume-box"), games: at("practice-task") }[tab] ?? at("settings-fold");
  if (!form.hidden && before.nextElementSibling !== form) before.after(form);
}

function listenTabs() {
  document.querySelectorAll("[role=tab]").forEach((button) => {
    button.addEventListener("click", () => openTab(button.id.slice(4)));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const all = [...document.querySelectorAll("[role=tab]")];
      const next = all[(all.indexOf(button) + step + all.length) % all.length];
      openTab(next.id.slice(4));
      next.focus();
    });
  });
}

/** Plays the move that was typed. */
function typedMove(event) {
  event.preventDefault();
  const text = at("move-field").value.trim();
  if (!text) return undefined;
  if (!mayMove()) return say(w.notYourTurn, true);
  const nameOfMove = (move) => rules.names(shownText(), [move])[0];
  const moves = movesTyped(text, shownPosition(), allowed(), (legal) => legal.map(nameOfMove));
  if (moves.length > 1)
    return say(
      w.severalMoves(text, moves.map((move) => spelled(shownPosition(), move, nameOfMove(move))).join(" ")),
      true,
    );
  if (!moves.length) {
    const usi = /^([1-9][a-i]|[plnsgbr]\*)[1-9][a-i]\+?$/i.test(text)
      ? illegality(
          shownPosition(),
          text[1] === "*" ? text[0].toUpperCase() + text.slice(1).toLowerCase() : text.toLowerCase(),
        )
      : null;
    return say(w.illegal(text) + (usi && usi !== "noMove" ? ` (${w[usi]})` : ""), true);
  }
  at("move-field").value = "";
  return playMove(moves[0]);
}

function listenPlay() {
  at("settings").addEventListener("submit", (event) => {
    event.preventDefault();
    newGame(at("handicap").value === START || !at("handicap").value ? "startpos" : `sfen ${at("handicap").value}`);
  });
  SETTINGS.forEach((id) =>
    at(id).addEventListener("change", () => {
      at("per-move-field").hidden = at("clock").value !== "";
      keep();
    }),
  );
  at("undo").addEventListener("click", takeBack);
  at("resign").addEventListener("click", async () => {
    if (game.moves.length && !(await ask(w.resignAsk, w.resign))) return;
    await interrupt();
    game.finish(1 - game.human, "resignEnd");
    adjustLevel();
    keep();
    changed();
  });
  at("declare").addEventListener("click", () => {
    game.finish(game.human, "declareEnd");
    adjustLevel();
    keep();
    changed();
  });
  at("move-form").addEventListener("submit", typedMove);
  const kif = () => game.kif([0, 1].map(nameOf));
  at("copy-kif").addEventListener("click", () => copy(kif()));
  at("save-kif").addEventListener("click", () => save(kif(), "monomi.kifu", "text/plain"));
  at("copy-sfen").addEventListener("click", () => copy(rules.position(shownText()).sfen));
  at("share").addEventListener("click", () => copy(shareAddress()));
  at("save-image").addEventListener("click", saveImage);
  at("analyse-game").addEventListener("click", () => {
    at("record-text").value = kif();
    analysis.file = null;
    analysis.archived = game.file?.name ?? null;
    openTab("analyse");
  });
}

function listen() {
  listenTabs();
  listenPlay();
  listenLook();
  document
    .querySelectorAll("[data-go]")
    .forEach((button) => button.addEventListener("click", () => rules && go(button.dataset.go)));
  at("language").addEventListener("click", () => speak(language === "ja" ? "en" : "ja"));
  at("look-language").addEventListener("change", () => speak(at("look-language").value));
  at("flip").addEventListener("click", () => {
    turnBoard(!flipped);
    drawBoard();
  });
  at("threat").addEventListener("change", changed);
  at("hint").addEventListener("change", () => {
    kept.hint = at("hint").checked;
    at("panel").scrollTop = 0;
    keep();
    drawBoard();
    updateHints();
  });
  at("line-count").addEventListener("change", updateHints);
  document.addEventListener("keydown", (event) => {
    if (
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) ||
      !at("report").hidden ||
      at("ask").open
    )
      return;
    const point = event.target === at("board") ? input.cursor : textPoint(event.target);
    if ((event.target === at("board") || point) && rules && command(event.key, point)) return event.preventDefault();
    const where = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (where) {
      event.preventDefault();
      go(where);
    } else if (event.key === "f") at("flip").click();
    else if (event.key === "Escape" && input.choice) {
      input.clear();
      drawBoard();
      at("board").focus();
    }
  });
  noClickAfterTouch(at("promotion"));
  // A click elsewhere takes back the question whether to promote.
  document.addEventListener("pointerdown", (event) => {
    // Drawing the board may have removed the target from the page, and `closest` would find nothing.
    if (!input.choice || event.composedPath().some(({ id }) => id === "promotion" || id === "board")) return;
    input.clear();
    drawBoard();
  });
  setInterval(() => {
    if (game.checkTime()) {
      adjustLevel();
      interrupt();
      keep();
      changed();
    } else if (game.running) drawClocks();
  }, 200);
  addEventListener("pagehide", keep);
  addEventListener("hashchange", () => {
    if (sharedGame()) openShared();
  });
}

/** Changes the language of the page. */
function speak(chosen) {
  chooseLanguage(chosen);
  setLanguage();
  clearNotice();
  forgetSpoken();
  frame();
  if (tab === "mate" && attempt && !attempt.done) say(w.tsumeTask(problem.moves.length));
  dressReport();
  drawGames();
  keep();
}

/** Errors of the rules are in the language of the page. */
function setLanguage() {
  rules?.setLanguage(language);
  engine?.setLanguage(language).catch(() => {});
}

/** Opens the game in the address; true if there is one. */
function openShared() {
  const shared = sharedGame();
  if (!shared) return false;
  try {
    game.setUp(shared.start, shared.moves);
    shown = Math.min(shared.ply ?? game.moves.length, game.moves.length);
    openTab("play");
    // A reload shows what has become of the game.
    location.hash = "";
    return true;
  } catch (error) {
    game.setUp("startpos");
    openTab("play");
    say(`${w.badLink}: ${error.message}`, true);
    return true;
  }
}

function restore(before) {
  try {
    if (before) game.restore(before);
    else game.setUp("startpos");
  } catch {
    game.setUp("startpos");
  }
  shown = game.moves.length;
  turnBoard(game.active && game.human === 1);
  openTab("play");
}

const isNative = document.documentElement.dataset.engine === "native";

/** What engines are created from: the program that serves this page, the module in it, or that beside it. */
async function findEngine() {
  if (isNative) {
    const host = await NativeHost.connect(w.anotherPage);
    host.onended = () => say(w.programEnded, true);
    return { native: true, worker: () => host.worker() };
  }
  if (typeof MONOMI !== "undefined") return embeddedEngine();
  return { wasm: await compileModule(await download("monomi.wasm")), worker: () => new Worker("worker.js") };
}

/** Fetches the module, and tells how much of it has come. `web/build` has noted its size: what a server tells may be
 *  that of the compressed file. */
async function download(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`cannot load ${answer.url}: status ${answer.status}`);
  const size = Number(document.documentElement.dataset.moduleSize);
  const parts = [];
  let done = 0;
  for await (const part of partsOf(answer.body)) {
    parts.push(part);
    done += part.length;
    if (size) tellLoaded(Math.min(100, Math.floor((100 * done) / size)));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function* partsOf(stream) {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function tellLoaded(percent) {
  if (at("loading-bar").value === percent) return;
  Object.assign(at("loading-bar"), { max: 100, value: percent });
  say(w.loaded(percent), false, "");
}

async function start() {
  const before = readKept();
  listen();
  startAnalysis();
  startSetup();
  startTsume();
  startPreview();
  startGames();
  startRemarks();
  startReplay();
  startSpeech();
  startTextBoard();
  // What is new is in the log; the element is an <output>, which would be spoken, too.
  at("where").setAttribute("aria-live", "off");
  translate();
  frame();
  applyLook();
  at("tab-play").setAttribute("aria-selected", "true");
  drawPosition(at("board"), parse(START), { flipped });
  // Nothing can be done without the rules.
  at("panel").inert = true;
  at("retry").addEventListener("click", () => load(before));
  return load(before);
}

/** Loads the engine; after a failure the user can try again. */
async function load(before) {
  at("loading").hidden = at("loading-bar").hidden = false;
  at("retry").hidden = true;
  say(w.loading);
  try {
    engineSource = await findEngine();
    rules = engineSource.native ? nativeRules() : await Engine.create(engineSource);
    engine = await WorkerEngine.create(engineSource);
  } catch (error) {
    at("loading-bar").hidden = true;
    at("retry").hidden = false;
    return say(w.failed(error.message), true);
  }
  at("loading").hidden = true;
  return begin(before);
}

/** Shows what was kept, or the game in the address. */
async function begin(before) {
  at("panel").inert = false;
  startArchive(engineSource.native);
  setLanguage();
  game.setUp("startpos");
  frame();
  showKept();
  if (
    !sharedGame() ||
    (before?.active && before.moves.length && !(await ask(w.endGameAsk(before.moves.length), w.openLink)))
  )
    restore(before);
  else openShared();
  if (engineSource.native) await startOptions();
  restoreReport();
  at("settings-fold").open = !game.active;
  performance.mark("monomi-ready");
  const mayKeep = location.protocol.startsWith("http") && "serviceWorker" in navigator;
  if (mayKeep && !isNative && typeof MONOMI === "undefined")
    navigator.serviceWorker.register("service-worker.js").catch(() => {});
  return engineMoves();
}

start();
