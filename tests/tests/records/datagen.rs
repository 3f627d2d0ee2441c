//! Data generation as a black box: reproducibility, resuming after a kill, reports of damage.

use monomi_datagen::LeafFinder;
use monomi_eval::Evaluation;
use monomi_games::{EndReason, Game, GameReader, scan};
use monomi_movegen::{EnteringKingRule, PlaceKind, Position, Repetition};
use monomi_search::{MATE_IN_MAX_PLY, Value};
use shogi_core::Color;
use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tests::folder::Folder;
use tests::program;

fn command(file: &Path, arguments: &str) -> Command {
    let mut command = program::command();
    command.arg("datagen").arg(file).arg("--quiet");
    if !arguments.contains("--seed") {
        command.args(["--seed", "3"]);
    }
    command.args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn datagen(file: &Path, arguments: &str) -> Output {
    command(file, arguments).output().expect("the engine runs")
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn games(file: &Path) -> Vec<Game> {
    GameReader::open(file).unwrap().map(|game| game.unwrap_or_else(|e| panic!("{e}"))).collect()
}

fn shown(games: &[Game]) -> Vec<String> {
    games.iter().map(|game| format!("{game:?}")).collect()
}

/// Waits until a run has written something, and returns it.
fn started(file: &Path, arguments: &str) -> Child {
    let child = command(file, arguments).spawn().expect("the engine runs");
    let start = Instant::now();
    while scan(file).map_or(0, |scan| scan.games) < 16 {
        assert!(start.elapsed() < Duration::from_secs(60), "no game in a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

const FEW: &str = "--games 70 --nodes 150";

#[test]
fn games_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let [one, three, parts, other] =
        ["one", "three", "parts", "other"].map(|f| folder.path().join(f));
    let done = datagen(&one, &format!("{FEW} --threads 1"));
    assert!(done.status.success(), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("70 games"), "{done:?}");
    assert!(datagen(&three, &format!("{FEW} --threads 3")).status.success());
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&three).unwrap());
    // In parts that end anywhere, not where games share a searcher.
    for games in ["3", "21", "21", "70"] {
        let done = datagen(&parts, &format!("--games {games} --nodes 150 --threads 2"));
        assert!(done.status.success(), "{done:?}");
    }
    assert_eq!(shown(&games(&parts)), shown(&games(&one)));
    assert!(datagen(&other, "--games 8 --nodes 150 --seed 4").status.success());
    assert_ne!(shown(&games(&other)), shown(&games(&one)[..8]));
}

#[test]
fn tree_samples_do_not_change_the_games() {
    let folder = Folder::new();
    let [with, without] = ["with", "without"].map(|f| folder.path().join(f));
    assert!(datagen(&with, "--games 20 --nodes 400 --tree 3").status.success());
    assert!(datagen(&without, "--games 20 --nodes 400 --tree 0").status.success());
    let (mut with, without) = (games(&with), games(&without));
    let trees: Vec<_> = with.iter_mut().map(|game| std::mem::take(&mut game.tree)).collect();
    assert_eq!(shown(&with), shown(&without));
    let mut seen = [0; 3];
    for (game, tree) in with.iter().zip(&trees) {
        let pieces = |position: &Position| {
            let mut kinds: Vec<_> = position.places().map(|(_, what)| kind_of(what)).collect();
            kinds.sort_unstable();
            kinds
        };
        let set = pieces(&game.base);
        for sample in tree {
            let position = sample.unpack().unwrap();
            assert_eq!(pieces(&position), set);
            assert!(!position.in_check() && sample.depth >= 3);
            assert!(Value::from(sample.value).abs() < MATE_IN_MAX_PLY);
            seen[sample.bound as usize] += 1;
        }
    }
    let [exact, lower, upper] = seen;
    assert!(exact > 10 && lower > 100 && upper > 100, "{seen:?}");
    // The observer is gone with its game: nothing of one game's trees is in another's.
    let mut all: Vec<_> = trees.iter().flatten().map(|sample| sample.position.0).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert!(all.len() > count / 2, "{} of {count} differ", all.len());
}

#[test]
fn styles_are_reproducible() {
    let folder = Folder::new();
    let [plain, styled, parts] = ["plain", "styled", "parts"].map(|f| folder.path().join(f));
    let few = "--games 40 --nodes 150 --tree 0";
    assert!(datagen(&plain, few).status.success());
    assert!(datagen(&styled, &format!("{few} --style 2 --threads 1")).status.success());
    // In parts that end within a style.
    for games in ["3", "21", "40"] {
        let done = datagen(&parts, &format!("--games {games} --nodes 150 --tree 0 --style 2"));
        assert!(done.status.success(), "{done:?}");
    }
    let (plain, styled) = (games(&plain), games(&styled));
    assert_eq!(shown(&games(&parts)), shown(&styled));
    // The openings are those of the plain games, unless a style thinks too much of one.
    let same = plain.iter().zip(&styled).filter(|(a, b)| a.opening == b.opening).count();
    assert!(same > 20, "{same}");
    assert!(plain.iter().zip(&styled).all(|(a, b)| a.scores != b.scores));
    let other = datagen(&parts, "--games 50 --nodes 150 --tree 0 --style 3");
    assert!(error(&other).contains("style 2, but now it would be 3"), "{}", error(&other));
    let tables = folder.path().join("tables");
    let tables = datagen(&tables, "--games 1 --style 2 --eval-file <piece-square>");
    assert!(error(&tables).contains("--style needs a network"), "{}", error(&tables));
    assert_eq!(datagen(&parts, "--style -1").status.code(), Some(2));
    assert_eq!(datagen(&parts, "--style much").status.code(), Some(2));
}

#[test]
fn games_begin_from_positions_of_other_games() {
    let folder = Folder::new();
    let [first, second] = ["first.mgr", "second.mgr"].map(|f| folder.path().join(f));
    assert!(datagen(&first, "--games 20 --nodes 150").status.success());
    let from = format!("--openings {} --random-plies 1-2 --nodes 150", first.display());
    let done = datagen(&second, &format!("{from} --games 40 --opening-score 300"));
    assert!(done.status.success(), "{done:?}");
    let mut balanced = HashSet::new();
    for game in games(&first) {
        game.walk(|found| {
            if found.score.unsigned_abs() <= 300 && !found.position.in_check() {
                balanced.insert(found.position.to_sfen());
            }
        });
    }
    let second = games(&second);
    assert!(second.iter().all(|game| balanced.contains(&game.base.to_sfen())));
    assert!(second.iter().all(|game| (1..=2).contains(&game.opening.len())));
    assert!(second.iter().all(|game| game.scores[0].unsigned_abs() <= 300));
    let bases: HashSet<String> = second.iter().map(|game| game.base.to_sfen()).collect();
    assert!(bases.len() > 30, "{} bases", bases.len());
}

/// The unpromoted kind of the piece on a place.
fn kind_of(what: PlaceKind) -> u8 {
    match what {
        PlaceKind::Hand(_, kind, _) => kind as u8,
        PlaceKind::Board(piece, _) => {
            let kind = piece.piece_kind();
            kind.unpromote().unwrap_or(kind) as u8
        }
    }
}

#[test]
fn a_killed_run_resumes_with_the_same_games() {
    let folder = Folder::new();
    let [whole, killed] = ["whole", "killed"].map(|f| folder.path().join(f));
    assert!(datagen(&whole, "--games 60 --nodes 150").status.success());
    for _ in 0..2 {
        let mut child = started(&killed, "--games 1000000 --nodes 150");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let before = scan(&killed).unwrap().games as usize;
    let done = datagen(&killed, &format!("--games {} --nodes 150", before.max(60)));
    assert!(done.status.success(), "{done:?}");
    assert_eq!(shown(&games(&killed)[..60]), shown(&games(&whole)));
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_started_games() {
    let folder = Folder::new();
    let [whole, stopped] = ["whole", "stopped"].map(|f| folder.path().join(f));
    let child = started(&stopped, "--nodes 150");
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(130), "{done:?}");
    assert!(scan(&stopped).unwrap().faults.is_empty());
    let found = games(&stopped);
    assert!(datagen(&whole, &format!("--nodes 150 --games {}", found.len())).status.success());
    assert_eq!(shown(&found), shown(&games(&whole)));
}

#[test]
fn incomplete_tails_are_removed_and_damage_is_reported() {
    let folder = Folder::new();
    let [file, psv] = ["games.mgr", "positions.psv"].map(|f| folder.path().join(f));
    assert!(datagen(&file, FEW).status.success());
    let whole = std::fs::read(&file).unwrap();
    let all = games(&file);
    std::fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    let resumed = datagen(&file, FEW);
    assert!(resumed.status.success());
    assert!(error(&resumed).contains("are no whole block; cut off"), "{}", error(&resumed));
    assert_eq!(shown(&games(&file)), shown(&all));
    // A byte in the first block of 64 games; 6 are left.
    let mut damaged = whole.clone();
    let at = damaged.len() / 3;
    damaged[at] ^= 1;
    std::fs::write(&file, &damaged).unwrap();
    // Enough games are left: none is added.
    let resumed = datagen(&file, "--games 6 --nodes 150");
    assert!(resumed.status.success(), "{resumed:?}");
    assert!(error(&resumed).contains("damaged"), "{}", error(&resumed));
    let told = program::command().arg("records").arg(&file).output().unwrap();
    assert_eq!(told.status.code(), Some(3), "{told:?}");
    assert!(error(&told).contains("damaged"), "{}", error(&told));
    let told = String::from_utf8_lossy(&told.stdout);
    assert!(told.contains("nodes 150") && told.contains("6 games, "), "{told}");
    let converted =
        program::command().arg("convert").arg(&file).arg("-o").arg(&psv).output().unwrap();
    assert_eq!(converted.status.code(), Some(3), "{converted:?}");
    assert!(error(&converted).contains("damaged"), "{}", error(&converted));
    let left: usize = all[64..].iter().map(|game| game.moves.len()).sum();
    assert_eq!(std::fs::metadata(&psv).unwrap().len(), 40 * left as u64);
}

#[test]
fn invalid_arguments_are_rejected_by_name() {
    let folder = Folder::new();
    let [file, list] = ["games.mgr", "list.sfen"].map(|f| folder.path().join(f));
    assert!(datagen(&file, "--games 2 --nodes 150").status.success());
    let other = datagen(&file, "--games 4 --nodes 151");
    assert_eq!(other.status.code(), Some(1));
    assert!(error(&other).contains("nodes 150, but now it would be 151"), "{}", error(&other));
    std::fs::write(&list, "startpos\nlnsgkgsnl/9 b - 1").unwrap();
    let with_list = || datagen(&file, &format!("--games 4 --openings {}", list.display()));
    assert!(error(&with_list()).contains("line 2"), "{}", error(&with_list()));
    std::fs::write(&list, "# nothing\n\n").unwrap();
    assert!(error(&with_list()).contains("no position"));
    std::fs::write(&list, "\n4k4/9/9/9/9/9/9/9/4K4 b 2R 1\n").unwrap();
    let few = error(&with_list());
    assert!(few.contains("line 2") && few.contains("forty"), "{few}");
    std::fs::write(&file, "something else entirely, and long enough to be told from a torn head")
        .unwrap();
    assert!(error(&datagen(&file, "--games 4")).contains("no file of game records"));
    assert_eq!(datagen(&file, "--random-plies 9-2").status.code(), Some(2));
}

/// Every game must end for the reason and with the winner that follow from the rules and its scores.
#[test]
fn games_end_for_the_recorded_reason() {
    let folder = Folder::new();
    let file = folder.path().join("games");
    // Short, so that some games are drawn by length.
    let done = datagen(&file, "--games 100 --nodes 100 --max-plies 150 --opening-score 600");
    assert!(done.status.success(), "{done:?}");
    let mut seen = [0; 7];
    for game in games(&file) {
        assert_eq!(game.base.key(), Position::startpos().key());
        assert!((6..=14).contains(&game.opening.len()));
        assert!(i32::from(game.scores[0]).abs() <= 600);
        seen[game.outcome.reason as usize] += 1;
        let mut end = game.start();
        for &mv in &game.moves {
            assert_eq!(end.repeated(4), None, "played on: {game:?}");
            end.do_move(mv);
        }
        let mover = end.side_to_move().flip();
        let last: Value = (*game.scores.last().unwrap()).into();
        let leader = if last > 0 { mover } else { mover.flip() };
        let winner = match game.outcome.reason {
            EndReason::Unknown => panic!("{game:?}"),
            EndReason::Mate if last.abs() >= MATE_IN_MAX_PLY => Some(leader),
            EndReason::Mate => {
                assert!(end.in_check() && !end.has_legal_move());
                Some(mover)
            }
            EndReason::Adjudicated => {
                let black = |back: usize| {
                    let score = i32::from(game.scores[game.scores.len() - back]);
                    if back % 2 == 1 { score } else { -score }
                };
                assert!((1..=3).all(|back| black(back) * last.signum() > 2_500));
                Some(leader)
            }
            EndReason::Declaration => {
                assert!(end.declaration(EnteringKingRule::Csa27).is_some());
                Some(mover.flip())
            }
            EndReason::Repetition => {
                assert_eq!(end.repeated(4), Some(Repetition::Draw));
                None
            }
            EndReason::PerpetualCheck => match end.repeated(4) {
                Some(Repetition::Win) => Some(mover.flip()),
                Some(Repetition::Lose) => Some(mover),
                other => panic!("{other:?}: {game:?}"),
            },
            EndReason::MaxPlies => {
                assert_eq!(end.ply(), 151);
                None
            }
        };
        assert_eq!(game.outcome.winner, winner, "{game:?}");
        let mut samples = 0;
        game.walk(|sample| {
            samples += 1;
            assert!(sample.position.is_legal(sample.mv));
            let us = sample.position.side_to_move();
            let expected = match winner {
                None => 0,
                Some(side) if side == us => 1,
                Some(Color::Black | Color::White) => -1,
            };
            assert_eq!(sample.result, expected);
        });
        assert_eq!(samples, game.moves.len());
    }
    assert!(
        seen[EndReason::Mate as usize] + seen[EndReason::Adjudicated as usize] > 50,
        "{seen:?}"
    );
    assert!(seen[EndReason::MaxPlies as usize] > 0, "{seen:?}");
}

#[test]
fn conversions_round_trip() {
    let folder = Folder::new();
    let file = folder.path().join("games.mgr");
    assert!(datagen(&file, "--games 20 --nodes 150").status.success());
    let convert = |from: &Path, to: &Path| {
        program::command().arg("convert").arg(from).arg("-o").arg(to).output().unwrap()
    };
    for extension in ["psv", "hcpe"] {
        let [flat, back, again] =
            ["a", "b", "c"].map(|name| folder.path().join(format!("{name}.{extension}")));
        let back = back.with_extension(format!("{extension}.mgr"));
        assert!(convert(&file, &flat).status.success());
        assert!(convert(&flat, &back).status.success());
        assert!(convert(&back, &again).status.success());
        assert_eq!(std::fs::read(&flat).unwrap(), std::fs::read(&again).unwrap());
        let moves = |games: Vec<Game>| games.into_iter().map(|g| g.moves).collect::<Vec<_>>();
        assert_eq!(moves(games(&back)), moves(games(&file)));
        // Nothing is written over, and half a record is told of.
        assert_eq!(convert(&file, &flat).status.code(), Some(1));
        let bytes = std::fs::read(&flat).unwrap();
        std::fs::write(&flat, &bytes[..bytes.len() - 7]).unwrap();
        std::fs::remove_file(&back).unwrap();
        let torn = convert(&flat, &back);
        assert_eq!(torn.status.code(), Some(3));
        assert!(error(&torn).contains("no whole record"), "{}", error(&torn));
    }
    // Records are rewritten, with leaves if asked for.
    let [copy, leaves] = ["d.mgr", "e.mgr"].map(|name| folder.path().join(name));
    assert!(convert(&file, &copy).status.success());
    assert_eq!(shown(&games(&copy)), shown(&games(&file)));
    let mut command = program::command();
    command.arg("convert").arg(&file).arg("-o").arg(&leaves).arg("--leaves");
    assert!(command.output().unwrap().status.success());
    let with_leaves = games(&leaves);
    assert!(with_leaves.iter().all(|game| game.leaves.len() == game.moves.len()));
    // PSV has no leaves, which is said.
    let said = error(&convert(&leaves, &folder.path().join("e.psv")));
    let positions: usize = with_leaves.iter().map(|game| game.moves.len()).sum();
    assert!(said.contains(&format!("the leaves of {positions} positions were left out")), "{said}");
    assert!(with_leaves.iter().flat_map(|game| &game.leaves).any(|leaf| !leaf.is_empty()));
    // Each position has its own leaf.
    let mut finder = LeafFinder::new(Evaluation::internal());
    for game in &with_leaves {
        let mut leaves = game.leaves.iter();
        game.walk(|sample| assert_eq!(leaves.next(), Some(&finder.line(sample.position))));
    }
    let without: Vec<Game> =
        with_leaves.into_iter().map(|game| Game { leaves: Vec::new(), ..game }).collect();
    assert_eq!(shown(&without), shown(&games(&file)));
    assert_eq!(convert(&file, &folder.path().join("d.xyz")).status.code(), Some(2));
    // A file may be a concatenation, but a file of records has one set of settings.
    let other = folder.path().join("other.mgr");
    assert!(datagen(&other, "--games 2 --nodes 160").status.success());
    let [same, mixed, copy] = ["f.mgr", "g.mgr", "h.mgr"].map(|name| folder.path().join(name));
    let bytes = |path: &Path| std::fs::read(path).unwrap();
    std::fs::write(&same, [bytes(&file), bytes(&file)].concat()).unwrap();
    std::fs::write(&mixed, [bytes(&file), bytes(&other)].concat()).unwrap();
    let refused = convert(&mixed, &copy);
    assert_eq!(refused.status.code(), Some(1));
    assert!(error(&refused).contains("other settings"), "{}", error(&refused));
    assert!(!copy.exists());
    assert!(convert(&same, &copy).status.success());
    assert_eq!(games(&copy).len(), 40);
}

/// Positions in random order: each exactly once, the same with the same seed, without duplicates if wanted.
#[test]
fn positions_are_shuffled_and_made_unique() {
    let folder = Folder::new();
    let file = folder.path().join("games.mgr");
    assert!(datagen(&file, "--games 12 --nodes 100").status.success());
    let path = |name: &str| folder.path().join(name);
    let convert = |from: &[&Path], to: &Path, options: &[&str]| {
        let mut command = program::command();
        command.arg("convert").args(from).arg("-o").arg(to).args(options).output().unwrap()
    };
    let records = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        bytes.chunks(40).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let sorted = |mut records: Vec<Vec<u8>>| {
        records.sort();
        records
    };
    let plain = path("plain.psv");
    assert!(convert(&[&file], &plain, &[]).status.success());
    let expected = records(&plain);
    let shuffled = |name: &str, from: &Path, seed: &str, memory: &str| {
        let to = path(name);
        let done = convert(&[from], &to, &["--shuffle", seed, "--memory", memory]);
        assert!(done.status.success(), "{}", error(&done));
        records(&to)
    };
    let one = shuffled("1.psv", &file, "1", "1024");
    assert!(one != expected && sorted(one.clone()) == sorted(expected.clone()));
    // From positions as from games, with little memory as with much.
    assert!(shuffled("2.psv", &plain, "1", "16") == one);
    assert!(shuffled("3.psv", &file, "2", "1024") != one);
    // Everything twice: half is left out, and a record of each position stays.
    let done = convert(&[&file, &plain], &path("4.psv"), &["--shuffle", "1", "--unique"]);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && said.contains("left out: the same position"), "{said}");
    let unique = records(&path("4.psv"));
    let positions = |records: &[Vec<u8>]| {
        records
            .iter()
            .map(|record| record[..32].to_vec())
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(unique.len(), positions(&expected).len());
    assert!(positions(&unique) == positions(&expected));
    // hcpe of PSV, without the way through games.
    assert!(convert(&[&plain], &path("5.hcpe"), &[]).status.success());
    assert!(convert(&[&file], &path("6.hcpe"), &[]).status.success());
    assert!(std::fs::read(path("5.hcpe")).unwrap() == std::fs::read(path("6.hcpe")).unwrap());
    for (to, options, text) in [
        ("7.mgr", &["--shuffle", "1"][..], "applies only to PSV and hcpe"),
        ("8.psv", &["--unique"][..], "--shuffle"),
    ] {
        let refused = convert(&[&file], &path(to), options);
        assert_eq!(refused.status.code(), Some(2));
        assert!(error(&refused).contains(text), "{}", error(&refused));
    }
}
