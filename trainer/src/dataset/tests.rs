use super::*;
use ::tests::folder::Folder;
use ::tests::games::random_move;
use monomi_eval::score::Bound;
use monomi_movegen::{PackedMove, Position};
use monomi_records::{GameWriter, Layout, Outcome, PackedPosition, Reason, Settings, TreeSample};
use shogi_core::Color;

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
    let sample = |at: usize| {
        let value = (at as i16 - 5) * 400;
        let bound = [Bound::Exact, Bound::Lower, Bound::Upper][at % 3];
        let packed = PackedPosition::pack(&position, Layout::Sfen).unwrap();
        TreeSample { position: packed, value, bound, depth: 3 }
    };
    let tree = (0..number as usize % 12).map(sample).collect();
    Game { base, opening: played, moves, scores, outcome, tree }
}

fn write(path: &std::path::Path, games: impl Iterator<Item = Game>) {
    let (mut writer, _) = GameWriter::open(path, &Settings::default()).unwrap();
    for game in games {
        writer.add(&game).unwrap();
    }
    writer.finish().unwrap();
}

/// All samples of a pass.
fn pass(source: &mut Shuffled, number: u64) -> Vec<Key> {
    source.start(number).unwrap();
    let mut keys = Vec::new();
    while let Some(sample) = source.next().unwrap() {
        keys.push(key(&sample));
    }
    assert!((source.done() - 1.0).abs() < 1e-9);
    keys
}

fn sorted(mut keys: Vec<Key>) -> Vec<Key> {
    keys.sort();
    keys
}

/// A sample as something that can be compared.
type Key = (Vec<u16>, bool, i16, i32, Option<i8>);

fn key(sample: &Sample) -> Key {
    let black = sample.side == Color::Black;
    (sample.places().to_vec(), black, sample.score, sample.bound as i32, sample.result)
}

#[test]
fn games_become_samples() {
    let folder = Folder::new();
    let files = [folder.path().join("a.mgr"), folder.path().join("b.mgr")];
    write(&files[0], (0..50).map(game));
    write(&files[1], (50..80).map(game));
    let request = Request {
        files: files.to_vec(),
        filter: Filter { max_score: 1500, ..Filter::default() },
        held_out: 0.3,
        limit: 1 << 20,
    };
    let (mut source, found) = request.clone().open(1).unwrap();
    assert_eq!((found.games, found.faults.len()), (80, 0));

    // The same by hand, game by game.
    let mut expected = [Vec::new(), Vec::new()];
    let mut of_trees = 0;
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
        // The trees of games that are held out are neither learnt from nor measured by.
        if side == 0 {
            let learnt = game.tree.iter().filter(|sample| sample.value.abs() <= 1500);
            let before = expected[0].len();
            expected[0].extend(learnt.map(|sample| {
                key(&Sample::of_tree(&sample.unpack().unwrap(), sample.value, sample.bound))
            }));
            of_trees += expected[0].len() - before;
        }
    }
    let [expected_training, expected_held_out] = expected;
    assert!(of_trees > 100 && found.of_trees == of_trees as u64);
    assert!(expected_training.len() > 400 && expected_held_out.len() > 200);
    assert_eq!(found.training, expected_training.len() as u64);
    assert!(found.held_out.iter().map(key).eq(expected_held_out));
    let whole = sorted(pass(&mut source, 0));
    assert!(whole == sorted(expected_training));

    // With less memory the same samples come, in other orders.
    let limit = whole.len() / 3;
    let (mut source, _) = Request { limit, ..request.clone() }.open(1).unwrap();
    let passes = [0, 1, 0].map(|number| pass(&mut source, number));
    assert!(passes[0] == passes[2] && passes[0] != passes[1]);
    for pass in passes {
        assert!(pass.windows(2).any(|pair| pair[0] > pair[1]) && sorted(pass) == whole);
    }

    let all = Filter { max_score: i16::MAX, quiet: false, tree: false, ..Filter::default() };
    let (_, found) = Request { filter: all, held_out: 0.0, ..request.clone() }.open(1).unwrap();
    let positions: usize = (0..80).map(|number| game(number).moves.len()).sum();
    assert_eq!((found.training, found.held_out.len()), (positions as u64, 0));

    // Scores that look ahead are those of the positions that pass by their own.
    let look_ahead = LookAhead { share: 1.0, scale: 600.0 };
    let filter = Filter { look_ahead, ..request.filter };
    let (mut source, found) = Request { filter, ..request.clone() }.open(1).unwrap();
    assert_eq!(found.training, whole.len() as u64);
    source.start(0).unwrap();
    while let Some(sample) = source.next().unwrap() {
        let Some(result) = sample.result else { continue };
        assert_eq!(sample.score.signum(), i16::from(result));
    }

    let missing = Request { files: vec![folder.path().join("missing")], ..request };
    assert!(missing.open(1).err().unwrap().to_string().contains("missing"));
}

#[test]
fn orders_are_drawn_from_the_seed() {
    let folder = Folder::new();
    let file = folder.path().join("a.mgr");
    write(&file, (0..40).map(game));
    let request =
        Request { files: vec![file], filter: Filter::default(), held_out: 0.0, limit: 1 << 20 };
    let order = |seed, number| pass(&mut request.clone().open(seed).unwrap().0, number);
    let first = order(7, 0);
    assert!(first == order(7, 0) && first != order(7, 1) && first != order(8, 0));
}
