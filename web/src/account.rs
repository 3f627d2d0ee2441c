//! What a list of games says of a record.

use monomi_analysis::opening::{Name, opening};
use monomi_record::{Ending, Record, handicap_name};
use serde_json::{Value, json};
use shogi_core::Color;

/// Comments before the first move that begin with this are the app's own notes. A comment of the user that begins so is
/// written with one more `#` (web/app/notes.js).
const NOTE: &str = "#Monomi ";

/// How notes begin in files from before the mark: there a comment of the user can look like one.
const OLD_NOTE: &str = "Monomi ";

/// Players, result, opening and the app's notes of a game.
pub fn account(record: &Record) -> Value {
    let both = |name: Name| [name.ja, name.en];
    let header = |keys: &[&str]| keys.iter().find_map(|key| record.header(key));
    let lines = || record.comments.iter().flat_map(|comment| comment.lines());
    let notes = |begins| lines().filter_map(|line| line.strip_prefix(begins)).collect::<Vec<_>>();
    json!({
        "players": record.players(),
        "date": header(&["開始日時", "対局日"]),
        "event": header(&["棋戦", "棋戦詳細"]),
        "handicap": handicap_name(&record.start).filter(|name| *name != "平手"),
        "opening": opening(record).map(both),
        "moves": record.moves.len(),
        "ending": record.ending.as_ref().map(Ending::kif),
        "winner": record.winner().map(|winner| usize::from(winner == Color::White)),
        "notes": notes(NOTE),
        "old_notes": notes(OLD_NOTE),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_with_notes() {
        let kif = "#KIF version=2.0 encoding=UTF-8\n手合割：平手\n開始日時：2026/11/28 10:00:00\n先手：甲\n\
                   後手：乙\n手数----指手---------消費時間--\n*#Monomi level 4\n*Monomi level 7\n*##Monomi level 9\n\
                   *#Monomi side black\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n";
        let account_of = |kif: &str| account(&monomi_record::read_text(kif).unwrap()[0]);
        let account = account_of(kif);
        assert_eq!(account["players"], json!(["甲", "乙"]));
        assert_eq!(account["notes"], json!(["level 4", "side black"]));
        assert_eq!((&account["moves"], &account["winner"]), (&json!(2), &json!(1)));
        assert_eq!(account["date"], "2026/11/28 10:00:00");
        assert_eq!(account["handicap"], Value::Null);
        // Files of versions before have notes without the mark.
        let old = "手合割：平手\n*Monomi level 4\n*a comment\n*Monomi side black\n1 ７六歩(77)\n";
        let account = account_of(old);
        assert_eq!(account["notes"], json!([]));
        assert_eq!(account["old_notes"], json!(["level 4", "side black"]));
    }

    #[test]
    fn the_opening_and_the_handicap_are_named() {
        let moves =
            "7g7f 3c3d 6g6f 8c8d 2h6h 8d8e 8h7g 7a6b 7i7h 5a4b 5i4h 4b3b 4h3h 6a5b 3h2h 5c5d 3i3h";
        let records =
            monomi_record::read_text(&format!("position startpos moves {moves}")).unwrap();
        assert_eq!(account(&records[0])["opening"][0], "先手四間飛車");
        let two =
            "position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d";
        let records = monomi_record::read_text(two).unwrap();
        assert_eq!(account(&records[0])["handicap"], "二枚落ち");
    }
}
