use super::*;
use monomi_movegen::Position;
use std::collections::VecDeque;

/// Answers with fixed words, taking the same time for each.
struct Script {
    words: VecDeque<&'static str>,
    time: Duration,
    asked: Vec<String>,
    pondered: Vec<String>,
    result: String,
}

impl Script {
    fn new(words: &[&'static str]) -> Self {
        let words = words.iter().copied().collect();
        let (asked, pondered) = (Vec::new(), Vec::new());
        Self { words, time: Duration::from_millis(10), asked, pondered, result: String::new() }
    }
}

fn details(used: Duration, score: Option<i32>) -> MoveDetails {
    MoveDetails { used, score }
}

/// Answers with words, the score and the expected reply where a word has them after it.
impl Player for Script {
    fn new_game(&mut self) {}

    fn choose(&mut self, _: &str, go: &str, _: Duration) -> Reply {
        self.asked.push(go.to_owned());
        match self.words.pop_front() {
            None => Reply::Silence(Silence::Ended),
            Some("hang") => Reply::Silence(Silence::TimedOut),
            Some("killed") => Reply::Silence(Silence::Killed),
            Some("interrupt") => Reply::Silence(Silence::Interrupted),
            Some(word) => {
                let mut parts = word.split(' ');
                let word = parts.next().unwrap_or_default().to_owned();
                let number = parts.next().and_then(|part| part.parse().ok());
                let ponder = parts.next().map(str::to_owned);
                Reply::Move(Chosen { word, ponder, details: details(self.time, number) })
            }
        }
    }

    fn ponder(&mut self, position: &str, go: &str) {
        self.pondered.push(format!("{position}: {go}"));
    }

    fn game_over(&mut self, result: &str) {
        self.result = result.to_owned();
    }
}

const RULES: GameRules = GameRules {
    max_plies: 320,
    entering_king: EnteringKingRule::Csa27,
    margin: Duration::from_millis(60),
    hang: Duration::from_secs(1),
    adjudication: Adjudication { win: None, draw: None },
    ponder: false,
};

fn game(opening: &str, black: &[&'static str], white: &[&'static str]) -> Game {
    game_by(RULES, opening, black, white)
}

fn game_by(
    rules: GameRules,
    opening: &str,
    black: &[&'static str],
    white: &[&'static str],
) -> Game {
    let (mut black, mut white) = (Script::new(black), Script::new(white));
    let opening = Opening::parse(opening).unwrap();
    let game =
        play([&mut black, &mut white], &opening, [Limit::Nodes(1); 2], &rules).expect("an end");
    let results = [black.result.as_str(), white.result.as_str()];
    assert_eq!(
        results,
        match game.winner {
            None => ["draw", "draw"],
            Some(Color::Black) => ["win", "lose"],
            Some(Color::White) => ["lose", "win"],
        }
    );
    game
}

fn ends(game: &Game, winner: Option<Color>, ending: Ending) {
    assert_eq!((game.winner, &game.ending), (winner, &ending), "{:?}", game.moves);
}

#[test]
fn mate_ends_the_game() {
    let game = game("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &["G*5b"], &[]);
    ends(&game, Some(Color::Black), Ending::Mate);
}

#[test]
fn resignation_loses() {
    ends(&game("startpos", &["resign"], &[]), Some(Color::White), Ending::Resign);
}

#[test]
fn the_fourth_occurrence_of_a_position_is_a_draw() {
    let black = ["2h3h", "3h2h"].repeat(5);
    let white = ["8b7b", "7b8b"].repeat(5);
    let game = game("startpos", &black, &white);
    ends(&game, None, Ending::Repetition);
    assert_eq!(game.moves.len(), 12);
}

#[test]
fn moves_of_the_opening_count_for_repetition() {
    let opening = "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b";
    let game = game(opening, &["2h3h", "3h2h"], &["8b7b", "7b8b"]);
    ends(&game, None, Ending::Repetition);
    assert_eq!(game.moves.len(), 4);
}

#[test]
fn perpetual_check_loses() {
    // Black's rook checks from 5i and 4i; the king steps between 5a and 4a.
    let opening = "sfen 4k4/9/9/9/9/9/9/9/K3R4 w - 1";
    let black = ["5i4i", "4i5i"].repeat(5);
    let white = ["5a4a", "4a5a"].repeat(5);
    let game = game(opening, &black, &white);
    ends(&game, Some(Color::White), Ending::PerpetualCheck);
}

#[test]
fn a_declaration_must_be_right() {
    let right = "sfen KSSSSGGGG/PP7/9/9/9/9/9/9/k8 b 2RB3P 1";
    ends(&game(right, &["win"], &[]), Some(Color::Black), Ending::Declaration);
    let fault = Ending::Forfeit(Fault::FalseDeclaration);
    ends(&game("startpos", &["win"], &[]), Some(Color::White), fault.clone());
    let none = GameRules { entering_king: EnteringKingRule::None, ..RULES };
    ends(&game_by(none, right, &["win"], &[]), Some(Color::White), fault);
}

#[test]
fn the_try_rule_is_won_by_the_move() {
    let opening = "sfen 9/3K5/9/9/9/9/9/9/4k4 b - 1";
    let rules = GameRules { entering_king: EnteringKingRule::Try, ..RULES };
    let game = game_by(rules, opening, &["6b5a"], &[]);
    ends(&game, Some(Color::Black), Ending::Declaration);
}

#[test]
fn a_long_game_is_a_draw_unless_the_last_move_mates() {
    let rules = GameRules { max_plies: 3, ..RULES };
    let game = game_by(rules, "startpos", &["7g7f", "2g2f"], &["3c3d"]);
    ends(&game, None, Ending::MaxPlies);
    let rules = GameRules { max_plies: 1, ..RULES };
    let mate = game_by(rules, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &["G*5b"], &[]);
    ends(&mate, Some(Color::Black), Ending::Mate);
}

#[test]
fn every_kind_of_illegal_answer_forfeits() {
    for word in ["7g7e", "P*5e", "hello", "", "0000", "8h2b+"] {
        let fault = Ending::Forfeit(Fault::IllegalMove(word.to_owned()));
        ends(&game("startpos", &[word], &[]), Some(Color::White), fault);
    }
    // Two pawns in a file, and mate by a dropped pawn.
    let nifu = game("sfen 4k4/9/9/9/9/9/4P4/9/4K4 b P 1", &["P*5e"], &[]);
    assert!(matches!(nifu.ending, Ending::Forfeit(Fault::IllegalMove(_))));
    let pawn_mate = game("sfen 7sk/7sg/8N/9/9/9/9/9/K8 b P 1", &["P*1c"], &[]);
    assert!(matches!(pawn_mate.ending, Ending::Forfeit(Fault::IllegalMove(_))));
}

#[test]
fn silence_is_named() {
    ends(&game("startpos", &[], &[]), Some(Color::White), Ending::Forfeit(Fault::Crash));
    let hang = game("startpos", &["7g7f"], &["hang"]);
    ends(&hang, Some(Color::Black), Ending::Forfeit(Fault::Hang));
    let mut players = (Script::new(&["interrupt"]), Script::new(&[]));
    let opening = Opening::parse("startpos").unwrap();
    let limits = [Limit::Nodes(1); 2];
    let game = play([&mut players.0, &mut players.1], &opening, limits, &RULES);
    assert_eq!(game.err(), Some(Aborted::Interrupted));
}

fn clock_game(limit: Limit, time: Duration) -> (Result<Game, Aborted>, Vec<String>) {
    let mut black = Script::new(&["7g7f", "2g2f", "resign"]);
    let mut white = Script::new(&["3c3d", "8c8d"]);
    black.time = time;
    let opening = Opening::parse("startpos").unwrap();
    let game = play([&mut black, &mut white], &opening, [limit; 2], &RULES);
    (game, black.asked)
}

#[test]
fn clocks_run_and_increments_are_added() {
    let ms = Duration::from_millis;
    let limit = Limit::Clock { base: ms(1000), increment: ms(50), byoyomi: ms(0) };
    let (game, asked) = clock_game(limit, ms(200));
    assert_eq!(game.unwrap().ending, Ending::Resign);
    assert_eq!(
        asked,
        [
            "go btime 1000 wtime 1000 binc 50 winc 50",
            "go btime 850 wtime 1040 binc 50 winc 50",
            "go btime 700 wtime 1080 binc 50 winc 50",
        ]
    );
}

#[test]
fn overrun_time_forfeits_beyond_the_margin() {
    let ms = Duration::from_millis;
    let byoyomi = Limit::Clock { base: ms(100), increment: ms(0), byoyomi: ms(300) };
    assert_eq!(clock_game(byoyomi, ms(300)).0.unwrap().ending, Ending::Resign);
    let (late, asked) = clock_game(byoyomi, ms(361));
    assert_eq!(late.unwrap().ending, Ending::Forfeit(Fault::Time(ms(61))));
    assert_eq!(asked[1], "go btime 0 wtime 90 byoyomi 300");
    let (late, _) = clock_game(Limit::MoveTime(ms(100)), ms(161));
    assert_eq!(late.unwrap().ending, Ending::Forfeit(Fault::Time(ms(61))));
    assert_eq!(clock_game(Limit::Nodes(1), ms(5000)).0.unwrap().ending, Ending::Resign);
}

/// Random games to the end: the ending agrees with what the rules say of the last position.
#[test]
fn random_games_end_as_the_rules_say() {
    struct Random(fastrand::Rng);
    impl Player for Random {
        fn new_game(&mut self) {}
        fn choose(&mut self, position: &str, _: &str, _: Duration) -> Reply {
            let position = Opening::parse(position).unwrap().position;
            let mv = self.0.choice(position.legal_moves().iter().copied()).unwrap();
            let (word, details) = (mv.to_string(), details(Duration::ZERO, None));
            Reply::Move(Chosen { word, ponder: None, details })
        }
        fn ponder(&mut self, _: &str, _: &str) {}
        fn game_over(&mut self, _: &str) {}
    }
    let opening = Opening::parse("startpos").unwrap();
    let rules = GameRules { max_plies: 250, ..RULES };
    for seed in 0..40 {
        let mut players = [0, 1].map(|side| Random(fastrand::Rng::with_seed(2 * seed + side)));
        let [black, white] = &mut players;
        let game = play([black, white], &opening, [Limit::Nodes(1); 2], &rules).unwrap();
        let last: Position = Opening::parse(&opening.position_text(&game.moves)).unwrap().position;
        match game.ending {
            Ending::Mate => {
                assert!(last.legal_moves().is_empty());
                assert_eq!(game.winner, Some(last.side_to_move().flip()));
            }
            Ending::MaxPlies => assert_eq!(game.moves.len(), 250),
            Ending::Repetition | Ending::PerpetualCheck => assert!(last.repeated(4).is_some()),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn scores_end_a_game_and_expected_replies_are_pondered_on() {
    use crate::adjudication::Agreement;
    let win = Some(Agreement { moves: 1, cp: 900, from_ply: 0 });
    let rules = GameRules { adjudication: Adjudication { win, draw: None }, ..RULES };
    let played = game_by(rules, "startpos", &["7g7f 100", "2g2f 950"], &["3c3d -950"]);
    assert_eq!((played.winner, played.ending), (Some(Color::Black), Ending::Adjudication));
    assert_eq!(played.moves.len(), 3);
    let scores: Vec<Option<i32>> = played.details.iter().map(|d| d.score).collect();
    assert_eq!(scores, [Some(100), Some(-950), Some(950)]);
    let mut black = Script::new(&["7g7f 0 3c3d", "2g2f 0 1a1b+", "resign"]);
    let mut white = Script::new(&["3c3d", "8c8d"]);
    let opening = Opening::parse("startpos").unwrap();
    let clock = Limit::Clock {
        base: Duration::from_secs(5),
        increment: Duration::ZERO,
        byoyomi: Duration::ZERO,
    };
    let rules = GameRules { ponder: true, ..RULES };
    play([&mut black, &mut white], &opening, [clock; 2], &rules).expect("an end");
    // An illegal reply is not pondered on.
    assert_eq!(black.pondered.len(), 1, "{:?}", black.pondered);
    assert!(black.pondered[0].starts_with("startpos moves 7g7f 3c3d: go btime 4990 "));
    assert!(white.pondered.is_empty());
}
