use super::frame::{HEAD, Tag, frame};
use super::{GameReader, GameWriter, GenerationSettings, RecordError, scan};
use crate::game::Game;
use crate::random_games::games;
use std::path::PathBuf;

/// A file in a temporary folder that is removed on drop.
struct Temp(PathBuf, #[expect(dead_code, reason = "it goes when dropped")] tempfile::TempDir);

impl Temp {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Temp(folder.path().join("games.mgr"), folder)
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.0).unwrap()
    }

    fn put(&self, bytes: &[u8]) {
        std::fs::write(&self.0, bytes).unwrap();
    }

    fn read(&self) -> Vec<Result<String, String>> {
        let shown = |game: Result<Game, RecordError>| {
            game.map(|game| format!("{game:?}")).map_err(|error| error.to_string())
        };
        GameReader::open(&self.0).unwrap().map(shown).collect()
    }
}

fn settings() -> GenerationSettings {
    GenerationSettings::default().with("seed", 1).with("# remark", "any").with("nodes", 10)
}

fn written(temp: &Temp, games: &[Game]) {
    let (mut writer, _) = GameWriter::open(&temp.0, &settings()).unwrap();
    games.iter().for_each(|game| writer.add(game).unwrap());
    writer.finish().unwrap();
}

fn shown(games: &[Game]) -> Vec<Result<String, String>> {
    games.iter().map(|game| Ok(format!("{game:?}"))).collect()
}

#[test]
fn games_come_back_and_more_can_be_appended() {
    let temp = Temp::new();
    let games = games(100);
    written(&temp, &games[..37]);
    assert_eq!(temp.read(), shown(&games[..37]));
    let (mut writer, before) = GameWriter::open(&temp.0, &settings()).unwrap();
    assert_eq!((before.games, before.next_game), (37, 37));
    games[37..].iter().for_each(|game| writer.add(game).unwrap());
    writer.finish().unwrap();
    assert_eq!(temp.read(), shown(&games));
    let all = scan(&temp.0).unwrap();
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    assert_eq!((all.games, all.positions), (100, positions as u64));
    assert_eq!(all.settings, settings());
    assert!(all.faults.is_empty());
}

/// On all cores or one by one, the file has the same bytes.
#[test]
fn games_added_together_are_those_added_one_by_one() {
    let games = games(100);
    let one_by_one = Temp::new();
    written(&one_by_one, &games);
    for sizes in [[100, 0, 0], [1, 98, 1], [16, 16, 68], [5, 6, 89]] {
        let together = Temp::new();
        let (mut writer, _) = GameWriter::open(&together.0, &settings()).unwrap();
        let mut rest = &games[..];
        for size in sizes {
            let (some, others) = rest.split_at(size);
            writer.add_all(some).unwrap();
            rest = others;
        }
        writer.finish().unwrap();
        assert!(together.bytes() == one_by_one.bytes(), "{sizes:?}");
    }
}

#[test]
fn a_file_cut_anywhere_is_read_to_its_last_whole_block_and_goes_on_from_there() {
    let temp = Temp::new();
    let games = games(33);
    written(&temp, &games);
    let whole = temp.bytes();
    let head = frame(Tag::Settings, settings().to_text().as_bytes()).len();
    let cuts = (0..=head).chain((head..whole.len()).step_by(97)).chain([whole.len() - 1]);
    for cut in cuts {
        temp.put(&whole[..cut]);
        if cut >= head {
            let read = temp.read();
            let good = read.iter().take_while(|game| game.is_ok()).count();
            assert!([0, 16, 32].contains(&good), "{cut}: {good}");
            assert_eq!(read[..good], shown(&games[..good]));
            assert!(read.len() <= good + 1);
            if let Some(Err(error)) = read.get(good) {
                assert!(error.contains("no whole block"), "{error}");
            }
        }
        let (mut writer, scan) = GameWriter::open(&temp.0, &settings()).unwrap();
        let from = scan.next_game as usize;
        games[from..].iter().for_each(|game| writer.add(game).unwrap());
        writer.finish().unwrap();
        assert_eq!(temp.read(), shown(&games), "cut at {cut}");
    }
}

#[test]
fn damage_is_named_and_the_rest_is_read() {
    let temp = Temp::new();
    let games = games(48);
    written(&temp, &games);
    let whole = temp.bytes();
    let head = frame(Tag::Settings, settings().to_text().as_bytes()).len();
    // Any byte of the first block: its tag, length, checksum or contents.
    for at in (head..head + HEAD + 8).chain([head + 500]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        temp.put(&bytes);
        let read = temp.read();
        let error = read[0].as_ref().unwrap_err();
        assert!(error.contains(&format!("from byte {head} on")), "{error}");
        assert_eq!(read[1..], shown(&games[16..]), "byte {at}");
        let scan = scan(&temp.0).unwrap();
        assert_eq!((scan.games, scan.next_game, scan.faults.len()), (32, 48, 1));
        assert_eq!(scan.sound, whole.len() as u64);
    }
}

#[test]
fn files_may_be_put_together() {
    let temp = Temp::new();
    let games = games(20);
    written(&temp, &games);
    let twice = [temp.bytes(), temp.bytes()].concat();
    temp.put(&twice);
    assert_eq!(temp.read(), [shown(&games), shown(&games)].concat());
}

#[test]
fn what_is_not_ours_stays_as_it_is() {
    let temp = Temp::new();
    for bytes in [&b"P2"[..], b"# a text of some length, longer than any head of ours would be"] {
        temp.put(bytes);
        assert!(matches!(GameReader::open(&temp.0), Err(RecordError::Foreign { .. })));
        let open = GameWriter::open(&temp.0, &settings());
        assert!(matches!(open, Err(RecordError::Foreign { .. })));
        assert_eq!(temp.bytes(), bytes);
    }
    let _ = std::fs::remove_file(&temp.0);
    assert!(matches!(GameReader::open(&temp.0), Err(RecordError::Io { .. })));
}

#[test]
fn other_settings_are_refused_by_name() {
    let temp = Temp::new();
    written(&temp, &games(3));
    let other = GenerationSettings::default().with("seed", 1).with("nodes", 20);
    let error = GameWriter::open(&temp.0, &other).err().unwrap().to_string();
    assert!(error.contains("nodes 10") && error.contains("20"), "{error}");
    // Remarks are not compared.
    let remark =
        GenerationSettings::default().with("seed", 1).with("nodes", 10).with("# remark", "other");
    assert!(GameWriter::open(&temp.0, &remark).is_ok());
}

#[test]
fn one_writer_at_a_time() {
    let temp = Temp::new();
    let (writer, _) = GameWriter::open(&temp.0, &settings()).unwrap();
    let second = GameWriter::open(&temp.0, &settings());
    assert!(matches!(second, Err(RecordError::Busy { .. })));
    writer.finish().unwrap();
    assert!(GameWriter::open(&temp.0, &settings()).is_ok());
}

#[test]
fn a_game_that_cannot_be_coded_leaves_the_others_intact() {
    let temp = Temp::new();
    let games = games(6);
    let (mut writer, _) = GameWriter::open(&temp.0, &settings()).unwrap();
    games.iter().for_each(|game| writer.add(game).unwrap());
    let mut illegal = games[5].clone();
    illegal.leaves.clear();
    *illegal.moves.last_mut().unwrap() = "5e5d".parse().unwrap();
    assert!(writer.add(&illegal).unwrap_err().to_string().contains("is illegal in"));
    games.iter().for_each(|game| writer.add(game).unwrap());
    writer.finish().unwrap();
    assert_eq!(temp.read(), shown(&[&games[..], &games].concat()));
}
