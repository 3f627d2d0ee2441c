//! Spellings, headers and endings of other programs, kind by kind.

use super::{games, good, moves, one};
use crate::encoding::Encoding;
use crate::ending::Ending;
use crate::fault::{ReadError, Reason};
use crate::format::Format;
use crate::read;
use crate::read::read_text;
use monomi_movegen::Position;

pub(super) const ROWS: [&str; 9] = [
    "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一",
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二",
    "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三",
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四",
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五",
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六",
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七",
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八",
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九",
];

/// A problem with these lines before and after its board.
pub(super) fn diagram(before: &str, after: &str) -> String {
    let rows = ROWS.join("\n");
    format!(
        "{before}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n{rows}\n\
         +---------------------------+\n{after}\n"
    )
}

fn start(text: &str) -> String {
    good(text).start.to_sfen()
}

#[test]
fn hands_in_all_spellings() {
    let expected = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    for count in ["十七", "１７", "17", "一七", "17枚", "１７枚", "×17", "(17)", "十七枚"]
    {
        let white = format!("飛二　角二　金三　銀四　桂四　香四　歩{count}");
        for (white_key, black_key) in [
            ("後手の持駒", "先手の持駒"),
            ("後手の持ち駒", "先手の持ち駒"),
            ("後手持駒", "先手持駒"),
            ("上手の持駒", "下手の持駒"),
            ("玉方の持駒", "攻方の持駒"),
            ("受方持ち駒", "攻方持ち駒"),
        ] {
            let text = diagram(&format!("{white_key}：{white}"), &format!("{black_key}:金"));
            assert_eq!(start(&text), expected, "{text}");
        }
    }
    for white in [
        "飛車二 角行二 金将三 銀将四 桂馬四 香車四 歩兵十七",
        "飛2、角2、金3、銀4、桂4、香4、歩17",
        "飛２角２金３銀４桂４香４歩１７",
        "残り全部",
        "残り",
    ] {
        let text = diagram(&format!("後手の持駒：{white}"), "先手の持駒：金\u{a0}");
        assert_eq!(start(&text), expected, "{text}");
    }
    for none in ["なし", "無し", "", "－"] {
        let text = diagram(&format!("後手の持駒：{none}"), "先手の持駒：金");
        assert_eq!(start(&text), "4k4/9/4P4/9/9/9/9/9/9 b G 1", "{text}");
    }
    let full_bars = diagram("", "持駒：金").replace('|', "｜");
    assert_eq!(start(&full_bars), "4k4/9/4P4/9/9/9/9/9/9 b G 1");
    // More pawns than a set has.
    let text = diagram("後手の持駒：歩百", "");
    assert!(read_text(&text).is_err());
    assert!(read_text(&diagram("後手の持駒：歩一八", "")).is_err());
}

#[test]
fn the_side_to_move_in_all_spellings() {
    for line in ["手番：後手", "手番：後手番", "手番:△", "手番：上手", "後手番", "手番：white"]
    {
        let text = diagram("後手の持駒：飛", line);
        assert_eq!(start(&text), "4k4/9/4P4/9/9/9/9/9/9 w r 1", "{text}");
        let before = diagram(&format!("後手の持駒：飛\n{line}"), "");
        assert_eq!(start(&before), "4k4/9/4P4/9/9/9/9/9/9 w r 1", "{before}");
    }
    for line in ["手番：先手", "手番：▲", "先手番", ""] {
        let text = diagram("後手の持駒：飛", line);
        assert_eq!(start(&text), "4k4/9/4P4/9/9/9/9/9/9 b r 1", "{text}");
    }
    // The symbol of the first move says it too.
    let text = diagram("後手の持駒：飛", "\n△５二飛打");
    assert_eq!(moves(&good(&text)), "R*5b");
    // Without a board the handicap decides: some files name the author's side.
    assert_eq!(moves(&good("手番：後手\n1 ７六歩(77)\n")), "7g7f");
}

#[test]
fn handicaps_in_all_spellings() {
    let start = |name: &str| start(&format!("手合割：{name}\n1 ６二銀(71)\n"));
    for (names, expected) in [
        (
            &[
                "二枚落ち",
                "二枚落",
                "２枚落ち",
                "2枚落ち",
                "2枚落",
                "二枚 落ち",
                "飛角落ち",
                "二枚落ち　",
            ][..],
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            &["飛車落ち", "飛車落", "飛落ち", "飛落"],
            "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            &["角落ち", "角落", "角行落ち"],
            "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            &["香落ち", "香落", "左香落ち", "左香落"],
            "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            &["六枚落ち", "６枚落", "6枚落ち"],
            "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
    ] {
        for name in names {
            if *name == names[0] || !expected.starts_with("2s") {
                assert_eq!(start(name), expected, "{name}");
            }
        }
    }
    for name in ["十枚落ち", "10枚落ち", "１０枚落", "十枚落"] {
        let text = format!("手合割：{name}\n1 ６二玉(51)\n");
        assert!(good(&text).start.to_sfen().starts_with("4k4/9/ppppppppp"), "{name}");
    }
    for name in ["平手戦", "百枚落ち", "七枚落ち", "変則", "詰将棋", "その他"] {
        let error = read_text(&format!("手合割：{name}\n1 ７六歩(77)\n")).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        assert!(matches!(error, ReadError::Fault(_)), "{error}");
    }
    // The board of a handicap has the handicap's side to move.
    let position = Position::from_sfen(crate::board::HANDICAPS[7].1).unwrap();
    let board = crate::board::bod(&position).replace("後手番\n", "");
    assert_eq!(good(&format!("手合割：二枚落ち\n{board}")).start.to_sfen(), position.to_sfen());
}

#[test]
fn any_handicap_goes_with_a_board() {
    for name in ["詰将棋", "詰将棋　", "詰め将棋", "その他", "次の一手", "実戦", "必至問題", "平手"]
    {
        for text in [
            diagram(
                &format!("手合割：{name}\n後手の持駒：飛"),
                "先手の持駒：飛\n先手番\n1 ５二飛打",
            ),
            diagram("後手の持駒：飛", &format!("先手の持駒：飛\n手合割：{name}\n1 ５二飛打")),
        ] {
            assert_eq!(moves(&good(&text)), "R*5b", "{text}");
        }
    }
}

#[test]
fn a_foul_explains_the_last_move_only() {
    let kif = "1 ７六歩(77)\n2 ３四歩(33)\n3 ９九歩(12)\n";
    let csa = "PI\n+\n+7776FU\n-3334FU\n+1299FU\n";
    let ki2 = "▲７六歩 △３四歩\n▲５五金\n";
    let jkf = |last: &str| {
        let pawn = |from: (u8, u8), to: (u8, u8)| {
            format!(
                r#"{{"move":{{"from":{{"x":{},"y":{}}},"to":{{"x":{},"y":{}}},"piece":"FU"}}}}"#,
                from.0, from.1, to.0, to.1
            )
        };
        let list = [pawn((7, 7), (7, 6)), pawn((3, 3), (3, 4)), pawn((1, 2), (9, 9))].join(",");
        format!(r#"{{"moves":[{{}},{list}{last}]}}"#)
    };
    for (text, is_good) in [
        (format!("{kif}4 反則手\n"), true),
        (format!("{kif}まで3手で後手の反則勝ち\n"), true),
        (format!("{kif}4 ８四歩(83)\n5 反則手\n"), false),
        (format!("{kif}4 ８四歩(83)\nまで4手で先手の反則勝ち\n"), false),
        (format!("{csa}%ILLEGAL_MOVE\n"), true),
        (format!("{csa}%+ILLEGAL_ACTION\n"), true),
        (format!("{csa}-8384FU\n%ILLEGAL_MOVE\n"), false),
        (format!("{csa}-8384FU\n+2726FU\n%-ILLEGAL_ACTION\n"), false),
        (format!("{ki2}まで3手で後手の反則勝ち\n"), true),
        (format!("{ki2}△８四歩\nまで4手で先手の反則勝ち\n"), false),
        (jkf(r#",{"special":"ILLEGAL_MOVE"}"#), true),
        (jkf(r#",{},{"special":"ILLEGAL_MOVE"}"#), false),
        // Unreadable, not a foul.
        ("1 ７六歩(77)\n2 ３四歩(33)\n3 ２六木(27)\n4 反則負け\n".to_owned(), false),
        ("PI\n+\n+7776FU\n-3334FU\n+27*6FU\n%ILLEGAL_MOVE\n".to_owned(), false),
    ] {
        let record = one(&text);
        assert_eq!(moves(&record), "7g7f 3c3d", "{text}");
        assert_eq!(record.faults.is_empty(), is_good, "{text}");
        let named = record.faults.first().map(|fault| fault.ply);
        assert_eq!(named.unwrap_or(Some(3)), Some(3), "{text}");
    }
}

#[test]
fn words_beyond_the_shortest_ones() {
    // Golds on 5h and 6i: both can move to 6h.
    for (word, expected) in [
        ("▲６八金直", "6i6h"),
        ("▲６八金左", "6i6h"),
        ("▲６八金上", "6i6h"),
        ("▲６八金左上", "6i6h"),
        ("▲６八左金", "6i6h"),
        ("▲６八金右", "5h6h"),
        ("▲６八金寄", "5h6h"),
        ("▲６八金右寄", "5h6h"),
        ("▲６八金(58)", "5h6h"),
    ] {
        let record = good(&format!("▲５八金右 △３四歩 {word}\n"));
        assert_eq!(record.moves[2].mv.to_string(), expected, "{word}");
    }
    for word in ["▲６八金", "▲６八金引", "▲６八金右直"] {
        let record = one(&format!("▲５八金右 △３四歩 {word}\n"));
        assert_eq!(record.moves.len(), 2, "{word}");
        assert_eq!(record.faults[0].ply, Some(3), "{word}");
    }
    let sfen = "4k4/9/9/9/9/3S1S3/9/3S1S3/4K4 b - 1";
    let position = Position::from_sfen(sfen).unwrap();
    for (word, expected) in [
        ("５七銀右上", "4h5g"),
        ("５七銀左上", "6h5g"),
        ("５七銀右引", "4f5g"),
        ("５七銀引左", "6f5g"),
    ] {
        let text = format!("{}\n▲{word}\n", crate::board::bod(&position));
        assert_eq!(moves(&good(&text)), expected, "{word}");
    }
    // A single piece may have any words.
    assert_eq!(moves(&good("▲７六歩直 △３四歩上\n")), "7g7f 3c3d");
}

#[test]
fn rows_of_csa_with_any_blanks() {
    let rows = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI * * * * * -KA * \n\
        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 * * * * * * * * * \nP5* * * * * * * * *\nP6*********\n\
        P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 *  +KA *  *  *  *  *  +HI *\n\
        P9+KY +KE +GI +KI +OU +KI +GI +KE +KY\n+\n+7776FU\n";
    let record = good(rows);
    assert_eq!(record.start.to_sfen(), Position::startpos().to_sfen());
    assert_eq!(moves(&record), "7g7f");
    // Too few squares to know which are meant.
    assert!(read_text(&rows.replace("P2 * -HI * * * * * -KA * ", "P2 * -HI * * -KA * ")).is_err());
}

#[test]
fn moves_without_symbols_or_with_numbers() {
    for text in [
        "先手：a\n後手：b\n\n７六歩 ３四歩 ２六歩\n",
        "７六歩　３四歩　２六歩\n",
        "７六歩\n３四歩\n２六歩\n",
        "７六歩、３四歩、２六歩\n",
        "▲７六歩\u{a0}△３四歩\u{a0}▲２六歩\n",
        "\u{a0}\u{a0}▲７六歩 △３四歩 ▲２六歩\n",
        "1. ▲７六歩\n2. △３四歩\n3. ▲２六歩\n",
        "1.▲７六歩 2.△３四歩 3.▲２六歩\n",
        "1. ▲７六歩 △３四歩\n2. ▲２六歩\n",
        "1 ▲７六歩 2 △３四歩 3 ▲２六歩\n",
        "1手目 ７六歩\n2手目 ３四歩\n3手目 ２六歩\n",
        "１手目　▲７六歩\n２手目　△３四歩\n３手目　▲２六歩\n",
        "第1手：７六歩\n第2手：３四歩\n第3手：２六歩\n",
        "1手目：▲７六歩(77)\n2手目：△３四歩(33)\n3手目：▲２六歩(27)\n",
        "\u{a0}\u{a0}1\u{a0}７六歩(77)\n\u{a0}\u{a0}2\u{a0}３四歩(33)\n\u{a0}\u{a0}3\u{a0}２六歩(27)\n",
        "1 ▲７六歩(77)\n2 △３四歩(33)\n3 ▲２六歩(27)\n",
        "▲７六歩(77)\n△３四歩(33)\n▲２六歩(27)\n",
        "1: ７六歩(77)\n2: ３四歩(33)\n3: ２六歩(27)\n",
        "1) ７六歩(77)\n2) ３四歩(33)\n3) ２六歩(27)\n",
        "moves 7g7f 3c3d 2g2f\n",
    ] {
        assert_eq!(moves(&good(text)), "7g7f 3c3d 2g2f", "{text}");
    }
    // What cannot be read is named.
    for text in [
        "先手：a\n1 ７六木(77)\n",
        "先手：a\n７六木 ３四歩\n▲２六歩\n",
        "2 ３四歩(33)\n",
        "3 ２六歩(27)\n4 ８四歩(83)\n",
        "手数----指手\n 1 ７六木(77)\n 2 ３四歩(33)\n",
    ] {
        let record = one(text);
        assert!(!record.faults.is_empty() && record.moves.is_empty(), "{text}");
    }
    // The moves after a line of another kind are read if they are legal, and the line is named.
    let record = one("<br>▲７六歩 △３四歩<br>\n▲２六歩 △８四歩\n");
    assert_eq!(record.faults[0].line, 1);
    // Headers and prose are a game without moves.
    let record = good("先手：a\n後手：b\n\n昨日の対局です。とても楽しかった。\n");
    assert_eq!((record.moves.len(), record.format), (0, Format::Kif));
}

#[test]
fn words_of_usi_that_end_a_game() {
    for (word, ending) in [
        ("resign", Ending::Resign),
        ("win", Ending::Declaration),
        ("rep_draw", Ending::Repetition),
        ("draw", Ending::Draw),
        ("timeout", Ending::TimeUp),
        ("break", Ending::Interrupted),
    ] {
        for start in ["position startpos moves 7g7f", "startpos moves 7g7f", "7g7f"] {
            let record = good(&format!("{start} {word}\n"));
            assert_eq!((moves(&record).as_str(), &record.ending), ("7g7f", &Some(ending.clone())));
        }
        let record = one(&format!("startpos moves 7g7f {word} 3c3d\n"));
        assert_eq!(record.faults[0].reason, Reason::AfterTheEnd, "{word}");
        assert!(
            monomi_movegen::position_text::read(&format!("startpos moves 7g7f {word}")).is_ok()
        );
    }
    let record = good("startpos resign\n");
    assert_eq!((record.moves.len(), record.ending), (0, Some(Ending::Resign)));
    assert!(read_text("position\n7g7f\n").is_ok_and(|games| !games[0].faults.is_empty()));
}

#[test]
fn words_that_end_a_line_of_usi_have_a_meaning() {
    for word in monomi_movegen::position_text::endings() {
        assert!(crate::usi::ending(word).is_some(), "{word}");
    }
    for (ending, kif, ..) in crate::ending::ENDINGS {
        assert!(crate::usi::ending(kif).is_some(), "{ending:?}");
    }
}

#[test]
fn times_of_kif() {
    let seconds = |line: &str| good(&format!("{line}\n")).moves[0].seconds;
    for (line, expected) in [
        ("1 ７六歩(77)   ( 0:09/00:00:21)", Some(9)),
        ("1 ７六歩(77)(00) ( 0:09/00:00:21)", Some(9)),
        ("1 ７六歩(77) ( 0:09.7/00:00:21.3)", Some(9)),
        ("1 ７六歩(77) ( 1:02:03/01:02:03)", Some(3723)),
        ("1 ７六歩(77) （ 0:09/00:00:21）", Some(9)),
        ("1 ７六歩(77) (00:09 / 00:00:21)", Some(9)),
        ("1 ７六歩(77)", None),
        ("1 ７六歩(77) (00)", None),
        ("▲７六歩(77) ( 0:09/00:00:21)", Some(9)),
    ] {
        assert_eq!(seconds(line), expected, "{line}");
    }
    let drop = diagram("", "持駒：飛\n1 ５二飛打(00)  ( 0:09/00:00:21)\n2 詰み ( 0:03/)");
    let record = good(&drop);
    assert_eq!((record.moves[0].seconds, record.ending_seconds), (Some(9), Some(3)));
}

#[test]
fn rulers_and_signatures_are_no_moves() {
    for trailer in [
        "------------------------------\n    generated by 激指定跡道場4\n",
        "==============\n",
        "━━━━━━━━\n",
        "Generated by ShogiGUI\n",
        "********\n",
        "作成：ソフト\n",
        "# Kifu for Windows\n",
    ] {
        for game in ["▲７六歩△３四歩\n", "1 ７六歩(77)\n2 ３四歩(33)\n"] {
            assert_eq!(moves(&good(&format!("{game}{trailer}"))), "7g7f 3c3d", "{trailer}");
            let ended = format!("{game}まで2手で後手の勝ち\n{trailer}");
            assert_eq!(good(&ended).ending, Some(Ending::Resign), "{trailer}");
        }
    }
}

#[test]
fn comments_and_text_between_moves() {
    for between in [
        "＊コメント",
        "*コメント",
        "ここで長考",
        "▲２六歩もあった",
        "２六歩が普通",
        "5 eggs",
        "----",
    ] {
        let text =
            format!("手合割：平手\n＊はじめに\n1 ７六歩(77)\n{between}\n2 ３四歩(33)\n3 投了\n");
        let record = good(&text);
        assert_eq!(moves(&record), "7g7f 3c3d", "{text}");
        assert_eq!(record.comments, ["はじめに"]);
        // Where the number does not follow, the text is named.
        let text = format!("1 ７六歩(77)\n2 ３四歩(33)\n{between}\n4 ８四歩(83)\n");
        let record = one(&text);
        assert_eq!(record.moves.len(), 2, "{text}");
        assert_eq!(record.faults[0].ply, Some(3), "{text}");
    }
    // Without numbers the moves after it are read, and it is named.
    let record = one("▲７六歩 △３四歩\nここで長考\n▲２六歩\n");
    assert_eq!(moves(&record), "7g7f 3c3d 2g2f");
    assert_eq!(record.faults[0].line, 2);
}

#[test]
fn several_games_in_one_file() {
    let first =
        "手合割：平手\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";
    for between in [
        "",
        "\n\n",
        "手合割：平手\n",
        "\n先手：a\n後手：b\n手数----指手---------消費時間--\n",
        "まで2手で後手の勝ち\n\n# ----\n開始日時：2026/01/02\n手数----指手--\n",
    ] {
        let text = format!("{first}{between}1 ２六歩(27)\n2 ８四歩(83)\n3 中断\n");
        let all = games(&text);
        assert_eq!(all.len(), 2, "{text}");
        assert!(all.iter().all(|game| game.faults.is_empty()), "{text}");
        assert_eq!([moves(&all[0]), moves(&all[1])], ["7g7f 3c3d", "2g2f 8c8d"]);
        assert_eq!(all[1].ending, Some(Ending::Interrupted));
    }
    // The first one has no ending.
    let text = "手合割：平手\n1 ７六歩(77)\n\n手合割：平手\n手数----指手\n1 ２六歩(27)\n";
    assert_eq!(games(text).len(), 2);
    let text = "先手：a\n▲７六歩 △３四歩\nまで2手で後手の勝ち\n\n先手：c\n▲２六歩 △８四歩\n";
    let all = games(text);
    assert_eq!([moves(&all[0]), moves(&all[1])], ["7g7f 3c3d", "2g2f 8c8d"]);
    assert_eq!(all[1].players()[0], "c");
    // Diagrams without moves.
    let text =
        diagram("後手の持駒：飛", "先手の持駒：金") + &diagram("後手の持駒：角", "先手の持駒：銀");
    let all = games(&text);
    let starts: Vec<String> = all.iter().map(|game| game.start.to_sfen()).collect();
    assert_eq!(starts, ["4k4/9/4P4/9/9/9/9/9/9 b Gr 1", "4k4/9/4P4/9/9/9/9/9/9 b Sb 1"]);
    // CSA without separators.
    let text = "V2.2\nN+a\nPI\n+\n+7776FU\n%TORYO\nV2.2\nN+b\nPI\n+\n+2726FU\n%TORYO\n";
    assert_eq!(games(text).iter().map(moves).collect::<Vec<_>>(), ["7g7f", "2g2f"]);
    // Headers after the last game are none.
    assert_eq!(games(&format!("{first}終了日時：2026/01/02\n備考：なし\n")).len(), 1);
    // An adjourned game goes on.
    let text = "1 ７六歩(77)\n2 中断\n2 ３四歩(33)\n3 封じ手\n3 ２六歩(27)\n";
    assert_eq!(moves(&good(text)), "7g7f 3c3d 2g2f");
}

#[test]
fn endings_of_jkf() {
    let pawn = r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU","color":0},"time":{"now":{"m":0,"s":5.5}}}"#;
    for (special, ending) in [
        ("-ILLEGAL_ACTION", Ending::FoulLoss),
        ("+ILLEGAL_ACTION", Ending::FoulWin),
        ("ILLEGAL_MOVE", Ending::FoulLoss),
        ("TORYO", Ending::Resign),
        ("%TORYO", Ending::Resign),
        ("投了", Ending::Resign),
    ] {
        let text = format!(r#"{{"moves":[{{}},{pawn},{{"special":"{special}"}}]}}"#);
        let record = good(&text);
        assert_eq!(record.ending, Some(ending), "{special}");
        assert_eq!(record.moves[0].seconds, Some(5));
    }
    // The same in CSA.
    let record = good("PI\n+\n+7776FU\nT5.5\n%-ILLEGAL_ACTION\n");
    assert_eq!((record.ending, record.moves[0].seconds), (Some(Ending::FoulLoss), Some(5)));
}

/// An illegal last move is not in the record, and whoever made it has lost, in whatever words the file says so.
#[test]
fn the_loser_after_an_illegal_last_move() {
    use shogi_core::Color::{Black, White};
    let kif = |last: &str| format!("1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n{last}");
    let (illegal, none) = ("4 ９九歩(12)\n", "");
    let csa = |last: &str| format!("PI\n+\n+7776FU\n-3334FU\n+2726FU\n{last}");
    let pawn = |from: (u8, u8), to: (u8, u8)| {
        let (x, y) = from;
        let from = format!(r#"{{"x":{x},"y":{y}}}"#);
        format!(r#"{{"move":{{"from":{from},"to":{{"x":{},"y":{}}},"piece":"FU"}}}}"#, to.0, to.1)
    };
    let jkf = |illegal: bool, special: &str| {
        let mut list = vec![pawn((7, 7), (7, 6)), pawn((3, 3), (3, 4)), pawn((2, 7), (2, 6))];
        list.extend(illegal.then(|| pawn((1, 2), (9, 9))));
        format!(r#"{{"moves":[{{}},{},{{"special":"{special}"}}]}}"#, list.join(","))
    };
    let ki2 = |last: &str| format!("▲７六歩 △３四歩 ▲２六歩\n{last}");
    for (text, loser) in [
        (kif(&format!("{illegal}5 反則手\n")), White),
        (kif(&format!("{illegal}5 反則勝ち\n")), White),
        (kif(&format!("{illegal}5 反則負け\n")), White),
        (kif(&format!("{illegal}*反則手\n")), White),
        (kif(&format!("{illegal}まで4手で先手の反則勝ち\n")), White),
        (kif(&format!("{illegal}まで4手で後手の反則負け\n")), White),
        (kif(&format!("{illegal}まで4手で反則により先手の勝ち\n")), White),
        // Without the move: the side to move made it.
        (kif(&format!("{none}4 反則手\n")), White),
        (kif("4 反則負け\n"), White),
        (kif("4 反則勝ち\n"), Black),
        (kif("4 打ち歩詰め\n"), White),
        (kif("まで3手で後手の反則負け\n"), White),
        (kif("まで3手で後手の反則勝ち\n"), Black),
        (ki2("△５五金\nまで4手で先手の反則勝ち\n"), White),
        (ki2("まで3手で先手の反則負け\n"), Black),
        (csa("-1299FU\n%ILLEGAL_MOVE\n"), White),
        (csa("-1299FU\n%-ILLEGAL_ACTION\n"), White),
        (csa("%ILLEGAL_MOVE\n"), White),
        (csa("%+ILLEGAL_ACTION\n"), Black),
        // Black moved twice.
        (csa("+2625FU\n%ILLEGAL_MOVE\n"), Black),
        (jkf(true, "ILLEGAL_MOVE"), White),
        (jkf(false, "ILLEGAL_MOVE"), White),
        (jkf(true, "-ILLEGAL_ACTION"), White),
        (jkf(false, "+ILLEGAL_ACTION"), Black),
        ("startpos moves 7g7f 3c3d 2g2f illegal".to_owned(), White),
    ] {
        let record = good(&text);
        assert_eq!(moves(&record), "7g7f 3c3d 2g2f", "{text}");
        assert_eq!(record.defeat(), Some((loser, crate::ending::Defeat::Rules)), "{text}");
    }
}

/// Perpetual check loses by the rules, whatever word the record has for it.
#[test]
fn the_loser_by_perpetual_check() {
    use shogi_core::Color::Black;
    let start = "P1 *  *  *  *  *  *  *  * -OU\nP9 *  *  *  *  *  *  * +HI * \nP+00KI\nP+59OU\n+\n";
    let cycle = "+2919HI\n-1121OU\n+1929HI\n-2111OU\n".repeat(4);
    for word in ["SENNICHITE", "ILLEGAL_MOVE"] {
        let record = good(&format!("{start}{cycle}%{word}\n"));
        assert_eq!(record.moves.len(), 16);
        assert_eq!(record.defeat(), Some((Black, crate::ending::Defeat::Rules)), "{word}");
    }
}

#[test]
fn decisions_on_doubtful_input() {
    // A disconnection ends the game, and nobody is said to have won.
    let record = good("1 ７六歩(77)\n2 切断\n");
    assert_eq!(record.ending, Some(Ending::Other("切断".to_owned())));
    // A pass is no move of a game.
    for text in ["1 ７六歩(77)\n2 パス\n3 ２六歩(27)\n", "▲７六歩 △パス ▲２六歩\n"]
    {
        let record = one(text);
        assert_eq!((moves(&record).as_str(), &record.faults[0].reason), ("7g7f", &Reason::Pass));
    }
    // Shogi Wars: the time left after each move.
    let record = good("+7776FU,L599\t-3334FU,L598\t+2726FU,L590\t-8384FU,L593\tGOTE_WIN_TORYO\n");
    let seconds: Vec<_> = record.moves.iter().map(|played| played.seconds).collect();
    assert_eq!(seconds, [None, None, Some(9), Some(5)]);
    assert_eq!(record.ending, Some(Ending::Resign));
    // Two pawns in a file are refused, whoever drew them.
    let text = diagram("", "持駒：金").replace(ROWS[3], "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|四");
    assert!(read_text(&text).is_err_and(|error| error.to_string().contains("two pawns")));
    // USEN is not read.
    assert_eq!(read_text("~0.7ku2jm6y236e5t24.i\n").unwrap_err(), ReadError::NoRecord);
    // UTF-16 with and without a byte order mark.
    for text in [
        "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n",
        "startpos moves 7g7f 3c3d\n",
        "PI\n+\n+7776FU\n-3334FU\n",
    ] {
        for mark in ["", "\u{FEFF}"] {
            let text = format!("{mark}{text}");
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for bytes in [little, big] {
                let file = read(&bytes).unwrap();
                assert_eq!(file.encoding, Encoding::Utf16);
                assert_eq!(moves(&file.records[0]), "7g7f 3c3d", "{text}");
            }
        }
    }
}
