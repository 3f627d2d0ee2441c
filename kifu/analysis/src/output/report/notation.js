// How moves are written, and what the rules say about a move.
import { RANKS, parse, play, square } from "./board.js";
import { language } from "./page.js";
import { SLIDES, STEPS, look } from "./pieces.js";

/** @import { Point, Position, Piece } from "./types.d.ts" */

/**
 * @param {number} x
 * @param {number} y
 */
const ON_BOARD = (x, y) => x >= 0 && x < 9 && y >= 0 && y < 9;

/** Whether the piece on a square could go to another one as it moves, whoever is in check.
 *  @param {Position} position
 *  @param {Point} from
 *  @param {Point} to
 */
function reaches(position, from, to) {
  const piece = position.board[from.y][from.x];
  const target = position.board[to.y][to.x];
  if (!piece || (target && target.white === piece.white)) return false;
  const sign = piece.white ? -1 : 1;
  /**
   * @param {number} x
   * @param {number} y
   */
  const is = (x, y) => x === to.x && y === to.y;
  if (STEPS[piece.kind].some(([dx, dy]) => is(from.x + sign * dx, from.y + sign * dy))) return true;
  return (SLIDES[piece.kind] ?? []).some(([dx, dy]) => {
    let [x, y] = [from.x + sign * dx, from.y + sign * dy];
    while (ON_BOARD(x, y) && !is(x, y) && !position.board[y][x]) [x, y] = [x + sign * dx, y + sign * dy];
    return is(x, y);
  });
}

/** The squares of the pieces of both sides that could go to a square, or defend what is there.
 *  @param {Position} position
 *  @param {Point} to
 *  @returns {Point[]}
 */
export function attackers(position, to) {
  const without = copyOf(position);
  without.board[to.y][to.x] = null;
  const squares = without.board.flatMap((row, y) => row.map((_, x) => ({ x, y })));
  return squares.filter((from) => reaches(without, from, to));
}

/** Whether the king of a color is attacked.
 *  @param {Position} position
 *  @param {boolean} white
 */
function inCheck(position, white) {
  const squares = position.board.flatMap((row, y) => row.flatMap((piece, x) => (piece ? [{ piece, x, y }] : [])));
  const king = squares.find(({ piece }) => piece.kind === "K" && piece.white === white);
  return (
    king !== undefined && squares.some((square) => square.piece.white !== white && reaches(position, square, king))
  );
}

/**
 * @param {Position} position
 * @returns {Position}
 */
const copyOf = (position) => ({
  ...position,
  board: position.board.map((row) => [...row]),
  held: position.held.map((held) => ({ ...held })),
});

/** Why a move that is not legal is not: the name of a word.
 *  @param {Position} position
 *  @param {string} move
 *  @returns {string}
 */
export function illegality(position, move) {
  const to = square(move.slice(2));
  const drop = move[1] === "*";
  const kind = drop ? move[0] : position.board[square(move).y][square(move).x]?.kind;
  if (!kind) return "noMove";
  if (drop ? position.board[to.y][to.x] : !reaches(position, square(move), to))
    return drop ? "occupied" : "cannotReach";
  const rank = position.white ? 8 - to.y : to.y;
  if (!move.endsWith("+") && (((kind === "P" || kind === "L") && rank < 1) || (kind === "N" && rank < 2)))
    return "deadEnd";
  /** @param {Piece | null} piece */
  const pawn = (piece) => piece?.kind === "P" && piece.white === position.white;
  if (drop && kind === "P" && position.board.some((row) => pawn(row[to.x]))) return "twoPawns";
  const after = copyOf(position);
  play(after, move);
  if (inCheck(after, position.white)) return inCheck(position, position.white) ? "staysInCheck" : "exposesKing";
  return drop && kind === "P" && inCheck(after, after.white) ? "pawnMate" : "noMove";
}

/** A move as in Western books: P-7f, Sx4d, B*5e, N-3c+, G6i-5h.
 *  @param {Position} position
 *  @param {string} move
 */
function western(position, move) {
  const to = square(move.slice(2));
  const target = move.slice(2, 4);
  if (move[1] === "*") return `${move[0]}*${target}`;
  const from = square(move);
  const piece = position.board[from.y][from.x];
  if (!piece) return move;
  const others = position.board.some((row, y) =>
    row.some(
      (other, x) =>
        other &&
        other.kind === piece.kind &&
        other.white === piece.white &&
        (x !== from.x || y !== from.y) &&
        reaches(position, { x, y }, to),
    ),
  );
  /** @param {number} y */
  const zone = (y) => (piece.white ? y > 5 : y < 3);
  const stays = !move.endsWith("+") && (zone(from.y) || zone(to.y)) && "PLNSBR".includes(piece.kind);
  const start = others ? move.slice(0, 2) : "";
  const takes = position.board[to.y][to.x] ? "x" : "-";
  return `${piece.kind}${start}${takes}${target}${move.endsWith("+") ? "+" : stays ? "=" : ""}`;
}

/** The way to write moves: "ja", "western" or "usi". */
export const notation = () => look.notation || (language === "ja" ? "ja" : "western");

/** A move of a position in the chosen notation; `japanese` is its name in Japanese.
 *  @param {Position} position
 *  @param {string} move
 *  @param {string} japanese
 */
export function spelled(position, move, japanese) {
  if (notation() === "ja") return japanese;
  return "▲△"[Number(position.white)] + (notation() === "usi" ? move : western(position, move));
}

/** Moves from a position on in the chosen notation.
 *  @param {string} sfen
 *  @param {string[]} moves
 *  @param {string[]} japanese
 */
export function spelledLine(sfen, moves, japanese) {
  if (notation() === "ja") return japanese;
  const position = parse(sfen);
  return moves.slice(0, japanese.length).map((move, index) => {
    const name = spelled(position, move, japanese[index]);
    play(position, move);
    return name;
  });
}

/** A move as typed, in letters that can be compared: digits and ranks of any kind, no marks.
 *  @param {string} text
 */
function typed(text) {
  const digits = "０１２３４５６７８９";
  return text
    .normalize("NFKC")
    .trim()
    .replace(/^[▲△☗☖]/, "")
    .replace(/[０-９]/g, (digit) => String(digits.indexOf(digit)))
    .replace(/(\d)([一二三四五六七八九])/g, (_, file, rank) => file + (RANKS.indexOf(rank) + 1))
    .replace(/\s/g, "")
    .replace(/竜/g, "龍")
    .replace(/王/g, "玉")
    .toLowerCase();
}

/** The legal moves that a text can mean: USI, P-7f, ２六歩, 26歩. `japaneseOf(moves)` names moves.
 *  @param {string} text
 *  @param {Position} position
 *  @param {string[]} legal
 *  @param {(moves: string[]) => string[]} japaneseOf
 */
export function movesTyped(text, position, legal, japaneseOf) {
  const wanted = typed(text);
  if (!wanted) return [];
  const exact = legal.filter((move) => move.toLowerCase() === wanted);
  if (exact.length) return exact;
  /**
   * @param {string} move
   * @param {string} japanese
   */
  const spellings = (move, japanese) => {
    const name = typed(japanese);
    const to = `${move[2]}${move.charCodeAt(3) - 96}`;
    const latin = western(position, move).toLowerCase();
    return [
      name,
      name.replace(/^同/, to),
      name.replace(/打$/, ""),
      latin,
      latin.replace(/[-x=]/g, ""),
      latin.replace(/x/, "-"),
    ];
  };
  const names = japaneseOf(legal);
  return legal.filter((move, index) => spellings(move, names[index]).includes(wanted));
}
