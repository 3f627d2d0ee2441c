// The pieces as strokes in a square of 60 by 60; drawn for Monomi, so that no font is needed.
import { shape } from "./page.js";

/** @type {Record<string, string>} */
const GLYPHS = {
  P: "M30 3V25M30 13H46M16 10V25M5 26H55M30 30V46M19 32L11 43M41 32L50 42M52 41Q41 56 10 58",
  L: "M46 3Q32 8 14 8M5 17H55M30 7V32M28 18Q20 27 5 32M32 18Q41 27 55 32M17 38H43V58H17ZM17 48H43",
  N: "M3 18H25M14 4V57M14 20Q10 33 2 41M15 26L25 35M31 15H54M42 5V27M28 27H57M31 41H54M42 33V56M27 56H58",
  S:
    "M14 3Q10 12 2 18M14 3Q18 11 26 16M8 21H20M4 32H24M14 21V53M6 38L9 47M22 38L19 47M1 56L26 51" +
    "M33 6H52V28H33M33 17H52M33 6V55L44 49M54 33L45 40M38 29Q44 47 58 56",
  G: "M30 3Q20 18 3 25M30 3Q40 17 57 25M18 28H42M9 40H51M30 28V56M16 45L20 53M45 45L40 53M4 57H56",
  B: "M22 2Q17 12 7 19M20 9H40L33 19M14 20V38Q14 50 5 58M14 20H49V52Q49 58 41 57M14 32H49M14 44H49M31 20V57",
  R:
    "M8 6H38Q38 19 55 24L56 18M54 3L45 9M45 10L54 15M31 11V57M25 13Q18 19 7 21M18 18V38Q17 50 6 58" +
    "M3 33H40Q41 50 56 55L57 48M54 30L46 37M46 38L54 44",
  K: "M8 8H52M12 31H48M5 56H55M30 8V56M40 40L48 49",
  KW: "M8 8H52M12 31H48M5 56H55M30 8V56",
  "+P": "M21 4Q21 20 28 29M50 16Q13 30 13 43Q13 57 49 54",
  "+L": "M5 14H55M30 3V36M28 16Q20 29 5 35M32 16Q41 29 55 35M17 42H43V58H17Z",
  "+N": "M13 15H47M30 4V27M7 27H53M13 42H47M30 32V56M5 56H55",
  "+S": "M30 3Q19 19 3 26M30 3Q41 18 57 26M15 31H45M19 43H41M30 31V57M6 57H54",
  "+B":
    "M13 5V36M13 5H49M13 15H47M13 26H47M30 5V36M13 36H52Q53 55 47 57L42 54M8 43L4 54M18 43L20 53" +
    "M28 42L31 51M37 41L41 49",
  "+R": "M30 2V9M11 10H49M20 13L23 20M40 13L37 20M5 21H55M14 27H46V46H14ZM14 36H46M30 27V52Q30 57 36 57H51Q56 57 56 48",
};
// The second characters of names in two, and 成.
/** @type {Record<string, string>} */
const SECOND = {
  将:
    "M16 3V57M5 12L10 22M3 44L15 36M50 3Q40 9 26 11M28 15L32 21M38 13L41 20M54 12L47 21" +
    "M24 32H58M45 24V52Q45 57 36 56M31 40L36 46",
  車: "M8 9H52M14 18H46V42H14ZM14 30H46M5 50H55M30 2V58",
  行: "M20 3Q14 11 4 17M22 17Q14 29 3 36M14 28V57M31 9H55M27 24H58M45 24V52Q45 57 36 56",
  兵: "M44 4Q32 9 16 10V38M16 22H50M38 22V38M4 38H56M20 44L8 57M40 44L52 57",
  成: "M12 16H54M12 16V34Q12 48 4 57M12 30H29V44Q29 50 22 49M34 3Q36 40 55 55L56 46M50 26Q44 44 28 56M43 5L50 11",
};
/** @type {Record<string, string[]>} */
const TWO = {
  P: [GLYPHS.P, SECOND.兵],
  L: [GLYPHS.L, SECOND.車],
  N: [GLYPHS.N, GLYPHS["+B"]],
  S: [GLYPHS.S, SECOND.将],
  G: [GLYPHS.G, SECOND.将],
  B: [GLYPHS.B, SECOND.行],
  R: [GLYPHS.R, SECOND.車],
  K: [GLYPHS.K, SECOND.将],
  KW: [GLYPHS.KW, SECOND.将],
  "+L": [SECOND.成, GLYPHS.L],
  "+N": [SECOND.成, GLYPHS.N],
  "+S": [SECOND.成, GLYPHS.S],
  "+B": [GLYPHS["+R"], GLYPHS["+B"]],
  "+R": [GLYPHS["+R"], GLYPHS.KW],
};
// Pictures: soldier, spear, horse, moon, sun, diagonals, tower, crown.
/** @type {Record<string, string>} */
const PICTURES = {
  P: "M30 6a10 10 0 1 0 .1 0ZM30 30L47 55H13Z",
  L: "M30 2L41 21H34V58H26V21H19Z",
  N: "M17 57L23 36L10 41L6 32L23 13L25 3L34 10Q53 16 53 57ZM29 19a3 3 0 1 0 .1 0Z",
  S: "M37 4A27 27 0 1 0 57 41A23 23 0 0 1 37 4Z",
  G: "M30 17a13 13 0 1 0 .1 0ZM30 3V9M30 51V57M3 30H9M51 30H57M11 11L15 15M45 45L49 49M49 11L45 15M15 45L11 49",
  B: "M14 14L46 46M46 14L14 46M8 25V8H25ZM35 8H52V25ZM52 35V52H35ZM25 52H8V35Z",
  R: "M12 56V48H18V27H12V6H20V14H26V6H34V14H40V6H48V27H42V48H48V56Z",
  K: "M7 52L4 16L18 30L30 7L42 30L56 16L53 52Z",
};
// The middle of pieces that show only where they go.
/** @type {Record<string, string>} */
const MIDDLES = {
  P: "M0-8a8 8 0 1 0 .1 0Z",
  L: "M0-14 8 10-8 10Z",
  N: "M-11-9 0 2 11-9 11 1 0 12-11 1Z",
  S: "M0-13 12 0 0 13-12 0Z",
  G: "M-10-10H10V10H-10Z",
  B: "M-12-7-7-12 0-5 7-12 12-7 5 0 12 7 7 12 0 5-7 12-12 7-5 0Z",
  R: "M-4-13H4V-4H13V4H4V13H-4V4H-13V-4H-4Z",
  K: "M-12-11-6-4 0-13 6-4 12-11 10 11H-10Z",
};
// Letters for those who do not read kanji; their pieces also show where they go.
/** @type {Record<string, string>} */
const LETTERS = {
  P: "M19 52V8H33Q44 8 44 19Q44 30 33 30H19",
  L: "M19 8V52H43",
  N: "M16 52V8L44 52V8",
  S: "M43 14Q38 7 29 7Q17 7 17 18Q17 27 30 30Q44 33 44 42Q44 53 30 53Q20 53 15 45",
  G: "M44 16Q39 7 30 7Q15 7 15 30Q15 53 30 53Q44 53 44 33H31",
  B: "M18 52V8H31Q41 8 41 18Q41 28 31 28H18M31 28Q44 28 44 40Q44 52 31 52H18",
  R: "M18 52V8H31Q43 8 43 19Q43 30 31 30H18M30 30L44 52",
  K: "M18 8V52M43 8L18 33M26 26L45 52",
};
const GOLD = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
];
const ORTHOGONAL = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
];
const DIAGONAL = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];
/** Where Black's pieces go: one step, or as far as nothing is in the way.
 *  @type {Record<string, number[][]>} */
export const STEPS = {
  P: [[0, -1]],
  N: [
    [-1, -2],
    [1, -2],
  ],
  S: [
    [-1, -1],
    [0, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  G: GOLD,
  K: [...ORTHOGONAL, ...DIAGONAL],
  "+P": GOLD,
  "+L": GOLD,
  "+N": GOLD,
  "+S": GOLD,
  "+B": ORTHOGONAL,
  "+R": DIAGONAL,
  L: [],
  B: [],
  R: [],
};
/** @type {Record<string, number[][]>} */
export const SLIDES = { L: [[0, -1]], B: DIAGONAL, "+B": DIAGONAL, R: ORTHOGONAL, "+R": ORTHOGONAL };

export const PIECE_SETS = ["kanji", "two", "bold", "dark", "letters", "moves", "pictures"];
export const BOARDS = ["wood", "light", "slate", "plain", "paper", "dark", "contrast"];
/** What the user has chosen for all boards: `pieces` is one of the sets. */
export const look = { pieces: "kanji", notation: "" };

// Dots and arrows around a letter, or larger ones around the middle of a piece.
/**
 * @param {string} kind
 * @param {number} [size]
 */
function moveMarks(kind, size = 1) {
  /** @param {number[]} options */
  const dot = ([x, y]) => (y === -2 ? [x * 11, -31] : [x * (y < 0 ? 21 : y ? 29 : 27), y * (y < 0 ? 25 : 30) + 4]);
  /** @param {number[]} options */
  const circle = ([a, b]) => {
    const r = 3.5 * size;
    return `M${a - r} ${b}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0Z`;
  };
  /** @param {number[]} options */
  const arrow = ([x, y]) => {
    const [a, b] = dot([x, y]);
    const [u, v] = [x, y].map((part) => (size * part) / Math.hypot(x, y));
    const corners = [
      [a + u * 7, b + v * 7],
      [a - u * 3 - v * 6, b - v * 3 + u * 6],
      [a - u * 3 + v * 6, b - v * 3 - u * 6],
    ];
    return `M${corners.map(([p, q]) => `${p.toFixed(1)} ${q.toFixed(1)}`).join("L")}Z`;
  };
  return [...STEPS[kind].map((step) => circle(dot(step))), ...(SLIDES[kind] ?? []).map(arrow)].join("");
}

// A piece with the shape of a koma, centred at the origin, for a square of 96 by 104.
/**
 * @param {string} kind
 * @param {boolean} white
 * @param {boolean} turned
 */
export function koma(kind, white, turned) {
  /** @type {Record<string, number>} */
  const sizes = { P: 0.86, L: 0.89, N: 0.91, S: 0.95, G: 0.95, B: 0.98, R: 0.98, K: 1 };
  const set = PIECE_SETS.includes(look.pieces) ? look.pieces : "kanji";
  return shape(
    "g",
    {
      class: `koma set-${set}${kind[0] === "+" ? " promoted" : ""}`,
      transform: `${turned ? "rotate(180) " : ""}scale(${sizes[kind.replace("+", "")]})`,
    },
    shape("path", { class: "body", d: "M0-49 28-38 43 47-43 47-28-38Z" }),
    ...signs(set, kind, white),
  );
}

/** What is on a piece of a set.
 *  @param {string} set
 *  @param {string} kind
 *  @param {boolean} white
 *  @returns {SVGElement[]}
 */
function signs(set, kind, white) {
  const base = kind.replace("+", "");
  const name = kind === "K" && white ? "KW" : kind;
  /**
   * @param {string} d
   * @param {string} transform
   * @param {string} [more]
   */
  const glyph = (d, transform, more = "") => shape("path", { class: `glyph${more}`, transform, d });
  /** @param {string} d */
  const marks = (d) => shape("path", { class: "marks", d });
  if (set === "letters") {
    return [glyph(LETTERS[base], "translate(-18.6 -14) scale(.62)", " letter"), marks(moveMarks(kind))];
  }
  if (set === "moves") return [glyph(MIDDLES[base], "translate(0 4)", " solid"), marks(moveMarks(kind, 1.7))];
  if (set === "pictures") {
    const picture = glyph(PICTURES[base], "translate(-25.5 -29) scale(.85)", " solid");
    return kind === base ? [picture] : [picture, marks("M-26 30H26V37H-26Z")];
  }
  if (set === "two" && TWO[name]) {
    const [first, second] = TWO[name];
    return [glyph(first, "translate(-18 -38) scale(.6)"), glyph(second, "translate(-20.4 2) scale(.68 .66)")];
  }
  return [glyph(GLYPHS[name], set === "bold" ? "translate(-31.5 -28) scale(1.05)" : "translate(-28.8 -24) scale(.96)")];
}
