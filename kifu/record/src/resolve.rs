//! Finds the legal move that a move in Japanese notation denotes.

use crate::fault::Reason;
use crate::notation::{Written, official};
use monomi_movegen::square::{promoted, unpromoted};
use monomi_movegen::{PackedMove, Position};
use shogi_core::{Color, PartialPosition, PieceKind, Square};

/// Finds the legal move that a parsed move denotes.
pub fn resolve(
    position: &Position,
    partial: &PartialPosition,
    written: &Written<'_>,
) -> Result<PackedMove, Reason> {
    if written.drop {
        let kind = unpromoted(written.kind);
        if kind != written.kind || kind == PieceKind::King {
            return Err(Reason::NotDroppable);
        }
        return legal(position, PackedMove::drop(kind, written.to));
    }
    if let Some(from) = written.from {
        if from == written.to {
            return Err(Reason::OriginIsDestination);
        }
        let standing = position.piece_at(from).map(|piece| piece.piece_kind());
        // `２二馬(33)` instead of `２二角成(33)`: the piece after its promotion.
        let becomes = standing.is_some_and(|kind| kind != written.kind)
            && standing.map(promoted) == Some(written.kind)
            && written.promote.is_none();
        let promote = written.promote == Some(true) || becomes;
        if standing != Some(written.kind) && !becomes {
            let (file, rank) = (from.file(), from.rank());
            let expected = written.kind;
            return Err(Reason::Standing { found: standing, file, rank, expected });
        }
        return legal(position, PackedMove::normal(from, written.to, promote));
    }
    by_words(position, partial, written)
}

fn legal(position: &Position, mv: PackedMove) -> Result<PackedMove, Reason> {
    if position.is_legal(mv) { Ok(mv) } else { Err(Reason::Illegal) }
}

/// Among the moves of this piece to this square, the one with the same disambiguation.
fn by_words(
    position: &Position,
    partial: &PartialPosition,
    written: &Written<'_>,
) -> Result<PackedMove, Reason> {
    let promote = written.promote == Some(true);
    let fits = |mv: &PackedMove| {
        mv.to() == written.to
            && mv.is_promotion() == promote
            && position.moving_kind(*mv) == written.kind
    };
    let legal = position.legal_moves();
    let mut found: Vec<PackedMove> = legal.iter().copied().filter(fits).collect();
    // Without `打` a drop is meant only if no piece on the board can move there.
    if found.iter().any(|mv| !mv.is_drop()) {
        found.retain(|mv| !mv.is_drop());
    }
    if found.len() > 1 {
        let words = words_of(written.relative);
        let official = |mv: &PackedMove| {
            let name = official(position, partial, *mv).unwrap_or_default();
            words_of(name.trim_start_matches(['▲', '△'])) == words
        };
        match found.iter().copied().filter(official).collect::<Vec<_>>()[..] {
            [mv] => found = vec![mv],
            _ => found = by_geometry(position.side_to_move(), &found, &words),
        }
    }
    match found[..] {
        [] => Err(Reason::NoSuchMove),
        [mv] => Ok(mv),
        _ => Err(Reason::Ambiguous),
    }
}

/// The moves that words describe, in any order and beyond what is needed to tell the pieces apart. None
/// if there are no words.
///
/// 右 and 左 name the outermost of the pieces, of all or of those that move in the named direction, or those
/// on that side of the destination. All readings that leave one move must leave the same one.
fn by_geometry(us: Color, moves: &[PackedMove], words: &[char]) -> Vec<PackedMove> {
    if words.is_empty() {
        return moves.to_vec();
    }
    // Files grow to the left, ranks to the back, both as seen by Black.
    let turned = |square: Square| match us {
        Color::Black => (i32::from(square.file()), i32::from(square.rank())),
        Color::White => (10 - i32::from(square.file()), 10 - i32::from(square.rank())),
    };
    let ends = |mv: &PackedMove| mv.from_square().map(|from| (turned(from), turned(mv.to())));
    let moves_as = |word: char, mv: &PackedMove| {
        ends(mv).is_some_and(|((from_file, from_rank), (to_file, to_rank))| match word {
            '上' => to_rank < from_rank,
            '引' => to_rank > from_rank,
            '寄' => to_rank == from_rank,
            '直' => to_rank < from_rank && to_file == from_file,
            _ => true,
        })
    };
    let directed = |moves: &[PackedMove]| -> Vec<PackedMove> {
        let fits = |mv: &&PackedMove| words.iter().all(|&word| moves_as(word, mv));
        moves.iter().filter(fits).copied().collect()
    };
    let outermost = |moves: &[PackedMove]| -> Vec<PackedMove> {
        let files = moves.iter().filter_map(ends).map(|((file, _), _)| file);
        let (least, most) = (files.clone().min(), files.max());
        let fits = |mv: &&PackedMove| {
            let file = ends(mv).map(|((file, _), _)| file);
            words.iter().all(|word| match word {
                '右' => file == least,
                '左' => file == most,
                _ => true,
            })
        };
        moves.iter().filter(fits).copied().collect()
    };
    let beside = |moves: &[PackedMove]| -> Vec<PackedMove> {
        let fits = |mv: &&PackedMove| {
            ends(mv).is_some_and(|((from, _), (to, _))| {
                words.iter().all(|word| match word {
                    '右' => from < to,
                    '左' => from > to,
                    _ => true,
                })
            })
        };
        moves.iter().filter(fits).copied().collect()
    };
    let (all, left) = (outermost(moves), directed(moves));
    // 右直 of a piece that is on neither right.
    let side = |mv: &PackedMove| left.len() > 1 || all.contains(mv) || beside(&left).contains(mv);
    let mut first = outermost(&left);
    first.retain(side);
    let readings = [first, directed(&all), beside(&left)];
    let mut single = readings.iter().filter(|left| left.len() == 1);
    match single.next() {
        Some(first) if single.all(|other| other == first) => first.clone(),
        Some(_) => moves.to_vec(),
        None => readings.into_iter().next().unwrap_or_default(),
    }
}

/// The disambiguating words, sorted and in one spelling.
fn words_of(text: &str) -> Vec<char> {
    let spelling = |c: char| match c {
        '行' | '入' => Some('上'),
        '下' => Some('引'),
        '左' | '直' | '右' | '上' | '寄' | '引' => Some(c),
        _ => None,
    };
    let mut words: Vec<char> = text.chars().filter_map(spelling).collect();
    words.sort_unstable();
    words
}
