//! Converts the arguments of `go` into search limits.

use crate::go::GoCommand;
use crate::notice::UsiError;
use crate::options::Options;
use crate::random;
use monomi_movegen::{PackedMove, Position};
use monomi_search::Limits;
use monomi_support::host::Instant;
use std::time::Duration;

/// Time for a search whose only limit was invalid.
const BROKEN_GO: Duration = Duration::from_secs(1);

/// The limits of a search, and messages about ignored parts of the command.
///
/// `errors` says that some part of the command was invalid. A search without a limit must then not
/// run forever, because the invalid part may have been its only limit.
pub fn from_command(
    go: &GoCommand,
    start: Instant,
    errors: bool,
    root: &Position,
    options: &Options,
) -> (Limits, Vec<UsiError>) {
    let mut notes = Vec::new();
    let mut limits = Limits::new()
        .with_clock(go.clock.clock())
        .with_movetime(go.movetime.or_else(|| go.rtime.map(|time| time + by_chance(time / 2))))
        .with_nodes(go.nodes)
        .with_depth(go.depth)
        .with_searchmoves(legal_only(&go.searchmoves, root, &mut notes));
    limits.start = start;
    limits.time = options.time;
    (limits.infinite, limits.ponder) = (go.infinite, go.ponder);
    if errors && !limits.is_bounded() && !limits.infinite && !limits.ponder {
        notes.push(UsiError::NoLimit(BROKEN_GO));
        limits.movetime = Some(BROKEN_GO);
    }
    if options.depth_limit > 0 {
        let limit = options.depth_limit;
        limits.depth = Some(limits.depth.map_or(limit, |depth| depth.min(limit)));
    }
    if options.nodes_limit > 0 {
        let limit = options.nodes_limit;
        limits.nodes = Some(limits.nodes.map_or(limit, |nodes| nodes.min(limit)));
    }
    (limits, notes)
}

fn legal_only(moves: &[PackedMove], root: &Position, notes: &mut Vec<UsiError>) -> Vec<PackedMove> {
    let mut legal = Vec::new();
    for &mv in moves {
        if !root.is_legal(mv) {
            notes.push(UsiError::IllegalSearchMove { mv, sfen: root.to_sfen() });
        } else if !legal.contains(&mv) {
            legal.push(mv);
        }
    }
    if legal.is_empty() && !moves.is_empty() {
        notes.push(UsiError::NoSearchMove);
    }
    legal
}

/// A random time from zero to `most`.
fn by_chance(most: Duration) -> Duration {
    Duration::from_micros(random::below(most.as_micros() as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str, options: &Options) -> (Limits, Vec<UsiError>) {
        let mut errors = Vec::new();
        let go = GoCommand::parse(text, &mut errors);
        let root = Position::startpos();
        from_command(&go, Instant::now(), !errors.is_empty(), &root, options)
    }

    #[test]
    fn depth_limit_and_nodes_limit_apply_to_every_search() {
        let mut options = Options::default();
        options.set("DepthLimit", Some("5")).unwrap();
        options.set("NodesLimit", Some("1000")).unwrap();
        let (limits, _) = limits("infinite depth 7 nodes 10", &options);
        assert_eq!((limits.depth, limits.nodes), (Some(5), Some(10)));
    }

    #[test]
    fn a_search_without_a_valid_limit_ends() {
        let options = Options::default();
        assert_eq!(limits("depth x", &options).0.movetime, Some(BROKEN_GO));
        assert_eq!(limits("infinite depth x", &options).0.movetime, None);
        assert_eq!(limits("nodes 5 depth x", &options).0.movetime, None);
        assert_eq!(limits("", &options).0.movetime, None);
    }

    #[test]
    fn searchmoves_are_legal() {
        let options = Options::default();
        let (some, notes) = limits("searchmoves 7g7f 7g7e 7g7f 2g2f", &options);
        assert_eq!((some.searchmoves.len(), notes.len()), (2, 1));
        assert!(notes[0].to_string().contains("7g7e"));
        let (none, notes) = limits("searchmoves 7g7e", &options);
        assert_eq!((none.searchmoves.len(), notes.len()), (0, 2));
    }

    #[test]
    fn random_times_stay_within_half_more() {
        let options = Options::default();
        for _ in 0..50 {
            let time = limits("rtime 100", &options).0.movetime.unwrap().as_millis();
            assert!((100..=150).contains(&time), "{time}");
        }
    }
}
