use super::*;
use crate::protocol::Reader;

fn offer(more: &str, position: &str) -> Summary {
    let text = format!(
        "Game_ID:g\nName+:a\nName-:b\nYour_Turn:+\nDeclaration:Jishogi 1.1\n\
         BEGIN Time\nTotal_Time:60\nByoyomi:5\nEND Time\n{more}\n\
         BEGIN Position\n{position}\nEND Position"
    );
    let lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
    Summary::parse(&lines).unwrap()
}

fn game() -> Game {
    let mut game = Game::new(offer("", "PI\n+"));
    assert_eq!(receive(&mut game, "START:g"), Ok(Step::Started));
    game
}

fn receive(game: &mut Game, line: &str) -> Result<Step, Breach> {
    let message = Reader::default().feed(line).unwrap().unwrap();
    game.receive(&message, Instant::now())
}

fn moved(step: Result<Step, Breach>) -> Moved {
    match step {
        Ok(Step::Moved(moved)) => moved,
        other => panic!("{other:?}"),
    }
}

#[test]
fn turns_and_clocks_follow_the_moves() {
    let mut game = game();
    assert!(game.is_our_turn());
    game.sent("+7776FU", Instant::now());
    assert!(!game.is_our_turn() && game.awaits_confirmation());
    let own = moved(receive(&mut game, "+7776FU,T70"));
    assert!(own.latency.is_some() && own.time == Some(Duration::from_secs(70)));
    assert!(!game.is_our_turn() && !game.awaits_confirmation());
    assert_eq!(game.clocks().left(Color::Black), Duration::ZERO);
    let reply = moved(receive(&mut game, "-3334FU,T1"));
    assert_eq!((reply.latency, reply.color), (None, Color::White));
    assert!(game.is_our_turn());
    assert_eq!(game.moves().len(), 2);
}

#[test]
fn whole_seconds_from_a_millisecond_clock_are_detected() {
    let ms = Duration::from_millis;
    let take = |unit: &str, told: u64| {
        let times = format!("BEGIN Time+\nTime_Unit:{unit}\nTotal_Time:10000\nEND Time+");
        let mut game = Game::new(offer(&times, "PI\n+"));
        let start = Instant::now();
        let receive_at = |game: &mut Game, line: &str, after: u64| {
            let message = Reader::default().feed(line).unwrap().unwrap();
            game.receive(&message, start + ms(after)).unwrap()
        };
        receive_at(&mut game, "START:g", 0);
        game.sent("+7776FU", start + ms(700));
        receive_at(&mut game, &format!("+7776FU,T{told}"), 720);
        game.clocks().left(Color::Black)
    };
    assert_eq!(take("1msec", 0), ms(10_000 - 720));
    assert_eq!(take("1msec", 705), ms(10_000 - 705));
    assert_eq!(take("1sec", 0), Duration::from_secs(10_000));
}

#[test]
fn a_clock_without_a_readable_time_follows_the_clients_own() {
    let ms = Duration::from_millis;
    // What follows the moves, and what is left of 60 seconds if they take 3.2 and 4.1.
    for (told, left) in [
        (["", ""], [56_800, 55_900]),
        ([",T", ",Tx"], [56_800, 55_900]),
        ([",T3.500", ",T4.062"], [56_500, 55_938]),
        ([",T3.", ",T4."], [57_000, 56_000]),
        ([",T3", ""], [57_000, 55_900]),
    ] {
        let mut game = Game::new(offer("", "PI\n+"));
        let start = Instant::now();
        let mut at = start;
        let mut receive_after = |line: &str, after: u64| {
            at += ms(after);
            let message = Reader::default().feed(line).unwrap().unwrap();
            game.receive(&message, at)
        };
        assert_eq!(receive_after("START:g", 0), Ok(Step::Started));
        let black = moved(receive_after(&format!("+7776FU{}", told[0]), 3_200));
        let white = moved(receive_after(&format!("-3334FU{}", told[1]), 4_100));
        assert!(black.time.is_some() && white.time.is_some(), "{told:?}");
        assert_eq!(Color::all().map(|color| game.clocks().left(color)), left.map(ms), "{told:?}");
    }
}

#[test]
fn a_reason_precedes_the_result() {
    let mut game = game();
    assert_eq!(receive(&mut game, "%TORYO,T3"), Ok(Step::None));
    assert_eq!(receive(&mut game, "#RESIGN"), Ok(Step::None));
    assert!(game.is_ending());
    let end = End {
        outcome: Some(ServerResult::Win),
        reason: Some(EndReason::Resign),
        special: Some("TORYO".to_owned()),
    };
    assert_eq!(receive(&mut game, "#WIN"), Ok(Step::Over(end)));
    assert!(!game.is_our_turn());
}

#[test]
fn illegal_moves_are_named_and_change_nothing() {
    let mut game = game();
    for (line, expected) in [
        ("-3334FU,T1", "other side's turn"),
        ("+7775FU,T1", "illegal"),
        ("+5555FU,T1", "`+5555FU`"),
        ("+7776XX,T1", "`+7776XX`"),
        ("+0055FU,T1", "illegal"),
    ] {
        let error = receive(&mut game, line).unwrap_err().to_string();
        assert!(error.contains(expected), "{line}: {error}");
    }
    assert!(game.is_our_turn() && game.moves().is_empty());
}

#[test]
fn messages_of_other_games_and_phases_are_ignored() {
    let mut game = Game::new(offer("", "PI\n+"));
    assert_eq!(receive(&mut game, "+7776FU,T1"), Ok(Step::None));
    assert_eq!(receive(&mut game, "START:other"), Ok(Step::None));
    assert_eq!(receive(&mut game, "REJECT:g by b"), Ok(Step::Rejected("g by b".to_owned())));
    assert_eq!(receive(&mut game, "START:g"), Ok(Step::None));
}

#[test]
fn declarations_need_the_rule_and_the_points() {
    let entered = "P1+OU+GI+GI+GI+GI+KI+KI+KI+KI\nP2+FU+FU *  *  *  *  *  *  * \n\
         P9-OU *  *  *  *  *  *  *  * \nP+00HI00HI00KA00FU00FU00FU\n+";
    assert!(Game::new(offer("", entered)).may_declare());
    assert!(!Game::new(offer("Entering_King_Rule:NoEnteringKing", entered)).may_declare());
    assert!(!game().may_declare());
}

#[test]
fn moves_before_the_game_count_on_the_clocks() {
    let game = Game::new(offer("", "PI\n+\n+7776FU,T10\n-3334FU,T20"));
    assert_eq!(game.clocks().left(Color::Black).as_secs(), 50);
    assert_eq!(game.clocks().left(Color::White).as_secs(), 40);
    assert_eq!(game.moves().len(), 2);
}

#[test]
fn a_resumed_game_contains_the_missed_moves() {
    let resume = |last: Option<&str>| Resume {
        left: [Duration::from_secs(40), Duration::from_secs(30)],
        last_move: last.map(ToOwned::to_owned),
    };
    // The positions after the moves, from a server that sends no moves in its summary.
    let after = |moves: &[&str]| {
        let mut position = Position::startpos();
        for text in moves {
            position.do_move(parse_csa_move(&position, text).unwrap());
        }
        monomi_record::csa_board(&position)
    };
    for (sent, arrived, last, missed) in [
        (None, &[][..], None, 0),
        (Some("+7776FU"), &[], None, 0),
        (Some("+7776FU"), &["+7776FU"], Some("+7776FU"), 1),
        (Some("+7776FU"), &["+7776FU", "-3334FU"], Some("-3334FU"), 2),
    ] {
        let mut game = game();
        if let Some(sent) = sent {
            game.sent(sent, Instant::now());
        }
        let state = resume(last);
        let news = game.resume(offer("", &after(arrived)), Some(&state), Instant::now()).unwrap();
        assert_eq!((news.len(), game.moves().len()), (missed, missed), "{arrived:?}");
        assert_eq!(game.clocks().left(Color::White).as_secs(), 30);
        assert_eq!(game.is_our_turn(), missed != 1);
    }
    let mut other = game();
    let state = resume(Some("-3334FU"));
    let strange = after(&["+2726FU", "-3334FU"]);
    assert_eq!(other.resume(offer("", &strange), Some(&state), Instant::now()), Err(OtherPosition));
    // A server that repeats the moves.
    let mut game = game();
    let news =
        game.resume(offer("", "PI\n+\n+7776FU,T10\n-3334FU,T20"), None, Instant::now()).unwrap();
    assert_eq!(news.len(), 2);
    assert!(!game.is_our_turn(), "it asks for an agreement first");
    assert_eq!(receive(&mut game, "START:g"), Ok(Step::Started));
    assert!(game.is_our_turn());
}

/// rshogi's server adds the increment before a move, and its clock runs on without a connection.
#[test]
fn the_clock_of_a_resumed_turn_runs_since_the_last_move() {
    let ms = Duration::from_millis;
    let times = "BEGIN Time+\nTime_Unit:1msec\nTotal_Time:20000\nIncrement:3000\nEND Time+\n\
                 BEGIN Time-\nTime_Unit:1msec\nTotal_Time:20000\nIncrement:3000\nEND Time-";
    let start = Instant::now();
    let receive_at = |game: &mut Game, line: &str, after: u64| {
        let message = Reader::default().feed(line).unwrap().unwrap();
        game.receive(&message, start + ms(after)).unwrap()
    };
    let after = |moves: &[&str]| {
        let mut position = Position::startpos();
        for text in moves {
            position.do_move(parse_csa_move(&position, text).unwrap());
        }
        monomi_record::csa_board(&position)
    };
    let resume = |game: &mut Game, moves: &[&str], left: [u64; 2], at: u64| {
        let last_move = moves.last().map(|&text| text.to_owned());
        let state = Resume { left: left.map(ms), last_move };
        let news = game.resume(offer(times, &after(moves)), Some(&state), start + ms(at)).unwrap();
        (news, game.turn().unwrap().duration_since(start).as_millis())
    };
    let begin = || {
        let mut game = Game::new(offer(times, "PI\n+"));
        receive_at(&mut game, "START:g", 0);
        game
    };
    // Cut in the client's turn, at any time of it.
    for at in [4_100, 6_000, 13_900] {
        let mut game = begin();
        game.sent("+7776FU", start + ms(1_000));
        receive_at(&mut game, "+7776FU,T1000", 1_000);
        receive_at(&mut game, "-3334FU,T3000", 4_000);
        let before = *game.clocks();
        let moves = ["+7776FU", "-3334FU"];
        // 20 and 3 seconds before the first move, and 3 before the second one.
        let (news, turn) = resume(&mut game, &moves, [25_000, 23_000], at);
        assert_eq!((news.len(), turn), (0, 4_000), "{at}");
        assert_eq!(*game.clocks(), before, "the increment is counted once");
    }
    // The opponent replied meanwhile: its clock says when.
    let mut game = begin();
    game.sent("+7776FU", start + ms(1_000));
    receive_at(&mut game, "+7776FU,T1000", 1_000);
    let moves = ["+7776FU", "-3334FU"];
    let (news, turn) = resume(&mut game, &moves, [25_000, 21_000], 9_000);
    assert_eq!((news[0].time, turn), (Some(ms(5_000)), 6_000));
    assert_eq!(game.clocks().left(Color::White), ms(18_000));
    // The same before the confirmation of the client's move.
    let mut game = begin();
    game.sent("+7776FU", start + ms(1_000));
    let (news, turn) = resume(&mut game, &moves, [25_000, 21_000], 9_000);
    assert_eq!((news.len(), turn), (2, 6_000));
    // The move never arrived: the first turn goes on.
    let mut game = begin();
    game.sent("+7776FU", start + ms(1_000));
    let (news, turn) = resume(&mut game, &[], [23_000, 23_000], 9_000);
    assert_eq!((news.len(), turn), (0, 0));
    assert!(game.is_our_turn());
}
