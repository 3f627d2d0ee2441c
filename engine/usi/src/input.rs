//! Reads lines on a thread and records when they arrived.

use crossbeam_channel::{Receiver, Sender, bounded};
use encoding_rs::SHIFT_JIS;
use monomi_eval::source::locate;
use monomi_support::host::Instant;
use std::borrow::Cow;
use std::io::{BufRead, Read};
use std::path::Path;

/// Maximum length of a line in bytes; the rest of a longer line is dropped.
const LONGEST_LINE: u64 = 16 << 20;
/// Capacity of the queue between reader and session.
const WAITING_LINES: usize = 16;

/// A line of input.
#[derive(Debug)]
pub struct InputLine {
    /// The text without the line end.
    pub text: String,
    /// When it was read: the clock of a `go` starts here.
    pub at: Instant,
    /// Whether it was too long and was cut.
    pub cut: bool,
}

/// Reads standard input on a separate thread. The channel closes at the end of input.
///
/// # Errors
/// The thread cannot be started.
pub fn read_stdin<T: From<InputLine> + Send + 'static>() -> std::io::Result<Receiver<T>> {
    let (sender, receiver) = bounded(WAITING_LINES);
    std::thread::Builder::new()
        .name("stdin".to_owned())
        .spawn(move || read_lines(std::io::stdin().lock(), &sender))?;
    Ok(receiver)
}

/// Reads another input on a separate thread. The channel closes at the end of input.
///
/// # Errors
/// The thread cannot be started.
pub fn read_from<T: From<InputLine> + Send + 'static>(
    input: impl BufRead + Send + 'static,
) -> std::io::Result<Receiver<T>> {
    let (sender, receiver) = bounded(WAITING_LINES);
    std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(input, &sender))?;
    Ok(receiver)
}

/// Sends the lines until the input ends or the receiver is dropped.
fn read_lines<T: From<InputLine>>(mut input: impl BufRead, lines: &Sender<T>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        let cut = bytes.len() as u64 >= LONGEST_LINE && bytes.last() != Some(&b'\n');
        if cut && input.skip_until(b'\n').is_err() {
            return;
        }
        let text = decoded(&bytes).trim_end_matches(['\r', '\n']).to_owned();
        if lines.send(InputLine { text, at, cut }.into()).is_err() {
            return;
        }
    }
}

/// Text in UTF-8. Some Windows GUIs send the names of files in code page 932 (Shift_JIS): a line that
/// is not UTF-8 is read as such on Windows, and elsewhere if it then names an existing file. Anything
/// else that is invalid is replaced.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if std::str::from_utf8(bytes).is_err() {
        let (text, broken) = SHIFT_JIS.decode_without_bom_handling(bytes);
        if !broken && (cfg!(windows) || names_file(&text)) {
            return text;
        }
    }
    String::from_utf8_lossy(bytes)
}

/// Whether this sets an option to the path of an existing file or folder, or of a new file in an
/// existing folder.
fn names_file(line: &str) -> bool {
    let Some((_, value)) = line.split_once(" value ") else { return false };
    let path = Path::new(value.trim());
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    locate(path).is_some() || folder.is_some_and(|folder| locate(folder).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<(String, bool)> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        read_lines(input, &sender);
        drop(sender);
        receiver.iter().map(|line: InputLine| (line.text, line.cut)).collect()
    }

    fn whole(text: &str) -> (String, bool) {
        (text.to_owned(), false)
    }

    #[test]
    fn line_ends_and_invalid_bytes() {
        assert_eq!(all(b"usi\r\n\nstop"), [whole("usi"), whole(""), whole("stop")]);
        assert_eq!(all(b"\xff\xfe\x00\nquit\n"), [whole("\u{fffd}\u{fffd}\0"), whole("quit")]);
        assert!(all(b"").is_empty());
    }

    #[test]
    fn paths_in_code_page_932_are_understood_where_they_exist() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("定跡ソ表.db");
        std::fs::write(&file, "").unwrap();
        let line = |path: &Path| format!("setoption name BookFile value {}", path.display());
        let sent = |text: &str| SHIFT_JIS.encode(text).0.into_owned();
        let known = line(&file);
        assert_eq!(all(&sent(&known)), [whole(&known)]);
        assert_eq!(all(known.as_bytes()), [whole(&known)]);
        let unknown = line(&folder.path().join("無い").join("定跡.db"));
        assert_eq!(all(&sent(&unknown)) == [whole(&unknown)], cfg!(windows));
        assert!(all(&sent("position 平手"))[0].0.starts_with("position "));
    }

    #[test]
    fn long_lines_are_cut() {
        let mut input = vec![b'x'; LONGEST_LINE as usize + 5];
        input.extend_from_slice(b"\nquit\n");
        let lines = all(&input);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].1 && lines[0].0.len() as u64 == LONGEST_LINE);
        assert_eq!(lines[1], whole("quit"));
        // A line of exactly the maximum length is complete.
        let mut input = vec![b'x'; LONGEST_LINE as usize - 1];
        input.extend_from_slice(b"\nquit");
        assert!(all(&input).iter().all(|(_, cut)| !cut));
    }
}
