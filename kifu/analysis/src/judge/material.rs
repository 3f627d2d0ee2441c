//! Material won and lost in a line, for the reasons why moves are bad.

use monomi_movegen::square::unpromoted;
use monomi_movegen::{PackedMove, Position, SEE_VALUE};
use monomi_record::notation::{english_name, piece_name};
use monomi_support::text::{Lang, Message, say};
use shogi_core::PieceKind;
use std::fmt::{Formatter, Result};

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

/// Kinds of pieces, and how many there are of each.
type Counted = Vec<(PieceKind, usize)>;

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
    pub fn opposite(self) -> Self {
        Self(self.0.map(|count| -count))
    }

    /// What is here and not there.
    pub fn minus(self, other: Self) -> Self {
        let mut difference = self;
        difference.0.iter_mut().zip(other.0).for_each(|(count, other)| *count -= other);
        difference
    }

    /// The kinds with a positive number, and how many there are. Pawns are left out beside other pieces.
    fn positive(self) -> Counted {
        let all = KINDS.iter().zip(self.0);
        let all = all.map(|(&kind, count)| (kind, usize::try_from(count).unwrap_or(0)));
        let mut kinds: Counted = all.filter(|(_, count)| *count > 0).collect();
        if kinds.len() > 1 {
            kinds.retain(|(kind, _)| *kind != PieceKind::Pawn);
        }
        kinds
    }

    /// The most valuable kind of which pieces are lost.
    pub fn most_valuable_lost(self) -> Option<PieceKind> {
        self.opposite().positive().first().map(|&(kind, _)| kind)
    }

    /// The pieces won; nothing if these are too many to name.
    fn named(self) -> Counted {
        let won = self.positive();
        if number(&won) > MOST_NAMED { Vec::new() } else { won }
    }

    /// What was lost, and what was won in return; nothing if these are too many pieces to name.
    fn exchange(self) -> (Counted, Counted) {
        let (lost, mut won) = (self.opposite().positive(), self.positive());
        // A pawn is no compensation worth naming.
        won.retain(|(kind, _)| *kind != PieceKind::Pawn);
        let many = number(&lost) + number(&won) > MOST_NAMED && !is_pawns(&lost);
        if many { Default::default() } else { (lost, won) }
    }

    /// These pieces as a loss.
    pub fn loss(self) -> PiecesLost {
        PiecesLost(self)
    }

    /// These pieces as a loss by an exchange or a sacrifice that the mover began.
    pub fn sacrifice(self) -> Sacrifice {
        Sacrifice(self)
    }

    /// These pieces as a gain that was missed.
    pub fn missed_gain(self) -> GainMissed {
        GainMissed(self)
    }
}

/// `loses a silver`, `loses a rook for a gold`; `銀損`, `飛と金の交換`.
pub struct PiecesLost(Pieces);

impl Message for PiecesLost {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        let (lost, won) = self.0.exchange();
        let (lost, won) = (list(&lost, lang), list(&won, lang));
        match (lost.as_str(), won.as_str()) {
            ("", _) => say!(lang, f, "loses material", "駒損"),
            (lost, "") => say!(lang, f, "loses {lost}", "{lost}損"),
            (lost, won) => say!(lang, f, "loses {lost} for {won}", "{lost}と{won}の交換"),
        }
    }
}

/// `gives a rook for a gold, which is not enough`; `飛と金の交換では見合わない`.
pub struct Sacrifice(Pieces);

impl Message for Sacrifice {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        let (lost, won) = self.0.exchange();
        let (lost, won) = (list(&lost, lang), list(&won, lang));
        match (lost.as_str(), won.as_str()) {
            ("", _) => {
                say!(lang, f, "gives too much material in an exchange", "駒の交換で損をする")
            }
            (lost, "") => {
                say!(lang, f, "gives {lost}, which is too much", "{lost}の犠牲に見合わない")
            }
            (lost, won) => say!(
                lang,
                f,
                "gives {lost} for {won}, which is not enough",
                "{lost}と{won}の交換では見合わない"
            ),
        }
    }
}

/// `misses the gain of a silver`; `銀得を逃す`.
pub struct GainMissed(Pieces);

impl Message for GainMissed {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match list(&self.0.named(), lang).as_str() {
            "" => say!(lang, f, "misses the gain of material", "駒得を逃す"),
            won => say!(lang, f, "misses the gain of {won}", "{won}得を逃す"),
        }
    }
}

fn number(pieces: &[(PieceKind, usize)]) -> usize {
    pieces.iter().map(|(_, count)| count).sum()
}

fn is_pawns(pieces: &[(PieceKind, usize)]) -> bool {
    matches!(pieces, [(PieceKind::Pawn, _)])
}

/// Pieces as a list: `a rook, two golds and a silver`, `飛・金2枚・銀`.
fn list(pieces: &[(PieceKind, usize)], lang: Lang) -> String {
    let name = |&(kind, count): &(PieceKind, usize)| {
        let (ja, en) = (piece_name(kind), english_name(unpromoted(kind)));
        match (count, lang) {
            (1, Lang::Ja) => ja.to_owned(),
            (_, Lang::Ja) => format!("{ja}{count}枚"),
            (1, Lang::En) => format!("a {en}"),
            (2, Lang::En) => format!("two {en}s"),
            (3, Lang::En) => format!("three {en}s"),
            (_, Lang::En) => format!("{count} {en}s"),
        }
    };
    let names: Vec<String> = pieces.iter().map(name).collect();
    if lang == Lang::Ja {
        return names.join("・");
    }
    match &names[..] {
        [] => String::new(),
        [name] => name.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
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
    /// The most valuable piece that the other side promotes.
    pub promoted_against: Option<PieceKind>,
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
        if arriving != moving {
            let most = if first { &mut self.promoted } else { &mut self.promoted_against };
            *most = most.filter(|&kind| value(kind) >= value(arriving)).or(Some(arriving));
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
            promoted_against: reply.promoted,
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

    fn both(message: &impl Message) -> [String; 2] {
        [Lang::Ja, Lang::En].map(|lang| message.in_lang(lang).to_string())
    }

    #[test]
    fn losses_are_named_as_players_do() {
        use PieceKind::*;
        for (list, japanese, english) in [
            (&[(Silver, -1)][..], "銀損", "loses a silver"),
            (&[(Silver, -1), (Pawn, 1)], "銀損", "loses a silver"),
            (&[(ProRook, -1), (Gold, 1)], "飛と金の交換", "loses a rook for a gold"),
            (&[(Gold, -1), (Silver, -1)], "金・銀損", "loses a gold and a silver"),
            (&[(Pawn, -1)], "歩損", "loses a pawn"),
            (&[(Pawn, -3)], "歩3枚損", "loses three pawns"),
            (&[(Pawn, -4)], "歩4枚損", "loses 4 pawns"),
            (
                &[(Gold, -2), (Silver, -1), (Pawn, -1)],
                "金2枚・銀損",
                "loses two golds and a silver",
            ),
            (
                &[(Rook, -1), (Gold, -1), (Bishop, 1)],
                "飛・金と角の交換",
                "loses a rook and a gold for a bishop",
            ),
            (&[(Gold, -3), (Bishop, 1), (Knight, 1)], "駒損", "loses material"),
            (&[], "駒損", "loses material"),
        ] {
            let pieces = Pieces::of(list);
            assert_eq!(both(&pieces.loss()), [japanese, english]);
        }
        let missed = Pieces::of(&[(Bishop, 1), (Pawn, 1)]);
        assert_eq!(both(&missed.missed_gain()), ["角得を逃す", "misses the gain of a bishop"]);
        let two = Pieces::of(&[(Knight, 2)]);
        assert_eq!(both(&two.missed_gain()), ["桂2枚得を逃す", "misses the gain of two knights"]);
        let given = |list| both(&Pieces::of(list).sacrifice());
        assert_eq!(
            given(&[(Rook, -1), (Gold, 1)]),
            ["飛と金の交換では見合わない", "gives a rook for a gold, which is not enough"]
        );
        assert_eq!(
            given(&[(Silver, -1), (Pawn, 1)]),
            ["銀の犠牲に見合わない", "gives a silver, which is too much"]
        );
        let many = Pieces::of(&[(Gold, 2), (Silver, 2)]);
        assert_eq!(both(&many.missed_gain()), ["駒得を逃す", "misses the gain of material"]);
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
