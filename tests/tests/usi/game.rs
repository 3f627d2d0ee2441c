//! Whole games as a GUI plays them, with both engines pondering; on demand many games.

use monomi_movegen::Position;
use shogi_core::Color;
use std::time::{Duration, Instant};
use tests::games::Random;
use tests::usi_client::{Answer, PATIENCE, UsiClient, best_move_of, value_of};

/// Time for a game, and its length.
#[derive(Clone, Copy)]
struct Control {
    base: Duration,
    increment: Duration,
    /// It is called off after so many moves, those of the opening among them.
    plies: usize,
}

const fn control(base_ms: u64, increment_ms: u64) -> Control {
    let (base, increment) = (Duration::from_millis(base_ms), Duration::from_millis(increment_ms));
    Control { base, increment, plies: 200 }
}

const USUAL: Control = control(1_500, 20);
const SOAK: Control = control(1_000, 10);
/// Where nodes end the moves.
const LONG: Control = control(3_600_000, 0);

struct Player {
    client: UsiClient,
    ponders: bool,
    left: Duration,
    /// The reply that it ponders on.
    predicted: Option<String>,
}

impl Player {
    /// Nothing is kept for the way to a GUI.
    fn new() -> Self {
        let options = [("USI_Ponder", "true"), ("RoundUpToFullSecond", "false")];
        let delays = [("NetworkDelay2", "0")];
        let client = UsiClient::ready_with(&[&options[..], &delays].concat());
        Self { client, ponders: true, left: Duration::ZERO, predicted: None }
    }

    fn begin(&mut self, control: Control) {
        self.client.settle();
        self.client.send("usinewgame");
        self.left = control.base;
        self.predicted = None;
    }
}

fn clock_text(left: [Duration; 2], control: Control) -> String {
    let increment = control.increment.as_millis();
    format!(
        "btime {} wtime {} binc {increment} winc {increment}",
        left[0].as_millis(),
        left[1].as_millis()
    )
}

fn position_text(moves: &[String]) -> String {
    format!("position startpos moves {}", moves.join(" "))
}

/// Plays a game from an opening; returns its moves and the reason for its end. With `stops` some
/// moves are hurried by a `stop`.
fn play(
    players: &mut [Player; 2],
    opening: &[&str],
    control: Control,
    early_ponder: bool,
    mut stops: Option<&mut Random>,
) -> (Vec<String>, &'static str) {
    players.iter_mut().for_each(|player| player.begin(control));
    let mut position = Position::startpos();
    let mut moves: Vec<String> = Vec::new();
    for mv in opening {
        position.do_move(mv.parse().expect("a move"));
        moves.push((*mv).to_owned());
    }
    let reason = loop {
        if moves.len() >= control.plies {
            break "long enough";
        }
        if position.repeated(4).is_some() {
            break "repetition";
        }
        let side = usize::from(position.side_to_move() == Color::White);
        let clock = clock_text([players[0].left, players[1].left], control);
        let player = &mut players[side];
        let predicted = player.predicted.take();
        let start = Instant::now();
        if predicted.is_some() && predicted.as_ref() == moves.last() {
            let hit = if early_ponder { format!("ponderhit {clock}") } else { "ponderhit".into() };
            player.client.send(&hit);
        } else {
            if predicted.is_some() {
                player.client.send("stop");
                player.client.expect("bestmove");
            }
            player.client.send(&position_text(&moves));
            player.client.send(&format!("go {clock}"));
        }
        if let Some(random) = &mut stops
            && random.below(8) == 0
        {
            std::thread::sleep(Duration::from_micros(random.below(5_000) as u64));
            player.client.send("stop");
        }
        let Answer { text, at } = player.client.expect_within("bestmove", PATIENCE);
        player.left = player.left.saturating_sub(at - start) + control.increment;
        let best = best_move_of(&text);
        if best == "resign" {
            if position.has_legal_move() {
                player.client.fail("resigned although there are moves");
            }
            break "mate";
        }
        if best == "win" {
            assert!(position.declaration(Default::default()).is_some(), "{}", position.to_sfen());
            break "declaration";
        }
        match best.parse() {
            Ok(mv) if position.is_legal(mv) => position.do_move(mv),
            _ => player.client.fail(&format!("{best} is illegal in {}", position.to_sfen())),
        };
        moves.push(best);
        if let Some(reply) = value_of(&text, "ponder").filter(|_| player.ponders) {
            if !reply.parse().is_ok_and(|mv| position.is_legal(mv)) {
                player.client.fail(&format!("ponder {reply} is illegal"));
            }
            player.predicted = Some(reply.to_owned());
            let mut line = moves.clone();
            line.push(reply.to_owned());
            player.client.send(&position_text(&line));
            let clock = clock_text([players[0].left, players[1].left], control);
            let clock = if early_ponder { String::new() } else { clock };
            players[side].client.send(&format!("go ponder {clock}"));
        }
    };
    for player in players {
        player.client.send("gameover draw");
        if player.predicted.is_some() {
            player.client.expect("bestmove");
        }
        player.client.settle();
    }
    (moves, reason)
}

#[test]
fn games_with_pondering_end_by_the_rules() {
    for (opening, early) in [(["7g7f", "3c3d"], false), (["2g2f", "8c8d"], true)] {
        let mut players = [Player::new(), Player::new()];
        let (moves, reason) = play(&mut players, &opening, USUAL, early, None);
        assert!(moves.len() > 20, "{reason} after {moves:?}");
        players.into_iter().for_each(|player| drop(player.client.quit()));
    }
}

/// `MONOMI_SOAK_GAMES` makes it longer: 2,000 games are a night's work. `MONOMI_SOAK_NODES`, nodes
/// for each move, lets them go faster, and on a machine that is busy with something else.
#[test]
fn many_fast_games_leak_no_memory() {
    let games = std::env::var("MONOMI_SOAK_GAMES").ok().and_then(|text| text.parse().ok());
    let games: usize = games.unwrap_or(2);
    let nodes = std::env::var("MONOMI_SOAK_NODES").ok();
    let control = if nodes.is_some() { LONG } else { SOAK };
    let mut random = Random::new(3);
    let mut players = [Player::new(), Player::new()];
    for player in &mut players {
        let nodes = nodes.as_deref().unwrap_or("0");
        player.client.send(&format!("setoption name NodesLimit value {nodes}"));
    }
    let mut before = None;
    for game in 0..games {
        if game % 100 == 99 {
            tests::report(&format!("{} of {games} games", game + 1));
        }
        let opening = [["7g7f", "3c3d"], ["2g2f", "8c8d"], ["7g7f", "8c8d"]][game % 3];
        let (_, _) = play(&mut players, &opening, control, game % 2 == 1, Some(&mut random));
        if game == games / 10 {
            before = players[0].client.resident_kib();
        }
    }
    let after = players[0].client.resident_kib();
    if let (Some(before), Some(after)) = (before, after) {
        // The table fills up in the first games.
        assert!(after <= before + before / 20 + (2 << 10), "{before} KiB, then {after} KiB");
    }
    players.into_iter().for_each(|player| drop(player.client.quit()));
}
