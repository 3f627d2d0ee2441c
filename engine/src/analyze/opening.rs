//! The name of a game's opening: the record's own word for it, or else what the shape of the first
//! moves is called. Squares are named as Black's; White's are turned around.

use crate::analyze::record::Record;
use monomi_movegen::Position;
use shogi_core::{Color, Piece, PieceKind, Square};

/// The moves that are looked at.
const PLIES: usize = 40;
/// A bishop exchange later than this belongs to another opening.
const EXCHANGE_PLIES: usize = 30;

/// Where a rook goes later is not its opening.
const ROOK_PLIES: usize = 24;

/// An opening's name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Opening {
    /// In Japanese.
    pub ja: String,
    /// In English, or in the record's own words.
    pub en: String,
}

/// A rook's place by file, from its owner's side; the first names the plain strategy.
const ROOKS: [(u8, &str, &str); 5] = [
    (5, "中飛車", "Central Rook"),
    (6, "四間飛車", "Fourth-File Rook"),
    (7, "三間飛車", "Third-File Rook"),
    (8, "向かい飛車", "Opposing Rook"),
    (4, "右四間飛車", "Right Fourth-File Rook"),
];

/// Shapes of one side: what must stand where.
struct Shape {
    ja: &'static str,
    en: &'static str,
    /// The last ply at which it counts.
    until: usize,
    pieces: &'static [(PieceKind, u8, u8)],
}

/// The most telling ones first.
const SHAPES: [Shape; 7] = [
    Shape {
        ja: "鬼殺し",
        en: "Demon Slayer",
        until: 6,
        pieces: &[(PieceKind::Knight, 7, 7), (PieceKind::Bishop, 8, 8), (PieceKind::Pawn, 7, 6)],
    },
    Shape {
        ja: "雁木",
        en: "Snow Roof",
        until: PLIES,
        pieces: &[(PieceKind::Silver, 6, 7), (PieceKind::Pawn, 6, 6), (PieceKind::Gold, 7, 8)],
    },
    Shape {
        ja: "矢倉",
        en: "Fortress",
        until: PLIES,
        pieces: &[(PieceKind::Silver, 7, 7), (PieceKind::Pawn, 6, 6), (PieceKind::Gold, 7, 8)],
    },
    Shape { ja: "棒銀", en: "Climbing Silver", until: 30, pieces: &[(PieceKind::Silver, 2, 6)] },
    Shape { ja: "棒銀", en: "Climbing Silver", until: 30, pieces: &[(PieceKind::Silver, 2, 7)] },
    Shape {
        ja: "早繰り銀",
        en: "Rapid Silver",
        until: PLIES,
        pieces: &[(PieceKind::Silver, 4, 6), (PieceKind::Pawn, 3, 6)],
    },
    Shape {
        ja: "腰掛け銀",
        en: "Reclining Silver",
        until: PLIES,
        pieces: &[(PieceKind::Silver, 5, 6), (PieceKind::Pawn, 4, 6)],
    },
];

/// The opening of a game from the even start; `None` when it has no name here.
pub fn opening(record: &Record) -> Option<Opening> {
    if let Some(name) = record.header("戦型") {
        return Some(Opening { ja: name.to_owned(), en: name.to_owned() });
    }
    if record.start.key() != Position::startpos().key() {
        return None;
    }
    let seen = Seen::of(record);
    let named = |ja: String, en: String| Some(Opening { ja, en });
    let plain = |ja: &str, en: &str| named(ja.to_owned(), en.to_owned());
    let shapes =
        || SHAPES.iter().zip(seen.shapes).filter(|(_, seen)| *seen).map(|(shape, _)| shape);
    let shape = shapes().next();
    if let Some(shape) = shape.filter(|shape| shape.ja == "鬼殺し") {
        return plain(shape.ja, shape.en);
    }
    match seen.rooks {
        [Some(5..=8), Some(5..=8)] => return plain("相振り飛車", "Double Ranging Rook"),
        [Some(4), Some(4)] | [None, None] => {}
        rooks => {
            // The ranging rook names the game, whatever the other one does.
            let ranges = |color: &Color| rooks[index(*color)].is_some_and(|file| file >= 5);
            let color = Color::all().into_iter().find(ranges);
            let color = color.or_else(|| {
                Color::all().into_iter().find(|color| rooks[index(*color)].is_some())
            })?;
            let file = rooks[index(color)]?;
            let &(_, ja, en) = ROOKS.iter().find(|rook| rook.0 == file)?;
            let (side_ja, side_en) =
                if color == Color::Black { ("先手", "Black") } else { ("後手", "White") };
            return named(format!("{side_ja}{ja}"), format!("{en} ({side_en})"));
        }
    }
    if seen.side_pawn {
        return plain("横歩取り", "Side Pawn Capture");
    }
    if seen.exchange {
        let silver = shapes().find(|shape| shape.ja.ends_with('銀'));
        return match silver {
            Some(silver) => {
                named(format!("角換わり{}", silver.ja), format!("Bishop Exchange, {}", silver.en))
            }
            None => plain("角換わり", "Bishop Exchange"),
        };
    }
    match shape {
        Some(shape) => plain(shape.ja, shape.en),
        None if seen.double_wing => plain("相掛かり", "Double Wing Attack"),
        None => None,
    }
}

fn index(color: Color) -> usize {
    usize::from(color == Color::White)
}

/// What was seen of the sides' openings.
#[derive(Default)]
struct Seen {
    /// The file to which the rook went, from its owner's side, while it was at home.
    rooks: [Option<u8>; 2],
    /// Which of [`SHAPES`] either side had.
    shapes: [bool; SHAPES.len()],
    /// The bishops were exchanged.
    exchange: bool,
    /// A rook took the pawn beside its file's.
    side_pawn: bool,
    /// Both rooks' pawns went ahead before the bishops' ways were opened.
    double_wing: bool,
}

impl Seen {
    fn of(record: &Record) -> Self {
        let mut seen = Self::default();
        let mut before: Option<Position> = None;
        for (position, ply) in record.positions().take(PLIES + 1).zip(0..) {
            for color in Color::all() {
                seen.side(&position, color, ply);
            }
            let held = |color| position.hand_count(color, PieceKind::Bishop) == 1;
            seen.exchange |= ply <= EXCHANGE_PLIES && held(Color::Black) && held(Color::White);
            let wing = |color| stands(&position, color, PieceKind::Pawn, 2, 5);
            let closed = |color| stands(&position, color, PieceKind::Pawn, 7, 7);
            let both = |test: &dyn Fn(Color) -> bool| test(Color::Black) && test(Color::White);
            seen.double_wing |= both(&wing) && (closed(Color::Black) || closed(Color::White));
            if let Some(before) = before {
                let mover = before.side_to_move();
                let taken = stands(&before, mover.flip(), PieceKind::Pawn, 7, 6);
                seen.side_pawn |= taken && stands(&position, mover, PieceKind::Rook, 3, 4);
            }
            before = Some(position);
        }
        seen
    }

    fn side(&mut self, position: &Position, color: Color, ply: usize) {
        let rook = &mut self.rooks[index(color)];
        // The last of the files counts; at home it has not decided.
        for &(file, ..) in &ROOKS {
            let home = (7..=9).any(|rank| stands(position, color, PieceKind::Rook, file, rank));
            if home && ply <= ROOK_PLIES {
                *rook = Some(file);
            }
        }
        for (shape, seen) in SHAPES.iter().zip(&mut self.shapes) {
            let there = |&(kind, file, rank)| stands(position, color, kind, file, rank);
            *seen |= ply <= shape.until && shape.pieces.iter().all(there);
        }
    }
}

/// Whether a side's piece stands on a square, named from that side.
fn stands(position: &Position, color: Color, kind: PieceKind, file: u8, rank: u8) -> bool {
    let turned = color == Color::White;
    let (file, rank) = if turned { (10 - file, 10 - rank) } else { (file, rank) };
    let square = Square::new(file, rank);
    square.is_some_and(|square| position.piece_at(square) == Some(Piece::new(kind, color)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::record::read_usi_line;

    fn name(moves: &str) -> Option<String> {
        let record = read_usi_line(1, &format!("startpos moves {moves}")).unwrap();
        assert!(record.faults.is_empty(), "{}", record.faults[0]);
        opening(&record).map(|opening| opening.ja)
    }

    #[test]
    fn shapes_have_their_names() {
        for (moves, expected) in [
            ("7g7f", None),
            ("7g7f 3c3d 6g6f 8c8d 2h6h", Some("先手四間飛車")),
            ("2g2f 3c3d 7g7f 4c4d 2f2e 2b3c 4i4h 8b4b", Some("後手四間飛車")),
            ("7g7f 3c3d 2g2f 5c5d 2f2e 8b5b", Some("後手中飛車")),
            ("7g7f 3c3d 7f7e 8b3b 2h7h", Some("相振り飛車")),
            ("2g2f 8c8d 2f2e 8d8e 6i7h 4a3b", Some("相掛かり")),
            (
                "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d",
                Some("横歩取り"),
            ),
            ("7g7f 8c8d 2g2f 4a3b 6i7h 3c3d 8h2b+ 3a2b", Some("角換わり")),
            ("7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 6h7g 4a3b 6i7h", Some("矢倉")),
            ("7g7f 3c3d 8i7g 8c8d 7g6e", Some("鬼殺し")),
        ] {
            assert_eq!(name(moves).as_deref(), expected, "{moves}");
        }
    }

    #[test]
    fn the_record_knows_better_and_other_starts_have_no_names() {
        let mut record = read_usi_line(1, "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h").unwrap();
        record.headers.push(("戦型".to_owned(), "藤井システム".to_owned()));
        assert_eq!(opening(&record).map(|opening| opening.ja).as_deref(), Some("藤井システム"));
        let sfen = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let record = read_usi_line(1, &format!("{sfen} moves 4a3b 2h6h")).unwrap();
        assert_eq!(opening(&record), None);
    }
}
