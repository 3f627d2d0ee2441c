//! Material won and lost in a line, for the reasons why moves are bad.

use monomi_movegen::square::unpromoted;
use monomi_movegen::{PackedMove, Position, SEE_VALUE};
use monomi_record::notation::piece_name;
use shogi_core::PieceKind;

/// Plies of a line in which material is counted.
const PLIES: usize = 10;
/// Difference that counts as a loss, in the unit of [`SEE_VALUE`]: less than a lance, more than two
/// pawns.
pub const LOSS: i32 = 3 * SEE_VALUE[PieceKind::Pawn as usize];

/// A reason names at most this many pieces.
const MOST_NAMED: usize = 3;

/// The kinds of pieces that change hands, most valuable first.
const KINDS: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
];

/// Numbers of pieces in the order of [`KINDS`], without regard to promotion; negative: lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces([i8; KINDS.len()]);

impl Pieces {
    /// Pieces won and lost.
    #[cfg(test)]
    pub fn of(list: &[(PieceKind, i8)]) -> Self {
        let mut pieces = Self::default();
        list.iter().for_each(|&(kind, count)| pieces.add(kind, count));
        pieces
    }

    fn add(&mut self, kind: PieceKind, count: i8) {
        if let Some(at) = KINDS.iter().position(|&other| other == unpromoted(kind)) {
            self.0[at] += count;
        }
    }

    /// Their value in the unit of [`SEE_VALUE`].
    pub fn worth(self) -> i32 {
        KINDS.iter().zip(self.0).map(|(&kind, count)| i32::from(count) * value(kind)).sum()
    }

    /// The other side's view.
    fn opposite(self) -> Self {
        Self(self.0.map(|count| -count))
    }

    /// What is here and not there.
    pub fn minus(self, other: Self) -> Self {
        let mut difference = self;
        difference.0.iter_mut().zip(other.0).for_each(|(count, other)| *count -= other);
        difference
    }

    /// The kinds with a positive number, each as often as it is there. Pawns are left out beside
    /// other pieces.
    fn positive(self) -> Vec<PieceKind> {
        let all = KINDS.iter().zip(self.0);
        let all = all.flat_map(|(&kind, count)| vec![kind; usize::try_from(count).unwrap_or(0)]);
        let kinds: Vec<PieceKind> = all.collect();
        let is_pawn = |kind: &PieceKind| *kind == PieceKind::Pawn;
        let others: Vec<PieceKind> = kinds.iter().copied().filter(|kind| !is_pawn(kind)).collect();
        if others.is_empty() { kinds.into_iter().take(1).collect() } else { others }
    }

    /// The pieces won; nothing if these are too many to name.
    fn named(self) -> Vec<PieceKind> {
        let won = self.positive();
        if won.len() > MOST_NAMED { Vec::new() } else { won }
    }

    /// What was lost, and what was won in return; nothing if these are too many pieces to name.
    fn exchange(self) -> (Vec<PieceKind>, Vec<PieceKind>) {
        let lost = self.opposite().positive();
        // A pawn is no compensation worth naming.
        let won: Vec<PieceKind> =
            self.positive().into_iter().filter(|&kind| kind != PieceKind::Pawn).collect();
        if lost.len() + won.len() > MOST_NAMED { Default::default() } else { (lost, won) }
    }

    /// A loss in Japanese: `銀損`, `飛と金の交換`.
    pub fn loss_in_japanese(self) -> String {
        let names = |kinds: &[PieceKind]| {
            let names: Vec<&str> = kinds.iter().map(|&kind| piece_name(kind)).collect();
            names.join("・")
        };
        let (lost, won) = self.exchange();
        match (&lost[..], &won[..]) {
            ([], _) => "駒損".to_owned(),
            (lost, []) => format!("{}損", names(lost)),
            (lost, won) => format!("{}と{}の交換", names(lost), names(won)),
        }
    }

    /// A loss in English: `loses a silver`, `loses a rook for a gold`.
    pub fn loss_in_english(self) -> String {
        let (lost, won) = self.exchange();
        match (&lost[..], &won[..]) {
            ([], _) => "loses material".to_owned(),
            (lost, []) => format!("loses {}", english(lost)),
            (lost, won) => format!("loses {} for {}", english(lost), english(won)),
        }
    }

    /// A gain that was missed, in Japanese: `銀得を逃す`.
    pub fn gain_in_japanese(self) -> String {
        let names: Vec<&str> = self.named().iter().map(|&kind| piece_name(kind)).collect();
        format!("{}得を逃す", if names.is_empty() { "駒".to_owned() } else { names.join("・") })
    }

    /// The same in English: `misses the gain of a silver`.
    pub fn gain_in_english(self) -> String {
        format!("misses the gain of {}", english(&self.named()))
    }
}

fn english(kinds: &[PieceKind]) -> String {
    let names: Vec<String> =
        kinds.iter().map(|&kind| format!("a {}", english_name(kind))).collect();
    match &names[..] {
        [] => "material".to_owned(),
        [name] => name.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The English name of a piece, without regard to promotion.
pub fn english_name(kind: PieceKind) -> &'static str {
    match unpromoted(kind) {
        PieceKind::Pawn => "pawn",
        PieceKind::Lance => "lance",
        PieceKind::Knight => "knight",
        PieceKind::Silver => "silver",
        PieceKind::Gold => "gold",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        _ => "king",
    }
}

fn value(kind: PieceKind) -> i32 {
    SEE_VALUE[kind as usize]
}

/// What a line wins for the side that moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// Pieces won; negative: lost.
    pub pieces: Pieces,
    /// Pieces and promotions, in the unit of [`SEE_VALUE`].
    pub balance: i32,
    /// The most valuable piece that the side promotes.
    pub promoted: Option<PieceKind>,
}

impl Material {
    /// Plays a line and counts material, up to the last exchange of its first plies.
    pub fn of_line(position: &Position, line: &[PackedMove]) -> Self {
        let mut position = position.clone();
        let mut settled = Self::default();
        let mut current = Self::default();
        let mut first = true;
        for &mv in line.iter().take(PLIES) {
            if !position.is_legal(mv) {
                break;
            }
            // In the middle of an exchange the balance is not meaningful.
            if !current.play(&position, mv, first) {
                settled = current;
            }
            position.do_move(mv);
            first = !first;
        }
        settled
    }

    /// Counts what one move captures and promotes. Returns whether it captures.
    fn play(&mut self, position: &Position, mv: PackedMove, first: bool) -> bool {
        let sign: i8 = if first { 1 } else { -1 };
        let captured = position.piece_at(mv.to()).map(|piece| piece.piece_kind());
        if let Some(kind) = captured {
            self.pieces.add(kind, sign);
            self.balance += i32::from(sign) * value(kind);
        }
        let (moving, arriving) = (position.moving_kind(mv), position.arriving_kind(mv));
        self.balance += i32::from(sign) * (value(arriving) - value(moving));
        if first && arriving != moving {
            let more = |kind: &PieceKind| value(*kind) < value(arriving);
            self.promoted = self.promoted.filter(|kind| !more(kind)).or(Some(arriving));
        }
        captured.is_some()
    }

    /// The balance of a move followed by the opponent's line from the position after it.
    pub fn of_move(before: &Position, mv: PackedMove, reply: Self) -> Self {
        let mut own = Self::default();
        own.play(before, mv, true);
        Self {
            pieces: own.pieces.minus(reply.pieces),
            balance: own.balance - reply.balance,
            promoted: own.promoted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<PackedMove> {
        text.split(' ').map(|word| word.parse().unwrap()).collect()
    }

    fn material(sfen: &str, moves: &str) -> Material {
        Material::of_line(&Position::from_sfen(sfen).unwrap(), &line(moves))
    }

    #[test]
    fn an_even_exchange_is_no_loss() {
        // 7g7f 3c3d 8h2b+ 3a2b: bishop for bishop; the promotion is taken back with the horse.
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let found = material(start, "7g7f 3c3d 8h2b+ 3a2b 2g2f 8c8d");
        assert_eq!((found.pieces, found.balance), (Pieces::default(), 0));
        // Without the recapture the exchange is not finished, and does not count.
        assert_eq!(material(start, "7g7f 3c3d 8h2b+"), Material::default());
        let found = material(start, "7g7f 3c3d 8h2b+ 5c5d 2b1a");
        assert_eq!(found.pieces.worth(), value(PieceKind::Bishop));
        assert_eq!(found.promoted, Some(PieceKind::ProBishop));
    }

    #[test]
    fn losses_are_named_as_players_do() {
        use PieceKind::*;
        for (list, japanese, english) in [
            (&[(Silver, -1)][..], "銀損", "loses a silver"),
            (&[(Silver, -1), (Pawn, 1)], "銀損", "loses a silver"),
            (&[(ProRook, -1), (Gold, 1)], "飛と金の交換", "loses a rook for a gold"),
            (&[(Gold, -1), (Silver, -1)], "金・銀損", "loses a gold and a silver"),
            (&[(Pawn, -3)], "歩損", "loses a pawn"),
            (
                &[(Rook, -1), (Gold, -1), (Bishop, 1)],
                "飛・金と角の交換",
                "loses a rook and a gold for a bishop",
            ),
            (&[(Gold, -3), (Bishop, 1), (Knight, 1)], "駒損", "loses material"),
            (&[], "駒損", "loses material"),
        ] {
            let pieces = Pieces::of(list);
            assert_eq!(pieces.loss_in_japanese(), japanese);
            assert_eq!(pieces.loss_in_english(), english);
        }
        let missed = Pieces::of(&[(Bishop, 1), (Pawn, 1)]);
        assert_eq!(missed.gain_in_japanese(), "角得を逃す");
        assert_eq!(missed.gain_in_english(), "misses the gain of a bishop");
        let many = Pieces::of(&[(Gold, 2), (Silver, 2)]);
        assert_eq!(many.gain_in_japanese(), "駒得を逃す");
        assert_eq!(many.gain_in_english(), "misses the gain of material");
    }

    #[test]
    fn the_move_itself_counts() {
        let position = Position::from_sfen("4k4/9/9/4r4/4P4/9/9/4R4/4K4 b - 1").unwrap();
        // Pawn takes rook, and nothing happens: a rook won.
        let reply = Material::of_line(&Position::startpos(), &[]);
        let found = Material::of_move(&position, line("5e5d")[0], reply);
        assert_eq!(found.balance, value(PieceKind::Rook));
        assert_eq!(found.pieces.worth(), value(PieceKind::Rook));
    }
}
