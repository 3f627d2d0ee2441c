//! Squares, pieces and moves in the words of reasons, in Japanese and in English.

use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::{
    english_name, kanji_digit, official, piece_name, side_mark, western,
};
use shogi_core::{PieceKind, Square, ToUsi as _};

const FULL_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The same text in Japanese and in English.
pub type Both = [String; 2];

/// A text in Japanese and in English.
pub fn both(ja: String, en: String) -> Both {
    [ja, en]
}

/// `５六`, `5f`.
pub fn square(square: Square) -> Both {
    let file = FULL_DIGITS[usize::from(square.file()) - 1];
    both([file, kanji_digit(square.rank())].iter().collect(), square.to_usi_owned())
}

/// `銀`, `silver`.
pub fn kind(kind: PieceKind) -> Both {
    let ja = match kind {
        PieceKind::ProRook => "竜",
        PieceKind::ProPawn => "と金",
        _ => piece_name(kind),
    };
    both(ja.to_owned(), english_name(kind).to_owned())
}

/// The piece on a square: `５六の銀`, `silver on 5f`; `None` if the square is empty.
pub fn piece(position: &Position, at: Square) -> Option<Both> {
    let kind = kind(position.piece_at(at)?.piece_kind());
    let square = square(at);
    Some(both(format!("{}の{}", square[0], kind[0]), format!("{} on {}", kind[1], square[1])))
}

/// A legal move with the symbol of its side: `△５七角`, `△B*5g`.
pub fn name(position: &Position, mv: PackedMove) -> Both {
    let ja = official(position, &position.to_partial(), mv).unwrap_or_else(|| mv.to_string());
    both(ja, format!("{}{}", side_mark(position), western(position, mv)))
}
