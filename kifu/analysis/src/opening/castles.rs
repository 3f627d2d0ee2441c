//! Castles and how they are recognised.

use crate::opening::{Name, index, stands};
use monomi_record::Record;
use shogi_core::{Color, PieceKind};

/// Plies in which castles are recognised.
const CASTLE_PLIES: usize = 90;
/// Number of positions in which a castle must be present to count, unless it is in the last one.
const CASTLE_POSITIONS: usize = 4;

/// A castle: the pieces by which it is recognised.
struct Castle {
    ja: &'static str,
    en: &'static str,
    pieces: &'static [(PieceKind, u8, u8)],
}

const CASTLES: [Castle; 52] = {
    use PieceKind::{Gold, King, Knight, Lance, Rook, Silver};
    const fn castle(
        ja: &'static str,
        en: &'static str,
        pieces: &'static [(PieceKind, u8, u8)],
    ) -> Castle {
        Castle { ja, en, pieces }
    }
    [
        castle("居飛車穴熊", "Static Rook Bear-in-the-Hole", &[(King, 9, 9), (Lance, 9, 8)]),
        castle(
            "松尾流穴熊",
            "Matsuo Bear-in-the-Hole",
            &[(King, 9, 9), (Lance, 9, 8), (Silver, 8, 8), (Silver, 7, 9), (Gold, 7, 8)],
        ),
        castle(
            "ビッグ4",
            "Big Four",
            &[
                (King, 9, 9),
                (Lance, 9, 8),
                (Silver, 8, 7),
                (Silver, 7, 7),
                (Gold, 8, 8),
                (Gold, 7, 8),
            ],
        ),
        castle(
            "銀冠穴熊",
            "Silver Crown Bear-in-the-Hole",
            &[(King, 9, 9), (Lance, 9, 8), (Silver, 8, 7), (Gold, 7, 8)],
        ),
        castle(
            "矢倉穴熊",
            "Fortress Bear-in-the-Hole",
            &[(King, 9, 9), (Lance, 9, 8), (Silver, 7, 7), (Gold, 7, 8)],
        ),
        castle("振り飛車穴熊", "Ranging Rook Bear-in-the-Hole", &[(King, 1, 9), (Lance, 1, 8)]),
        castle(
            "振り飛車銀冠穴熊",
            "Ranging Rook Silver Crown Bear-in-the-Hole",
            &[(King, 1, 9), (Lance, 1, 8), (Silver, 2, 7), (Gold, 3, 8)],
        ),
        castle("早囲い", "Quick Castle", &[(King, 3, 8), (Silver, 4, 8), (Gold, 4, 9)]),
        castle("片美濃囲い", "Half Mino", &[(King, 2, 8), (Silver, 3, 8), (Gold, 4, 9)]),
        castle("美濃囲い", "Mino", &[(King, 2, 8), (Silver, 3, 8), (Gold, 4, 9), (Gold, 5, 8)]),
        castle(
            "高美濃囲い",
            "High Mino",
            &[(King, 2, 8), (Silver, 3, 8), (Gold, 4, 9), (Gold, 4, 7)],
        ),
        castle(
            "ダイヤモンド美濃",
            "Diamond Mino",
            &[(King, 2, 8), (Silver, 3, 8), (Silver, 4, 7), (Gold, 4, 9), (Gold, 5, 8)],
        ),
        castle("木村美濃", "Kimura Mino", &[(King, 2, 8), (Silver, 4, 7), (Gold, 3, 8)]),
        castle(
            "振り飛車四枚美濃",
            "Ranging Rook Four-Piece Mino",
            &[(King, 2, 8), (Silver, 3, 8), (Silver, 4, 6), (Gold, 4, 9), (Gold, 4, 7)],
        ),
        castle("片銀冠", "Half Silver Crown", &[(King, 2, 8), (Silver, 2, 7), (Gold, 3, 8)]),
        castle("銀冠", "Silver Crown", &[(King, 2, 8), (Silver, 2, 7), (Gold, 3, 8), (Gold, 4, 7)]),
        castle("左銀冠", "Left Silver Crown", &[(King, 8, 8), (Silver, 8, 7), (Gold, 7, 8)]),
        castle("端玉銀冠", "Edge King Silver Crown", &[(King, 9, 8), (Silver, 8, 7), (Gold, 7, 8)]),
        castle("左美濃", "Left Mino", &[(King, 8, 8), (Silver, 7, 8), (Gold, 6, 9)]),
        castle("天守閣美濃", "Castle Tower Mino", &[(King, 8, 7), (Silver, 7, 8), (Gold, 6, 9)]),
        castle(
            "四枚美濃",
            "Four-Piece Mino",
            &[(King, 8, 7), (Silver, 7, 8), (Silver, 7, 7), (Gold, 6, 7)],
        ),
        castle("金美濃", "Gold Mino", &[(King, 8, 8), (Silver, 7, 9), (Gold, 7, 8), (Gold, 6, 7)]),
        castle("串カツ囲い", "Kushikatsu", &[(King, 9, 8), (Lance, 9, 9), (Silver, 8, 8)]),
        castle(
            "ミレニアム囲い",
            "Millennium",
            &[(King, 8, 9), (Knight, 7, 7), (Silver, 8, 8), (Gold, 7, 9)],
        ),
        castle(
            "振り飛車ミレニアム",
            "Ranging Rook Millennium",
            &[(King, 2, 9), (Knight, 3, 7), (Silver, 2, 8), (Gold, 3, 9)],
        ),
        castle("矢倉囲い", "Yagura", &[(King, 8, 8), (Silver, 7, 7), (Gold, 7, 8), (Gold, 6, 7)]),
        castle(
            "銀矢倉",
            "Silver Yagura",
            &[(King, 8, 8), (Silver, 7, 7), (Silver, 6, 7), (Gold, 7, 8)],
        ),
        castle(
            "総矢倉",
            "Complete Yagura",
            &[(King, 8, 8), (Silver, 7, 7), (Silver, 5, 7), (Gold, 7, 8), (Gold, 6, 7)],
        ),
        castle(
            "菱矢倉",
            "Diamond Yagura",
            &[(King, 8, 8), (Silver, 7, 7), (Silver, 6, 6), (Gold, 7, 8), (Gold, 6, 7)],
        ),
        castle(
            "銀立ち矢倉",
            "Standing Silver Yagura",
            &[(King, 8, 8), (Silver, 7, 6), (Gold, 7, 8), (Gold, 6, 7)],
        ),
        castle(
            "片矢倉",
            "Half Yagura",
            &[(King, 7, 8), (Silver, 7, 7), (Gold, 6, 8), (Gold, 6, 7)],
        ),
        castle(
            "土居矢倉",
            "Doi Yagura",
            &[(King, 7, 8), (Silver, 7, 7), (Gold, 6, 7), (Gold, 5, 8)],
        ),
        castle(
            "流れ矢倉",
            "Flowing Yagura",
            &[(King, 6, 9), (Silver, 5, 7), (Gold, 7, 8), (Gold, 6, 7)],
        ),
        castle(
            "菊水矢倉",
            "Chrysanthemum Yagura",
            &[(King, 8, 9), (Knight, 7, 7), (Silver, 8, 8), (Gold, 7, 8), (Gold, 6, 7)],
        ),
        castle(
            "右矢倉",
            "Right Yagura",
            &[(King, 2, 8), (Silver, 3, 7), (Gold, 3, 8), (Gold, 4, 7)],
        ),
        castle("舟囲い", "Boat", &[(King, 7, 8), (Silver, 7, 9), (Gold, 5, 8)]),
        castle(
            "箱入り娘",
            "Daughter in a Box",
            &[(King, 7, 8), (Silver, 7, 9), (Gold, 6, 9), (Gold, 6, 8)],
        ),
        castle("エルモ囲い", "Elmo", &[(King, 7, 8), (Silver, 6, 8), (Gold, 7, 9)]),
        castle(
            "振り飛車エルモ囲い",
            "Ranging Rook Elmo",
            &[(King, 3, 8), (Silver, 4, 8), (Gold, 3, 9)],
        ),
        castle(
            "ボナンザ囲い",
            "Bonanza",
            &[(King, 7, 8), (Silver, 7, 7), (Gold, 6, 8), (Gold, 5, 8)],
        ),
        castle(
            "セメント囲い",
            "Cement",
            &[(King, 7, 8), (Silver, 6, 7), (Silver, 5, 7), (Gold, 6, 8), (Gold, 5, 8)],
        ),
        castle("カニ囲い", "Crab", &[(King, 6, 9), (Silver, 6, 8), (Gold, 7, 8), (Gold, 5, 8)]),
        castle("カブト囲い", "Helmet", &[(King, 6, 8), (Silver, 7, 7), (Gold, 7, 8), (Gold, 5, 8)]),
        castle(
            "いちご囲い",
            "Strawberry",
            &[(King, 6, 8), (Silver, 7, 9), (Gold, 7, 8), (Gold, 5, 8)],
        ),
        castle("雁木囲い", "Snow Roof", &[(Silver, 6, 7), (Silver, 5, 7), (Gold, 7, 8)]),
        castle(
            "ツノ銀雁木",
            "Silver Horn Snow Roof",
            &[(Silver, 6, 7), (Silver, 4, 7), (Gold, 7, 8)],
        ),
        castle("中住まい", "Central House", &[(King, 5, 8), (Gold, 7, 8), (Silver, 3, 8)]),
        castle("中原囲い", "Nakahara", &[(King, 6, 9), (Silver, 4, 8), (Gold, 7, 8), (Gold, 5, 9)]),
        castle(
            "アヒル囲い",
            "Duck",
            &[(King, 5, 8), (Silver, 6, 8), (Silver, 4, 8), (Gold, 7, 9), (Gold, 3, 9)],
        ),
        castle("無敵囲い", "Muteki", &[(King, 5, 9), (Rook, 5, 8), (Silver, 6, 8), (Silver, 4, 8)]),
        castle("金無双", "Twin Golds", &[(King, 3, 8), (Gold, 4, 8), (Gold, 5, 8)]),
        castle("右玉", "Right King", &[(King, 3, 8), (Gold, 4, 8), (Knight, 3, 7)]),
    ]
};

/// The castles of Black and White: of those present for several moves, the one with the most
/// pieces; among equals the latest.
pub fn castles(record: &Record) -> [Option<Name>; 2] {
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
        Some(Name { ja: castle.ja.to_owned(), en: castle.en.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_record::read_usi_line;
    use shogi_core::Square;
    use std::collections::HashSet;

    /// The castle of Black in a position with these pieces and the enemy king.
    fn recognised(pieces: &[(PieceKind, u8, u8)]) -> Option<String> {
        let rows = (1..=9).map(|rank| {
            let squares = (1..=9).rev().map(|file| {
                let own = pieces.iter().find(|piece| (piece.1, piece.2) == (file, rank));
                match own {
                    Some((kind, ..)) => letter(*kind),
                    None if (file, rank) == (3, 1) => "k",
                    // A square that no castle uses.
                    None if (file, rank) == (5, 5) && !has_king(pieces) => "K",
                    None => "1",
                }
            });
            squares.collect::<String>()
        });
        let sfen = rows.collect::<Vec<_>>().join("/") + " b - 1";
        let record = read_usi_line(1, &format!("sfen {sfen}")).unwrap();
        assert!(record.faults.is_empty(), "{sfen}");
        let [black, white] = castles(&record);
        assert_eq!(white, None);
        black.map(|castle| castle.ja)
    }

    fn has_king(pieces: &[(PieceKind, u8, u8)]) -> bool {
        pieces.iter().any(|piece| piece.0 == PieceKind::King)
    }

    fn letter(kind: PieceKind) -> &'static str {
        match kind {
            PieceKind::King => "K",
            PieceKind::Gold => "G",
            PieceKind::Silver => "S",
            PieceKind::Knight => "N",
            PieceKind::Lance => "L",
            PieceKind::Rook => "R",
            _ => "P",
        }
    }

    #[test]
    fn every_castle_is_recognised_by_its_pieces() {
        assert!(CASTLES.len() >= 40);
        let names: HashSet<&str> =
            CASTLES.iter().flat_map(|castle| [castle.ja, castle.en]).collect();
        assert_eq!(names.len(), 2 * CASTLES.len());
        for castle in &CASTLES {
            assert_eq!(recognised(castle.pieces).as_deref(), Some(castle.ja), "{}", castle.en);
            for (kind, file, rank) in castle.pieces {
                assert!(Square::new(*file, *rank).is_some() && *kind != PieceKind::Pawn);
            }
        }
    }

    #[test]
    fn an_unfinished_castle_has_another_name_or_none() {
        use PieceKind::{Gold, King, Silver};
        let mino = [(King, 2, 8), (Silver, 3, 8), (Gold, 4, 9), (Gold, 5, 8)];
        assert_eq!(recognised(&mino).as_deref(), Some("美濃囲い"));
        assert_eq!(recognised(&mino[..3]).as_deref(), Some("片美濃囲い"));
        assert_eq!(recognised(&mino[..2]), None);
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
}
