// The games that are kept, each as a text in KIF: in the browser's database, or with `monomi app` in a folder whose
// files other programs read. What KIF has no place for is in its comments (notes.js).
import { w } from "../../kifu/analysis/src/output/report/page.js";
import { game, rules } from "./app.js";
import { dateOf, dayAfter, fileDate } from "./dates.js";
import { Game } from "./game.js";
import { notesOf, readNotes, replaceNotes, withNotes } from "./notes.js";
import { levelName, say } from "./view.js";

/** Games in the database of the browser. */
class Database {
  folder = null;
  #base;

  constructor() {
    this.#base = new Promise((resolve, reject) => {
      const request = indexedDB.open("monomi", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("games", { keyPath: "name" });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    // A failure is reported where games are asked for.
    this.#base.catch(() => {});
  }

  async #run(mode, action) {
    const transaction = (await this.#base).transaction("games", mode);
    const request = action(transaction.objectStore("games"));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }

  async list() {
    const all = await this.#run("readonly", (store) => store.getAll());
    return all.map(({ name, kif, time }) => ({ name, time, own: true, account: accountOf(name, kif) }));
  }

  async read(name) {
    const found = await this.#run("readonly", (store) => store.get(name));
    if (!found) throw new Error(w.gameGone);
    return new TextEncoder().encode(found.kif);
  }

  write(name, kif) {
    return this.#run("readwrite", (store) => store.put({ name, kif, time: Date.now() }));
  }

  remove(name) {
    return this.#run("readwrite", (store) => store.delete(name));
  }
}

const accounts = new Map(); // what is said of the games of the database, by their text

function accountOf(name, kif) {
  const known = accounts.get(name);
  if (known?.kif === kif) return known.account;
  let account = null;
  try {
    account = rules.account(kif);
  } catch {
    // It cannot be read.
  }
  accounts.set(name, { kif, account });
  return account;
}

/** Games in the folder of `monomi app`. */
class Folder {
  folder = "";

  async #ask(request) {
    const answer = await fetch("/games", { method: "POST", body: JSON.stringify(request) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { ok, error } = await answer.json();
    if (error !== undefined) throw new Error(error);
    return ok;
  }

  async list() {
    const { folder, games } = await this.#ask({ type: "list" });
    this.folder = folder;
    return games;
  }

  async read(name) {
    return Uint8Array.from(atob(await this.#ask({ type: "read", name })), (letter) => letter.charCodeAt(0));
  }

  write(name, kif) {
    return this.#ask({ type: "write", name, kif });
  }

  remove(name) {
    return this.#ask({ type: "remove", name });
  }
}

let store = null;
/** The folder of the games; null where they are in the browser. */
export const folderOf = () => store.folder;

export function startArchive(native) {
  store = native ? new Folder() : new Database();
}

let queue = Promise.resolve();

/** Runs actions one after the other and reports what fails. */
function inTurn(action) {
  const done = queue.then(action);
  queue = done.catch((error) => say(w.notKept(error.message), true));
  return done;
}

/** Resolves when what was begun has been written. */
export const archiveIdle = () => queue;

/** When a game with a name of ours began; null for other names. */
export const begunAt = (name) => (/^monomi-\d{8}-\d{6}-/.test(name) ? dateOf(name) : null);

function outcome() {
  if (!game.result) return "open";
  const { winner } = game.result;
  return winner === null ? "drawn" : winner === game.human ? "won" : "lost";
}

/** The notes of the game on the board. */
function notesOfGame() {
  const { human, level, perMove, clock, result, takebacks, hints, judged } = game;
  const left = [0, 1].map((color) => Math.max(0, game.time(color)));
  const { accuracy, nodes, mistakes } = judged?.text === game.text() ? judged : {};
  return {
    level,
    side: human,
    result: outcome(),
    how: result?.how ?? "",
    takebacks,
    hints,
    pace: perMove,
    clock: clock ? { ...clock, left } : null,
    accuracy: accuracy ?? null,
    nodes: nodes ?? null,
    mistakes: mistakes ?? [],
  };
}

/** Whether each side has made a move in the game itself, not before it began. */
function bothMoved() {
  const sides = new Set();
  game.seconds.forEach((seconds, ply) => {
    if (typeof seconds === "number" && ply < game.moves.length) sides.add(ply % 2);
  });
  return sides.size === 2;
}

let written = ""; // what was written last

/** Keeps the game on the board, if it is one that has begun. A position that is only looked at changes nothing, apart
 *  from its comments. */
export function archiveGame() {
  if (!store || !game.info || !game.began || !bothMoved()) return;
  const going = game.active || game.result;
  if (!going && game.file?.text !== game.text()) return;
  const players = [0, 1].map((color) => (color === game.human ? w.you : `${w.monomi} ${levelName(game.level)}`));
  const name = `monomi-${fileDate(game.began)}-${outcome()}.kifu`;
  const ending = Game.ending(game.result) ?? (going ? "CHUDAN" : null);
  const kif = withNotes(game.kif(players, ending), notesOfGame());
  const before = game.file?.name;
  game.file = { name, text: game.text() };
  if (written === name + kif) return;
  written = name + kif;
  inTurn(async () => {
    await store.write(name, kif);
    // Written first: nothing is lost if the program ends now.
    if (before && before !== name) await store.remove(before);
  }).catch(() => {});
}

/** All games, the newest first: `{ name, own, date, account, notes }`, where `account` is null if it cannot be read. */
export async function listGames() {
  await queue;
  const games = (await store.list()).map((entry) => {
    const begun = begunAt(entry.name) ?? dateOf(entry.account?.date) ?? new Date(entry.time);
    const { notes = [], old_notes: old = [] } = entry.account ?? {};
    // In records of others, what looks like a note of an older version is a comment.
    const own = notes.length ? notes : begunAt(entry.name) ? old : [];
    return { ...entry, begun, date: dayAfter(begun), notes: readNotes(own) };
  });
  return games.sort((a, b) => b.begun - a.begun || (a.name < b.name ? 1 : -1));
}

export const readGame = (name) => queue.then(() => store.read(name));

/** Removes a game. That on the board stays there, and is kept again when it goes on. */
export async function removeGame(name) {
  await inTurn(() => store.remove(name));
  if (game.file?.name !== name) return;
  game.file = null;
  written = "";
}

/** Changes the notes of a game that is kept; `edit` gets them. */
export function changeNotes(name, edit) {
  return inTurn(async () => {
    const kif = new TextDecoder().decode(await store.read(name));
    const notes = notesOf(kif);
    edit(notes);
    await store.write(name, replaceNotes(kif, notes));
    if (game.file?.name !== name) return;
    const { accuracy, nodes, mistakes } = notes;
    game.judged = { text: game.file.text, accuracy, nodes, mistakes };
    written = "";
  });
}

/** Notes what a report says of a game that is kept: accuracy, and the mistakes of the user. Those that were practised
 *  already stay as they are. */
export function noteAnalysis(name, { sides, steps }, nodes) {
  const kinds = rules.kinds();
  return changeNotes(name, (notes) => {
    if (!nodes && notes.nodes) return;
    notes.accuracy = sides.map(({ accuracy }) => accuracy);
    if (!nodes) return;
    const before = new Map(notes.mistakes.map((mistake) => [mistake.ply, mistake]));
    const own = "bw"[notes.side];
    notes.nodes = nodes;
    notes.mistakes = steps.flatMap(({ turn, kind, loss, exercise }, ply) => {
      if (turn !== own || !kind) return [];
      const right = (exercise?.right ?? []).map(({ moves }) => moves.split(" ")[0]);
      const { step, due } = before.get(ply) ?? { step: 0, due: dayAfter(new Date()) };
      const english = kinds[kind[0]].split(" / ")[1];
      return [{ ply, loss, right, phase: kind[1], step, due, kind: english }];
    });
  });
}

/** The name of a kind of mistakes in the language of the page. */
export function kindName(english, language) {
  const known = rules.kinds().find((names) => names.endsWith(` / ${english}`));
  return known && language === "ja" ? known.split(" / ")[0] : english;
}
