// The parts of the app that draw nothing: notes in KIF, statistics, and the order of what is practised.
import assert from "node:assert/strict";
import { dateOf, dayAfter, fileDate, kifDate } from "../app/dates.js";
import { bookmarksOf, notesOf, ownComments, replaceNotes, withBookmarks, withNotes } from "../app/notes.js";
import {
  accuracies,
  due,
  estimate,
  gradeOf,
  groups,
  practised,
  ratedResults,
  ratingOf,
  typical,
} from "../app/statistics.js";
import { passed, test } from "./steps.mjs";

const KIF = `#KIF version=2.0 encoding=UTF-8
手合割：平手
手数----指手---------消費時間--
*a comment of the user
   1 ７六歩(77)   ( 0:01/00:00:01)
   2 ３四歩(33)   ( 0:01/00:00:01)
*Monomi is no note here
   3 中断

変化：2手
   2 ８四歩(83)
`;

await test("notes are written into a KIF and read again", () => {
  const notes = {
    level: 4,
    side: 1,
    result: "won",
    how: "resignEnd",
    takebacks: 2,
    hints: 1,
    pace: 1,
    clock: { main: 600000, byoyomi: 30000, increment: 0, left: [1234, 0] },
    accuracy: [78.1, null],
    nodes: 100000,
    mistakes: [
      { ply: 35, loss: 0.213, right: ["7g7f", "2g2f"], phase: 1, step: 2, due: "2026-12-01", kind: "Missed mate" },
      { ply: 40, loss: 0.1, right: [], phase: 2, step: 0, due: "2026-12-01", kind: "Other" },
    ],
  };
  const kif = withNotes(KIF, notes);
  assert.match(kif, /\n\*#Monomi level 4\n/);
  assert.deepEqual(notesOf(kif), notes);
  // The rest stays, and notes replace those before.
  assert.ok(kif.includes("\n*a comment of the user\n   1 ７六歩"));
  assert.equal(replaceNotes(replaceNotes(kif, { ...notes, mistakes: [] }), notes), kif);
  // What is not understood is left out.
  const odd = withNotes(KIF, notes).replace(
    "*#Monomi level 4",
    "*#Monomi level four\n*#Monomi new 1\n*#Monomi mistake 3",
  );
  assert.deepEqual({ ...notesOf(odd), level: 4 }, notes);
});

await test("a comment of the user is no note, whatever it begins with", () => {
  const notes = { ...notesOf(""), level: 4, side: 0, result: "won", how: "mateEnd" };
  const typed = "Monomi level 9\n#Monomi level 9\n##Monomi level 9\n# Monomi\nmine";
  const lines = typed.split("\n").map((line) => `*${line}\n`);
  const kif = withNotes(KIF.replace("*a comment of the user\n", lines.join("")), notes);
  assert.deepEqual(notesOf(kif), notes);
  // As a reader of KIF gives the comments: on the start and on two moves.
  const [first, , second] = kif.split(/^ +\d .*$/m);
  const comments = [first, "", second].map((part) => part.match(/(?<=^\*).*/gm) ?? []);
  assert.deepEqual(ownComments(comments, true), [typed, "", "Monomi is no note here"]);
  // Notes that change leave it as it is.
  assert.equal(replaceNotes(replaceNotes(kif, { ...notes, level: 5 }), notes), kif);
  // Files from before the mark are read as before, and get it with the next change.
  const old = withNotes(KIF, notes).replaceAll("*#Monomi ", "*Monomi ");
  assert.deepEqual(notesOf(old), notes);
  assert.match(replaceNotes(old, notes), /\n\*#Monomi level 4\n/);
  assert.doesNotMatch(replaceNotes(old, notes), /\n\*Monomi level/);
  assert.deepEqual(ownComments([["Monomi level 4", "mine"], []], true), ["mine", ""]);
  assert.deepEqual(ownComments([["Monomi level 4", "mine"], []], false), ["Monomi level 4\nmine", ""]);
});

await test("bookmarks of the game and of its variations", () => {
  const kif = withBookmarks(KIF, [[0, 2]]);
  assert.match(kif, /時間--\n&しおり\n\*a comment/);
  assert.match(kif, /\n {3}2 ３四歩\(33\)[^\n]*\n&しおり\n/);
  assert.equal(kif.match(/&しおり/g).length, 2);
  assert.deepEqual(bookmarksOf(kif), [[0, 2], []]);
  assert.deepEqual(bookmarksOf(KIF), [[], []]);
  const marked = withBookmarks(KIF, [[], [2]]);
  assert.match(marked, /変化：2手\n {3}2 [^\n]*\n&しおり\n/);
  assert.deepEqual(bookmarksOf(marked), [[], [2]]);
});

const RATINGS = [
  [2, 612],
  [4, 998],
  [8, 1610],
  [18, 2870],
];

await test("ratings of levels, and grades of ratings", () => {
  assert.equal(ratingOf(3, RATINGS), (612 + 998) / 2);
  assert.equal(ratingOf(19, RATINGS), null);
  // docs/skill.md: FESA's table gives 1680 to 1800 for 1 dan, 1360 to 1460 for 3 kyu, 800 to 880 for 10 kyu.
  assert.deepEqual([1740, 1410, 840, 2100, 100, 3000].map(gradeOf), [1, -2, -9, 4, -13, 7]);
});

await test("the strength is estimated with its uncertainty", () => {
  const results = (rating, won, lost) => [
    ...Array.from({ length: won }, () => ({ rating, score: 1 })),
    ...Array.from({ length: lost }, () => ({ rating, score: 0 })),
  ];
  assert.equal(estimate(results(1000, 4, 3)), null);
  const even = estimate(results(1000, 10, 10));
  assert.ok(Math.abs(even.rating - 1000) < 0.01);
  // Twice the difference of the likelihoods is 3.84 at both ends: 20 log(1/2) - 10 log(p (1 - p)) = 1.92.
  for (const bound of [even.low, even.high]) {
    const p = 1 / (1 + 10 ** ((1000 - bound) / 400));
    assert.ok(Math.abs(20 * Math.log(0.5) - 10 * Math.log(p * (1 - p)) - 1.92) < 0.01, String(bound));
  }
  assert.ok(Math.abs(even.high - 1000 - (1000 - even.low)) < 0.01);
  // Three wins of four: 400 log10(3) above.
  const better = estimate(results(1000, 30, 10));
  assert.ok(Math.abs(better.rating - 1000 - 400 * Math.log10(3)) < 0.01);
  // More games, a smaller interval.
  const more = estimate(results(1000, 300, 100));
  assert.ok(more.high - more.low < (better.high - better.low) / 2.5);
  // One side only: 0.05 = p^10, so p = 0.741 and the bound is 183 above.
  const wins = estimate(results(1000, 10, 0));
  assert.deepEqual([wins.rating, wins.high], [null, null]);
  const boundOf = (chance) => 1000 + 400 * Math.log10(chance / (1 - chance));
  assert.ok(Math.abs(wins.low - boundOf(Math.exp(-1.353 / 10))) < 0.1);
  const losses = estimate(results(1000, 0, 10));
  assert.deepEqual([losses.rating, losses.low], [null, null]);
  assert.ok(Math.abs(losses.high + wins.low - 2000) < 0.1);
});

const game = (date, notes, account = {}) => ({
  name: date,
  date,
  account: { handicap: null, ...account },
  notes: { level: 4, side: 0, result: "won", takebacks: 0, accuracy: null, mistakes: [], ...notes },
});

await test("only even games without help count for the strength", () => {
  const games = [
    game("1", {}),
    game("2", { result: "lost", level: 8 }),
    game("3", { result: "drawn" }),
    game("4", { result: "open" }),
    game("5", { takebacks: 1 }),
    game("9", { hints: 1 }),
    game("6", {}, { handicap: "二枚落ち" }),
    game("7", { level: 20 }),
    game("8", { level: null, result: null }),
  ];
  assert.deepEqual(ratedResults(games, RATINGS), [
    { rating: 998, score: 1 },
    { rating: 1610, score: 0 },
    { rating: 998, score: 0.5 },
  ]);
  const levels = groups(games, ({ notes }) => notes.level);
  assert.deepEqual(levels[0], { key: 4, games: 5, won: 4, drawn: 1, lost: 0 });
  assert.deepEqual(
    levels.map(({ key }) => key),
    [4, 8, 20],
  );
});

await test("accuracy over time and typical mistakes are the user's", () => {
  const mistake = (kind, phase, loss) => ({ kind, phase, loss, right: [], due: "", step: 0 });
  const games = [
    game("2026-11-02", { side: 1, accuracy: [50, 60], mistakes: [mistake("Other", 0, 0.2)] }),
    game("2026-11-01", { accuracy: [70, 60], mistakes: [mistake("Missed mate", 2, 0.5), mistake("Other", 2, 0.1)] }),
    game("2026-11-03", { side: 1, accuracy: [50, null] }),
  ];
  assert.deepEqual(accuracies(games), [
    { date: "2026-11-01", accuracy: 70 },
    { date: "2026-11-02", accuracy: 60 },
  ]);
  const [mate, other] = typical(games);
  assert.deepEqual([mate.kind, mate.phases, mate.loss], ["Missed mate", [0, 0, 1], 0.5]);
  assert.deepEqual([other.kind, other.phases], ["Other", [1, 0, 1]]);
});

await test("solved mistakes come again after 1, 3, 7, 16 and 35 days, others at once", () => {
  const today = new Date(2026, 10, 28);
  let item = { step: 0, due: dayAfter(today), right: ["7g7f"], loss: 0.2 };
  const days = [];
  for (let i = 0; i < 6; i++) {
    item = { ...item, ...practised(item, true, today) };
    days.push(item.due);
  }
  const after = (count) => dayAfter(today, count);
  assert.deepEqual(days, [1, 3, 7, 16, 35, 35].map(after));
  assert.equal(after(35), "2027-01-02");
  assert.deepEqual(practised(item, false, today), { step: 0, due: "2026-11-28" });
  const at = (date, loss, right = ["7g7f"]) => ({ due: date, loss, right });
  const list = due(
    [
      game("a", { mistakes: [at(after(0), 0.1), at(after(0), 0.4), at(after(1), 0.9)] }),
      game("b", { mistakes: [at(after(-3), 0.1), at(after(-9), 0.1, [])] }),
    ],
    today,
  );
  assert.deepEqual(
    list.map(({ game, mistake }) => [game.name, mistake.loss]),
    [
      ["b", 0.1],
      ["a", 0.4],
      ["a", 0.1],
    ],
  );
});


await test("dates as in KIF and in names of files", () => {
  const date = new Date(2026, 10, 8, 14, 3, 5);
  assert.equal(kifDate(date), "2026/11/08 14:03:05");
  assert.equal(fileDate(date), "20261108-140305");
  for (const text of [kifDate(date), `monomi-${fileDate(date)}-won.kifu`, "2026年11月8日(日) 14時03分05秒"])
    assert.deepEqual(dateOf(text), date);
  assert.deepEqual(dateOf("2018/5/3 10:30"), new Date(2018, 4, 3, 10, 30));
  assert.deepEqual(dateOf("2018-05-03"), new Date(2018, 4, 3));
  for (const text of ["", "竜王戦", undefined, null]) assert.equal(dateOf(text), null);
});

console.log(JSON.stringify({ passed }));
