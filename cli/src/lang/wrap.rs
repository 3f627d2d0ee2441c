//! Breaks text into lines by its width on a terminal.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Characters that must not begin a line.
const NOT_FIRST: &str = "、。，．・：；？！）」』】〕］々ー:,.)]";
/// Characters that must not end a line.
const NOT_LAST: &str = "（「『【〔［";

/// Breaks each line of a text at spaces and between Japanese characters, so that none is wider than
/// `width` columns where that is possible. Lines that begin with a space are kept as they are, and
/// continued with the same indentation.
pub(super) fn wrap(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.lines().map(|line| wrap_line(line, width)).collect();
    lines.join("\n")
}

/// Breaks a text of paragraphs anew: lines that begin at the margin and follow each other are one paragraph.
/// Indented lines, such as commands to copy, are kept as they are.
pub(super) fn flow(text: &str, width: usize) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    for line in text.lines() {
        let continues = |before: &&mut String| {
            !before.is_empty()
                && !before.starts_with(' ')
                && !line.is_empty()
                && !line.starts_with(' ')
        };
        match paragraphs.last_mut().filter(continues) {
            Some(paragraph) => {
                let wide = |c: Option<char>| c.is_some_and(|c| c.width() == Some(2));
                if !wide(paragraph.chars().last()) && !wide(line.chars().next()) {
                    paragraph.push(' ');
                }
                paragraph.push_str(line);
            }
            None => paragraphs.push(line.to_owned()),
        }
    }
    let wrapped = |paragraph: &String| match paragraph.starts_with(' ') {
        true => paragraph.clone(),
        false => wrap_line(paragraph, width),
    };
    paragraphs.iter().map(wrapped).collect::<Vec<_>>().join("\n")
}

fn wrap_line(text: &str, width: usize) -> String {
    let indent = " ".repeat(text.len() - text.trim_start_matches(' ').len());
    let mut done = String::new();
    let mut line = indent.clone();
    for piece in pieces(&text[indent.len()..]) {
        let is_empty = line.trim().is_empty();
        if !is_empty && line.width() + piece.trim_end().width() > width {
            done.push_str(line.trim_end());
            done.push('\n');
            line = indent.clone();
        }
        line.push_str(piece);
    }
    done.push_str(line.trim_end());
    done
}

/// Cuts a text after spaces and between Japanese characters; a value stays with its label, as in
/// `[default: 1]`.
fn pieces(text: &str) -> Vec<&str> {
    let wide = |c: char| c.width() == Some(2);
    let mut cuts = vec![0];
    let mut before = ['\0'; 2];
    for (at, c) in text.char_indices() {
        let [second_last, last] = before;
        let after_space = last == ' ' && c != ' ' && second_last != ':';
        let between = (wide(last) || wide(c))
            && ![last, c].contains(&' ')
            && !NOT_FIRST.contains(c)
            && !NOT_LAST.contains(last);
        if at > 0 && (after_space || between) {
            cuts.push(at);
        }
        before = [last, c];
    }
    cuts.push(text.len());
    cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_broken_anew() {
        let text = "Examples:\n  monomi go --nodes 100\n\nOne two three\nfour five.\nSix.";
        let flowed = "Examples:\n  monomi go --nodes 100\n\nOne two\nthree four\nfive. Six.";
        assert_eq!(flow(text, 10), flowed);
        assert_eq!(flow("局面を探索\nします。", 100), "局面を探索します。");
        assert_eq!(flow("--nodes\nを指定", 100), "--nodesを指定");
        assert_eq!(flow("no limit\ncounts", 100), "no limit counts");
    }

    #[test]
    fn lines_are_broken_by_width() {
        assert_eq!(wrap("one two three", 7), "one two\nthree");
        assert_eq!(wrap("unbreakable", 4), "unbreakable");
        assert_eq!(wrap("  a bc d", 6), "  a bc\n  d");
        assert_eq!(wrap("局面を探索します。", 10), "局面を探索\nします。");
        // A full stop stays with its word, a bracket with what it opens.
        assert_eq!(wrap("探索する。", 8), "探索す\nる。");
        assert_eq!(wrap("深さ（手数）", 6), "深さ\n（手\n数）");
        assert_eq!(wrap("--nodes を指定", 9), "--nodes\nを指定");
        assert_eq!(wrap("間隔［省略時: 60］", 16), "間隔［省略\n時: 60］");
        for width in 6..40 {
            let text = "既定では標準出力へ JSON を書きます（--output を参照）。";
            let wrapped = wrap(text, width);
            assert_eq!(wrapped.replace(['\n', ' '], ""), text.replace(' ', ""));
            assert!(
                wrapped.lines().all(|line| line.width() <= width.max("（--output".width())),
                "{wrapped}"
            );
        }
    }
}
