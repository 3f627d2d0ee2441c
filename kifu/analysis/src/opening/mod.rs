//! Names of openings and castles: from the record's headers, or by the positions of the pieces.
//! Squares are given from the point of view of the side that is examined.

mod castles;
mod shapes;

pub use castles::castles;

use monomi_movegen::Position;
use monomi_record::{Record, handicap_name};
use shapes::{Known, LATE, PLIES, SHAPES};
use shogi_core::{Color, Piece, PieceKind, Square};

/// An exchange of bishops by White on 8h up to this ply loses a tempo.
const TEMPO_PLIES: usize = 14;
/// Last ply at which a bishop exchange counts as a bishop exchange opening.
const EXCHANGE_PLIES: usize = 30;
/// A rook that is still on its file after this ply does not name the opening.
const ROOK_PLIES: usize = 24;
/// A rook that stays on a file for this many positions is not on its way to another one.
const ROOK_POSITIONS: usize = 8;

/// The name of an opening or of a castle.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Name {
    /// In Japanese.
    pub ja: String,
    /// In English, or as in the header of the record.
    pub en: String,
}

impl Name {
    fn new(ja: impl Into<String>, en: impl Into<String>) -> Self {
        Self { ja: ja.into(), en: en.into() }
    }

    fn of(known: Known) -> Self {
        let shape = &SHAPES[known as usize];
        Self::new(shape.ja, shape.en)
    }

    /// With the side that plays it.
    fn by(self, color: Color) -> Self {
        let (ja, en) =
            if color == Color::Black { ("先手", "Black") } else { ("後手", "White") };
        Self::new(format!("{ja}{}", self.ja), format!("{} ({en})", self.en))
    }

    /// An opening with a variation of it.
    fn with(self, known: Known) -> Self {
        let shape = &SHAPES[known as usize];
        Self::new(format!("{}{}", self.ja, shape.ja), format!("{}, {}", self.en, shape.en))
    }
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

/// The opening of a game, if it has a known name: that of the record's header, the handicap, or one by
/// the positions of the pieces.
pub fn opening(record: &Record) -> Option<Name> {
    // Some programs write that the opening is another one.
    if let Some(name) = record.header("戦型").filter(|name| !name.contains("その他")) {
        return Some(Name::new(name, name));
    }
    if record.start.key() != Position::startpos().key() {
        let name = handicap_name(&record.start).filter(|name| *name != "平手")?;
        return Some(Name::new(name, english_handicap(name)));
    }
    Seen::of(record).name()
}

/// The English name of a handicap.
fn english_handicap(name: &str) -> String {
    let english = match name {
        "香落ち" => "Lance Handicap",
        "右香落ち" => "Right Lance Handicap",
        "角落ち" => "Bishop Handicap",
        "飛車落ち" => "Rook Handicap",
        "飛香落ち" => "Rook-Lance Handicap",
        "二枚落ち" => "Two-Piece Handicap",
        "三枚落ち" => "Three-Piece Handicap",
        "四枚落ち" => "Four-Piece Handicap",
        "五枚落ち" | "左五枚落ち" => "Five-Piece Handicap",
        "六枚落ち" => "Six-Piece Handicap",
        "七枚落ち" | "左七枚落ち" => "Seven-Piece Handicap",
        "八枚落ち" => "Eight-Piece Handicap",
        "十枚落ち" => "Ten-Piece Handicap",
        other => return format!("Handicap ({other})"),
    };
    english.to_owned()
}

fn index(color: Color) -> usize {
    usize::from(color == Color::White)
}

/// Features of the opening.
#[derive(Default)]
struct Seen {
    /// By side: the positions up to ply [`PLIES`] with the rook on the files of [`ROOKS`].
    rooks: [[usize; ROOKS.len()]; 2],
    /// By side: the file of the rook in the last of them.
    last_rook: [Option<usize>; 2],
    /// By side: its rook left its file in time.
    moved: [bool; 2],
    /// By side: first ply at which it had the shapes.
    first: [[Option<usize>; SHAPES.len()]; 2],
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
        for (position, ply) in record.positions().take(LATE + 1).zip(0..) {
            for color in Color::all() {
                seen.side(&position, color, ply);
            }
            if ply > PLIES {
                continue;
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
        let side = index(color);
        if ply <= PLIES {
            // A ranging rook may stand before its camp.
            let rank = |file| if file >= 5 { 6..=9 } else { 7..=9 };
            let on = |file, rank| stands(position, color, PieceKind::Rook, file, rank);
            let home = |file| rank(file).any(|rank| on(file, rank));
            let file = ROOKS.iter().position(|&(file, ..)| home(file));
            self.moved[side] |= file.is_some() && ply <= ROOK_PLIES;
            self.last_rook[side] = file;
            if let Some(file) = file {
                self.rooks[side][file] += 1;
            }
        }
        for (index, shape) in SHAPES.iter().enumerate() {
            let there = |&(kind, file, rank)| stands(position, color, kind, file, rank);
            if ply <= shape.until && shape.pieces.iter().all(there) {
                self.first[side][index].get_or_insert(ply);
            }
        }
    }

    /// The file of a side's rook: the one on which it stayed longest. On its original file the opening is
    /// not yet decided.
    fn rook(&self, color: Color) -> Option<&'static (u8, &'static str, &'static str)> {
        let side = index(color);
        let longest = self.rooks[side].iter().enumerate().rev().max_by_key(|(_, count)| **count);
        let (file, &count) = longest.filter(|_| self.moved[side])?;
        let stays = count >= ROOK_POSITIONS || self.last_rook[side] == Some(file);
        stays.then_some(&ROOKS[file])
    }

    fn has(&self, color: Color, known: Known) -> bool {
        self.first[index(color)][known as usize].is_some()
    }

    fn any(&self, known: Known) -> bool {
        Color::all().into_iter().any(|color| self.has(color, known))
    }

    fn both(&self, known: Known) -> bool {
        Color::all().into_iter().all(|color| self.has(color, known))
    }

    fn name(&self) -> Option<Name> {
        let early = [Known::DemonSlayer, Known::CornerPawn, Known::DifferentDiagonal, Known::Duck];
        if let Some(known) = early.into_iter().find(|&known| self.any(known)) {
            return Some(Name::of(known));
        }
        if self.has(Color::White, Known::Pacman) {
            return Some(Name::of(Known::Pacman));
        }
        let rooks = Color::all().map(|color| self.rook(color));
        let ranges = |rook: &Option<&(u8, &str, &str)>| rook.is_some_and(|rook| rook.0 >= 5);
        match rooks {
            [Some(black), Some(white)] if ranges(&rooks[0]) && ranges(&rooks[1]) => {
                return Some(match black.0 == white.0 && black.0 != 6 {
                    true => Name::new(format!("相{}", black.1), format!("Mutual {}", black.2)),
                    false => Name::new("相振り飛車", "Double Ranging Rook"),
                });
            }
            _ => {}
        }
        // A ranging rook names the opening, whatever the other side plays.
        let ranging = Color::all().into_iter().find(|&color| ranges(&rooks[index(color)]));
        match (ranging, self.twisted()) {
            (Some(color), None) => return self.ranging_rook(color),
            (Some(_), Some(name)) => return Some(name),
            (None, _) => {}
        }
        self.static_rooks(rooks)
    }

    /// A rook that first was exchanged with the pawn on its file, and ranges then.
    fn twisted(&self) -> Option<Name> {
        let twisted = self.any(Known::TwistedRook) && self.double_wing;
        twisted.then(|| Name::of(Known::TwistedRook))
    }

    fn ranging_rook(&self, color: Color) -> Option<Name> {
        let &(file, ja, en) = self.rook(color)?;
        let known = |known| self.has(color, known).then(|| Name::of(known));
        let exchanged = |ja: &str, en: &str| self.exchange.then(|| Name::new(ja, en));
        let white = color == Color::White;
        let special = match file {
            5 => known(Known::Horns).or(known(Known::CentralOpen).filter(|_| white)),
            6 => known(Known::Fujii)
                .or(exchanged("角交換四間飛車", "Bishop Exchange Fourth-File Rook")),
            7 => known(Known::Ishida).or(known(Known::QuickIshida)),
            8 => exchanged("角交換向かい飛車", "Bishop Exchange Opposing Rook"),
            _ => None,
        };
        Some(special.unwrap_or_else(|| Name::new(ja, en)).by(color))
    }

    /// Neither side plays a ranging rook.
    fn static_rooks(&self, rooks: [Option<&(u8, &str, &str)>; 2]) -> Option<Name> {
        if self.side_pawn {
            return Some(self.side_pawn_capture());
        }
        if self.exchange {
            return Some(self.bishop_exchange());
        }
        let right = Color::all().into_iter().find(|&color| rooks[index(color)].is_some());
        if let Some(color) = right.filter(|_| rooks[0].is_none() || rooks[1].is_none()) {
            let &(_, ja, en) = rooks[index(color)]?;
            return Some(Name::new(ja, en).by(color));
        }
        if let Some(color) =
            Color::all().into_iter().find(|&color| self.has(color, Known::Ureshino))
        {
            return Some(Name::of(Known::Ureshino).by(color));
        }
        if self.double_wing {
            return Some(self.double_wing_attack());
        }
        let climbs = self.any(Known::Climbing26) || self.any(Known::Climbing27);
        match () {
            () if self.both(Known::Waki46) => Some(Name::of(Known::Waki46)),
            () if self.any(Known::Snipe) => Some(Name::of(Known::Snipe)),
            () if self.any(Known::Subway) => Some(Name::of(Known::Subway)),
            () if self.any(Known::RightKing) => Some(Name::of(Known::RightKing)),
            () if self.both(Known::SnowRoof) => Some(Name::new("相雁木", "Mutual Snow Roof")),
            () if self.any(Known::SnowRoof) => Some(Name::of(Known::SnowRoof)),
            () if self.any(Known::Fortress) && climbs => {
                Some(Name::new("矢倉棒銀", "Fortress, Climbing Silver"))
            }
            () if self.both(Known::Fortress) => Some(Name::new("相矢倉", "Mutual Fortress")),
            () if self.any(Known::Fortress) => Some(Name::of(Known::Fortress)),
            () => [Known::Climbing26, Known::Climbing27, Known::Rapid, Known::Reclining]
                .into_iter()
                .find(|&known| self.any(known))
                .map(Name::of),
        }
    }

    fn side_pawn_capture(&self) -> Name {
        let base = || Name::new("横歩取り", "Side Pawn Capture");
        let white = |known| self.has(Color::White, known);
        if white(Known::SideRook34) {
            return Name::of(Known::SideRook34);
        }
        if self.has(Color::Black, Known::Aono) {
            return base().with(Known::Aono);
        }
        let variations = [Known::SideBishop45, Known::SideRook85, Known::SideBishop];
        match variations.into_iter().find(|&known| white(known)) {
            Some(known) => base().with(known),
            None => base(),
        }
    }

    fn double_wing_attack(&self) -> Name {
        let base = Name::new("相掛かり", "Double Wing Attack");
        match self.latest_silver() {
            Some(known) => base.with(known),
            None => base,
        }
    }

    fn bishop_exchange(&self) -> Name {
        let base = match self.tempo_loss {
            true => Name::new("一手損角換わり", "Tempo Loss Bishop Exchange"),
            false => Name::new("角換わり", "Bishop Exchange"),
        };
        if self.any(Known::RightKing) {
            return base.with(Known::RightKing);
        }
        if self.both(Known::Reclining) && !self.tempo_loss {
            return Name::new("角換わり相腰掛け銀", "Bishop Exchange, Mutual Reclining Silver");
        }
        match self.latest_silver() {
            Some(known) => base.with(known),
            None if self.any(Known::Knight45) => base.with(Known::Knight45),
            None => base,
        }
    }

    /// The latest formation of the silver; earlier ones were intermediate.
    fn latest_silver(&self) -> Option<Known> {
        let first = |known: Known| self.first.iter().filter_map(|side| side[known as usize]).min();
        let silvers = [Known::Climbing26, Known::Climbing27, Known::Rapid, Known::Reclining];
        let seen = silvers.into_iter().filter_map(|known| Some((first(known)?, known)));
        seen.max_by_key(|(ply, _)| *ply).map(|(_, known)| known)
    }
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
            ("7g7f 3c3d 2g2f 5c5d 2f2e 8b5b", Some("後手ゴキゲン中飛車")),
            ("7g7f 3c3d 7f7e 8b3b 2h7h", Some("相三間飛車")),
            ("7g7f 3c3d 6g6f 8b3b 2h6h", Some("相振り飛車")),
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
                Some("角換わり相腰掛け銀"),
            ),
        ] {
            assert_eq!(name(moves).as_deref(), expected, "{moves}");
        }
    }

    #[test]
    fn headers_take_precedence_and_other_starts_have_no_name() {
        let mut record = read_usi_line(1, "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h").unwrap();
        record.headers.push(("戦型".to_owned(), "藤井システム".to_owned()));
        assert_eq!(opening(&record).map(|opening| opening.ja).as_deref(), Some("藤井システム"));
        let sfen = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let record = read_usi_line(1, &format!("{sfen} moves 4a3b 2h6h")).unwrap();
        assert_eq!(opening(&record).map(|name| name.ja).as_deref(), Some("飛車落ち"));
    }

    #[test]
    fn no_name_is_better_than_another_one() {
        let mut record = read_usi_line(1, "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h").unwrap();
        record.headers.push(("戦型".to_owned(), "その他の戦型".to_owned()));
        assert_eq!(opening(&record).map(|name| name.ja).as_deref(), Some("先手四間飛車"));
    }

    /// Black's rook goes to the files in turn, and waits for so many moves on each.
    fn by_rook(files: &[(char, usize)]) -> Option<String> {
        let mut moves = vec!["7g7f".to_owned(), "3c3d".to_owned(), "6g6f".to_owned()];
        let waits = ["8b7b", "7b8b"];
        let own = ["5i4h", "4h5i"];
        let (mut at, mut white, mut black) = ('2', 0, 0);
        let mut wait = |moves: &mut Vec<String>| {
            moves.push(waits[white % 2].to_owned());
            white += 1;
        };
        wait(&mut moves);
        for &(file, positions) in files {
            moves.push(format!("{at}h{file}h"));
            at = file;
            wait(&mut moves);
            for _ in 0..positions {
                moves.push(own[black % 2].to_owned());
                black += 1;
                wait(&mut moves);
            }
        }
        name(&moves.join(" "))
    }

    #[test]
    fn the_file_where_the_rook_stays_names_the_opening() {
        assert_eq!(by_rook(&[('6', 1)]).as_deref(), Some("先手四間飛車"));
        // By way of another file.
        assert_eq!(by_rook(&[('6', 1), ('7', 6)]).as_deref(), Some("先手三間飛車"));
        assert_eq!(by_rook(&[('5', 0), ('6', 6)]).as_deref(), Some("先手四間飛車"));
        // Played later in the game to defend.
        assert_eq!(by_rook(&[('6', 7), ('7', 2)]).as_deref(), Some("先手四間飛車"));
    }
}
