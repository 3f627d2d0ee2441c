//! Notation: pieces, squares and moves in Japanese, in CSA and as in English books.

use crate::fault::Reason;
use crate::resolve::resolve;
pub use monomi_movegen::piece_name;
use monomi_movegen::square::{in_promotion_zone, promoted};
use monomi_movegen::{Bitboard, PackedMove, Position};
use shogi_core::{Color, PartialPosition, PieceKind, Square, ToUsi};

const FULL_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Name in moves, character on board diagrams, CSA code.
const PIECES: [(PieceKind, &str, char, &str); 14] = [
    (PieceKind::Pawn, "歩", '歩', "FU"),
    (PieceKind::Lance, "香", '香', "KY"),
    (PieceKind::Knight, "桂", '桂', "KE"),
    (PieceKind::Silver, "銀", '銀', "GI"),
    (PieceKind::Gold, "金", '金', "KI"),
    (PieceKind::Bishop, "角", '角', "KA"),
    (PieceKind::Rook, "飛", '飛', "HI"),
    (PieceKind::King, "玉", '玉', "OU"),
    (PieceKind::ProPawn, "と", 'と', "TO"),
    (PieceKind::ProLance, "成香", '杏', "NY"),
    (PieceKind::ProKnight, "成桂", '圭', "NK"),
    (PieceKind::ProSilver, "成銀", '全', "NG"),
    (PieceKind::ProBishop, "馬", '馬', "UM"),
    (PieceKind::ProRook, "龍", '龍', "RY"),
];

/// 1 to 9 from an ASCII, full-width or kanji digit.
pub fn digit(c: char) -> Option<u8> {
    let of = |digits: &[char; 9]| digits.iter().position(|&d| d == c);
    let ascii = c.to_digit(10).filter(|&d| d > 0).map(|d| d as usize - 1);
    ascii.or_else(|| of(&FULL_DIGITS)).or_else(|| of(&KANJI_DIGITS)).map(|i| i as u8 + 1)
}

/// The number written with ASCII or full-width digits at the start, and the rest.
pub fn leading_number(text: &str) -> Option<(usize, &str)> {
    let ascii = |c: char| match c {
        '０'..='９' => Some(c as usize - '０' as usize),
        _ => c.to_digit(10).map(|d| d as usize),
    };
    let end = text.find(|c| ascii(c).is_none()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    if number.is_empty() || number.chars().count() > 9 {
        return None;
    }
    Some((number.chars().filter_map(ascii).fold(0, |sum, d| sum * 10 + d), rest))
}

/// The number of pieces in hand: 歩三, 歩十二, 歩１２, 歩12枚; an empty text means one.
pub fn kanji_number(text: &str) -> Option<u8> {
    let text = text.trim_matches(['枚', '個', '×', '*', 'x', '(', ')', '（', '）']);
    if text.is_empty() {
        return Some(1);
    }
    let mut number = 0u8;
    let mut former = None;
    for c in text.chars() {
        number = match c {
            '十' => number.max(1).checked_mul(10)?,
            // The ones after 十; otherwise digits follow each other as in 12.
            _ if former == Some('十') => number.checked_add(digit_or_zero(c)?)?,
            _ => number.checked_mul(10)?.checked_add(digit_or_zero(c)?)?,
        };
        former = Some(c);
    }
    Some(number)
}

fn digit_or_zero(c: char) -> Option<u8> {
    if matches!(c, '0' | '０' | '〇') { Some(0) } else { digit(c) }
}

/// A blank of any kind: no-break, full-width, of zero width.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// The symbols of the sides before moves, and the sides.
pub const MARKS: [(char, Color); 6] = [
    ('▲', Color::Black),
    ('△', Color::White),
    ('▼', Color::Black),
    ('▽', Color::White),
    ('☗', Color::Black),
    ('☖', Color::White),
];

/// The side whose symbol this is.
pub fn mark(c: char) -> Option<Color> {
    MARKS.iter().find(|known| known.0 == c).map(|known| known.1)
}

/// Whether a destination and a piece stand anywhere in a text, as in `２六歩` or `同 銀`.
pub fn names_a_move(text: &str) -> bool {
    text.char_indices().any(|(at, c)| {
        (c == '同' || digit(c).is_some()) && {
            // A previous move is assumed for 同.
            let last = Square::new(5, 5);
            parse_move(&text[at..], last).is_ok()
        }
    })
}

/// Splits off the name of a piece at the start.
pub fn leading_piece(text: &str) -> Option<(PieceKind, &str)> {
    let names = PIECES.iter().map(|&(kind, name, ..)| (kind, name));
    // Full names: the second letter must not be read as what follows the piece.
    let full = [
        (PieceKind::Rook, "飛車"),
        (PieceKind::Gold, "金将"),
        (PieceKind::Silver, "銀将"),
        (PieceKind::Knight, "桂馬"),
        (PieceKind::Lance, "香車"),
        (PieceKind::Pawn, "歩兵"),
        (PieceKind::King, "玉将"),
        (PieceKind::King, "王将"),
        (PieceKind::ProRook, "龍王"),
        (PieceKind::ProRook, "竜王"),
        (PieceKind::ProBishop, "龍馬"),
        (PieceKind::ProBishop, "竜馬"),
        (PieceKind::ProPawn, "と金"),
    ];
    let also = [
        (PieceKind::King, "王"),
        (PieceKind::ProRook, "竜"),
        (PieceKind::ProLance, "杏"),
        (PieceKind::ProKnight, "圭"),
        (PieceKind::ProSilver, "全"),
        (PieceKind::ProPawn, "个"),
    ];
    full.into_iter()
        .chain(names)
        .chain(also)
        .find_map(|(kind, name)| Some((kind, text.strip_prefix(name)?)))
}

/// The piece with this CSA code.
pub fn csa_piece(letters: &str) -> Option<PieceKind> {
    PIECES.iter().find(|piece| piece.3 == letters).map(|piece| piece.0)
}

/// The CSA code of a piece.
pub fn csa_letters(kind: PieceKind) -> &'static str {
    PIECES.iter().find(|piece| piece.0 == kind).map_or("FU", |piece| piece.3)
}

/// The character on a board diagram.
pub fn board_letter(kind: PieceKind) -> char {
    PIECES.iter().find(|piece| piece.0 == kind).map_or('歩', |piece| piece.2)
}

/// The English name of a piece: `silver`, `promoted silver`, `horse`.
pub fn english_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Lance => "lance",
        PieceKind::Knight => "knight",
        PieceKind::Silver => "silver",
        PieceKind::Gold => "gold",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::King => "king",
        PieceKind::ProPawn => "tokin",
        PieceKind::ProLance => "promoted lance",
        PieceKind::ProKnight => "promoted knight",
        PieceKind::ProSilver => "promoted silver",
        PieceKind::ProBishop => "horse",
        PieceKind::ProRook => "dragon",
    }
}

/// The kanji of 1 to 9.
pub fn kanji_digit(number: u8) -> char {
    KANJI_DIGITS[usize::from(number.clamp(1, 9)) - 1]
}

/// A move in KIF: `７六歩(77)`, `同　銀成(88)`, `５五角打`. `last` is the destination of the
/// previous move.
pub fn kif_move(position: &Position, mv: PackedMove, last: Option<Square>) -> String {
    let to = mv.to();
    let mut text = if last == Some(to) {
        "同　".to_owned()
    } else {
        let file = FULL_DIGITS[usize::from(to.file()) - 1];
        [file, kanji_digit(to.rank())].iter().collect()
    };
    text.push_str(piece_name(position.moving_kind(mv)));
    match mv.from_square() {
        None => text.push('打'),
        Some(from) => {
            let promotion = if mv.is_promotion() { "成" } else { "" };
            text.push_str(&format!("{promotion}({}{})", from.file(), from.rank()));
        }
    }
    text
}

/// A move in CSA: `+7776FU`.
pub fn csa_move(position: &Position, mv: PackedMove) -> String {
    let sign = if position.side_to_move() == Color::Black { '+' } else { '-' };
    let (file, rank) = mv.from_square().map_or((0, 0), |from| (from.file(), from.rank()));
    let letters = csa_letters(position.arriving_kind(mv));
    format!("{sign}{file}{rank}{}{}{letters}", mv.to().file(), mv.to().rank())
}

/// A legal move as English books write it: piece, origin if several pieces of the kind can go there,
/// `-`, `x` or `*`, destination, `+` or `=` where the piece may promote.
pub fn western(position: &Position, mv: PackedMove) -> String {
    let kind = position.moving_kind(mv);
    let words = mv.to_string();
    let piece = kind.to_usi_owned();
    let Some(from) = mv.from_square() else { return words };
    let (origin, destination) = (&words[..2], &words[2..4]);
    let us = position.side_to_move();
    let rivals = position.attackers_to(mv.to(), us, position.occupied()) & position.kind(kind);
    let origin = if rivals.without(Bitboard::single(from)).any() { origin } else { "" };
    let how = if position.piece_at(mv.to()).is_some() { 'x' } else { '-' };
    let may_promote =
        !mv.is_promotion() && position.is_legal(PackedMove::normal(from, mv.to(), true));
    let promotion = match (mv.is_promotion(), may_promote) {
        (true, _) => "+",
        (false, true) => "=",
        _ => "",
    };
    format!("{piece}{origin}{how}{destination}{promotion}")
}

/// The symbol of the side to move: `▲` or `△`.
pub fn side_mark(position: &Position) -> char {
    if position.side_to_move() == Color::Black { '▲' } else { '△' }
}

/// A legal move in the official notation of the Japan Shogi Association, with the symbol of the
/// side: `▲７六歩`, `△同銀右`. `partial` is the same position and knows the last move.
///
/// Names that need disambiguation come from `shogi_official_kifu`, which generates all moves; the
/// others are composed here, which is faster.
pub fn official(position: &Position, partial: &PartialPosition, mv: PackedMove) -> Option<String> {
    if has_rival(position, mv) {
        let mv = mv.to_core(partial.side_to_move());
        return shogi_official_kifu::display_single_move_kansuji(partial, mv);
    }
    let (to, kind) = (mv.to(), position.moving_kind(mv));
    let mut text = String::from(side_mark(position));
    if !mv.is_drop() && partial.last_move().is_some_and(|last| last.to() == to) {
        text.push('同');
    } else {
        text.extend([FULL_DIGITS[usize::from(to.file()) - 1], kanji_digit(to.rank())]);
    }
    text.push_str(if kind == PieceKind::ProRook { "竜" } else { piece_name(kind) });
    if let Some(from) = mv.from_square() {
        let zone = |square| in_promotion_zone(square, position.side_to_move());
        if mv.is_promotion() {
            text.push('成');
        } else if promoted(kind) != kind && (zone(from) || zone(to)) {
            text.push_str("不成");
        }
    }
    Some(text)
}

/// Whether another piece of the same kind attacks the move's destination, pinned or not.
fn has_rival(position: &Position, mv: PackedMove) -> bool {
    let us = position.side_to_move();
    let there = position.attackers_to(mv.to(), us, position.occupied());
    let mut rivals = there & position.kind(position.moving_kind(mv));
    if let Some(from) = mv.from_square() {
        rivals = rivals.without(Bitboard::single(from));
    }
    !rivals.is_empty()
}

/// A parsed move, not yet matched with the legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// The piece before the move (or, in some files, after its promotion).
    pub kind: PieceKind,
    /// Destination.
    pub to: Square,
    /// `成`: true; `不成`: false; neither: `None`.
    pub promote: Option<bool>,
    /// `打`.
    pub drop: bool,
    /// Origin, given in brackets in KIF.
    pub from: Option<Square>,
    /// 左直右上寄引 and the like.
    pub relative: &'a str,
}

/// The name of a legal move as people write it, with the symbol of the side: `▲７六歩`, `△同銀右`. `None` if the
/// move is not legal.
///
/// ```
/// use monomi_movegen::Position;
/// use monomi_record::notation::{name, read_move};
/// let position: Position = "startpos moves 7g7f 3c3d 8h2b+".parse()?;
/// let take = read_move(&position, "同銀")?;
/// assert_eq!(take.to_string(), "3a2b");
/// assert_eq!(name(&position, take).as_deref(), Some("△同銀"));
/// assert!(read_move(&position, "△２二金").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn name(position: &Position, mv: PackedMove) -> Option<String> {
    if !position.is_legal(mv) {
        return None;
    }
    let text = official(position, &position.to_partial(), mv)?;
    // That position does not know the last move.
    if mv.is_drop() || position.last_move().is_none_or(|last| last.to() != mv.to()) {
        return Some(text);
    }
    let piece: String = text.chars().skip(3).collect();
    Some(format!("{}同{piece}", side_mark(position)))
}

/// Reads a move in Japanese notation: as in KIF (`７六歩(77)`, `同　銀(31)`) or as people write it (`▲７六歩`, `同銀右上`).
/// A symbol before it is ignored.
///
/// # Errors
/// The text is not a move, or not that of one legal move.
pub fn read_move(position: &Position, text: &str) -> Result<PackedMove, Reason> {
    let (written, rest) = parse_move(text, position.last_move().map(PackedMove::to))?;
    if !rest.trim_matches(is_blank).is_empty() {
        return Err(Reason::NotAMove);
    }
    resolve(position, &position.to_partial(), &written)
}

/// Parses `７六歩(77)`, `同　銀左上成`, `５五角打`, and returns the text after the move.
pub fn parse_move(text: &str, last: Option<Square>) -> Result<(Written<'_>, &str), Reason> {
    let blank = is_blank;
    let text = text.trim_start_matches(|c| mark(c).is_some()).trim_start_matches(blank);
    let (to, rest) = if let Some(rest) = text.strip_prefix('同') {
        (last.ok_or(Reason::NoMoveBefore)?, rest.trim_start_matches(blank))
    } else {
        let mut chars = text.chars();
        let file = chars.next().and_then(digit);
        let rank = chars.next().and_then(digit);
        let square = file.zip(rank).and_then(|(file, rank)| Square::new(file, rank));
        let square = square.ok_or(Reason::MissingDestination)?;
        // Some files write `７六同歩`.
        let rest = chars.as_str();
        (square, rest.strip_prefix('同').unwrap_or(rest).trim_start_matches(blank))
    };
    // Some write `５八右金`.
    let (before, rest) = leading_words(rest);
    let (kind, rest) = leading_piece(rest).ok_or(Reason::MissingPiece)?;
    let (after, rest) = leading_words(rest);
    let (promote, rest) = match (rest.strip_prefix("不成"), rest.strip_prefix('成')) {
        (Some(rest), _) => (Some(false), rest),
        (None, Some(rest)) => (Some(true), rest),
        (None, None) => match rest.strip_prefix("生") {
            Some(rest) => (Some(false), rest),
            None => (None, rest),
        },
    };
    let (drop, rest) = match rest.strip_prefix('打') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    // Some write `銀成右`.
    let (late, rest) = if drop { ("", rest) } else { leading_words(rest) };
    let (from, rest) = leading_origin(rest.trim_start_matches(blank))
        .map_or((None, rest), |(from, rest)| (Some(from), rest));
    let words = [before, after, late].map(|words| words.trim_matches(blank));
    let relative = words.into_iter().find(|words| !words.is_empty()).unwrap_or_default();
    Ok((Written { kind, to, promote, drop, from, relative }, rest))
}

/// The words that tell pieces of a kind apart, at the start of a text.
fn leading_words(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !"左直右上寄引行入下\u{3000}".contains(c));
    let (words, rest) = text.split_at(end.unwrap_or(text.len()));
    // Blanks alone may stand before the next move.
    if words.trim_matches(is_blank).is_empty() { ("", text) } else { (words, rest) }
}

/// `(77)`, in ASCII or full-width brackets and digits.
fn leading_origin(text: &str) -> Option<(Square, &str)> {
    let inner = text.strip_prefix(['(', '（'])?;
    let mut chars = inner.chars();
    let file = chars.next().and_then(digit)?;
    let rank = chars.next().and_then(digit)?;
    let rest = chars.as_str().strip_prefix([')', '）'])?;
    Some((Square::new(file, rank)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Random;

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("", Some(1)),
            ("三", Some(3)),
            ("十", Some(10)),
            ("十八", Some(18)),
            ("１７", Some(17)),
            ("17枚", Some(17)),
            ("一七", Some(17)),
            ("一〇", Some(10)),
            ("×3", Some(3)),
            ("300", None),
            ("百", None),
        ] {
            assert_eq!(kanji_number(text), expected, "{text}");
        }
        assert_eq!(leading_number("12 ７六歩"), Some((12, " ７六歩")));
        assert_eq!(leading_number("１２手"), Some((12, "手")));
        assert_eq!(leading_number("手"), None);
        assert_eq!(leading_number(&"9".repeat(99)), None);
    }

    #[test]
    fn every_legal_move_is_read_back() {
        // Promotions, three golds to one square, drops.
        for sfen in [
            "4k4/9/9/9/9/9/9/3G1G3/3GK4 b RBGSNLP 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "8k/2P+B+B4/1S1S5/2+R1+R4/9/9/9/9/4K4 b - 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let partial = position.to_partial();
            for &mv in position.legal_moves().iter() {
                let kif = kif_move(&position, mv, None);
                let (written, rest) = parse_move(&kif, None).unwrap();
                assert_eq!((resolve(&position, &partial, &written), rest), (Ok(mv), ""), "{kif}");
                let ki2 = official(&position, &partial, mv).unwrap();
                let (written, rest) = parse_move(&ki2, None).unwrap();
                assert_eq!((resolve(&position, &partial, &written), rest), (Ok(mv), ""), "{ki2}");
            }
        }
    }

    #[test]
    fn names_equal_those_of_the_library() {
        let mut random = Random::new(1);
        let mut short = 0;
        for game in 0..4 {
            let mut position = Position::startpos();
            let mut partial = position.to_partial();
            for _ in 0..100 {
                let moves = position.legal_moves();
                for &mv in moves.iter() {
                    let core = mv.to_core(position.side_to_move());
                    let name = shogi_official_kifu::display_single_move_kansuji(&partial, core);
                    assert_eq!(official(&position, &partial, mv), name, "game {game}");
                    short += u32::from(!has_rival(&position, mv));
                }
                let Some(mv) = random.choose(&moves) else { break };
                let shown = name(&position, mv);
                assert_eq!(shown, official(&position, &partial, mv));
                assert_eq!(read_move(&position, &shown.unwrap()), Ok(mv));
                partial.make_move(mv.to_core(position.side_to_move())).unwrap();
                position.do_move(mv);
            }
        }
        assert!(short > 5_000, "{short}");
    }

    #[test]
    fn invalid_moves_are_rejected() {
        let position = Position::startpos();
        for (text, expected) in [
            ("同　歩(77)", "同"),
            ("７六(77)", "missing piece"),
            ("歩", "destination"),
            ("７六歩(78)", "not 歩"),
            ("７五歩(77)", "illegal"),
            ("７七歩(77)", "the same"),
            ("５五歩打", "illegal"),
            ("５五玉打", "cannot be dropped"),
            ("５五歩", "no such piece"),
        ] {
            let error = read_move(&position, text).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
        assert_eq!(read_move(&position, "７六歩 ３四歩"), Err(Reason::NotAMove));
        assert_eq!(name(&position, "7g7e".parse().unwrap()), None);
    }
}
