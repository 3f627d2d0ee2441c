// Types of the scripts, for `tsc` only.

/** A piece on the board; `kind` as in USI, such as "+P". */
export interface Piece {
  kind: string;
  white: boolean;
}

/** A square: x from 0 (file 9), y from 0 (rank a). */
export interface Point {
  x: number;
  y: number;
}

/** Numbers of pieces in hand by kind. */
export type Hand = Record<string, number>;

/** A position, and the squares of the last move. */
export interface Position {
  board: (Piece | null)[][];
  held: Hand[];
  white: boolean;
  from: Point | null;
  to: Point | null;
}

/** A square, or a kind in hand. */
export type Target = Point | string;

/** An arrow on the board: the move, its class, and whether White moves (default: the side to move). */
export type Arrow = [string, string, boolean?];

/** What a board shows besides the position. */
export interface BoardOptions {
  flipped: boolean;
  arrows?: Arrow[];
  selected?: Point | null;
  targets?: Point[];
  told?: Point[];
  cursor?: Point | null;
  moved?: boolean;
  lifted?: Point | null;
}

/** What is drawn on a board now. */
export interface Drawn {
  marks: SVGElement;
  pieces: SVGElement;
  top: SVGElement;
  coordinates: SVGElement;
  at: Map<number, { key: string; element: SVGElement }>;
  flipped: string | null;
}

/** How the pieces in a hand are shown. */
export interface HandOptions {
  color: number;
  flipped: boolean;
  /** They can be chosen. */
  mine: boolean;
  selected?: string | null;
  label?: (kind: string, number: number) => string;
}

/** A line of moves with a value for Black; `names` are written as moves, and `japanese`, after loading. */
export interface Line {
  moves: string[];
  names: string[];
  japanese: string[];
  cp?: number;
  mate?: number;
}

/** The answers to a question: lines that begin with right moves, lines that refute others, other moves in doubt. */
export interface Answers {
  right: Line[];
  wrong: Line[];
  unclear: string;
}

/** A position of the game (html.rs). */
export interface Step {
  turn: "b" | "w";
  sfen: string;
  played?: string;
  name: string;
  japanese?: string;
  seconds?: number;
  comments: string[];
  win?: number;
  cp?: number;
  mate?: number;
  depth: number;
  lines: Line[];
  class?: string;
  loss: number;
  missed?: number;
  reason?: { text: [string, string]; squares?: string; moves?: string; white: boolean };
  plan?: [string, string];
  threat?: string;
  menace?: { mate?: number; move: string; name: string };
  exercise?: Answers;
  hard?: [string, number];
}

/** How the graph is drawn. */
export interface GraphOptions {
  scale: string;
  hover: number | null;
  width?: number;
  label?: (index: number) => string;
}

/** A text that does not depend on anything, or on numbers and names. */
export type Text = string | string[] | Record<string, string> | ((...parts: any[]) => string);

/** What is put into an element. */
export type Child = Node | string | null | undefined;

/** A cell of a table: a number, a text, or texts in Japanese and English. */
export type Cell = string | number | null | string[];

/** A row of a table; `file` is what it links to. */
export interface Row {
  cells: Cell[];
  file?: string;
}

/** What a game says about one of its players (index.rs). */
export interface Side {
  name: string;
  won: boolean | null;
  accuracy: number | null;
  phases: (number | null)[];
  mistakes: number;
  missed_mates: number;
  castle: [string, string] | null;
  typical: { kind: number; phase: number; loss: number }[];
  opening: [string, string] | null;
}

/** An exercise of the page of exercises (drill.rs). */
export interface Exercise {
  game: string;
  number: number;
  players: [string, string];
  date: string | null;
  sfen: string;
  turn: "b" | "w";
  previous: string | null;
  played: string;
  name: string;
  loss: number;
  missed: number | null;
  reason: [string, string] | null;
  kind: number;
  hard: [string, number] | null;
  answers: Answers;
}

/** A line that is shown, up to one of its moves. */
export interface Shown {
  moves: string[];
  japanese: string[];
  index: number;
}

/** A move of a book (book_page.rs). */
export interface BookMove {
  usi: string;
  name: string;
  value: number;
  depth: number;
  count: number;
  results?: [number, number, number];
  next?: number;
  cut: boolean;
}
