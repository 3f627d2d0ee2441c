//! Text on a terminal: lines broken by its width, and colours.

use console::{Style, measure_text_width};

/// What the summary is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Width in columns.
    pub columns: usize,
    /// Whether to use colours.
    pub colours: bool,
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

/// Columns before the rest of a line that is too long.
const INDENT: usize = 6;

impl Terminal {
    /// A file or a pipe: lines of any length, no colours.
    pub const NONE: Self = Self { columns: usize::MAX, colours: false };

    /// A text with a look. It takes as many columns as without.
    pub(super) fn paint(self, text: &str, look: Look) -> String {
        let style = match look {
            Look::Heading => Style::new().bold(),
            Look::Good => Style::new().green(),
            Look::Doubtful => Style::new().yellow(),
            Look::Bad => Style::new().red(),
            Look::Worst => Style::new().red().bold(),
        };
        style.force_styling(self.colours).apply_to(text).to_string()
    }

    /// Breaks the lines of a text that are too long, at spaces and before moves.
    pub(super) fn lay_out(self, text: &str) -> String {
        let mut done = String::new();
        for line in text.lines() {
            let mut used = 0;
            for piece in pieces(line) {
                if used > INDENT && used + measure_text_width(piece.trim_end()) > self.columns {
                    done.truncate(done.trim_end_matches(' ').len());
                    done.push('\n');
                    done.push_str(&" ".repeat(INDENT));
                    used = INDENT;
                }
                done.push_str(piece);
                used += measure_text_width(piece);
            }
            done.push('\n');
        }
        done
    }
}

/// Text from a record, which may contain anything: without control characters.
pub(super) fn harmless(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}

/// Cuts a line after spaces and sentences, and before the marks of moves and brackets; a number stays with its unit, as in `12 手`.
fn pieces(line: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    let mut before = ['\0'; 2];
    for (at, c) in line.char_indices() {
        let [second_last, last] = before;
        let unit = second_last.is_ascii_digit() && !c.is_ascii();
        if at > 0
            && (last == ' ' && c != ' ' && !unit
                || "▲△（".contains(c)
                || matches!(last, '、' | '。'))
        {
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
        let narrow = |columns| Terminal { columns, colours: false };
        assert_eq!(
            narrow(20).lay_out("  one two three four five\n"),
            "  one two three four\n      five\n"
        );
        let line = "    29 ▲４六角  -21.9%; better ▲４六歩△６一玉▲５八金△３五歩▲同銀";
        for columns in 16..80 {
            let text = narrow(columns).lay_out(line);
            let fits = |line: &str| measure_text_width(line) <= columns;
            assert!(text.lines().all(fits), "{columns}: {text}");
            let without = |text: &str| text.replace([' ', '\n'], "");
            assert_eq!(without(&text), without(line));
        }
        assert_eq!(Terminal::NONE.lay_out(line), format!("{line}\n"));
        let text = narrow(16).lay_out("棋譜を読む、12 手、投了");
        assert_eq!(text, "棋譜を読む、\n      12 手、\n      投了\n");
    }

    #[test]
    fn colours_take_no_columns() {
        let terminal = |colours| Terminal { columns: 12, colours };
        let text = |terminal: Terminal| {
            let [bad, good] = [("bad", Look::Bad), ("good", Look::Good)]
                .map(|(text, look)| terminal.paint(text, look));
            terminal.lay_out(&format!("{bad} and {good}"))
        };
        assert_eq!(text(terminal(false)), "bad and good\n");
        assert_eq!(text(terminal(true)), "\x1b[31mbad\x1b[0m and \x1b[32mgood\x1b[0m\n");
        assert_eq!(harmless("\x1b[2J名前\n"), "\u{FFFD}[2J名前\u{FFFD}");
    }
}
