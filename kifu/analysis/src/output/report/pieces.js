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

/** What the user has chosen for all boards: `pieces` is "kanji" or "letters". */
export const look = { pieces: "kanji", notation: "" };

// Dots and arrows around a letter.
/** @param {string} kind */
function moveMarks(kind) {
  /** @param {number[]} options */
  const dot = ([x, y]) => (y === -2 ? [x * 11, -31] : [x * (y < 0 ? 21 : y ? 29 : 27), y * (y < 0 ? 25 : 30) + 4]);
  /** @param {number[]} options */
  const circle = ([a, b]) => `M${a - 3.5} ${b}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z`;
  /** @param {number[]} options */
  const arrow = ([x, y]) => {
    const [a, b] = dot([x, y]);
    const [u, v] = [x / Math.hypot(x, y), y / Math.hypot(x, y)];
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
  const kanji = look.pieces === "kanji";
  const marks = kanji ? null : shape("path", { class: "marks", d: moveMarks(kind) });
  const glyph = kanji ? GLYPHS[kind === "K" && white ? "KW" : kind] : LETTERS[kind.replace("+", "")];
  return shape(
    "g",
    {
      class: kind[0] === "+" ? "koma promoted" : "koma",
      transform: `${turned ? "rotate(180) " : ""}scale(${sizes[kind.replace("+", "")]})`,
    },
    shape("path", { class: "body", d: "M0-49 28-38 43 47-43 47-28-38Z" }),
    shape("path", {
      class: kanji ? "glyph" : "glyph letter",
      transform: kanji ? "translate(-28.8 -24) scale(.96)" : "translate(-18.6 -14) scale(.62)",
      d: glyph,
    }),
    marks,
  );
}
