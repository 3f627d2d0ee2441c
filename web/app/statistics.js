// What the results of a player's games say. Draws nothing.
import { dayAfter } from "./dates.js";

/** Days until a mistake that was solved comes again. */
const INTERVALS = [1, 3, 7, 16, 35];
/** Grades of ratings on FESA's scale (docs/skill.md): 1 is 1 dan, 0 is 1 kyu, -1 is 2 kyu. */
const GRADES = [
  [612, -12],
  [998, -7],
  [1243, -4],
  [1610, 0],
  [1855, 2],
  [2100, 4],
  [2283, 5],
];
/** The lowest and the highest grade that are told apart. */
export const LOWEST = -12;
export const HIGHEST = 6;
/** With fewer games nothing is estimated. */
export const FEWEST = 8;
/** Half of the 95 % quantiles of chi-squared with one degree of freedom, for both sides and for one side. */
const [BOTH, ONE] = [1.921, 1.353];
const [LOWEST_RATING, HIGHEST_RATING] = [-1500, 5500];

/** A value between the points of a table, on the lines through the first two and the last two beyond it. */
function between(table, x) {
  let index = table.findIndex(([at]) => at >= x);
  if (index < 0) index = table.length - 1;
  index = Math.max(1, index);
  const [[x0, y0], [x1, y1]] = [table[index - 1], table[index]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/** The rating of a level by a table of pairs; null where none is known. */
export const ratingOf = (level, ratings) =>
  level === null || level > ratings.at(-1)[0] ? null : between(ratings, level);

/** The grade of a rating as a number, see GRADES. */
export const gradeOf = (rating) => Math.max(LOWEST - 1, Math.min(HIGHEST + 1, Math.round(between(GRADES, rating))));

const chance = (rating, other) => 1 / (1 + 10 ** ((other - rating) / 400));

/** Where a function that rises crosses zero. */
function crossing(rising) {
  let [low, high] = [LOWEST_RATING, HIGHEST_RATING];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The rating of a player from results `{ rating, score }` against opponents with known ratings, by maximum likelihood,
 *  with its 95 % interval by the ratio of likelihoods. Null with too few games. After wins only there is a lower bound
 *  only, after losses only an upper bound: the other values are null. */
export function estimate(results) {
  if (results.length < FEWEST) return null;
  const points = results.reduce((sum, { score }) => sum + score, 0);
  const likelihood = (rating) =>
    results.reduce((sum, { rating: other, score }) => {
      const p = chance(rating, other);
      return sum + score * Math.log(Math.max(p, 1e-300)) + (1 - score) * Math.log(Math.max(1 - p, 1e-300));
    }, 0);
  const games = results.length;
  if (points === games) return { games, rating: null, low: crossing((rating) => likelihood(rating) + ONE), high: null };
  if (points === 0) return { games, rating: null, low: null, high: crossing((rating) => -likelihood(rating) - ONE) };
  const rating = crossing(
    (value) => results.reduce((sum, { rating: other }) => sum + chance(value, other), 0) - points,
  );
  const most = likelihood(rating);
  const within = (value) => likelihood(value) - most + BOTH;
  return {
    games,
    rating,
    low: crossing((value) => (value >= rating ? 1 : within(value))),
    high: crossing((value) => (value <= rating ? -1 : -within(value))),
  };
}

const SCORES = { won: 1, drawn: 0.5, lost: 0 };

/** The games that say how strong the player is: even, finished, without moves taken back or hints. `ratings`: those of
 *  levels, as pairs. */
export const ratedResults = (games, ratings) =>
  games
    .filter(({ notes, account }) => notes.result in SCORES && !account.handicap && !notes.takebacks && !notes.hints)
    .map(({ notes }) => ({ rating: ratingOf(notes.level, ratings), score: SCORES[notes.result] }))
    .filter(({ rating }) => rating !== null);

/** Results by what `keyOf` says of a game; games of which it says nothing are left out. Most games first. */
export function groups(games, keyOf) {
  const found = new Map();
  for (const game of games) {
    const key = keyOf(game);
    if (key === null || key === undefined || !(game.notes.result in SCORES)) continue;
    const row = found.get(key) ?? { key, games: 0, won: 0, drawn: 0, lost: 0 };
    row.games++;
    row[game.notes.result]++;
    found.set(key, row);
  }
  return [...found.values()].sort((a, b) => b.games - a.games);
}

/** The user's accuracy over time: `{ date, accuracy }`, oldest first. */
export const accuracies = (games) =>
  games
    .filter(({ notes }) => notes.side !== null && typeof notes.accuracy?.[notes.side] === "number")
    .map(({ date, notes }) => ({ date, accuracy: notes.accuracy[notes.side] }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));

/** The kinds of mistakes in analysed games, those that lost most first: by phase, and what they lost together. */
export function typical(games) {
  const found = new Map();
  for (const { kind, phase, loss } of games.flatMap(({ notes }) => notes.mistakes)) {
    const row = found.get(kind) ?? { kind, phases: [0, 0, 0], loss: 0 };
    row.phases[phase]++;
    row.loss += loss;
    found.set(kind, row);
  }
  return [...found.values()].sort((a, b) => b.loss - a.loss);
}

/** When a mistake comes again: solved ones after longer and longer intervals, others at once. */
export function practised({ step }, solved, today) {
  if (!solved) return { step: 0, due: dayAfter(today) };
  const interval = INTERVALS[Math.min(step, INTERVALS.length - 1)];
  return { step: Math.min(step + 1, INTERVALS.length - 1), due: dayAfter(today, interval) };
}

/** The mistakes to practise on a day: those due longest first, of these what lost most. */
export const due = (games, today) =>
  games
    .flatMap((game) => game.notes.mistakes.map((mistake) => ({ game, mistake })))
    .filter(({ mistake }) => mistake.right.length && mistake.due <= dayAfter(today))
    .sort((a, b) => a.mistake.due.localeCompare(b.mistake.due) || b.mistake.loss - a.mistake.loss);
