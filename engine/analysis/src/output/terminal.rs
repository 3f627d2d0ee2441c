//! Text on a terminal: lines broken by its width, and colours.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

/// What the summary is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Width in columns.
    pub columns: usize,
    /// Whether to use colours.
    pub colours: bool,
}

impl Terminal {
    /// A file or a pipe: lines of any length, no colours.
    pub const NONE: Self = Self { columns: usize::MAX, colours: false };
}

/// The look of a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Heading,
    Good,
    Doubtful,
    Bad,
    Worst,
}

impl Look {
    const ALL: [Self; 5] = [Self::Heading, Self::Good, Self::Doubtful, Self::Bad, Self::Worst];

    fn sequence(self) -> &'static str {
        match self {
            Self::Heading => "\x1b[1m",
            Self::Good => "\x1b[32m",
            Self::Doubtful => "\x1b[33m",
            Self::Bad => "\x1b[31m",
            Self::Worst => "\x1b[1;31m",
        }
    }

    /// The mark before a text with this look: no character (U+FDD0 to U+FDEF are none).
    fn mark(self) -> char {
        let mark = |at: u32| char::from_u32(u32::from(FIRST_MARK) + at).unwrap_or(FIRST_MARK);
        Self::ALL
            .iter()
            .zip(1..)
            .find(|(look, _)| **look == self)
            .map_or(FIRST_MARK, |(_, at)| mark(at))
    }
}

/// The mark after a text with a look.
const FIRST_MARK: char = '\u{FDD0}';
const LAST_MARK: char = '\u{FDEF}';
/// Columns before the rest of a line that is too long.
const INDENT: usize = 6;

/// Marks a part of a text; [`lay_out`] applies the look.
pub(super) fn with_look(text: &str, look: Look) -> String {
    format!("{}{text}{FIRST_MARK}", look.mark())
}

/// Text from a record, which may contain anything: without control characters and marks.
pub(super) fn harmless(text: &str) -> String {
    text.replace(|c: char| c.is_control() || is_mark(c), "\u{FFFD}")
}

fn is_mark(c: char) -> bool {
    (FIRST_MARK..=LAST_MARK).contains(&c)
}

/// Columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.split(is_mark).map(UnicodeWidthStr::width).sum()
}

/// A text cut to so many columns, with an ellipsis where something is left out.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |c: &char| {
        let wide = c.width().unwrap_or(0);
        let fits = wide <= left;
        left -= if fits { wide } else { left };
        fits
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// A text filled up with spaces after it to so many columns.
pub(super) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Breaks the lines of a text that are too long, at spaces and before moves, and replaces marks by the colours of
/// the terminal or by nothing.
pub(super) fn lay_out(text: &str, terminal: Terminal) -> String {
    let mut done = String::new();
    for line in text.lines() {
        let mut used = 0;
        for piece in pieces(line) {
            let wide = width(piece);
            if used > INDENT && used + width(piece.trim_end()) > terminal.columns {
                done.truncate(done.trim_end_matches(' ').len());
                done.push('\n');
                done.push_str(&" ".repeat(INDENT));
                used = INDENT;
            }
            done.push_str(piece);
            used += wide;
        }
        done.push('\n');
    }
    let mut painted = String::with_capacity(done.len());
    for c in done.chars() {
        match Look::ALL.into_iter().find(|look| look.mark() == c) {
            Some(look) if terminal.colours => painted.push_str(look.sequence()),
            None if c == FIRST_MARK && terminal.colours => painted.push_str("\x1b[0m"),
            _ if is_mark(c) => {}
            _ => painted.push(c),
        }
    }
    painted
}

/// Cuts a line after spaces, and before the marks of moves; a number stays with its unit, as in `12 手`.
fn pieces(line: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    let mut before = ['\0'; 2];
    for (at, c) in line.char_indices() {
        let [second_last, last] = before;
        let unit = second_last.is_ascii_digit() && c.width() == Some(2);
        if at > 0 && (last == ' ' && c != ' ' && !unit || "▲△".contains(c) || last == '、') {
            cuts.push(at);
        }
        before = [last, c];
    }
    cuts.push(line.len());
    cuts.dedup();
    cuts.windows(2).map(|pair| &line[pair[0]..pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken() {
        let terminal = Terminal { columns: 20, colours: false };
        assert_eq!(
            lay_out("  one two three four five\n", terminal),
            "  one two three four\n      five\n"
        );
        let line = "    29 ▲４六角  -21.9%; better ▲４六歩△６一玉▲５八金△３五歩▲同銀";
        for columns in 16..80 {
            let text = lay_out(line, Terminal { columns, colours: false });
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}: {text}");
            let without = |text: &str| text.replace([' ', '\n'], "");
            assert_eq!(without(&text), without(line));
        }
        assert_eq!(lay_out(line, Terminal::NONE), format!("{line}\n"));
        let terminal = Terminal { columns: 16, colours: false };
        let text = lay_out("棋譜を読む、12 手、投了", terminal);
        assert_eq!(text, "棋譜を読む、\n      12 手、\n      投了\n");
    }

    #[test]
    fn colours_take_no_columns() {
        let text = format!("{} and {}", with_look("bad", Look::Bad), with_look("good", Look::Good));
        assert_eq!(width(&text), "bad and good".len());
        assert_eq!(lay_out(&text, Terminal::NONE), "bad and good\n");
        let coloured = lay_out(&text, Terminal { columns: 80, colours: true });
        assert_eq!(coloured, "\x1b[31mbad\x1b[0m and \x1b[32mgood\x1b[0m\n");
        let foreign = format!("\x1b[2J{}", with_look("名前", Look::Worst));
        assert_eq!(harmless(&foreign), "\u{FFFD}[2J\u{FFFD}名前\u{FFFD}");
    }

    #[test]
    fn names_are_cut_by_columns() {
        assert_eq!(
            (cut("abcdef", 4), cut("名人戦", 5), cut("名人", 4)),
            ("abc…".to_owned(), "名人…".to_owned(), "名人".to_owned())
        );
        assert_eq!(padded("名人", 6), "名人  ");
    }
}
