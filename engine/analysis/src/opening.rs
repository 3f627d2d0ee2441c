//! Names of openings and castles: from the record's headers, or by the positions of the pieces.
//! Squares are given from the point of view of the side that is examined.

use monomi_movegen::Position;
use monomi_record::Record;
use shogi_core::{Color, Piece, PieceKind, Square};

/// Plies in which openings are recognised.
const PLIES: usize = 40;
/// Plies in which the silver of a bishop exchange opening is recognised.
const SILVER_PLIES: usize = 60;
/// Plies in which castles are recognised.
const CASTLE_PLIES: usize = 90;
/// Number of positions in which a castle must be present to count, unless it is in the last one.
const CASTLE_POSITIONS: usize = 4;
/// An exchange of bishops by White on 8h up to this ply loses a tempo.
const TEMPO_PLIES: usize = 14;
/// Last ply at which a bishop exchange counts as a bishop exchange opening.
const EXCHANGE_PLIES: usize = 30;

/// Last ply at which rook moves count.
const ROOK_PLIES: usize = 24;

/// An opening's name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Opening {
    /// In Japanese.
    pub ja: String,
    /// In English, or as in the header of the record.
    pub en: String,
}

/// Openings by the file of the rook.
const ROOKS: [(u8, &str, &str); 6] = [
    (3, "袖飛車", "Sleeve Rook"),
    (5, "中飛車", "Central Rook"),
    (6, "四間飛車", "Fourth-File Rook"),
    (7, "三間飛車", "Third-File Rook"),
    (8, "向かい飛車", "Opposing Rook"),
    (4, "右四間飛車", "Right Fourth-File Rook"),
];

/// Pieces of one side by which an opening is recognised.
struct Shape {
    ja: &'static str,
    en: &'static str,
    /// Last ply at which it counts.
    until: usize,
    pieces: &'static [(PieceKind, u8, u8)],
}

/// More specific openings first.
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
        until: SILVER_PLIES,
        pieces: &[(PieceKind::Silver, 4, 6), (PieceKind::Pawn, 3, 6)],
    },
    Shape {
        ja: "腰掛け銀",
        en: "Reclining Silver",
        until: SILVER_PLIES,
        pieces: &[(PieceKind::Silver, 5, 6), (PieceKind::Pawn, 4, 6)],
    },
];

/// The opening of a game from the normal starting position, if it has a known name.
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
    let early = SHAPES.iter().zip(seen.early).find(|(_, early)| *early);
    let shape = early.map(|(shape, _)| shape);
    if let Some(shape) = shape.filter(|shape| shape.ja == "鬼殺し") {
        return plain(shape.ja, shape.en);
    }
    match seen.rooks {
        [Some(5..=8), Some(5..=8)] => return plain("相振り飛車", "Double Ranging Rook"),
        [None | Some(3 | 4), None | Some(3 | 4)] if seen.exchange => {}
        [Some(4), Some(4)] | [None, None] => {}
        rooks => {
            // A ranging rook names the opening, whatever the other side plays.
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
        let (ja, en) = match seen.tempo_loss {
            true => ("一手損角換わり", "Tempo Loss Bishop Exchange"),
            false => ("角換わり", "Bishop Exchange"),
        };
        // The latest formation of the silver; earlier ones were intermediate.
        let silvers = SHAPES.iter().zip(seen.first).filter(|(shape, _)| shape.ja.ends_with('銀'));
        let silver = silvers.filter(|(_, first)| first.is_some()).max_by_key(|(_, first)| *first);
        return match silver {
            Some((silver, _)) => {
                named(format!("{ja}{}", silver.ja), format!("{en}, {}", silver.en))
            }
            None => plain(ja, en),
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

/// Features of the opening.
#[derive(Default)]
struct Seen {
    /// The file of the rook on its side's first three ranks, by side.
    rooks: [Option<u8>; 2],
    /// Which of [`SHAPES`] either side had within the opening.
    early: [bool; SHAPES.len()],
    /// First ply at which either side had it.
    first: [Option<usize>; SHAPES.len()],
    /// White exchanged the bishops on 8h, which costs a tempo.
    tempo_loss: bool,
    /// The bishops were exchanged.
    exchange: bool,
    /// A rook took the pawn next to its file.
    side_pawn: bool,
    /// Both sides advanced the rook pawn before the bishop diagonals were opened.
    double_wing: bool,
}

impl Seen {
    fn of(record: &Record) -> Self {
        let mut seen = Self::default();
        let mut before: Option<Position> = None;
        for (position, ply) in record.positions().take(SILVER_PLIES + 1).zip(0..) {
            for color in Color::all() {
                seen.side(&position, color, ply);
            }
            let held = |color| position.hand_count(color, PieceKind::Bishop) == 1;
            if ply > PLIES {
                continue;
            }
            seen.exchange |= ply <= EXCHANGE_PLIES && held(Color::Black) && held(Color::White);
            let wing = |color| stands(&position, color, PieceKind::Pawn, 2, 5);
            let closed = |color| stands(&position, color, PieceKind::Pawn, 7, 7);
            let both = |test: &dyn Fn(Color) -> bool| test(Color::Black) && test(Color::White);
            seen.double_wing |= both(&wing) && (closed(Color::Black) || closed(Color::White));
            if let Some(before) = before {
                let mover = before.side_to_move();
                let taken = stands(&before, mover.flip(), PieceKind::Pawn, 7, 6);
                let bishop = |position, color| stands(position, color, PieceKind::Bishop, 8, 8);
                seen.tempo_loss |= ply <= TEMPO_PLIES
                    && mover == Color::White
                    && bishop(&before, Color::White)
                    && bishop(&before, Color::Black)
                    && stands(&position, Color::White, PieceKind::ProBishop, 2, 2);
                seen.side_pawn |= taken && stands(&position, mover, PieceKind::Rook, 3, 4);
            }
            before = Some(position);
        }
        seen
    }

    fn side(&mut self, position: &Position, color: Color, ply: usize) {
        let rook = &mut self.rooks[index(color)];
        // The last file counts. On the original file the opening is not yet decided.
        for &(file, ..) in &ROOKS {
            let home = (7..=9).any(|rank| stands(position, color, PieceKind::Rook, file, rank));
            if home && ply <= ROOK_PLIES {
                *rook = Some(file);
            }
        }
        for (index, shape) in SHAPES.iter().enumerate() {
            let there = |&(kind, file, rank)| stands(position, color, kind, file, rank);
            if ply <= shape.until && shape.pieces.iter().all(there) {
                self.first[index].get_or_insert(ply);
                self.early[index] |= ply <= PLIES;
            }
        }
    }
}

/// A castle: the pieces by which it is recognised.
struct Castle {
    ja: &'static str,
    en: &'static str,
    pieces: &'static [(PieceKind, u8, u8)],
}

const CASTLES: [Castle; 16] = {
    use PieceKind::{Gold, King, Knight, Lance, Silver};
    [
        Castle {
            ja: "居飛車穴熊",
            en: "Static Rook Bear-in-the-Hole",
            pieces: &[(King, 9, 9), (Lance, 9, 8)],
        },
        Castle {
            ja: "振り飛車穴熊",
            en: "Ranging Rook Bear-in-the-Hole",
            pieces: &[(King, 1, 9), (Lance, 1, 8)],
        },
        Castle {
            ja: "片美濃囲い",
            en: "Half Mino",
            pieces: &[(King, 2, 8), (Silver, 3, 8), (Gold, 4, 9)],
        },
        Castle {
            ja: "美濃囲い",
            en: "Mino",
            pieces: &[(King, 2, 8), (Silver, 3, 8), (Gold, 4, 9), (Gold, 5, 8)],
        },
        Castle {
            ja: "高美濃囲い",
            en: "High Mino",
            pieces: &[(King, 2, 8), (Silver, 3, 8), (Gold, 4, 9), (Gold, 4, 7)],
        },
        Castle {
            ja: "銀冠",
            en: "Silver Crown",
            pieces: &[(King, 2, 8), (Silver, 2, 7), (Gold, 3, 8)],
        },
        Castle {
            ja: "左銀冠",
            en: "Left Silver Crown",
            pieces: &[(King, 8, 8), (Silver, 8, 7), (Gold, 7, 8)],
        },
        Castle {
            ja: "左美濃",
            en: "Left Mino",
            pieces: &[(King, 8, 8), (Silver, 7, 8), (Gold, 6, 9)],
        },
        Castle {
            ja: "天守閣美濃",
            en: "Castle Tower Mino",
            pieces: &[(King, 8, 7), (Silver, 7, 8), (Gold, 6, 9)],
        },
        Castle {
            ja: "矢倉囲い",
            en: "Yagura",
            pieces: &[(King, 8, 8), (Silver, 7, 7), (Gold, 7, 8), (Gold, 6, 7)],
        },
        Castle {
            ja: "舟囲い", en: "Boat", pieces: &[(King, 7, 8), (Silver, 7, 9), (Gold, 5, 8)]
        },
        Castle {
            ja: "エルモ囲い",
            en: "Elmo",
            pieces: &[(King, 7, 8), (Silver, 6, 8), (Gold, 7, 9)],
        },
        Castle {
            ja: "金無双",
            en: "Twin Golds",
            pieces: &[(King, 3, 8), (Gold, 4, 8), (Gold, 5, 8)],
        },
        Castle {
            ja: "右玉",
            en: "Right King",
            pieces: &[(King, 3, 8), (Gold, 4, 8), (Knight, 3, 7)],
        },
        Castle {
            ja: "中住まい",
            en: "Central House",
            pieces: &[(King, 5, 8), (Gold, 7, 8), (Silver, 3, 8)],
        },
        Castle {
            ja: "雁木囲い",
            en: "Snow Roof",
            pieces: &[(Silver, 6, 7), (Silver, 5, 7), (Gold, 7, 8)],
        },
    ]
};

/// The castles of Black and White: of those present for several moves, the one with the most
/// pieces; among equals the latest.
pub fn castles(record: &Record) -> [Option<Opening>; 2] {
    // By side and castle: number of positions, and the last ply.
    let mut stood = [[(0, 0); CASTLES.len()]; 2];
    let mut last = 0;
    for (position, ply) in record.positions().take(CASTLE_PLIES + 1).zip(0..) {
        last = ply;
        for color in Color::all() {
            for (castle, (count, until)) in CASTLES.iter().zip(&mut stood[index(color)]) {
                let there = |&(kind, file, rank)| stands(&position, color, kind, file, rank);
                if castle.pieces.iter().all(there) {
                    *count += 1;
                    *until = ply;
                }
            }
        }
    }
    stood.map(|stood| {
        let known = CASTLES.iter().zip(stood).filter(|(_, (count, until))| {
            *count >= CASTLE_POSITIONS || *count > 0 && *until == last
        });
        let (castle, _) = known.max_by_key(|(castle, (_, until))| (castle.pieces.len(), *until))?;
        Some(Opening { ja: castle.ja.to_owned(), en: castle.en.to_owned() })
    })
}

/// Whether a piece of a side stands on a square, given from the point of view of that side.
fn stands(position: &Position, color: Color, kind: PieceKind, file: u8, rank: u8) -> bool {
    let turned = color == Color::White;
    let (file, rank) = if turned { (10 - file, 10 - rank) } else { (file, rank) };
    let square = Square::new(file, rank);
    square.is_some_and(|square| position.piece_at(square) == Some(Piece::new(kind, color)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_record::read_usi_line;

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
            ("2g2f 8c8d 3g3f 8d8e 2h3h 4a3b", Some("先手袖飛車")),
            ("7g7f 3c3d 2g2f 2b8h+ 7i8h 3a2b", Some("一手損角換わり")),
            (
                "7g7f 8c8d 2g2f 4a3b 6i7h 3c3d 8h2b+ 3a2b 7i8h 2b3c 8h7g 7a6b 3i3h 6c6d 4g4f 6b6c \
                 3h4g 6c5d 4g5f",
                Some("角換わり腰掛け銀"),
            ),
        ] {
            assert_eq!(name(moves).as_deref(), expected, "{moves}");
        }
    }

    #[test]
    fn castles_have_their_names() {
        let castle = |moves: &str| {
            let record = read_usi_line(1, &format!("startpos moves {moves}")).unwrap();
            assert!(record.faults.is_empty(), "{}", record.faults[0]);
            castles(&record).map(|castle| castle.map(|castle| castle.ja))
        };
        // Black builds a Mino step by step while White waits.
        let wait = ["8b7b", "7b8b"];
        let mut moves = vec!["2h6h".to_owned(), wait[0].to_owned()];
        for (index, mv) in ["5i4h", "4h3h", "3h2h", "3i3h", "1g1f", "1f1e"].iter().enumerate() {
            moves.extend([(*mv).to_owned(), wait[(index + 1) % 2].to_owned()]);
        }
        assert_eq!(castle(&moves.join(" ")), [Some("片美濃囲い".to_owned()), None]);
        for (index, mv) in ["6i5h", "9g9f", "9f9e"].iter().enumerate() {
            moves.extend([(*mv).to_owned(), wait[(index + 1) % 2].to_owned()]);
        }
        assert_eq!(castle(&moves.join(" ")), [Some("美濃囲い".to_owned()), None]);
        assert_eq!(castle("7g7f 3c3d"), [None, None]);
    }

    #[test]
    fn headers_take_precedence_and_other_starts_have_no_name() {
        let mut record = read_usi_line(1, "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h").unwrap();
        record.headers.push(("戦型".to_owned(), "藤井システム".to_owned()));
        assert_eq!(opening(&record).map(|opening| opening.ja).as_deref(), Some("藤井システム"));
        let sfen = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let record = read_usi_line(1, &format!("{sfen} moves 4a3b 2h6h")).unwrap();
        assert_eq!(opening(&record), None);
    }
}
