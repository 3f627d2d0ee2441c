//! Starting positions: handicaps by name, and the board diagrams of KIF (BOD).

use crate::fault::Reason;
use crate::notation::{board_letter, digit, is_blank, kanji_digit, kanji_number, leading_piece};
use monomi_movegen::square::{HAND_KINDS, unpromoted};
use monomi_movegen::{Position, PositionError, SET_COUNT};
use shogi_core::{Color, Hand, PartialPosition, Piece, PieceKind, Square};

/// Handicaps with a name in KIF, and their SFENs.
pub const HANDICAPS: [(&str, &str); 17] = [
    ("平手", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    ("香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("右香落ち", "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("角落ち", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("飛車落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("飛落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("飛香落ち", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("二枚落ち", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("三枚落ち", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("四枚落ち", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("五枚落ち", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("左五枚落ち", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("六枚落ち", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("左七枚落ち", "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("右七枚落ち", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("八枚落ち", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
];

/// The name of the handicap whose starting position this is.
pub fn handicap_name(position: &Position) -> Option<&'static str> {
    let sfen = position.to_sfen();
    let without_ply = |sfen: &str| sfen.rsplit_once(' ').map(|(rest, _)| rest.to_owned());
    HANDICAPS.iter().find(|(_, known)| without_ply(known) == without_ply(&sfen)).map(|h| h.0)
}

/// A handicap in the spelling of [`HANDICAPS`]: 二枚落ち for ２枚落, 10枚落ち and the like.
fn handicap_spelling(name: &str) -> String {
    const KANJI: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let digit = |c: char| match c {
        '弐' => '二',
        '0'..='9' => KANJI[c as usize - '0' as usize],
        '０'..='９' => KANJI[c as usize - '０' as usize],
        _ => c,
    };
    // `二枚落ち（飛車・角）`.
    let name = name.split(['(', '（']).next().unwrap_or_default();
    let skipped = |c: char| is_blank(c) || matches!(c, '・' | '、');
    let name: String = name.chars().filter(|&c| !skipped(c)).map(digit).collect();
    let name = name.replace("飛車", "飛").replace("角行", "角").replace("香車", "香");
    let name = name.replace("一〇", "十").replace("おち", "落ち").replace("落とし", "落ち");
    let name = match name.strip_suffix('落') {
        Some(start) => format!("{start}落ち"),
        None if name.ends_with('枚') => name + "落ち",
        None => name,
    };
    match name.as_str() {
        "左香落ち" => "香落ち".to_owned(),
        "飛落ち" => "飛車落ち".to_owned(),
        "飛角落ち" | "両落ち" => "二枚落ち".to_owned(),
        "HIRATE" | "hirate" => "平手".to_owned(),
        _ => name,
    }
}

/// Collects the starting position from the headers of a KIF or KI2 file.
pub struct Setup {
    handicap: Option<&'static str>,
    board: Vec<(Square, Piece)>,
    hands: [Hand; 2],
    side: Option<Color>,
    ranks: u8,
    /// What keeps the headers from giving a position, unless there is a diagram.
    needs_diagram: Option<Reason>,
    /// The side that holds all pieces that are nowhere else (`残り全部`).
    rest: Option<Color>,
}

impl Setup {
    pub fn new() -> Self {
        Self {
            handicap: None,
            board: Vec::new(),
            hands: [Hand::new(); 2],
            side: None,
            ranks: 0,
            needs_diagram: None,
            rest: None,
        }
    }

    /// `手合割`; false for a name that is not known and so needs a diagram.
    pub fn handicap(&mut self, name: &str) -> bool {
        let name = handicap_spelling(name);
        if name.is_empty() {
            return true;
        }
        let known = HANDICAPS.iter().find(|(known, _)| *known == name);
        self.handicap = known.map(|(_, sfen)| *sfen);
        // The usual names of positions that a diagram shows.
        let shown = ["その他", "詰", "局面", "任意", "次の一手", "必至", "必死"];
        self.needs_diagram = match known {
            Some(_) => None,
            None if shown.iter().any(|start| name.starts_with(start)) => {
                Some(Reason::MissingDiagram)
            }
            None => Some(Reason::UnknownHandicap),
        };
        self.needs_diagram.is_none()
    }

    /// Whether the headers have a diagram.
    pub fn has_diagram(&self) -> bool {
        self.ranks > 0
    }

    /// Whether a further row would belong to another diagram.
    pub fn is_complete(&self) -> bool {
        self.ranks >= 9
    }

    /// The side to move. Without a diagram it is that of the handicap.
    pub fn side(&mut self, color: Color) {
        self.side = Some(color);
    }

    /// The side to move of a diagram that does not say it.
    pub fn side_if_unknown(&mut self, color: Color) {
        self.side.get_or_insert(color);
    }

    /// A hand: `飛 金二　歩十二`, `なし`, `残り全部`.
    pub fn hand(&mut self, color: Color, text: &str) -> Result<(), Reason> {
        // Full names would be read as two pieces.
        let mut text = text.to_owned();
        for (long, short) in [
            ("飛車", "飛"),
            ("角行", "角"),
            ("金将", "金"),
            ("銀将", "銀"),
            ("桂馬", "桂"),
            ("香車", "香"),
            ("歩兵", "歩"),
        ] {
            text = text.replace(long, short);
        }
        let separates = |c: char| is_blank(c) || matches!(c, '、' | ',' | '，' | '・' | '･');
        let mut words: Vec<String> = Vec::new();
        for word in text.split(separates).filter(|word| !word.is_empty()) {
            let count = |c: char| c == '十' || c.is_ascii_digit() || digit(c).is_some();
            match words.last_mut() {
                // `歩 十二`.
                Some(former) if word.starts_with(count) => former.push_str(word),
                _ => words.push(word.to_owned()),
            }
        }
        for word in &words {
            let word = word.trim_matches(['(', ')', '（', '）', '。', '「', '」']);
            let none = ["なし", "無し", "ナシ", "無", "-", "－", "ー", "0", "０"];
            let english = ["none", "empty", "nothing"];
            if none.contains(&word) || english.contains(&word.to_ascii_lowercase().as_str()) {
                continue;
            }
            let all = ["全部", "全て", "すべて"].iter().any(|end| word.ends_with(end));
            if all || word.contains('残') {
                self.rest = Some(color);
                continue;
            }
            let (kind, rest) = leading_piece(word).ok_or(Reason::MissingPiece)?;
            // Pieces may follow each other without a blank.
            let end = rest.find(|c| leading_piece(&String::from(c)).is_some());
            let (count, more) = rest.split_at(end.unwrap_or(rest.len()));
            let count = kanji_number(count).filter(|&n| n <= 18).ok_or(Reason::InvalidCount)?;
            let hand = &mut self.hands[color as usize - 1];
            for _ in 0..count {
                *hand = hand.added(kind).ok_or(Reason::NotHoldable)?;
            }
            if !more.is_empty() {
                self.hand(color, more)?;
            }
        }
        Ok(())
    }

    /// A row of the diagram: `| ・v桂 ・ ・ 馬 ...|一`.
    pub fn row(&mut self, text: &str) -> Result<(), Reason> {
        let mut parts = text.trim_start_matches(BARS).split(BARS);
        let row = parts.next().unwrap_or_default();
        let rest = parts.next().map(|rest| rest.trim_start_matches(is_blank));
        let named = rest.and_then(|rest| rest.chars().next()).and_then(digit);
        let rank = named.unwrap_or(self.ranks + 1);
        self.ranks += 1;
        let mut file = 9;
        let mut color = Color::Black;
        for c in row.chars() {
            match c {
                _ if is_blank(c) => continue,
                'v' | 'V' | 'ｖ' | 'Ｖ' => {
                    color = Color::White;
                    continue;
                }
                '^' => continue,
                '・' | '･' | '．' | '.' | '·' | '□' => {}
                _ => {
                    let name = String::from(c);
                    let (kind, _) = leading_piece(&name).ok_or(Reason::UnknownPiece(None))?;
                    let square = Square::new(file, rank).ok_or(Reason::RowTooLong)?;
                    self.board.push((square, Piece::new(kind, color)));
                }
            }
            file = file.checked_sub(1).ok_or(Reason::RowTooLong)?;
            color = Color::Black;
        }
        if file == 0 { Ok(()) } else { Err(Reason::RowTooShort(9 - file)) }
    }

    /// The position described by the headers; the normal starting position by default.
    pub fn position(&self) -> Result<Position, Reason> {
        if self.ranks == 0 {
            if let Some(reason) = &self.needs_diagram {
                return Err(reason.clone());
            }
            let sfen = self.handicap.unwrap_or(HANDICAPS[0].1);
            return Ok(Position::from_sfen(sfen)?);
        }
        let mut partial = PartialPosition::empty();
        for &(square, piece) in &self.board {
            partial.piece_set(square, Some(piece));
        }
        for color in Color::all() {
            *partial.hand_of_a_player_mut(color) = self.hands[color as usize - 1];
        }
        if let Some(color) = self.rest {
            all_left(&mut partial, color);
        }
        // The diagram of a handicap has the side to move of the handicap.
        let of_handicap = || {
            let start = Position::from_sfen(self.handicap?).ok()?.to_partial();
            let same = Square::all().all(|at| start.piece_at(at) == partial.piece_at(at));
            same.then(|| start.side_to_move())
        };
        let side = self.side.or_else(of_handicap).unwrap_or(Color::Black);
        partial.side_to_move_set(side);
        Ok(from_partial(&partial)?)
    }
}

/// The bars around a row of a diagram.
pub const BARS: [char; 4] = ['|', '｜', '│', '┃'];

/// Gives a side all pieces that are neither on the board nor in a hand.
pub fn all_left(partial: &mut PartialPosition, color: Color) {
    for kind in HAND_KINDS {
        let on_board = Square::all()
            .filter_map(|square| partial.piece_at(square))
            .filter(|piece| unpromoted(piece.piece_kind()) == kind)
            .count();
        let held: usize = Color::all()
            .iter()
            .map(|&c| usize::from(partial.hand_of_a_player(c).count(kind).unwrap_or(0)))
            .sum();
        for _ in on_board + held..usize::from(SET_COUNT[kind as usize]) {
            let hand = partial.hand_of_a_player_mut(color);
            *hand = hand.added(kind).unwrap_or(*hand);
        }
    }
}

/// Validates a position.
pub fn from_partial(partial: &PartialPosition) -> Result<Position, PositionError> {
    Position::from_sfen(&partial.to_sfen_owned())
}

/// The board diagram (BOD) of a position for KIF headers.
pub fn bod(position: &Position) -> String {
    let mut text = format!("後手の持駒：{}\n", hand_text(position, Color::White));
    text.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 1..=9 {
        text.push('|');
        for file in (1..=9).rev() {
            let piece = Square::new(file, rank).and_then(|square| position.piece_at(square));
            match piece {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.color() == Color::Black { ' ' } else { 'v' });
                    text.push(board_letter(piece.piece_kind()));
                }
            }
        }
        text.push_str(&format!("|{}\n", kanji_digit(rank)));
    }
    text.push_str("+---------------------------+\n");
    text.push_str(&format!("先手の持駒：{}\n", hand_text(position, Color::Black)));
    if position.side_to_move() == Color::White {
        text.push_str("後手番\n");
    }
    text
}

pub fn hand_text(position: &Position, color: Color) -> String {
    use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
    let held = |kind: PieceKind| {
        let number = match position.hand_count(color, kind) {
            0 => return None,
            1 => String::new(),
            n @ 2..=9 => kanji_digit(n).to_string(),
            10 => "十".to_owned(),
            n => format!("十{}", kanji_digit(n - 10)),
        };
        Some(format!("{}{number}", board_letter(kind)))
    };
    let all: Vec<String> =
        [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn].into_iter().filter_map(held).collect();
    if all.is_empty() { "なし".to_owned() } else { all.join("　") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_read_back() {
        for sfen in [
            HANDICAPS[0].1,
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let mut setup = Setup::new();
            for line in bod(&position).lines() {
                if line.starts_with('|') {
                    setup.row(line).unwrap();
                } else if let Some(hand) = line.strip_prefix("後手の持駒：") {
                    setup.hand(Color::White, hand).unwrap();
                } else if let Some(hand) = line.strip_prefix("先手の持駒：") {
                    setup.hand(Color::Black, hand).unwrap();
                } else if line == "後手番" {
                    setup.side(Color::White);
                }
            }
            assert_eq!(setup.position().unwrap().to_sfen(), position.to_sfen());
        }
    }

    #[test]
    fn handicaps_have_names_and_the_right_pieces() {
        for (name, sfen) in HANDICAPS {
            let mut setup = Setup::new();
            assert!(setup.handicap(name));
            let position = setup.position().unwrap();
            assert_eq!(position.to_sfen(), sfen, "{name}");
            let missing = 40 - position.occupied().count();
            let counted = match name.chars().find(|c| "二三四五六七八十".contains(*c)) {
                Some(c) => kanji_number(&c.to_string()).unwrap().into(),
                None => match name {
                    "平手" => 0,
                    "飛香落ち" => 2,
                    _ => 1,
                },
            };
            assert_eq!(missing, counted, "{name}");
            let named = handicap_name(&position).unwrap();
            assert!(named == name || name == "飛落ち", "{named}, not {name}");
        }
        assert!(!Setup::new().handicap("百枚落ち"));
        assert_eq!(
            handicap_name(&Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap()),
            None
        );
    }

    #[test]
    fn broken_diagrams_are_rejected() {
        let mut setup = Setup::new();
        assert!(setup.row("| ・ ・ ・|一").is_err());
        assert!(setup.row("| ・ ・ ・ ・ ・ ・ ・ ・ ・ ・|一").is_err());
        assert!(setup.row("| ・ ・ ・ ・ 象 ・ ・ ・ ・|一").is_err());
        assert!(setup.hand(Color::Black, "象").is_err());
        assert!(setup.hand(Color::Black, "歩百").is_err());
        assert!(setup.hand(Color::Black, "飛角金二歩十二").is_ok());
    }
}
