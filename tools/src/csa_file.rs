//! Games as CSA files.

use crate::game::{Ending, Game};
use crate::opening::{Opening, legal_move};
use anyhow::{Context, Result};
use monomi_record::{csa_board, notation};
use shogi_core::Color;
use std::fmt::Write as _;
use std::path::Path;

/// The game in the CSA format, with the names of Black and White, times and scores.
pub fn text(names: [&str; 2], opening: &Opening, game: &Game) -> Result<String> {
    let plain = |name: &str| name.replace(|c: char| c.is_control(), " ");
    let mut text =
        format!("'CSA encoding=UTF-8\nV3.0\nN+{}\nN-{}\n", plain(names[0]), plain(names[1]));
    let start = Opening::parse(&opening.base)?;
    let mut position = start.position;
    text.push_str(&csa_board(&position));
    let before = opening.moves.iter().map(|mv| (mv, None));
    for (mv, details) in before.chain(game.moves.iter().zip(game.details.iter().map(Some))) {
        let us = position.side_to_move();
        let legal = legal_move(&position, mv).with_context(|| format!("`{mv}` is not legal"))?;
        writeln!(text, "{}", notation::csa_move(&position, legal))?;
        if let Some(details) = details {
            writeln!(text, "T{:.3}", details.used.as_secs_f64())?;
            // Scores are Black's in CSA files.
            if let Some(score) = details.score {
                writeln!(text, "'** {}", if us == Color::Black { score } else { -score })?;
            }
        }
        position.do_move(legal);
    }
    let us = position.side_to_move();
    let loser = game.winner.map(|winner| winner.flip());
    writeln!(text, "%{}", word(&game.ending, loser, us))?;
    if let Ending::Forfeit(fault) = &game.ending {
        writeln!(text, "'forfeit: {fault}")?;
    }
    Ok(text)
}

fn word(ending: &Ending, loser: Option<Color>, us: Color) -> &'static str {
    use crate::game::Fault;
    match ending {
        Ending::Mate => "TSUMI",
        Ending::Resign => "TORYO",
        Ending::Declaration => "KACHI",
        Ending::Repetition => "SENNICHITE",
        // The side that gave the last check loses, or the one that has to move on.
        Ending::PerpetualCheck if loser == Some(us) => "ILLEGAL_MOVE",
        Ending::PerpetualCheck if us == Color::Black => "-ILLEGAL_ACTION",
        Ending::PerpetualCheck => "+ILLEGAL_ACTION",
        Ending::MaxPlies => "MAX_MOVES",
        Ending::Adjudication if loser.is_none() => "HIKIWAKE",
        Ending::Adjudication => "CHUDAN",
        Ending::Forfeit(Fault::Time(_)) => "TIME_UP",
        Ending::Forfeit(Fault::Crash | Fault::Hang) => "CHUDAN",
        Ending::Forfeit(_) => "ILLEGAL_MOVE",
    }
}

/// Writes the game to `folder/PAIR-A.csa` or `-B.csa`, by the colours' order.
pub fn write(
    folder: &Path,
    (pair, swap): (usize, bool),
    names: [&str; 2],
    opening: &Opening,
    game: &Game,
) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let name = format!("{:06}-{}.csa", pair + 1, if swap { 'b' } else { 'a' });
    let path = folder.join(name);
    std::fs::write(&path, text(names, opening, game)?)
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveDetails;
    use std::time::Duration;

    #[test]
    fn a_game_is_read_again_with_its_times() {
        let opening = Opening::parse("startpos moves 7g7f 3c3d").unwrap();
        let details = |ms, score| MoveDetails { used: Duration::from_millis(ms), score };
        let game = Game {
            winner: Some(Color::Black),
            ending: Ending::Resign,
            moves: ["8h2b+", "3a2b"].map(str::to_owned).to_vec(),
            details: vec![details(1500, Some(30)), details(20, Some(-40))],
            time: [Duration::ZERO; 2],
        };
        let text = text(["a\nb", "c"], &opening, &game).unwrap();
        assert!(text.contains("'** 30\n") && text.contains("'** 40\n"), "{text}");
        let records = monomi_record::read_text(&text).unwrap();
        let record = &records[0];
        assert!(record.faults.is_empty(), "{:?}", record.faults);
        assert_eq!(record.players(), ["a b", "c"]);
        let moves: Vec<String> = record.moves.iter().map(|m| m.mv.to_string()).collect();
        assert_eq!(moves, ["7g7f", "3c3d", "8h2b+", "3a2b"]);
        assert_eq!(record.ending, Some(monomi_record::Ending::Resign));
    }
}
