//! A game record in CSA format, written while the game is played.

use crate::game::{End, Game, Moved};
use crate::protocol::{EndReason, ServerResult};
use monomi_record::csa_board;
use shogi_core::Color;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest file name without its extension.
const LONGEST_NAME: usize = 120;
/// Largest number appended to a file name that is already taken.
const SAME_NAME: u32 = 10_000;

/// A record being written. Each move is written to disk before the next one.
pub struct RecordFile {
    file: File,
    path: PathBuf,
    /// Times are written with milliseconds (version 3 of the format).
    fractions: bool,
}

impl RecordFile {
    /// Creates a record in a folder, which is created if necessary. An existing file is never
    /// overwritten.
    ///
    /// # Errors
    /// The folder or the file cannot be written.
    pub fn create(folder: &Path, game: &Game, time: &str) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let name = file_name(&game.summary().game_id);
        let mut number = 1;
        let (file, path) = loop {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let path = folder.join(format!("{name}{suffix}.csa"));
            match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => break (file, path),
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && number < SAME_NAME =>
                {
                    number += 1;
                }
                Err(error) => return Err(error),
            }
        };
        let fractions = game.summary().times[0].unit < Duration::from_secs(1);
        let mut record = Self { file, path, fractions };
        if let Err(error) = record.write(&record.header(game, time)) {
            // Without a header it is no record.
            let _ = std::fs::remove_file(&record.path);
            return Err(error);
        }
        Ok(record)
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn header(&self, game: &Game, time: &str) -> String {
        let summary = game.summary();
        let version = if self.fractions { "V3.0" } else { "V2.2" };
        let line = |text: &str| text.replace(|c: char| c.is_control(), " ");
        let [black, white] = &summary.names;
        let mut text = format!(
            "'CSA encoding=UTF-8\n{version}\nN+{}\nN-{}\n$EVENT:{}\n$START_TIME:{time}\n",
            line(black),
            line(white),
            line(&summary.game_id)
        );
        let rules = summary.times[0];
        let time = rules.total.as_secs();
        if self.fractions {
            let seconds = |time: Duration| time.as_secs_f64().to_string();
            let times = [rules.total, rules.byoyomi, rules.increment].map(seconds);
            let _ = writeln!(text, "$TIME:{}", times.join("+"));
        } else if rules.increment.is_zero() {
            let byoyomi = rules.byoyomi.as_secs();
            let (hours, minutes) = (time / 3600, time / 60 % 60);
            let _ = writeln!(text, "$TIME_LIMIT:{hours:02}:{minutes:02}+{byoyomi:02}");
        }
        text.push_str(&csa_board(&summary.start));
        let mut position = summary.start.clone();
        for &(mv, units) in &summary.moves {
            let color = position.side_to_move();
            let mv_text = monomi_record::notation::csa_move(&position, mv);
            let time = units.map(|units| game.clocks().time(color, units));
            text.push_str(&self.move_lines(&mv_text, time));
            position.do_move(mv);
        }
        text
    }

    fn move_lines(&self, mv: &str, time: Option<Duration>) -> String {
        match time {
            None => format!("{mv}\n"),
            Some(time) if self.fractions => {
                format!("{mv}\nT{}.{:03}\n", time.as_secs(), time.subsec_millis())
            }
            Some(time) => format!("{mv}\nT{}\n", time.as_secs()),
        }
    }

    /// Writes a move, with the comment that was sent with it (`* score pv`).
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_move(&mut self, moved: &Moved, comment: Option<&str>) -> io::Result<()> {
        let mut text = self.move_lines(&moved.text, moved.time);
        if let Some(comment) = comment {
            let _ = writeln!(text, "'*{comment}");
        }
        self.write(&text)
    }

    /// Writes a comment line.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn remark(&mut self, text: &str) -> io::Result<()> {
        self.write(&format!("'{}\n", text.replace(|c: char| c.is_control(), " ")))
    }

    /// Writes the end.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(&mut self, end: &End, us: Color, time: &str) -> io::Result<()> {
        self.write(&format!("%{}\n'$END_TIME:{time}\n", end_word(end, us)))?;
        self.file.sync_all()
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())
    }
}

/// The word of CSA's format, without the `%`.
fn end_word(end: &End, us: Color) -> String {
    let loser = match end.outcome {
        Some(ServerResult::Win) => us.flip(),
        _ => us,
    };
    match (&end.reason, end.special.as_deref()) {
        (Some(EndReason::TimeUp), _) => "TIME_UP".to_owned(),
        (Some(EndReason::IllegalMove), _) => "ILLEGAL_MOVE".to_owned(),
        (Some(EndReason::Sennichite), _) => "SENNICHITE".to_owned(),
        // The format has no word for perpetual check: a breach of the rules by the loser.
        (Some(EndReason::OuteSennichite), _) => {
            format!("{}ILLEGAL_ACTION", if loser == Color::Black { '+' } else { '-' })
        }
        (Some(EndReason::Jishogi), _) => "KACHI".to_owned(),
        (Some(EndReason::MaxMoves), _) => "MAX_MOVES".to_owned(),
        (Some(EndReason::Resign), _) | (None, Some("TORYO")) => "TORYO".to_owned(),
        (None, Some("KACHI")) => "KACHI".to_owned(),
        _ => match end.outcome {
            Some(ServerResult::Draw) => "HIKIWAKE".to_owned(),
            _ => "CHUDAN".to_owned(),
        },
    }
}

/// A name that every file system takes.
fn file_name(game_id: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || "+-_.@".contains(c);
    let name: String =
        game_id.chars().map(|c| if fits(c) { c } else { '_' }).take(LONGEST_NAME).collect();
    let name = name.trim_matches('.');
    if name.is_empty() { "game".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_hold_nothing_strange() {
        assert_eq!(
            file_name("wdoor+floodgate-300-10F+a+b+2026"),
            "wdoor+floodgate-300-10F+a+b+2026"
        );
        assert_eq!(file_name("../../etc/passwd"), "_.._etc_passwd");
        assert_eq!(file_name("C:\\x\u{0}|?"), "C__x___");
        assert_eq!(file_name("..."), "game");
        assert_eq!(file_name(&"x".repeat(5000)).len(), LONGEST_NAME);
    }

    #[test]
    fn every_end_has_its_word() {
        let word = |outcome, reason, special: Option<&str>| {
            let special = special.map(ToOwned::to_owned);
            end_word(&End { outcome, reason, special }, Color::Black)
        };
        let win = Some(ServerResult::Win);
        assert_eq!(word(win, Some(EndReason::Resign), Some("TORYO")), "TORYO");
        assert_eq!(word(win, Some(EndReason::TimeUp), None), "TIME_UP");
        assert_eq!(word(win, Some(EndReason::Jishogi), Some("KACHI")), "KACHI");
        assert_eq!(word(win, Some(EndReason::OuteSennichite), None), "-ILLEGAL_ACTION");
        let lose = Some(ServerResult::Lose);
        assert_eq!(word(lose, Some(EndReason::OuteSennichite), None), "+ILLEGAL_ACTION");
        assert_eq!(word(Some(ServerResult::Draw), Some(EndReason::Sennichite), None), "SENNICHITE");
        assert_eq!(word(Some(ServerResult::Draw), None, None), "HIKIWAKE");
        assert_eq!(
            word(Some(ServerResult::Censored), Some(EndReason::MaxMoves), None),
            "MAX_MOVES"
        );
        assert_eq!(word(None, None, None), "CHUDAN");
    }
}
