// The tab with the games that are kept: the list, what can be done with each, and statistics.
import { at, language, make, save, shape, w } from "../../kifu/analysis/src/output/report/page.js";
import { analyseArchived } from "./analysis.js";
import { begunAt, folderOf, kindName, listGames, readGame, removeGame } from "./archive.js";
import { changed, engineMoves, game, mayEndGame, openTab, rules, showFrom, tab, turnBoard } from "./app.js";
import { ask, keep } from "./kept.js";
import { bookmarksOf, notesOf, ownComments, textOfFile, withTheirBookmarks } from "./notes.js";
import { startPractice } from "./practice.js";
import { START } from "./setup.js";
import {
  FEWEST,
  HIGHEST,
  LOWEST,
  accuracies,
  due,
  estimate,
  gradeOf,
  groups,
  ratedResults,
  typical,
} from "./statistics.js";
import { levelName, say } from "./view.js";
import { zip } from "./zip.js";

const SHOWN = 100; // games of the list that are shown at once
let games = [];
let most = SHOWN;

const both = (pair) => pair[language === "ja" ? 0 : 1];
const resultWord = ({ notes, account }) =>
  notes.result ? w.outcomes[notes.result] : account?.winner === undefined ? "" : (w.wins[account.winner] ?? "");
const openingOf = ({ account }) => (account?.opening ? both(account.opening) : null);
const opponentOf = ({ notes, account }) =>
  notes.level !== null ? levelName(notes.level) : `▲${account?.players[0] ?? ""} △${account?.players[1] ?? ""}`;

/** All that the search looks at, in both languages. */
function textOf(entry) {
  const { name, date, account, notes } = entry;
  const words = [name, date, opponentOf(entry), resultWord(entry), account?.event, notes.how ? w[notes.how] : ""];
  return [...words, ...(account?.players ?? []), ...(account?.opening ?? [])].join(" ").toLowerCase();
}

function found() {
  const words = at("games-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  return games.filter((entry) => words.every((word) => textOf(entry).includes(word)));
}

/** What a row says of a game. */
function factsOf(entry) {
  const { account, notes } = entry;
  const accuracy = notes.accuracy?.[notes.side];
  return [
    opponentOf(entry),
    account?.handicap ? w.handicapName(account.handicap) : openingOf(entry),
    account ? w.movesOf(account.moves) : w.unreadable,
    typeof accuracy === "number" ? `${w.accuracy} ${accuracy.toFixed(0)}%` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function row(entry) {
  const { name, own, account, notes } = entry;
  const when = `${entry.date} ${entry.begun.toTimeString().slice(0, 5)}`;
  const button = (word, action, usable = true) =>
    make(
      "button",
      { type: "button", "aria-label": `${word}, ${when}`, onclick: () => told(action), disabled: usable ? null : "" },
      word,
    );
  const buttons = [
    account && button(w.openGame, () => openGame(name)),
    account && own && notes.result === "open" && button(w.continueGame, () => continueGame(name)),
    account && button(w.analyseButton, () => analyseGame(entry)),
    own && button(w.deleteGame, () => deleteGame(name, when)),
  ].filter(Boolean);
  return make(
    "li",
    { "data-name": name, class: notes.result ?? "" },
    make("div", { class: "heading" }, make("b", {}, resultWord(entry) || name), " ", make("time", {}, when)),
    make("div", { class: "soft" }, factsOf(entry)),
    make("div", { class: "buttons" }, ...buttons),
  );
}

/** Does something that can fail, and tells the user if it does. */
async function told(action) {
  try {
    await action();
  } catch (error) {
    say(error.message, true);
  }
}

/** Reads the games anew and shows them. */
export const refreshGames = () =>
  told(async () => {
    games = await listGames();
    drawGames();
  });

export function drawGames() {
  if (tab !== "games") return;
  const list = found();
  at("games").replaceChildren(...list.slice(0, most).map(row));
  at("games-more").hidden = list.length <= most;
  at("games-none").hidden = list.length > 0;
  at("games-none").textContent = games.length ? w.noneFound : w.noGames;
  at("games-export").hidden = folderOf() !== null;
  at("games-export").disabled = !games.length;
  at("games-folder").textContent = folderOf() ? w.gamesFolder(folderOf()) : w.gamesInBrowser;
  const waiting = due(games, new Date()).length;
  at("practise").textContent = w.practise(waiting);
  at("practise").disabled = waiting === 0;
  drawStatistics();
}

/** The record of a game: `{ kif, record }`. */
async function recordOf(name) {
  const bytes = await readGame(name);
  const [record] = rules.openRecords(bytes);
  return { bytes, record, kif: rules.recordKif(0) };
}

/** Puts a game on the board as it was kept, without going on with it. */
async function putOnBoard(name, active) {
  const { bytes, record } = await recordOf(name);
  const text = textOfFile(bytes);
  const notes = notesOf(text);
  const start = record.start === START ? "startpos" : `sfen ${record.start}`;
  const { accuracy, nodes, mistakes } = notes;
  const began = begunAt(name);
  const outcomes = { won: notes.side, lost: 1 - notes.side, drawn: null };
  const { clock } = notes;
  const bookmarks = bookmarksOf(text);
  game.setUp(start, record.moves);
  const own = began && notes.side !== null;
  game.restore({
    ...game.saved(),
    human: notes.side ?? 0,
    level: notes.level ?? 20,
    perMove: notes.pace,
    clock: clock && { main: clock.main, byoyomi: clock.byoyomi, increment: clock.increment },
    left: clock?.left ?? [0, 0],
    seconds: record.seconds,
    comments: ownComments(record.comments, began !== null),
    bookmarks: bookmarks[0],
    takebacks: notes.takebacks,
    hints: notes.hints,
    began: own ? began.getTime() : null,
    active,
    result: own && notes.result in outcomes ? { winner: outcomes[notes.result], how: notes.how, seen: true } : null,
    file: own ? { name, text: game.text() } : null,
    judged: own ? { text: game.text(), accuracy, nodes, mistakes } : null,
  });
  withTheirBookmarks(record.branches, bookmarks).forEach((branch) => game.addBranch(branch));
  turnBoard(notes.side === 1);
}

async function openGame(name) {
  if (!(await mayEndGame(w.openGame))) return;
  await putOnBoard(name, false);
  showFrom(0);
  keep();
  openTab("play");
}

async function continueGame(name) {
  if (!(await mayEndGame(w.continueGame))) return;
  await putOnBoard(name, true);
  showFrom(game.moves.length);
  keep();
  openTab("play");
  changed();
  await engineMoves();
}

async function analyseGame({ name, own, notes }) {
  const { bytes } = await recordOf(name);
  await analyseArchived(bytes, name, own && notes.side !== null);
}

async function deleteGame(name, when) {
  if (!(await ask(w.deleteAsk(when), w.deleteGame))) return;
  await removeGame(name);
  await refreshGames();
  at("games-search").focus();
  say(w.deleted);
}

async function exportAll() {
  const files = [];
  for (const { name, begun } of games) files.push({ name, bytes: await readGame(name), date: begun });
  save(zip(files), "monomi-games.zip", "application/zip");
}

const percent = ({ won, drawn, games }) => `${Math.round((100 * (won + drawn / 2)) / games)}%`;

function table(caption, heads, rows) {
  const cell = (tag) => (text) => make(tag, {}, String(text));
  return make(
    "table",
    {},
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)))),
    make(
      "tbody",
      {},
      ...rows.map(([head, ...rest]) => make("tr", {}, make("th", { scope: "row" }, head), ...rest.map(cell("td")))),
    ),
  );
}

const results = (caption, all, nameOf) =>
  all.length
    ? table(
        caption,
        [caption, w.gamesWord, w.outcomes.won, w.outcomes.lost, w.outcomes.drawn, "%"],
        all.map((group) => [nameOf(group.key), group.games, group.won, group.lost, group.drawn, percent(group)]),
      )
    : null;

/** The estimated grade in words. */
function gradeText(list) {
  const rated = ratedResults(list, rules.ratings());
  const found = estimate(rated);
  if (!found) return w.tooFew(rated.length, FEWEST);
  const grade = (rating) => w.gradeName(gradeOf(rating), LOWEST, HIGHEST);
  const text = (rating) => `${grade(rating)} (${Math.round(rating / 10) * 10})`;
  if (found.rating === null) return found.low === null ? w.atMost(text(found.high)) : w.atLeast(text(found.low));
  return w.estimated(text(found.rating), grade(found.low), grade(found.high), found.games);
}

/** A small graph of the accuracy of the games over time. */
function graph(list) {
  const points = accuracies(list);
  if (points.length < 2) return make("p", { class: "soft" }, w.noAccuracies);
  const [width, height, left, bottom] = [320, 130, 34, 18];
  const low = Math.floor(Math.min(50, ...points.map(({ accuracy }) => accuracy)) / 10) * 10;
  const x = (index) => left + ((width - left - 8) * index) / (points.length - 1);
  const y = (value) => 8 + ((height - bottom - 8) * (100 - value)) / (100 - low);
  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, class: "accuracies", role: "img" });
  drawing.setAttribute(
    "aria-label",
    w.accuracyGraph(points.map(({ date, accuracy }) => `${date} ${accuracy.toFixed(0)}%`).join(", ")),
  );
  for (const value of [low, (low + 100) / 2, 100])
    drawing.append(
      shape("path", { class: "axis", d: `M${left} ${y(value)}H${width - 8}` }),
      shape("text", { class: "label", x: left - 5, y: y(value) + 4, "text-anchor": "end" }, `${value}%`),
    );
  const line = points.map(({ accuracy }, index) => `${x(index).toFixed(1)} ${y(accuracy).toFixed(1)}`);
  drawing.append(
    shape("path", { class: "line", d: `M${line.join("L")}` }),
    ...points.map(({ accuracy }, index) => shape("circle", { class: "point", cx: x(index), cy: y(accuracy), r: 3 })),
    shape("text", { class: "label", x: left, y: height - 4 }, points[0].date),
    shape("text", { class: "label", x: width - 8, y: height - 4, "text-anchor": "end" }, points.at(-1).date),
  );
  return drawing;
}

function drawStatistics() {
  if (!at("statistics-fold").open) return;
  const list = games.filter(({ account, notes }) => account && notes.level !== null);
  const levels = groups(list, ({ notes }) => notes.level).sort((a, b) => a.key - b.key);
  const openings = groups(list, openingOf);
  const mistakes = typical(list).map(({ kind, phases, loss }) => [
    kindName(kind, language),
    ...phases,
    Math.round(loss * 100),
  ]);
  const parts = [
    make("h2", {}, w.estimatedGrade),
    make("p", {}, gradeText(list)),
    make("p", { class: "soft" }, w.estimateNote),
    results(w.level, levels, levelName),
    results(w.opening, openings, String),
    make("h2", {}, w.accuracyOverTime),
    graph(list),
    mistakes.length
      ? table(w.typicalMistakes, [w.kind, ...w.phases, w.lossTogether], mistakes)
      : make("p", { class: "soft" }, w.noMistakesYet),
  ];
  at("statistics").replaceChildren(...parts.filter(Boolean));
}

export function startGames() {
  const restart = () => {
    most = SHOWN;
    drawGames();
  };
  at("games-search").addEventListener("input", restart);
  at("games-more").addEventListener("click", () => {
    most += SHOWN;
    drawGames();
  });
  at("games-export").addEventListener("click", () => told(exportAll));
  at("statistics-fold").addEventListener("toggle", drawStatistics);
  startPractice(() => games, refreshGames);
}
