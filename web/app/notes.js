// What a KIF cannot hold of a game of the app: comments before the first move, one for each fact (`*#Monomi level 4`),
// and bookmarks, which Kifu for Windows writes as `&` below a move. Other programs show or ignore both.
// A comment of the user that begins like a note is written with one more `#`.

const NOTE = "#Monomi ";
// How notes begin in files from before the mark: there a comment of the user can look like one.
const OLD_NOTE = "Monomi ";
const LIKE_NOTE = /^#+Monomi /;
const BOOKMARK = "&しおり";

const isHead = (line) => line.startsWith("手数-");

/** The facts from notes such as `level 4`. What is not understood is left out. */
export function readNotes(lines) {
  const notes = { level: null, side: null, result: null, takebacks: 0, hints: 0, pace: 1, clock: null, accuracy: null };
  Object.assign(notes, { nodes: null, mistakes: [] });
  for (const line of lines) {
    const [word, ...rest] = line.trim().split(/\s+/);
    const numbers = rest.map(Number);
    const fits = (count) => rest.length >= count && numbers.slice(0, count).every(Number.isFinite);
    if (["level", "takebacks", "hints", "pace", "nodes"].includes(word) && fits(1)) [notes[word]] = numbers;
    else if (word === "side" && ["black", "white"].includes(rest[0])) notes.side = Number(rest[0] === "white");
    else if (word === "result" && rest.length) [notes.result, notes.how] = rest;
    else if (word === "clock" && fits(5)) {
      const [main, byoyomi, increment, ...left] = numbers;
      notes.clock = { main, byoyomi, increment, left: left.slice(0, 2) };
    } else if (word === "accuracy" && rest.length >= 2)
      notes.accuracy = numbers.slice(0, 2).map((value) => (Number.isFinite(value) ? value : null));
    else if (word === "mistake" && fits(2) && rest.length >= 6) {
      const [, , right, phase, step, due, ...kind] = rest;
      const answers = right === "-" ? [] : right.split(",");
      const [ply, loss] = numbers;
      notes.mistakes.push({
        ply,
        loss,
        right: answers,
        phase: Number(phase),
        step: Number(step),
        due,
        kind: kind.join(" "),
      });
    }
  }
  return notes;
}

/** How notes begin among these comments before the first move. */
const beginning = (comments) => (comments.some((line) => line.startsWith(NOTE)) ? NOTE : OLD_NOTE);

/** The lines of a text in KIF that are comments before the first move: their numbers. */
function commentsBeforeMoves(lines) {
  const found = [];
  for (let at = lines.findIndex(isHead) + 1; at < lines.length && !moveOf(lines[at]); at++)
    if (lines[at].startsWith("*")) found.push(at);
  return found;
}

/** The notes of a text in KIF. */
export function notesOf(kif) {
  const lines = kif.split("\n");
  const comments = commentsBeforeMoves(lines).map((at) => lines[at].slice(1));
  const begins = beginning(comments);
  return readNotes(comments.filter((line) => line.startsWith(begins)).map((line) => line.slice(begins.length)));
}

function noteLines(notes) {
  const lines = [];
  const add = (word, ...values) => lines.push([word, ...values].join(" "));
  if (notes.level !== null) add("level", notes.level);
  if (notes.side !== null) add("side", ["black", "white"][notes.side]);
  if (notes.result) add("result", notes.result, notes.how ?? "");
  if (notes.takebacks) add("takebacks", notes.takebacks);
  if (notes.hints) add("hints", notes.hints);
  if (notes.clock) {
    const { main, byoyomi, increment, left } = notes.clock;
    add("clock", main, byoyomi, increment, ...left.map(Math.round));
  } else add("pace", notes.pace);
  if (notes.accuracy) add("accuracy", ...notes.accuracy.map((value) => (value === null ? "-" : value.toFixed(1))));
  if (notes.nodes) add("nodes", notes.nodes);
  for (const { ply, loss, right, phase, step, due, kind } of notes.mistakes)
    add("mistake", ply, loss.toFixed(3), right.join(",") || "-", phase, step, due, kind);
  return lines.map((line) => `*${NOTE}${line.trim()}`);
}

function insertNotes(lines, notes) {
  lines.splice(lines.findIndex(isHead) + 1, 0, ...noteLines(notes));
  return lines.join("\n");
}

/** A text in KIF that has no notes yet with these notes. */
export function withNotes(kif, notes) {
  const lines = kif.split("\n");
  for (const at of commentsBeforeMoves(lines))
    if (LIKE_NOTE.test(lines[at].slice(1))) lines[at] = lines[at].replace("*", "*#");
  return insertNotes(lines, notes);
}

/** A text in KIF of the app with these notes instead of those that it has. */
export function replaceNotes(kif, notes) {
  const lines = kif.split("\n");
  const comments = commentsBeforeMoves(lines);
  const begins = `*${beginning(comments.map((at) => lines[at].slice(1)))}`;
  const before = new Set(comments.filter((at) => lines[at].startsWith(begins)));
  return insertNotes(
    lines.filter((_, at) => !before.has(at)),
    notes,
  );
}

/** The number of the move in a line of a KIF; 0 in others. */
const moveOf = (line) => Number(line.match(/^\s*(\d+)\s/)?.[1] ?? 0);

/** The plies with bookmarks in a text in KIF: a list for the game, then one for each of its variations. */
export function bookmarksOf(kif) {
  const found = [[]];
  let ply = 0;
  for (const line of kif.split(/\r?\n/)) {
    if (line.startsWith("変化")) found.push([]);
    ply = moveOf(line) || ply;
    const plies = found.at(-1);
    if (line.startsWith("&") && !plies.includes(ply)) plies.push(ply);
  }
  return found;
}

/** The variations of a record with their bookmarks, `lists` as `bookmarksOf` gives them. A variation of a variation is
 *  read together with what it shares, so that there may be more of them than sections: then they have none. */
export function withTheirBookmarks(branches, [, ...lists]) {
  const fits = lists.length === branches.length;
  return branches.map((branch, index) => ({ ...branch, bookmarks: fits ? lists[index] : [] }));
}

/** The text of a file, which is in UTF-8 or Shift_JIS. */
export function textOfFile(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

/** A text in KIF with bookmarks after these plies, as `bookmarksOf` gives them. */
export function withBookmarks(kif, lists) {
  const lines = [];
  let number = 0;
  for (const line of kif.split("\n")) {
    if (line.startsWith("変化")) number++;
    lines.push(line);
    const ply = isHead(line) ? 0 : moveOf(line) || null;
    if (lists[number]?.includes(ply)) lines.push(BOOKMARK);
  }
  return lines.join("\n");
}

/** The comments of a game without the app's notes: by ply, lines joined. `kept`: the app has kept the game, so what
 *  looks like a note of an older version is one. */
export function ownComments(comments, kept) {
  const begins = beginning(comments[0] ?? []);
  const own = (line) => !line.startsWith(begins) || (begins === OLD_NOTE && !kept);
  const asTyped = (line) => (begins === NOTE && LIKE_NOTE.test(line) ? line.slice(1) : line);
  return comments.map((lines, ply) => (ply ? lines : lines.filter(own).map(asTyped)).join("\n"));
}
