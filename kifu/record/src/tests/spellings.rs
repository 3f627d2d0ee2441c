//! Words, headers, numbers and times in spellings that no definition has but files do.

use super::other_programs::diagram;
use super::{games, good, moves, one};
use crate::ending::Ending;
use crate::fault::{ReadError, Reason};
use crate::notation::western;
use crate::read;
use crate::read::read_text;
use crate::usi::read_position as read_usi_position;
use monomi_movegen::Position;

fn start(text: &str) -> String {
    good(text).start.to_sfen()
}

/// Why a text is not read at all.
fn refused(text: &str) -> Reason {
    match read_text(text) {
        Err(ReadError::Fault(fault)) => fault.reason,
        other => panic!("{other:?}: {text}"),
    }
}

#[test]
fn endings_in_words() {
    let other = |word: &str| Ending::Other(word.to_owned());
    for (word, ending) in [
        ("タイムアップ", Ending::TimeUp),
        ("時間切れにより後手の勝ち", Ending::TimeUp),
        ("接続切れ負け", Ending::TimeUp),
        ("投　了", Ending::Resign),
        ("降参", Ending::Resign),
        ("負けました", Ending::Resign),
        ("反則行為", Ending::FoulLoss),
        ("打ち歩詰め", Ending::FoulLoss),
        ("王手放置", Ending::FoulLoss),
        ("不詰み", Ending::NoMate),
        ("詰み上がり", Ending::Mate),
        ("持将棋成立", Ending::Impasse),
        ("相入玉", Ending::Declaration),
        ("トライ勝ち", Ending::Declaration),
        ("連続王手の千日手", Ending::Repetition),
        ("不戦敗", other("不戦敗")),
        // Who lost is not clear.
        ("先手勝ち", other("先手勝ち")),
        ("時間切れ勝ち", other("時間切れ勝ち")),
        ("通信エラー", other("通信エラー")),
    ] {
        let record = good(&format!("1 ７六歩(77)\n2 {word}   ( 0:03/00:00:03)\n"));
        assert_eq!((moves(&record).as_str(), &record.ending), ("7g7f", &Some(ending)), "{word}");
        assert_eq!(record.ending_seconds, Some(3), "{word}");
    }
    // A word that is no ending does not end the game if the moves go on.
    assert_eq!(good("1 ７六歩(77)\n2 昼食休憩\n2 ３四歩(33)\n").moves.len(), 2);
    for word in ["昼食休憩", "通信エラー", "ＸＸＸ"] {
        for next in ["３ ２六歩(27)", "3 反則負け", "3 投了"] {
            let record = one(&format!("1 ７六歩(77)\n2 {word}\n{next}\n"));
            assert_eq!((record.faults[0].line, record.moves.len()), (2, 1), "{word}, {next}");
        }
    }
    let record = one("1 ７六歩(77)\n2 タイムアップ\n3 ２六歩(27)\n");
    assert_eq!(record.faults[0].reason, Reason::AfterTheEnd);
    let record = one("1 ７六歩(77)\n2 切断\n2 ３四歩(33)\n");
    assert_eq!(record.faults[0].reason, Reason::AfterTheEnd);
    // What might be a damaged move is none.
    for line in ["2 同", "2 四歩(33)", "2 ３木歩(33)", "2 歩打", "2 △"] {
        let record = one(&format!("1 ７六歩(77)\n{line}\n3 ２六歩(27)\n"));
        assert_eq!(record.faults[0].line, 2, "{line}");
    }
}

#[test]
fn words_after_the_last_move() {
    for words in ["以上", "おわり", "※無断転載禁止"] {
        assert_eq!(moves(&good(&format!("▲７六歩 △３四歩\n{words}\n"))), "7g7f 3c3d", "{words}");
    }
    for words in ["▲ＸＸ", "２木歩", "歩"] {
        let record = one(&format!("▲７六歩 △３四歩\n{words}\n"));
        assert_eq!(record.faults[0].line, 2, "{words}");
    }
}

#[test]
fn games_that_begin_with_players() {
    let kif = "先手：a\n後手：b\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";
    let ki2 = "先手：c\n後手：d\n▲７六歩 △３四歩\n";
    for text in [format!("{kif}{ki2}"), format!("{ki2}{kif}"), format!("{ki2}\n{ki2}")] {
        let all = games(&text);
        assert_eq!(all.iter().map(moves).collect::<Vec<_>>(), ["7g7f 3c3d"; 2], "{text}");
        assert!(all.iter().all(|game| game.faults.is_empty()), "{text}");
    }
}

#[test]
fn the_side_to_move_without_a_colon() {
    for line in [
        "手番 後手",
        "手番＝後手",
        "手番は後手",
        "手番：gote",
        "後手の手番",
        "後番",
        "△番",
        "△手番",
        "手数＝1  ▲５三歩打  まで",
    ] {
        let text = diagram("後手の持駒：飛", line);
        assert_eq!(start(&text), "4k4/9/4P4/9/9/9/9/9/9 w r 1", "{line}");
    }
    let text = diagram("", "持駒：飛\n手数＝2  △５一玉(52)  まで");
    assert_eq!(start(&text), "4k4/9/4P4/9/9/9/9/9/9 b R 1");
    let text = diagram("後手の持駒：飛", "手番：？");
    assert_eq!(refused(&text), Reason::UnknownSide);
    // Without a diagram it says nothing about the position.
    assert_eq!(moves(&good("手番：？\n1 ７六歩(77)\n")), "7g7f");
}

#[test]
fn hands_with_other_keys_and_words() {
    for key in [
        "先手の手駒：",
        "▲持駒：",
        "☗の持駒：",
        "先手の　持駒：",
        "先手の持駒 ：",
        "攻め方持駒：",
        "詰方の持駒：",
        "先手(名前)の持駒：",
        "先手の持駒　",
        "先手の持駒＝",
    ] {
        let text = diagram("", &format!("{key}金"));
        assert_eq!(start(&text), "4k4/9/4P4/9/9/9/9/9/9 b G 1", "{key}");
        assert_eq!(moves(&good(&format!("{text}1 ５二金打\n"))), "G*5b", "{key}");
    }
    for (hand, expected) in [
        ("歩　十二", "12p"),
        ("歩 12 金 2", "2g12p"),
        ("歩*3", "3p"),
        ("none", "-"),
        ("Empty", "-"),
        ("（なし）", "-"),
        ("なし。", "-"),
        ("その他全部", "2r2b4g4s4n4l17p"),
        ("全部", "2r2b4g4s4n4l17p"),
        ("盤上以外の残り", "2r2b4g4s4n4l17p"),
    ] {
        let text = diagram(&format!("後手の持駒：{hand}"), "");
        assert_eq!(start(&text), format!("4k4/9/4P4/9/9/9/9/9/9 b {expected} 1"), "{hand}");
    }
    // A name that begins like a side.
    let text = diagram("上野の持駒：飛", "");
    assert_eq!(refused(&text), Reason::UnknownSide);
    // Where a piece cannot be read, the position is not known.
    assert_eq!(refused(&diagram("後手の持駒：象", "1 ５二歩成(53)")), Reason::MissingPiece);
    let row = diagram("", "").replace("| ・ ・ ・ ・v玉", "| ・ ・ 象 ・v玉");
    assert_eq!(refused(&row), Reason::UnknownPiece(None));
}

#[test]
fn handicaps_with_other_keys_and_words() {
    let two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for line in [
        "手合わり：二枚落ち",
        "手合割り:２枚落ち",
        "手合割　二枚落ち",
        "手合割＝二枚落",
        "ハンデ：二枚落ち",
        "手合割：二枚落ち（飛車角）",
        "手合割：飛車・角落ち",
        "手合割：弐枚落",
        "手合割：２枚",
    ] {
        assert_eq!(start(&format!("{line}\n手数----指手\n1 ６二玉(51)\n")), two, "{line}");
    }
    for (name, like) in [("香車落", "香落ち"), ("右香車落ち", "右香落ち"), ("飛香車落", "飛香落ち")]
    {
        let of = |name| start(&format!("手合割：{name}\n1 ６二玉(51)\n"));
        assert_eq!(of(name), of(like));
    }
}

#[test]
fn numbers_sides_and_pieces_in_words() {
    for text in [
        "先手：７六歩\n後手：３四歩\n先手：２六歩\n",
        "先手 ７六歩\n後手 ３四歩\n先手 ２六歩\n",
        "先手：a\n後手：b\n先手７六歩\n後手３四歩\n先手２六歩\n",
        "(1) ▲７六歩\n(2) △３四歩\n(3) ▲２六歩\n",
        "【1】７六歩\n【2】３四歩\n【3】２六歩\n",
        "一手目 ７六歩\n二手目 ３四歩\n三手目 ２六歩\n",
        "1７六歩(77)\n2３四歩(33)\n3２六歩(27)\n",
        "1 ７六歩兵(77)\n2 ３四歩兵(33)\n3 ２六歩兵(27)\n",
    ] {
        assert_eq!(moves(&good(text)), "7g7f 3c3d 2g2f", "{text}");
    }
    // The origin after a full name counts.
    assert_eq!(moves(&good("1 ５八金将(49)\n2 ５二金(61)\n3 ３八飛車(28)\n")), "4i5h 6a5b 2h3h");
    let closed = good("▲７六歩 △３四歩 ▲２六歩 まで、3手にて先手勝\n");
    assert_eq!(closed.ending, Some(Ending::Resign));
}

#[test]
fn lines_before_the_moves() {
    for title in [
        "▲羽生善治 △三浦弘行",
        "△b　対　▲a九段",
        "▲先手：a\n△後手：b",
        "３手詰",
        "1手詰め",
        "5手詰（詰将棋）",
        "10分切れ負け",
        "第1局",
        "2020年1月1日",
    ] {
        for game in ["▲７六歩 △３四歩\n", "1 ７六歩(77)\n2 ３四歩(33)\n", "７六歩 ３四歩\n"]
        {
            assert_eq!(moves(&good(&format!("{title}\n{game}"))), "7g7f 3c3d", "{title}");
        }
        let problem = diagram(&format!("{title}\n後手の持駒：飛"), "");
        assert_eq!(start(&problem), "4k4/9/4P4/9/9/9/9/9/9 b r 1", "{title}");
    }
    let record = good("△b 対 ▲a九段\n▲７六歩\n");
    assert_eq!(record.players(), ["a九段", "b"]);
    for moves in ["▲木六歩 △３四歩\n▲２六歩\n", "▲同歩 △木四歩\n▲２六歩\n", "▲歩 △歩\n▲２六歩\n"]
    {
        assert!(!one(moves).faults.is_empty(), "{moves}");
    }
}

#[test]
fn times_in_brackets() {
    for (time, seconds) in [
        ("( 0:09／00:00:21)", Some(9)),
        ("（０：０９／０：００：２１）", Some(9)),
        ("(1分3秒)", Some(63)),
        ("(９秒)", Some(9)),
        ("( 9/21)", Some(9)),
        ("(0:9.123/)", Some(9)),
        ("(9)", None),
        ("( 0:xx/)", None),
        ("(-:--/)", None),
    ] {
        let record = good(&format!("1 ７六歩(77)   {time}\n2 ３四歩(33)\n"));
        assert_eq!(record.moves[0].seconds, seconds, "{time}");
    }
}

#[test]
fn zeros_after_the_text() {
    let mut bytes = "1 ７六歩(77)\n2 ３四歩(33)\n".as_bytes().to_vec();
    bytes.extend([0; 100]);
    assert_eq!(moves(&read(&bytes).unwrap().records[0]), "7g7f 3c3d");
}

#[test]
fn csa_with_blanks_and_odd_times() {
    let rows = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2\t*\t-HI\t*\t*\t*\t*\t*\t-KA\t*\n\
        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4\nP5\nP6\nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\n\
        P8 * +KA *  *  *  *  * +HI *\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n+7776FU\n";
    assert_eq!(start(rows), Position::startpos().to_sfen());
    let pieces = "P+ 59OU\nP- 51OU\nP+ 00FU 00KI\n+\n+0058KI\n";
    assert_eq!(start(pieces), "4k4/9/9/9/9/9/9/9/4K4 b GP 1");
    for (time, seconds) in [
        ("T5", Some(5)),
        ("T 5", Some(5)),
        ("T5s", Some(5)),
        ("T5.5", Some(5)),
        ("T", None),
        ("T-1", None),
        ("T00:05", None),
        ("T99999999999", None),
    ] {
        let record = good(&format!("PI\n+\n+7776FU\n{time}\n-3334FU\n%toryo\n"));
        assert_eq!((moves(&record).as_str(), record.moves[0].seconds), ("7g7f 3c3d", seconds));
        assert_eq!(record.ending, Some(Ending::Resign));
    }
}

#[test]
fn json_with_nulls_and_texts() {
    let text = r#"{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},
        "time":{"now":{"m":"1","s":"5"}}},{"move":null,"special":"-illegal_action"}]}"#;
    let record = good(text);
    assert_eq!((record.moves[0].seconds, record.ending), (Some(65), Some(Ending::FoulLoss)));
}

#[test]
fn a_pass_in_a_line_of_usi() {
    for pass in ["pass", "null", "0000"] {
        let line = format!("startpos moves 7g7f {pass} 2g2f");
        let record = one(&line);
        assert_eq!((moves(&record).as_str(), &record.faults[0].reason), ("7g7f", &Reason::Pass));
        // In a list only the position counts.
        let position = read_usi_position(1, &line).unwrap();
        let expected = monomi_movegen::position_text::read(&line).unwrap();
        assert_eq!(position.to_sfen(), expected.to_sfen());
        let check = format!("4k4/9/4G4/9/9/9/9/9/4K4 b - 1 moves 5c5b {pass}");
        assert_eq!(read_usi_position(1, &check).unwrap_err().reason, Reason::PassInCheck);
        // A fault before a pass stays one.
        let broken = format!("startpos moves 7g7e {pass} 2g2f");
        assert_eq!(read_usi_position(1, &broken).unwrap_err().reason, Reason::Illegal);
    }
    let error = read_text("startpos moves 7g7f\nhello\n").unwrap();
    assert_eq!(error[0].faults[0].reason, Reason::MissingStart);
    assert_eq!(good("startpos moves 7g7f 投了\n").ending, Some(Ending::Resign));
}

#[test]
fn western_moves() {
    let position = Position::from_sfen("4p3k/3+B5/1S7/2+R1+R4/9/9/9/9/4K4 b G2P 1").unwrap();
    for (usi, expected) in [
        ("8c8b+", "S-8b+"),
        ("8c8b", "S-8b="),
        ("6b5a", "+Bx5a"),
        ("7d7e", "+R-7e"),
        ("7d6d", "+R7d-6d"),
        ("5i5h", "K-5h"),
        ("G*5b", "G*5b"),
    ] {
        assert_eq!(western(&position, usi.parse().unwrap()), expected, "{usi}");
    }
}
