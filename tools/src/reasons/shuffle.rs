//! Counterfactuals given to moves of other games: how often would a reason pass by chance?

use super::referee::after;
use super::{Mistake, Row};
use monomi_movegen::{PackedMove, Position};
use shogi_core::{PieceKind, Square};

/// What a counterfactual takes away.
enum Taken {
    /// Moves of pieces of these kinds, and how they are made.
    Moves { kinds: Vec<(PieceKind, bool, bool)>, follow_up: bool },
    /// A piece of this kind; whether it is the mover's.
    Piece(PieceKind, bool),
}

/// For each reason with a search, a bad move of another game, with a counterfactual that takes away as many moves of the same
/// kinds of pieces (or a piece of the same kind), other ones than its own reason does.
pub(super) fn shuffled(mistakes: &[Mistake], seed: u64) -> Vec<(&Mistake, String)> {
    let mut random = fastrand::Rng::with_seed(seed);
    let with_reason: Vec<&Mistake> =
        mistakes.iter().filter(|mistake| mistake.row.counterfactual.is_some()).collect();
    let mut found = Vec::new();
    for mistake in &with_reason {
        let Some(taken) = taken(&mistake.row) else { continue };
        // The first of some other moves to which it can be given; those with the same claim come first.
        let same = |other: &&&Mistake| other.row.claim == mistake.row.claim;
        let foreign = |other: &&&Mistake| other.row.game != mistake.row.game;
        let mut others: Vec<&&Mistake> = with_reason.iter().filter(foreign).filter(same).collect();
        random.shuffle(&mut others);
        let mut rest: Vec<&&Mistake> =
            with_reason.iter().filter(foreign).filter(|other| !same(other)).collect();
        random.shuffle(&mut rest);
        let given = others
            .into_iter()
            .chain(rest)
            .find_map(|other| Some((*other, given(&taken, &other.row, &mut random)?)));
        found.extend(given);
    }
    found
}

fn position(sfen: &str) -> Option<Position> {
    Position::from_sfen(sfen).ok()
}

fn kind(position: &Position, mv: PackedMove) -> (PieceKind, bool, bool) {
    (position.moving_kind(mv), mv.is_drop(), position.piece_at(mv.to()).is_some())
}

fn taken(row: &Row) -> Option<Taken> {
    let before = position(&row.sfen)?;
    let text = row.counterfactual.as_ref()?;
    if let Some((sfen, moves)) = text.split_once(" without ") {
        let there = position(sfen)?;
        let moves: Vec<PackedMove> = moves.split(' ').filter_map(|mv| mv.parse().ok()).collect();
        let kinds = moves.iter().map(|&mv| kind(&there, mv)).collect();
        let follow_up = there.side_to_move() == before.side_to_move();
        return Some(Taken::Moves { kinds, follow_up });
    }
    let (sfen, _) = text.split_once(" both ")?;
    let there = position(sfen)?;
    let gone =
        Square::all().find(|&at| before.piece_at(at).is_some() && there.piece_at(at).is_none())?;
    let piece = before.piece_at(gone)?;
    Some(Taken::Piece(piece.piece_kind(), piece.color() == before.side_to_move()))
}

/// The same counterfactual for another move.
fn given(taken: &Taken, row: &Row, random: &mut fastrand::Rng) -> Option<String> {
    let before = position(&row.sfen)?;
    let own = row.counterfactual.as_ref()?;
    let mv = |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<PackedMove>().ok());
    let (played, best) = (mv(&row.played)?, mv(&row.best)?);
    match taken {
        Taken::Moves { kinds, follow_up } => {
            let there = if *follow_up {
                // After the best move and the reply to it, which only the text of a follow-up knows.
                let (sfen, _) = own.split_once(" without ")?;
                position(sfen).filter(|there| there.side_to_move() == before.side_to_move())?
            } else {
                after(&before, played)
            };
            let mine: Vec<&str> = own
                .split_once(" without ")
                .map(|(_, moves)| moves.split(' ').collect())
                .unwrap_or_default();
            let mut moves: Vec<String> = Vec::new();
            for wanted in kinds {
                let legal = there.legal_moves();
                let fits: Vec<String> = legal
                    .iter()
                    .filter(|&&mv| kind(&there, mv) == *wanted)
                    .map(ToString::to_string)
                    .filter(|mv| !mine.contains(&mv.as_str()) && !moves.contains(mv))
                    .collect();
                moves.push(random.choice(fits)?);
            }
            (there.legal_moves().len() > moves.len())
                .then(|| format!("{} without {}", there.to_sfen(), moves.join(" ")))
        }
        Taken::Piece(kind, own_piece) => {
            let color =
                if *own_piece { before.side_to_move() } else { before.side_to_move().flip() };
            let all = Square::all().filter(|&at| {
                let piece = before.piece_at(at);
                piece.is_some_and(|piece| piece.piece_kind() == *kind && piece.color() == color)
            });
            let mut changed: Vec<String> = Vec::new();
            for at in all {
                let mut partial = before.to_partial();
                partial.piece_set(at, None);
                let Ok(position) = Position::from_partial(&partial) else { continue };
                let text = format!("{} both {best} {played}", position.to_sfen());
                if text != *own && position.is_legal(best) && position.is_legal(played) {
                    changed.push(text);
                }
            }
            random.choice(changed)
        }
    }
}
