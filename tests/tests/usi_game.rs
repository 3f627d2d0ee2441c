//! Whole games as a GUI plays them, with both engines pondering.

use monomi_movegen::Position;
use shogi_core::Color;
use std::time::{Duration, Instant};
use tests::usi_client::{Answer, UsiClient, best_move_of, value_of};

/// Late by more than this, even on a busy machine, is a loss on time.
const GRACE: Duration = Duration::from_millis(400);
const INCREMENT: Duration = Duration::from_millis(20);

struct Player {
    client: UsiClient,
    left: Duration,
    /// The reply that it ponders on.
    predicted: Option<String>,
}

impl Player {
    fn new() -> Self {
        let options = [("USI_Ponder", "true"), ("RoundUpToFullSecond", "false")];
        let delays = [("NetworkDelay2", "0")];
        let mut client = UsiClient::ready_with(&[&options[..], &delays].concat());
        client.send("usinewgame");
        Self { client, left: Duration::from_millis(1500), predicted: None }
    }
}

fn clock_text(left: [Duration; 2]) -> String {
    let increment = INCREMENT.as_millis();
    format!(
        "btime {} wtime {} binc {increment} winc {increment}",
        left[0].as_millis(),
        left[1].as_millis()
    )
}

fn position_text(moves: &[String]) -> String {
    format!("position startpos moves {}", moves.join(" "))
}

/// Plays a game from an opening; returns its moves and the reason for its end.
fn play(opening: &[&str], early_ponder: bool) -> (Vec<String>, &'static str) {
    let mut players = [Player::new(), Player::new()];
    let mut position = Position::startpos();
    let mut moves: Vec<String> = Vec::new();
    for mv in opening {
        position.do_move(mv.parse().expect("a move"));
        moves.push((*mv).to_owned());
    }
    let reason = loop {
        if moves.len() >= 200 {
            break "long enough";
        }
        if position.repeated(4).is_some() {
            break "repetition";
        }
        let side = usize::from(position.side_to_move() == Color::White);
        let clock = clock_text([players[0].left, players[1].left]);
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
        let Answer { text, at } = player.client.expect_within("bestmove", player.left + GRACE);
        player.left = player.left.saturating_sub(at - start) + INCREMENT;
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
        if let Some(reply) = value_of(&text, "ponder") {
            if !reply.parse().is_ok_and(|mv| position.is_legal(mv)) {
                player.client.fail(&format!("ponder {reply} is illegal"));
            }
            player.predicted = Some(reply.to_owned());
            let mut line = moves.clone();
            line.push(reply.to_owned());
            player.client.send(&position_text(&line));
            let clock = clock_text([players[0].left, players[1].left]);
            let clock = if early_ponder { String::new() } else { clock };
            players[side].client.send(&format!("go ponder {clock}"));
        }
    };
    for player in &mut players {
        player.client.send("gameover draw");
        if player.predicted.is_some() {
            player.client.expect("bestmove");
        }
        player.client.settle();
    }
    players.into_iter().for_each(|player| drop(player.client.quit()));
    (moves, reason)
}

#[test]
fn games_with_pondering_end_by_the_rules() {
    for (opening, early) in [(["7g7f", "3c3d"], false), (["2g2f", "8c8d"], true)] {
        let (moves, reason) = play(&opening, early);
        assert!(moves.len() > 20, "{reason} after {moves:?}");
    }
}
