//! Variations put into the text of a KIF.

use crate::encoding::Encoding;
use crate::format::Format;
use crate::notation::leading_number;
use crate::read::read_text;
use crate::record::{Branch, Record};
use crate::write::kif::{Writer, kif};
use monomi_movegen::PackedMove;
use std::cmp::Reverse;

/// A KIF with further variations, each of legal moves from where it leaves the main line. `record` is what was
/// read from the text. Everything else in the text stays, unless it is not KIF or counts its moves in its own way:
/// then the record is written anew.
pub fn with_branches(text: &str, mut record: Record, mut branches: Vec<Branch>) -> String {
    // Each section continues the last line before it that is long enough.
    branches.sort_by_key(|branch| Reverse(branch.before));
    let mut lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
    for branch in &branches {
        let mut section = String::new();
        let path = record.moves.get(..branch.before).unwrap_or(&record.moves);
        let mut writer = Writer { text: &mut section, totals: [0; 2] };
        writer.variation(&record.start, path, branch);
        let earlier = |line: &String| section_number(line).is_some_and(|ply| ply <= branch.before);
        let section = section.lines().map(str::to_owned);
        let blank = [String::new()];
        match lines.iter().position(earlier) {
            Some(place) => drop(lines.splice(place..place, section.chain(blank))),
            None => lines.extend(blank.into_iter().chain(section)),
        }
    }
    let inserted = lines.join("\n") + "\n";
    branches.extend(record.branches_off_main_line());
    let moves = |branches: &[Branch]| {
        let moves = |branch: &Branch| branch.moves.iter().map(|played| played.mv).collect();
        let mut moves: Vec<Vec<PackedMove>> = branches.iter().map(moves).collect();
        moves.sort();
        moves
    };
    let read = read_text(&inserted).ok();
    let complete = read.as_deref().is_some_and(|records| match records {
        [all] => {
            let found = moves(&all.branches_off_main_line());
            all.format == Format::Kif && all.faults.is_empty() && found == moves(&branches)
        }
        _ => false,
    });
    if complete {
        return inserted;
    }
    record.source = None;
    record.set_branches(branches);
    kif(&record, Encoding::Utf8)
}

/// The number of the move that a section of variations begins with: `変化：12手`.
fn section_number(line: &str) -> Option<usize> {
    let rest = line.trim().strip_prefix("変化")?;
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '：' | ':'));
    leading_number(rest).map(|(ply, _)| ply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::bod;
    use crate::ending::Ending;
    use crate::record::Played;
    use monomi_movegen::Position;

    const TEXT: &str = "\
#KIF version=2.0 encoding=UTF-8
先手：甲
手数----指手---------消費時間--
1 ７六歩(77)   ( 0:01/00:00:01)
*最初の手
2 ３四歩(33)
3 ２六歩(27)
4 ８四歩(83)
5 投了

変化：3手
3 ６六歩(67)
4 ８四歩(83)
5 ７八飛(28)

変化：5手
5 ６八飛(28)
未知の行
";

    fn branch(before: usize, moves: &str, comment: &str) -> Branch {
        let played = |mv: &str| Played {
            mv: mv.parse().unwrap(),
            seconds: None,
            comments: vec![comment.to_owned()],
        };
        let moves = moves.split(' ').map(played).collect();
        Branch { before, moves, ending: None, ending_seconds: None, closing: None }
    }

    fn lines(record: &Record) -> Vec<String> {
        let all = record.branches_off_main_line();
        let text = |branch: &Branch| {
            let moves: Vec<_> = branch.moves.iter().map(|played| played.mv.to_string()).collect();
            format!("{} {}", branch.before, moves.join(" "))
        };
        let mut lines: Vec<_> = all.iter().map(text).collect();
        lines.sort();
        lines
    }

    /// Each branch is read again as it was, at whatever place, and no line of the text is lost.
    #[test]
    fn branches_are_put_into_the_text() {
        let record = read_text(TEXT).unwrap().remove(0);
        let before = ["2 6g6f 8c8d 2h6h", "2 6g6f 8c8d 2h7h"].map(str::to_owned).to_vec();
        assert_eq!(lines(&record), before);
        let all = [
            branch(0, "2g2f 8c8d 2f2e", "#評価値=12"),
            branch(2, "5g5f", "a"),
            branch(4, "2f2e 8d8e", "b"),
            branch(1, "8c8d", "c"),
            branch(2, "5g5f 8c8d", "d"),
        ];
        for count in 0..=all.len() {
            let text = with_branches(TEXT, record.clone(), all[..count].to_vec());
            let again = read_text(&text).unwrap().remove(0);
            assert!(again.faults.is_empty(), "{text}");
            assert_eq!(again.moves, record.moves);
            assert_eq!(again.ending, Some(Ending::Resign));
            let mut expected = before.clone();
            for branch in &all[..count] {
                let branches = vec![branch.clone()];
                expected.extend(lines(&Record { branches, ..record.clone() }));
            }
            expected.sort();
            assert_eq!(lines(&again), expected, "{text}");
            for line in TEXT.lines() {
                assert!(text.lines().any(|kept| kept == line), "{line} is lost: {text}");
            }
            let comments = text.matches("#評価値=12").count();
            assert_eq!(comments, if count > 0 { 3 } else { 0 }, "{text}");
        }
    }

    /// A text that begins with another number than 1, and one that is not KIF.
    #[test]
    fn other_texts_are_written_anew() {
        let counted = bod(&Position::startpos())
            + "手数----指手\n31 ７六歩(77)\n32 ３四歩(33)\n33 投了\n\n変化：32手\n32 ８四歩(83)\n";
        for text in [counted.as_str(), "PI\n+\n+7776FU\n-3334FU\n%TORYO\n"] {
            let record = read_text(text).unwrap().remove(0);
            let mut expected = lines(&record);
            expected.push("1 4a3b".to_owned());
            expected.sort();
            let text = &with_branches(text, record.clone(), vec![branch(1, "4a3b", "x")]);
            let again = read_text(text).unwrap().remove(0);
            assert_eq!(again.format, Format::Kif);
            assert_eq!(record.moves.len(), 2, "{:?} {:?}", record.format, record.faults);
            assert_eq!((&again.moves, &again.ending), (&record.moves, &Some(Ending::Resign)));
            assert_eq!(lines(&again), expected, "{text}");
        }
    }
}
