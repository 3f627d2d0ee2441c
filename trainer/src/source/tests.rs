use super::*;
use ::tests::games::random_move;
use monomi::training::{GameWriter, Outcome, Reason, Settings};
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;
use std::collections::HashSet;

/// A folder of its own, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("monomi-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A random game whose scores and winner follow from its number.
fn game(number: u64) -> Game {
    let mut random = ::tests::games::Random::new(number);
    let base = Position::startpos();
    let mut position = base.clone();
    let mut played: Vec<PackedMove> = Vec::new();
    for _ in 0..60 {
        let Some(mv) = random_move(&mut position, &mut random) else { break };
        position.do_move(mv);
        played.push(mv);
    }
    let moves = played.split_off(6);
    let scores = (0..moves.len()).map(|ply| (ply as i16 - 20) * 150).collect();
    let winner = [None, Some(Color::Black), Some(Color::White)][number as usize % 3];
    let outcome = Outcome { winner, reason: Reason::Adjudicated };
    Game { base, opening: played, moves, scores, outcome }
}

fn write(path: &std::path::Path, games: impl Iterator<Item = Game>) {
    let (mut writer, _) = GameWriter::open(path, &Settings::default()).unwrap();
    for game in games {
        writer.add(&game).unwrap();
    }
    writer.finish().unwrap();
}

fn key(sample: &Sample) -> (Vec<u16>, Color, i16, i8) {
    (sample.places().to_vec(), sample.side, sample.score, sample.result)
}

#[test]
fn games_become_samples() {
    let folder = Folder::new("source");
    let files = [folder.0.join("a.mgr"), folder.0.join("b.mgr")];
    write(&files[0], (0..50).map(game));
    write(&files[1], (50..80).map(game));
    let request = Request {
        files: files.to_vec(),
        filter: Filter { max_score: 1500, quiet: true },
        held_out: 0.3,
        limit: 1 << 20,
    };
    let loaded = request.load().unwrap();
    assert_eq!((loaded.games, loaded.faults.len()), (80, 0));

    // The same by hand, game by game.
    let mut expected = [Vec::new(), Vec::new()];
    for game in (0..80).map(game) {
        let mut position = game.start();
        let side = usize::from(request.holds_out(&game));
        for (&mv, &score) in game.moves.iter().zip(&game.scores) {
            let captures = position.piece_at(mv.to()).is_some();
            if !position.in_check() && !captures && score.abs() <= 1500 {
                let result = game.outcome.for_side(position.side_to_move());
                expected[side].push(key(&Sample::new(&position, score, result)));
            }
            position.do_move(mv);
        }
    }
    for (found, expected) in [loaded.training, loaded.held_out].iter().zip(&expected) {
        assert!(expected.len() > 200, "{}", expected.len());
        assert!(found.iter().map(key).eq(expected.iter().cloned()));
    }

    let all = Filter { max_score: i16::MAX, quiet: false };
    let loaded = Request { filter: all, held_out: 0.0, ..request.clone() }.load().unwrap();
    let positions: usize = (0..80).map(|number| game(number).moves.len()).sum();
    assert_eq!((loaded.training.len(), loaded.held_out.len()), (positions, 0));

    let error = Request { limit: 100, ..request.clone() }.load().unwrap_err();
    assert!(matches!(error, LoadError::TooMuch(100)));
    let missing = Request { files: vec![folder.0.join("missing")], ..request };
    assert!(missing.load().unwrap_err().to_string().contains("missing"));
}

#[test]
fn passes_are_permutations_drawn_from_the_seed() {
    let samples: Vec<_> = (0..100).map(|n| Sample::new(&Position::startpos(), n, 0)).collect();
    let mut shuffled = Shuffled::new(samples.clone(), 7);
    let mut pass = |number| {
        shuffled.start(number).unwrap();
        let mut scores = Vec::new();
        while let Some(sample) = shuffled.next().unwrap() {
            scores.push(sample.score);
        }
        assert!((shuffled.done() - 1.0).abs() < 1e-9);
        scores
    };
    let (first, second, again) = (pass(0), pass(1), pass(0));
    assert!(first == again && first != second);
    for scores in [first, second] {
        assert_eq!(scores.iter().collect::<HashSet<_>>().len(), 100);
    }
}
