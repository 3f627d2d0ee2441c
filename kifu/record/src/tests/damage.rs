//! Reading never loses moves in silence: games with a line or a word removed, damaged or inserted are read
//! as far as they are a game, or a fault names the place.

use super::moves;
use crate::encoding::decode;
use crate::fault::ReadError;
use crate::format::Format;
use crate::notation::{csa_move, kif_move, official};
use crate::read::read_text;
use crate::record::Record;
use monomi_movegen::Random;
use monomi_movegen::{PackedMove, Position};
use std::path::{Path, PathBuf};

/// A game: every move in the notation of a format.
struct Game {
    usi: Vec<String>,
    parts: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    Kif,
    Ki2,
    Csa,
    Jkf,
    Usi,
}

impl Notation {
    fn random_game(self, random: &mut Random) -> Game {
        let mut position = Position::startpos();
        let mut played = Vec::new();
        for _ in 0..40 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            played.push(mv);
            position.do_move(mv);
        }
        self.game(&played)
    }

    /// A game from the normal starting position.
    fn game(self, played: &[PackedMove]) -> Game {
        let mut position = Position::startpos();
        let mut partial = position.to_partial();
        let (mut usi, mut parts) = (Vec::new(), Vec::new());
        for &mv in played {
            usi.push(mv.to_string());
            let last = partial.last_move().map(|last| last.to());
            parts.push(match self {
                Self::Kif => kif_move(&position, mv, last),
                Self::Ki2 => official(&position, &partial, mv).unwrap_or_default(),
                Self::Csa => csa_move(&position, mv),
                Self::Usi => mv.to_string(),
                Self::Jkf => {
                    let square = |s: shogi_core::Square| {
                        format!(r#"{{"x":{},"y":{}}}"#, s.file(), s.rank())
                    };
                    let from = mv.from_square().map_or(String::new(), |from| {
                        format!(r#""from":{},"#, square(from))
                    });
                    let kind = crate::notation::csa_letters(position.moving_kind(mv));
                    let color = position.side_to_move() as u8 - 1;
                    let promote = mv.is_promotion();
                    let to = square(mv.to());
                    let drop = if mv.is_drop() { r#","relative":"H""# } else { "" };
                    format!(
                        r#"{{"move":{{{from}"to":{to},"piece":"{kind}","color":{color},"promote":{promote}{drop}}}}}"#
                    )
                }
            });
            let _ = partial.make_move(mv.to_core(position.side_to_move()));
            position.do_move(mv);
        }
        Game { usi, parts }
    }

    /// The lines of a file, and the index of the first one that is a move.
    fn file(self, game: &Game) -> (Vec<String>, usize) {
        let count = game.parts.len();
        let mut lines: Vec<String> = match self {
            Self::Kif => vec!["手合割：平手".into(), "手数----指手---------消費時間--".into()],
            Self::Ki2 => vec!["先手：a".into(), "後手：b".into()],
            Self::Csa => ["V2.2", "PI", "+"].map(String::from).to_vec(),
            Self::Jkf => vec![r#"{"header":{},"moves":[{}"#.into()],
            Self::Usi => vec!["position startpos moves".into()],
        };
        let first = lines.len();
        for (part, number) in game.parts.iter().zip(1..) {
            lines.push(match self {
                Self::Kif => format!("{number:4} {part}   ( 0:0{}/00:00:00)", number % 10),
                Self::Jkf => format!(",{part}"),
                Self::Ki2 | Self::Csa | Self::Usi => part.clone(),
            });
        }
        match self {
            Self::Kif => {
                lines.push(format!("{:4} 投了", count + 1));
                lines.push(format!("まで{count}手で終了の勝ち"));
            }
            Self::Ki2 => lines.push(format!("まで{count}手で終了の勝ち")),
            Self::Csa => lines.push("%TORYO".into()),
            Self::Jkf => lines.push(r#",{"special":"TORYO"}]}"#.into()),
            Self::Usi => lines.push("resign".into()),
        }
        (lines, first)
    }

    fn join(self, lines: &[String]) -> String {
        match self {
            Self::Usi => lines.join(" ") + "\n",
            _ => lines.join("\n") + "\n",
        }
    }
}

fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let read = read_text(text);
    assert!(!matches!(read, Err(ReadError::Panic(_))), "{text}");
    read
}

/// Damages the line of a move.
fn damaged(line: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    let at = random.below(chars.len());
    match random.below(4) {
        0 => drop(chars.remove(at)),
        1 => chars[at] = *random_of(&['x', '木', '？', '%', '9', ' ', '▲', '△'], random),
        2 => chars.insert(at, *random_of(&['x', '木', '？', '8', '-'], random)),
        _ => chars.truncate(at),
    }
    chars.into_iter().collect()
}

fn random_of<'a, T>(all: &'a [T], random: &mut Random) -> &'a T {
    &all[random.below(all.len())]
}

/// What a reader may make of a damaged file without a fault: all moves, or the moves of the file when it is
/// still a game of the stated length.
fn check(notation: Notation, text: &str, game: &Game, lost: bool, place: usize) -> bool {
    let records = match read(text) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return true;
        }
        Ok(records) => records,
    };
    let faults: Vec<_> = records.iter().flat_map(|record| &record.faults).collect();
    if let Some(fault) = faults.first() {
        // Not before the damage, unless lines have no meaning.
        let line =
            if matches!(notation, Notation::Jkf | Notation::Usi) { None } else { Some(fault.line) };
        assert!(line.is_none_or(|line| line >= place), "{fault}, damaged line {place}: {text}");
        return true;
    }
    let read: usize = records.iter().map(|record| record.moves.len()).sum();
    let expected = game.usi.len() - usize::from(lost);
    assert_eq!(
        read,
        expected,
        "{notation:?}, damaged line {place}, read {}: {text}",
        moves(&records[0])
    );
    false
}

/// Random games and those of real files, in a notation.
fn mutations(notation: Notation) {
    let mut random = Random::new(44);
    let (mut named, mut unnamed) = (0, 0);
    let mut games: Vec<Game> = (0..25).map(|_| notation.random_game(&mut random)).collect();
    let even = Position::startpos().to_sfen();
    for (_, text) in real_files() {
        for record in read(&text).unwrap_or_default() {
            if record.start.to_sfen() == even && record.faults.is_empty() {
                let played: Vec<PackedMove> = record.moves.iter().map(|played| played.mv).collect();
                // The first moves are enough, and they take less time.
                games.push(notation.game(&played[..played.len().min(60)]));
            }
        }
    }
    games.retain(|game| !game.parts.is_empty());
    for game in games {
        let (lines, first) = notation.file(&game);
        let whole = read(&notation.join(&lines)).unwrap();
        assert_eq!(moves(&whole[0]), game.usi.join(" "));
        assert!(whole[0].faults.is_empty(), "{}", whole[0].faults[0]);
        for _ in 0..24 {
            let mut lines = lines.clone();
            let at = first + random.below(game.parts.len());
            // Moves that are not in the file any more.
            let mut lost = false;
            match random.below(4) {
                0 => {
                    lines.remove(at);
                    // A word less is a game less long, if it still is one.
                    lost = true;
                }
                1 => {
                    lines[at] = damaged(&lines[at], &mut random);
                    if lines[at].trim().is_empty() {
                        continue;
                    }
                }
                2 => lines.insert(
                    at,
                    random_of(&["xyzzy", "木木木", "９９木(11)", "*?"], &mut random).to_string(),
                ),
                _ => {
                    let again = lines[at].clone();
                    lines.insert(at, again);
                    // A move that can be played twice: the file has one more.
                    let text = notation.join(&lines);
                    if read(&text).is_ok_and(|all| all[0].moves.len() > game.usi.len()) {
                        continue;
                    }
                }
            }
            let text = notation.join(&lines);
            match check(notation, &text, &game, lost, at + 1) {
                true => named += 1,
                false => unnamed += 1,
            }
        }
    }
    // Comments, damaged times, and the like.
    assert!(named > 250, "{notation:?}: {named} named, {unnamed} read to the end");
}

#[expect(clippy::print_stderr, reason = "tests print to the terminal")]
fn say_skipped(folder: &Path) {
    eprintln!("skipped: no records in {}", folder.display());
}

/// The real records of the repository and, where they are, those beside it: path and text.
fn real_files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let here = root.join("tests/data/records");
    let beside = root.join("../shared/records");
    let mut files = Vec::new();
    for folder in [here, beside.join("kif"), beside.join("csa")] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            say_skipped(&folder);
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let bytes = std::fs::read(&path).unwrap();
            if let Ok((text, _)) = decode(&bytes) {
                files.push((path, text));
            }
        }
    }
    assert!(files.len() >= 6, "{}", files.len());
    files
}

/// The files themselves, with their headers, times, comments and variations.
#[test]
fn damaged_real_files() {
    let mut random = Random::new(45);
    let (mut tried, mut named) = (0, 0);
    for (path, text) in real_files() {
        let Ok(records) = read(&text) else { continue };
        let [record] = &records[..] else { continue };
        let one_by_line = matches!(record.format, Format::Kif | Format::Csa);
        if !one_by_line || !record.faults.is_empty() || record.moves.len() < 2 {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        let is_move = |line: &&&str| {
            let line = line.trim_start();
            line.starts_with(['+', '-']) && line.len() >= 7
                || line.starts_with(|c: char| c.is_ascii_digit()) && !line.contains("：")
        };
        let first = lines.iter().position(|line| is_move(&line)).unwrap();
        let main = (first..lines.len().min(first + 2 * record.moves.len())).collect::<Vec<_>>();
        for _ in 0..20 {
            let at = *random_of(&main, &mut random);
            let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            let insert = random.below(2) == 0;
            if insert {
                lines
                    .insert(at, random_of(&["xyzzy", "９９木(11)", "*?"], &mut random).to_string());
            } else if !lines[at].is_empty() {
                lines[at] = damaged(&lines[at], &mut random);
            }
            let damaged = lines.join("\n");
            tried += 1;
            let games = match read(&damaged) {
                Ok(games) if games.iter().all(|game| game.faults.is_empty()) => games,
                _ => {
                    named += 1;
                    continue;
                }
            };
            let count: usize = games.iter().map(|game| game.moves.len()).sum();
            let name = path.display();
            assert_eq!(count, record.moves.len(), "{name}, line {}: {}", at + 1, lines[at]);
        }
    }
    assert!(named > 10, "{named} of {tried}");
}

#[test]
fn damaged_kif() {
    mutations(Notation::Kif);
}

#[test]
fn damaged_ki2() {
    mutations(Notation::Ki2);
}

#[test]
fn damaged_csa() {
    mutations(Notation::Csa);
}

#[test]
fn damaged_jkf() {
    mutations(Notation::Jkf);
}

#[test]
fn damaged_usi() {
    mutations(Notation::Usi);
}
