// The tab that analyses a game, and the report.
// `own`: the branches of the reader and the record with them, as the report tells them.
import { at, language, make, save, scriptText, w } from "../../kifu/analysis/src/output/report/page.js";
import { look } from "../../kifu/analysis/src/output/report/pieces.js";
import { analyzeTogether } from "../package/src/team.js";
import {
  beginGame,
  changed,
  engine,
  engineSource,
  game,
  mayEndGame,
  openTab,
  rules,
  showFrom,
  stopHints,
} from "./app.js";
import { noteAnalysis } from "./archive.js";
import { ask, keep } from "./kept.js";
import { bookmarksOf, ownComments, textOfFile, withTheirBookmarks } from "./notes.js";
import { keepMates } from "./tsume.js";
import { moveNames, nameOf, say } from "./view.js";

export const analysis = {
  file: null,
  archived: null, // the name of the kept game that the text is
  games: [],
  work: null,
  report: null,
  own: null,
  judging: null,
  trying: null,
  asked: 0,
};

async function openRecord(file) {
  at("record-text").value = "";
  analysis.file = new Uint8Array(await file.arrayBuffer());
  analysis.name = file.name;
  analysis.archived = null;
  await readRecord();
}

/** Analyses a game that is kept; `noted`: what is found is noted with it. */
export async function analyseArchived(bytes, name, noted) {
  if (analysis.work) return;
  openTab("analyse");
  at("record-text").value = "";
  Object.assign(analysis, { file: bytes, name, archived: noted ? name : null });
  await analyseRecord();
}

/** Reads the record given; false if there is none. */
async function readRecord() {
  const text = at("record-text").value;
  try {
    analysis.games = rules.openRecords(analysis.file ?? text);
  } catch (error) {
    say(error.message, true);
    return false;
  }
  // Those of several games in one file are not told apart.
  const source = analysis.file ? textOfFile(analysis.file) : text;
  for (const record of analysis.games) record.bookmarks = analysis.games.length === 1 ? bookmarksOf(source) : [[]];
  const label = (record, index) =>
    `${index + 1}: ▲${record.players[0] || w.names[0]} △${record.players[1] || w.names[1]} ` +
    `(${w.movesOf(record.moves.length)})`;
  const chosen = at("record-game").value;
  at("record-game").replaceChildren(
    ...analysis.games.map((record, index) => make("option", { value: String(index) }, label(record, index))),
  );
  at("record-game").value = analysis.games[Number(chosen)] ? chosen || "0" : "0";
  at("game-field").hidden = analysis.games.length < 2;
  const record = analysis.games[Number(at("record-game").value)];
  // With comments, headers and times: a changed text is analysed instead of the file.
  if (analysis.file) at("record-text").value = rules.recordKif(Number(at("record-game").value));
  say(
    record.faults.length ? `${w.faults}: ${record.faults[0]}` : label(record, Number(at("record-game").value)),
    record.faults.length > 0,
  );
  return true;
}

/** What a report says about its game, as data. */
function dataOf(report) {
  return JSON.parse(new DOMParser().parseFromString(report.html, "text/html").getElementById("data").textContent);
}

/** The page of the report with the branches of the reader. */
function pageOfReport() {
  const { report, own } = analysis;
  if (!own) return report.html;
  const data = dataOf(report);
  const branches = [...data.branches, ...own.branches];
  const text = scriptText({ ...data, branches, exported: own.kif });
  return report.html.replace(/(<script [^>]*id="data">)[^<]*/, (_, tag) => tag + text);
}

/** Keeps the report and its branches over a reload. */
function keepReport() {
  const { report, record, own } = analysis;
  try {
    sessionStorage.setItem("monomi-report", JSON.stringify({ report, record, own }));
  } catch {
    // It is too large, or the browser stores nothing.
    try {
      sessionStorage.removeItem("monomi-report");
    } catch {
      // As above.
    }
  }
}

/** Opens the report that was kept, behind the button to go back to it. */
export function restoreReport() {
  try {
    const stored = JSON.parse(sessionStorage.getItem("monomi-report"));
    if (stored?.report) {
      Object.assign(analysis, stored);
      at("report-again").hidden = false;
    }
  } catch {
    // Nothing was kept.
  }
}

/** Adds accuracy and turning point to the card at the end of a game, by a quick analysis. */
export async function judgeGame() {
  const text = game.text();
  const { file } = game;
  const plies = game.moves.length;
  if (!engine || plies < 4) return;
  try {
    await stopHints();
    await engine.openRecords(game.kif([0, 1].map(nameOf)));
    analysis.judging = engine.analyze({ nodes: 4000, lines: 1 });
    const data = dataOf(await analysis.judging);
    const { sides, turning, steps } = data;
    analysis.judging = null;
    if (file && data.steps.length === plies + 1) noteAnalysis(file.name, data, null).catch(() => {});
    if (text !== game.text() || at("end-card").hidden) return;
    const names = moveNames();
    const turned = turning.filter((index) => steps[index].loss > 0.1).sort((a, b) => steps[b].loss - steps[a].loss)[0];
    at("end-verdict").textContent = [
      sides.every((side) => side.accuracy !== null)
        ? `${w.accuracy} ▲${sides[0].accuracy.toFixed(0)}% △${sides[1].accuracy.toFixed(0)}%`
        : "",
      turned === undefined ? "" : w.turnedAt(turned + 1, names[turned]),
    ]
      .filter(Boolean)
      .join(" · ");
  } catch {
    // The card does without.
    analysis.judging = null;
  }
}

async function analyseRecord() {
  if (!(await readRecord())) return;
  const faulty = analysis.games[Number(at("record-game").value)];
  if (faulty.faults.length && !(await ask(w.faultyAsk(faulty.faults[0], faulty.moves.length), w.analyseButton))) return;
  const number = Number(at("record-game").value);
  const record = analysis.games[number];
  const { archived } = analysis;
  await stopHints();
  const bar = at("progress");
  Object.assign(bar, { hidden: false, max: record.moves.length + 1, value: 0 });
  at("analyse-start").disabled = true;
  at("analyse-stop").hidden = false;
  try {
    const options = {
      game: number,
      nodes: Number(at("nodes").value),
      lines: 2,
      name: analysis.name ?? "monomi",
      hosted: true,
    };
    analysis.work = analyzeTogether(
      engine,
      engineSource,
      analysis.file ?? at("record-text").value,
      options,
      ({ done, of }) => {
        // Those who listen hear of each quarter.
        const quarter = (count) => Math.floor((4 * count) / of);
        const spoken = quarter(done) === quarter(bar.value) ? "" : w.progress(done, of);
        bar.value = done;
        say(w.progress(done, of), false, spoken);
      },
    );
    analysis.report = await analysis.work;
    const data = dataOf(analysis.report);
    keepMates(data);
    if (archived) await noteAnalysis(archived, data, options.nodes).catch(() => {});
    Object.assign(analysis, { record: { ...record, kept: archived !== null }, own: null });
    keepReport();
    openReport();
  } catch (error) {
    say(error.message, true);
  }
  analysis.work = null;
  bar.hidden = true;
  at("analyse-start").disabled = false;
  at("analyse-stop").hidden = true;
}

function openReport() {
  at("report-frame").srcdoc = pageOfReport();
  at("report-frame").title = w.reportTitle;
  at("report-again").hidden = false;
  showReport();
}

/** Shows the report as it was left. */
function showReport() {
  stopHints();
  document.querySelector("main").hidden = true;
  at("report").hidden = false;
  dressReport();
  at("report-frame").focus();
}

/** The report is shown in the language of the app, with its pieces and board, and may use its engine. */
export function dressReport() {
  if (at("report").hidden) return;
  const frame = at("report-frame").contentWindow;
  frame?.postMessage({ language, look: { ...look }, board: document.documentElement.dataset.board }, "*");
  frame?.postMessage({ host: true }, "*");
}

function hideReport() {
  analysis.trying?.search.stop();
  document.querySelector("main").hidden = false;
  at("report").hidden = true;
  changed();
}

/** What the report asks for: the rules, searches, and a game from the position shown. */
async function answerReport({ id, call, args }, answer) {
  if (call === "stop") {
    if (analysis.trying?.id === id) analysis.trying.search.stop();
  } else if (call === "playOn") {
    await playOn(String(args[0]));
  } else if (call === "branches") {
    const [branches, kif] = args;
    analysis.own = branches.length ? { branches, kif } : null;
    keepReport();
  } else if (["position", "names", "withBranches"].includes(call)) {
    try {
      answer({ id, result: rules[call](...args) });
    } catch (error) {
      answer({ id, error: error.message });
    }
  } else if (call === "search") {
    analysis.asked = id;
    await stopHints();
    // Meanwhile the reader may have gone on.
    if (analysis.asked !== id || at("report").hidden) return;
    const search = engine.search(String(args[0]), { multipv: 2 }, (info) => answer({ id, info }));
    analysis.trying = { id, search };
    search.then(
      (result) => answer({ id, result }),
      (error) => answer({ id, error: error.message }),
    );
  }
}

/** A game from a position of the report; the user has the side to move. */
async function playOn(text) {
  const { legal, turn } = rules.position(text);
  if (!legal.length || !(await mayEndGame(w.playHere))) return;
  hideReport();
  openTab("play");
  const [start, moves] = text.split(" moves ");
  await beginGame(start, moves ? moves.split(" ") : [], turn === "b" ? 0 : 1);
}

export function startAnalysis() {
  at("record-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (rules) analyseRecord();
  });
  at("record-text").addEventListener("input", () => {
    analysis.file = null;
    analysis.name = null;
    analysis.archived = null;
  });
  at("record-game").addEventListener("change", () => readRecord());
  at("record-file").addEventListener("change", () => {
    if (at("record-file").files[0]) openRecord(at("record-file").files[0]);
  });
  at("analyse-stop").addEventListener("click", () => analysis.work?.stop());
  at("report-frame").addEventListener("load", dressReport);
  at("report-back").addEventListener("click", hideReport);
  at("report-again").addEventListener("click", () => (at("report-frame").srcdoc ? showReport() : openReport()));
  addEventListener("message", (event) => {
    const frame = at("report-frame").contentWindow;
    if (frame && event.source === frame && rules && event.data?.call)
      answerReport(event.data, (message) => frame.postMessage(message, "*"));
  });
  at("report-board").addEventListener("click", async () => {
    if (!(await mayEndGame(w.toBoard))) return;
    hideReport();
    const { start, moves, seconds, comments, kept, bookmarks = [[]] } = analysis.record;
    const branches = withTheirBookmarks(analysis.record.branches, bookmarks);
    game.setUp(`sfen ${start}`, moves);
    Object.assign(game, { seconds, comments: ownComments(comments, kept), bookmarks: bookmarks[0] });
    const own = (analysis.own?.branches ?? []).map(({ before, moves: line }) => ({ before, moves: line.split(" ") }));
    [...branches, ...own].forEach((branch) => game.addBranch(branch));
    showFrom(0);
    keep();
    openTab("play");
  });
  at("report-save").addEventListener("click", () => save(pageOfReport(), "monomi.html", "text/html"));
  // A record can be dropped anywhere.
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    if (!event.dataTransfer.files[0]) return;
    openTab("analyse");
    openRecord(event.dataTransfer.files[0]);
  });
}
