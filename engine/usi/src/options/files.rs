//! Options set by files: `engine_options.txt` beside the program and `eval_options.txt` beside the network.
//!
//! As with YaneuraOu, what a file sets stays: GUIs send every option before every game, and would
//! replace it at once. Where each option is set on purpose, as for `monomi csa`, it replaces what a file
//! says ([`Precedence`]). `engine_options.txt` is read at the start, so its values are also announced as
//! the defaults. `eval_options.txt` is read when its network is chosen, and counts until another one is. A
//! line is `NAME VALUE`, `NAME=VALUE` or an `option name NAME ... default VALUE` line of USI.

use super::{OptionError, Options, Platform};
use monomi_eval::source::{EvalSource, locate};
use monomi_support::text::{error_message, messages};
use std::io;
use std::path::{Path, PathBuf};

/// The file beside the program.
const ENGINE_FILE: &str = "engine_options.txt";
/// The file beside the network.
const EVAL_FILE: &str = "eval_options.txt";

/// Reads a file as text; `None` if it does not exist.
pub type ReadFile = fn(&Path) -> io::Result<Option<String>>;

/// What counts where both a file and a command set an option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precedence {
    /// The file: GUIs send every option, also those that nobody has changed.
    #[default]
    File,
    /// The command: somebody has chosen the value.
    Command,
}

messages! {
    /// A message about such a file.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub enum FileNote {
        /// This file was read.
        Read(path: PathBuf) => "options read from {path}", "{path} のオプションを適用しました";
        /// An option stays as the file set it.
        Fixed {
            /// The option.
            name: &'static str,
            /// The value in force.
            value: String,
        } =>
            "option {name} stays `{value}`, as {ENGINE_FILE} or {EVAL_FILE} says",
            "オプション {name} は {ENGINE_FILE} または {EVAL_FILE} の指定どおり `{value}` のままです";
    }

    /// What is wrong with such a file.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum OptionFileError {
        /// It cannot be read.
        Io(path: PathBuf, error: io::Error) => both "{path}: {error}";
        /// A line does not set an option.
        Line {
            /// The file.
            path: PathBuf,
            /// The line number, from 1.
            line: usize,
            /// Why not.
            error: OptionError,
        } => "{path}, line {line}: {error}", "{path} の {line} 行目: {error}";
    }
}
error_message!(OptionFileError);

/// The options that files have set.
#[derive(Default)]
pub struct Overrides {
    /// `None`: there are no files.
    read: Option<ReadFile>,
    precedence: Precedence,
    /// With [`Precedence::Command`], the options that commands have set.
    commanded: Vec<&'static str>,
    /// Options of the file beside the program.
    engine: Vec<&'static str>,
    /// The folder of the network, whose file has been read.
    folder: Option<PathBuf>,
    /// Options of the file beside the network, with the values without it.
    eval: Vec<(&'static str, String)>,
    /// Messages not yet shown.
    notes: Vec<Result<FileNote, OptionFileError>>,
}

impl Overrides {
    /// Reads the file beside the program, in this folder. Later files are read by `read`, too.
    pub fn begin(
        folder: &Path,
        read: ReadFile,
        precedence: Precedence,
        options: &mut Options,
    ) -> Self {
        let mut all = Self { read: Some(read), precedence, ..Self::default() };
        let set = all.apply(&folder.join(ENGINE_FILE), options);
        all.engine = set.into_iter().map(|(name, _)| name).collect();
        all
    }

    /// Sets an option as a command wishes. Returns a message if a file has fixed it.
    ///
    /// # Errors
    /// As [`Options::set`].
    pub fn set(
        &mut self,
        options: &mut Options,
        platform: Platform,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<FileNote>, OptionError> {
        if self.precedence == Precedence::Command {
            options.set_on(platform, name, value)?;
            self.commanded.extend(options.text(name).map(|(known, _)| known));
            return Ok(None);
        }
        let Some((known, in_force)) = options.text(name).filter(|(known, _)| self.fixes(known))
        else {
            return options.set_on(platform, name, value).map(|()| None);
        };
        let mut without = options.clone();
        without.set_on(platform, name, value)?;
        let wanted = without.text(known).map(|(_, text)| text).unwrap_or_default();
        let note = (wanted != in_force).then_some(FileNote::Fixed { name: known, value: in_force });
        if let Some((_, before)) = self.eval.iter_mut().find(|(name, _)| *name == known) {
            *before = wanted;
        }
        Ok(note)
    }

    fn fixes(&self, name: &str) -> bool {
        self.engine.contains(&name) || self.eval.iter().any(|(fixed, _)| *fixed == name)
    }

    /// Reads the file beside the network if it is another network than before.
    pub fn follow_eval(&mut self, options: &mut Options) {
        if self.read.is_none() {
            return;
        }
        let folder = match options.eval_source() {
            EvalSource::File { path, .. } => {
                locate(&path).unwrap_or(path).parent().map(Path::to_owned)
            }
            EvalSource::Internal | EvalSource::PieceSquare => None,
        };
        if folder == self.folder {
            return;
        }
        for (name, before) in std::mem::take(&mut self.eval) {
            if !self.commanded.contains(&name) {
                options.put(name, &before);
            }
        }
        if let Some(folder) = &folder {
            self.eval = self.apply(&folder.join(EVAL_FILE), options);
        }
        self.folder = folder;
    }

    /// The messages since the last call.
    pub fn take_notes(&mut self) -> Vec<Result<FileNote, OptionFileError>> {
        std::mem::take(&mut self.notes)
    }

    /// Sets what a file says. Returns the options, with the values before.
    fn apply(&mut self, path: &Path, options: &mut Options) -> Vec<(&'static str, String)> {
        let mut set: Vec<(&str, String)> = Vec::new();
        let text = match self.read.map_or(Ok(None), |read| read(path)) {
            Ok(Some(text)) => text,
            Ok(None) => return set,
            Err(error) => {
                self.notes.push(Err(OptionFileError::Io(path.to_owned(), error)));
                return set;
            }
        };
        self.notes.push(Ok(FileNote::Read(path.to_owned())));
        for (line, number) in text.lines().zip(1..) {
            let Some((name, value)) = setting(line) else { continue };
            let before = options.text(name);
            let is_set = |known| self.fixes(known) || self.commanded.contains(&known);
            if before.as_ref().is_some_and(|&(known, _)| is_set(known)) {
                continue;
            }
            match options.set(name, Some(value)) {
                Ok(()) => set.extend(before),
                Err(error) => self.notes.push(Err(OptionFileError::Line {
                    path: path.to_owned(),
                    line: number,
                    error,
                })),
            }
        }
        // The value before the first of several lines counts.
        let mut seen = Vec::new();
        set.retain(|(name, _)| {
            !seen.contains(name) && {
                seen.push(name);
                true
            }
        });
        set
    }
}

/// Name and value of a line; `None` for empty lines and comments.
fn setting(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() || line.starts_with(['#', ';']) || line.starts_with("//") {
        return None;
    }
    if let Some(rest) = line.strip_prefix("option ") {
        return announced(rest.trim_start());
    }
    let line = line.strip_prefix("setoption ").map_or(line, str::trim_start);
    let line = line.strip_prefix("name ").map_or(line, str::trim_start);
    let end = line.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(line.len());
    let value = line[end..].trim_start();
    let value = value.strip_prefix('=').unwrap_or(value).trim_start();
    Some((&line[..end], value.strip_prefix("value ").unwrap_or(value)))
}

/// Name and default of an `option` line.
fn announced(rest: &str) -> Option<(&str, &str)> {
    let rest = rest.strip_prefix("name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let (_, value) = rest.split_once(" default ").unwrap_or((rest, ""));
    let end = [" min ", " max ", " var "].iter().filter_map(|word| value.find(word)).min();
    Some((name.trim(), value[..end.unwrap_or(value.len())].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> io::Result<Option<String>> {
        Ok(match path.to_str() {
            Some("program/engine_options.txt") => Some(
                "\u{feff}# ours\n\nThreads 3\r\nUSI_Hash=64\nFV_SCALE = 20\nNoSuch 1\nMultiPV x\n\
                 option name BookFile type string default my book.db\n"
                    .to_owned(),
            ),
            Some("a/eval_options.txt") => {
                Some("FV_SCALE 36\nSlowMover 90\nSlowMover 80\n".to_owned())
            }
            Some("b/eval_options.txt") => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            _ => None,
        })
    }

    fn text(options: &Options, name: &str) -> String {
        options.text(name).unwrap().1
    }

    #[test]
    fn files_fix_options_and_networks_bring_their_own() {
        let mut options = Options::default();
        let mut files =
            Overrides::begin(Path::new("program"), read, Precedence::File, &mut options);
        assert_eq!((options.threads, options.hash_mib), (3, 64));
        assert_eq!(options.book_file, "my book.db");
        let notes = files.take_notes();
        let errors: Vec<String> =
            notes.iter().filter_map(|n| n.as_ref().err()).map(|e| e.to_string()).collect();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(errors[0].contains("line 6") && errors[0].contains("NoSuch"), "{errors:?}");
        // A GUI cannot change them, and is told if it tries.
        let gui = |files: &mut Overrides, options: &mut Options, name: &str, value: &str| {
            files.set(options, Platform::Native, name, Some(value)).map(|note| note.is_some())
        };
        assert_eq!(gui(&mut files, &mut options, "number of threads", "8"), Ok(true));
        assert_eq!(gui(&mut files, &mut options, "threads", "3"), Ok(false));
        assert!(gui(&mut files, &mut options, "Threads", "many").is_err());
        assert_eq!(options.threads, 3);
        // The file of the program comes before that of the network.
        assert_eq!(gui(&mut files, &mut options, "EvalDir", "a"), Ok(false));
        files.follow_eval(&mut options);
        assert_eq!([text(&options, "FV_SCALE"), text(&options, "SlowMover")], ["20", "80"]);
        // What the GUI sets meanwhile counts from the next network on.
        assert_eq!(gui(&mut files, &mut options, "SlowMover", "150"), Ok(true));
        assert_eq!(gui(&mut files, &mut options, "EvalFile", "b/nn.bin"), Ok(false));
        files.take_notes();
        files.follow_eval(&mut options);
        assert_eq!(text(&options, "SlowMover"), "150");
        let notes = files.take_notes();
        assert!(matches!(notes[..], [Err(OptionFileError::Io(..))]), "{notes:?}");
        files.follow_eval(&mut options);
        assert!(files.take_notes().is_empty());
    }

    #[test]
    fn commands_that_are_chosen_replace_what_files_say() {
        let mut options = Options::default();
        let command = Precedence::Command;
        let mut files = Overrides::begin(Path::new("program"), read, command, &mut options);
        assert_eq!((options.threads, options.hash_mib), (3, 64));
        let mut set = |name: &str, value: &str| {
            let note = files.set(&mut options, Platform::Native, name, Some(value));
            assert!(note.is_ok_and(|note| note.is_none()), "{name}");
            files.follow_eval(&mut options);
            ["Threads", "FV_SCALE", "SlowMover"].map(|name| text(&options, name))
        };
        assert_eq!(set("number of threads", "8"), ["8", "20", "100"]);
        // The file of the network does not replace them, whichever is chosen first.
        assert_eq!(set("EvalDir", "a"), ["8", "20", "80"]);
        assert_eq!(set("SlowMover", "150"), ["8", "20", "150"]);
        assert_eq!(set("EvalDir", ""), ["8", "20", "150"]);
        assert_eq!(set("FV_SCALE", "30"), ["8", "30", "150"]);
        assert_eq!(set("EvalDir", "a"), ["8", "30", "150"]);
    }

    #[test]
    fn lines_in_every_form() {
        for (line, expected) in [
            ("A 1", Some(("A", "1"))),
            ("A=1", Some(("A", "1"))),
            ("A = C:\\my nets\\x", Some(("A", "C:\\my nets\\x"))),
            ("setoption name A value 1 2", Some(("A", "1 2"))),
            ("option name A type spin default 5 min 1 max 9", Some(("A", "5"))),
            ("option name A type combo default x var x var y", Some(("A", "x"))),
            ("option name A type string default <empty>", Some(("A", "<empty>"))),
            ("A", Some(("A", ""))),
            ("  ", None),
            ("// A 1", None),
            ("#A 1", None),
        ] {
            assert_eq!(setting(line), expected, "{line}");
        }
    }
}
