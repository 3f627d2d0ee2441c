//! A picture of a position: SVG, as diagrams are printed.

use crate::board::hand_text;
use crate::notation::{board_letter, kanji_digit};
use monomi_movegen::Position;
use shogi_core::{Color, PieceKind, Square};
use std::fmt::Write as _;

/// Width and height of a square.
const SIDE: u32 = 40;
/// Distance from the left edge to the board: the hand of the side that is shown at the left.
const LEFT: u32 = 44;
/// Distance from the upper edge to the board: the numbers of the files.
const TOP: u32 = 24;
/// Distance from the board to the right edge: the numbers of the ranks, and a hand.
const RIGHT: u32 = 68;

const STYLE: &str = "text{font-family:'Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho',serif;fill:#111;\
text-anchor:middle;dominant-baseline:central}.piece{font-size:30px}.promoted{fill:#c00}.mark{font-size:13px}\
.hand{font-size:20px}.line{stroke:#333;fill:none}.last{fill:#f3d27a}.marked{fill:#ffb380}.board{fill:#fbf3dd;stroke:#333;stroke-width:2}";

/// How a position is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagram {
    /// White is below.
    pub flipped: bool,
    /// Squares that are marked, in another colour than the last move's destination.
    pub marked: Vec<Square>,
}

impl Diagram {
    /// Seen from White's side, or from Black's.
    #[must_use]
    pub fn with_flipped(self, flipped: bool) -> Self {
        Self { flipped, ..self }
    }

    /// With these squares marked.
    #[must_use]
    pub fn with_marked(self, marked: impl IntoIterator<Item = Square>) -> Self {
        Self { marked: marked.into_iter().collect(), ..self }
    }

    /// The position as an SVG file of its own. Pieces are kanji; the destination of the last move is marked.
    pub fn svg(&self, position: &Position) -> String {
        let (width, height) = (LEFT + 9 * SIDE + RIGHT, TOP + 9 * SIDE + 8);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\"><title>{}</title><style>{STYLE}</style>",
            position.to_sfen()
        );
        let all = 9 * SIDE;
        let _ = write!(
            text,
            "<rect class=\"board\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{all}\" height=\"{all}\"/>"
        );
        let last = position.last_move().map(|last| last.to());
        let marked = self.marked.iter().map(|&square| (square, "marked"));
        for (square, class) in last.map(|square| (square, "last")).into_iter().chain(marked) {
            let (x, y) = self.corner(square);
            let _ = write!(
                text,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
            );
        }
        for line in 1..9 {
            let (x, y) = (LEFT + line * SIDE, TOP + line * SIDE);
            let _ = write!(text, "<path class=\"line\" d=\"M{x} {TOP}v{all}M{LEFT} {y}h{all}\"/>");
        }
        for number in 1..=9_u8 {
            let place = u32::from(if self.flipped { number - 1 } else { 9 - number });
            let x = LEFT + place * SIDE + SIDE / 2;
            let _ = write!(text, "<text class=\"mark\" x=\"{x}\" y=\"12\">{number}</text>");
            let place = u32::from(if self.flipped { 9 - number } else { number - 1 });
            let (x, y) = (LEFT + all + 11, TOP + place * SIDE + SIDE / 2);
            let rank = kanji_digit(number);
            let _ = write!(text, "<text class=\"mark\" x=\"{x}\" y=\"{y}\">{rank}</text>");
        }
        for square in Square::all() {
            let Some(piece) = position.piece_at(square) else { continue };
            let (x, y) = self.corner(square);
            let (x, y) = (x + SIDE / 2, y + SIDE / 2);
            let kind = piece.piece_kind();
            let name = board_letter(kind);
            let promoted = if is_promoted(kind) { " promoted" } else { "" };
            let turn = self.turn(piece.color(), x, y);
            let _ = write!(
                text,
                "<text class=\"piece{promoted}\" x=\"{x}\" y=\"{y}\"{turn}>{name}</text>"
            );
        }
        for color in Color::all() {
            self.hand(position, color, &mut text);
        }
        text.push_str("</svg>\n");
        text
    }

    /// Whether a side's pieces stand upright.
    fn is_below(&self, color: Color) -> bool {
        (color == Color::Black) != self.flipped
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        match self.flipped {
            false => (LEFT + (9 - file) * SIDE, TOP + (rank - 1) * SIDE),
            true => (LEFT + (file - 1) * SIDE, TOP + (9 - rank) * SIDE),
        }
    }

    fn turn(&self, color: Color, x: u32, y: u32) -> String {
        match self.is_below(color) {
            true => String::new(),
            false => format!(" transform=\"rotate(180 {x} {y})\""),
        }
    }

    /// A hand in a column, read from the side of its owner.
    fn hand(&self, position: &Position, color: Color, text: &mut String) {
        let mark = if color == Color::Black { '☗' } else { '☖' };
        let held: String = hand_text(position, color).chars().filter(|&c| c != '　').collect();
        let letters: Vec<char> = std::iter::once(mark).chain(held.chars()).collect();
        let below = self.is_below(color);
        let x = if below { LEFT + 9 * SIDE + 42 } else { LEFT / 2 };
        let bottom = TOP + 9 * SIDE;
        let step = (9 * SIDE / letters.len().max(1) as u32).min(22);
        for (letter, index) in letters.iter().zip(0..) {
            let distance = step / 2 + index * step;
            // The last letter is nearest to the owner.
            let length = letters.len() as u32 * step;
            let y = if below { bottom - length + distance } else { TOP + length - distance };
            let turn = self.turn(color, x, y);
            let _ = write!(text, "<text class=\"hand\" x=\"{x}\" y=\"{y}\"{turn}>{letter}</text>");
        }
    }
}

fn is_promoted(kind: PieceKind) -> bool {
    monomi_movegen::square::unpromoted(kind) != kind
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often a text contains another one.
    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    #[test]
    fn every_piece_is_drawn_where_it_stands() {
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d", "8h2b+"] {
            position.play(mv.parse().unwrap()).unwrap();
        }
        let svg = Diagram::default().svg(&position);
        // Black has captured a bishop.
        assert_eq!(count(&svg, "class=\"piece\""), 38);
        assert_eq!(count(&svg, "class=\"piece promoted\""), 1);
        assert!(svg.contains("<rect class=\"last\" x=\"324\" y=\"64\""), "{svg}");
        assert!(svg.contains("x=\"344\" y=\"84\">馬</text>"), "{svg}");
        assert!(svg.contains(">角</text>") && svg.starts_with("<svg xmlns="), "{svg}");
        let marked = vec![Square::SQ_5E];
        let flipped = Diagram { flipped: true, marked }.svg(&position);
        assert!(flipped.contains("<rect class=\"marked\" x=\"204\" y=\"184\""), "{flipped}");
        assert!(flipped.contains("<rect class=\"last\" x=\"84\" y=\"304\""), "{flipped}");
        // White's 19 pieces and its hand (a mark and `なし`); Black's 20 and a mark and a bishop.
        assert_eq!((count(&svg, "rotate(180"), count(&flipped, "rotate(180")), (22, 22));
    }
}
