use super::*;
use ::tests::folder::Folder;
use ::tests::games::random_move;
use monomi_eval::score::Bound;
use monomi_games::{EndReason, GameWriter, GenerationSettings, Outcome, TreeSample};
use monomi_movegen::{Layout, PackedPosition};
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;

/// A random game; its number determines scores and winner.
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
    let outcome = Outcome { winner, reason: EndReason::Adjudicated };
    let sample = |at: usize| {
        let value = (at as i16 - 5) * 400;
        let bound = [Bound::Exact, Bound::Lower, Bound::Upper][at % 3];
        let packed = PackedPosition::pack(&position, Layout::Sfen).unwrap();
        TreeSample { position: packed, value, bound, depth: 3 }
    };
    let tree = (0..number as usize % 12).map(sample).collect();
    Game { base, opening: played, moves, scores, leaves: Vec::new(), outcome, tree }
}

fn write(path: &std::path::Path, games: impl Iterator<Item = Game>) {
    let (mut writer, _) = GameWriter::open(path, &GenerationSettings::default()).unwrap();
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
fn the_samples_of_games_match_a_plain_filter() {
    let folder = Folder::new();
    let files = [folder.path().join("a.mgr"), folder.path().join("b.mgr")];
    write(&files[0], (0..50).map(game));
    write(&files[1], (50..80).map(game));
    let request = Request {
        files: files.to_vec(),
        weights: Vec::new(),
        filter: Filter { max_score: 1500, ..Filter::default() },
        held_out: 0.3,
        limit: 1 << 20,
    };
    let (mut source, found) = request.clone().open(1).unwrap();
    assert_eq!((found.games, found.faults.len()), (80, 0));

    // The same, written plainly.
    let mut expected = [Vec::new(), Vec::new()];
    let mut of_trees = 0;
    for game in (0..80).map(game) {
        let mut position = game.start();
        let side = usize::from(request.holds_out(&game));
        for (&mv, &score) in game.moves.iter().zip(&game.scores) {
            let captures = position.piece_at(mv.to()).is_some();
            let noisy = position.in_check() || captures || mv.is_promotion();
            if !noisy && score.abs() <= 1500 {
                let result = game.outcome.for_side(position.side_to_move());
                expected[side].push(key(&Sample::new(&position, score, result)));
            }
            position.do_move(mv);
        }
        // Positions from the search trees of held-out games are not used at all.
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

    // With less memory the same samples come in another order.
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

    // The filter uses the score of the position itself, not the one that looks ahead.
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
fn the_order_depends_on_seed_and_pass() {
    let folder = Folder::new();
    let file = folder.path().join("a.mgr");
    write(&file, (0..40).map(game));
    let request = Request {
        files: vec![file],
        weights: Vec::new(),
        filter: Filter::default(),
        held_out: 0.0,
        limit: 1 << 20,
    };
    let order = |seed, number| pass(&mut request.clone().open(seed).unwrap().0, number);
    let first = order(7, 0);
    assert!(first == order(7, 0) && first != order(7, 1) && first != order(8, 0));
}

#[test]
fn leaves_replace_their_positions() {
    let folder = Folder::new();
    let file = folder.path().join("a.mgr");
    // The line from each position to its leaf is the next move or the next two of the game.
    let with_leaves = |number| {
        let mut game = Game { tree: Vec::new(), ..game(number) };
        game.leaves = (0..game.moves.len())
            .map(|i| game.moves[i..].iter().take(i % 3).copied().collect())
            .collect();
        game
    };
    write(&file, (0..20).map(with_leaves));
    let filter = Filter { max_score: i16::MAX, quiet: false, ..Filter::default() };
    let request =
        Request { files: vec![file], weights: Vec::new(), filter, held_out: 0.0, limit: 1 << 20 };
    let mut expected = Vec::new();
    let mut within_a_ply = 0;
    for game in (0..20).map(with_leaves) {
        let mut position = game.start();
        for (i, &mv) in game.moves.iter().enumerate() {
            let mut leaf = position.clone();
            for &mv in &game.leaves[i] {
                leaf.do_move(mv);
            }
            let other_side = leaf.side_to_move() != position.side_to_move();
            let score = if other_side { -game.scores[i] } else { game.scores[i] };
            if game.leaves[i].is_empty() || !leaf.in_check() {
                let result = game.outcome.for_side(leaf.side_to_move());
                expected.push(key(&Sample::new(&leaf, score, result)));
                within_a_ply += u64::from(game.leaves[i].len() <= 1);
            }
            position.do_move(mv);
        }
    }
    let found = pass(&mut request.clone().open(1).unwrap().0, 0);
    assert!(sorted(found) == sorted(expected));
    let near = Filter { leaf_plies: Some(1), ..filter };
    let near = Request { filter: near, ..request.clone() }.open(1).unwrap().1;
    assert_eq!(near.training, within_a_ply);
    // Without them, the positions of the games are used.
    let filter = Filter { leaf_plies: None, ..filter };
    let plain = Request { filter, ..request }.open(1).unwrap().1;
    let moves: usize = (0..20).map(|number| game(number).moves.len()).sum();
    assert_eq!(plain.training, moves as u64);
}

#[test]
fn older_files_are_sampled_by_their_weight() {
    let folder = Folder::new();
    let files = [folder.path().join("new.mgr"), folder.path().join("old.mgr")];
    write(&files[0], (0..100).map(game));
    write(&files[1], (100..300).map(game));
    let filter = Filter { max_score: i16::MAX, quiet: false, tree: false, ..Filter::default() };
    let request = |files: &[PathBuf], weights: &[f64], limit| Request {
        files: files.to_vec(),
        weights: weights.to_vec(),
        filter,
        held_out: 0.0,
        limit,
    };
    let all = |files| sorted(pass(&mut request(files, &[], 1 << 20).open(1).unwrap().0, 0));
    let [new, old] = [all(&files[..1]), all(&files[1..])];
    for limit in [1 << 20, 2_000] {
        let (mut source, found) = request(&files, &[1.0, 0.25], limit).open(1).unwrap();
        assert_eq!(found.training as usize, new.len() + old.len());
        assert_eq!(source.total() as usize, new.len() + (old.len() as f64 / 4.0).round() as usize);
        let drawn = [0, 1, 0].map(|number| {
            source.start(number).unwrap();
            let mut keys = Vec::new();
            while let Some(sample) = source.next().unwrap() {
                keys.push(key(&sample));
            }
            keys
        });
        assert!(drawn[0] == drawn[2] && sorted(drawn[0].clone()) != sorted(drawn[1].clone()));
        for keys in drawn {
            // All new samples, and a quarter of the old ones (within 5 standard deviations).
            let of_old = keys.len() - new.len();
            let expected = old.len() as f64 / 4.0;
            let deviation = (old.len() as f64 * 0.25 * 0.75).sqrt();
            assert!((of_old as f64 - expected).abs() < 5.0 * deviation, "{of_old} {expected}");
            let mut rest = sorted(keys).into_iter().peekable();
            for sample in &new {
                while rest.next_if(|key| key < sample).is_some() {}
                assert!(rest.next_if(|key| key == sample).is_some());
            }
        }
    }
}

/// The same seed twice is named; another seed, or files without one, are not.
#[test]
fn files_with_the_same_games_are_named() {
    let folder = Folder::new();
    let file = |name: &str, seed: Option<u64>, version: &str| {
        let path = folder.path().join(name);
        let mut settings = GenerationSettings::default().with("# monomi", version);
        if let Some(seed) = seed {
            settings = settings.with("seed", seed).with("nodes", 400);
        }
        let (mut writer, _) = GameWriter::open(&path, &settings).unwrap();
        writer.add(&game(1)).unwrap();
        writer.finish().unwrap();
        path
    };
    let files = vec![
        file("a.mgr", Some(7), "1"),
        file("b.mgr", Some(8), "1"),
        file("c.mgr", Some(7), "2"),
        file("d.mgr", None, "1"),
        file("e.mgr", None, "1"),
    ];
    let request = Request {
        files,
        weights: Vec::new(),
        filter: Filter::default(),
        held_out: 0.0,
        limit: 1 << 20,
    };
    let faults = request.open(1).unwrap().1.faults;
    assert_eq!(faults.len(), 1, "{faults:?}");
    for part in ["c.mgr", "a.mgr", "the seed (7)"] {
        assert!(faults[0].contains(part), "{part} in {}", faults[0]);
    }
}
