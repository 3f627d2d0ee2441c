//! What another engine says about a reason.

use super::Row;
use crate::info_line::InfoLine;
use crate::runner::Stop;
use crate::spec::EngineSpec;
use crate::usi_engine::{Silence, UsiEngine};
use anyhow::{Context, Result, bail};
use monomi_movegen::{PackedMove, Position};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU16;
use std::time::Duration;

/// How long a search may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// A move that loses less by the engine is no mistake.
const MISTAKE: f64 = 0.05;

/// What the engine says about the counterfactual of a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ruling {
    /// What the move loses by the engine.
    pub(super) loss: f64,
    /// The share of that which is gone in the counterfactual.
    pub(super) share: f64,
}

impl Ruling {
    pub(super) fn is_mistake(&self) -> bool {
        self.loss >= MISTAKE
    }

    pub(super) fn confirms(&self) -> bool {
        self.share >= 0.5
    }
}

pub(super) struct Referee<'a> {
    engine: UsiEngine<'a>,
    nodes: u64,
    scale: NonZeroU16,
}

impl<'a> Referee<'a> {
    pub(super) fn new(
        spec: &EngineSpec,
        nodes: u64,
        scale: NonZeroU16,
        stop: &'a Stop,
    ) -> Result<Self> {
        Ok(Self { engine: UsiEngine::start(spec, stop.flag())?, nodes, scale })
    }

    /// The winning probability of the side to move without these moves; `None` if interrupted.
    fn chance(&mut self, position: &Position, without: &[PackedMove]) -> Result<Option<f64>> {
        let legal = position.legal_moves();
        let left: Vec<String> =
            legal.iter().filter(|mv| !without.contains(mv)).map(ToString::to_string).collect();
        if legal.is_empty() {
            return Ok(Some(0.0));
        }
        if left.is_empty() {
            bail!("nothing is left to search");
        }
        let mut go = format!("go nodes {}", self.nodes);
        if !without.is_empty() {
            go = format!("{go} searchmoves {}", left.join(" "));
        }
        let scale = self.scale;
        let mut last = None;
        let see = |line: &str| {
            last = InfoLine::parse(line).and_then(|info| info.chance(scale)).or(last);
        };
        let sfen = format!("sfen {}", position.to_sfen());
        match self.engine.ask(&sfen, &go, "bestmove", PATIENCE, see) {
            Ok(answer) => {
                let best = answer.line.split_ascii_whitespace().nth(1).unwrap_or_default();
                let decided = match best {
                    "resign" => Some(0.0),
                    "win" => Some(1.0),
                    _ => None,
                };
                Ok(Some(
                    last.or(decided)
                        .with_context(|| format!("`{go}`: no score before `{best}`"))?,
                ))
            }
            Err(Silence::Interrupted) => Ok(None),
            Err(Silence::TimedOut) => bail!("no answer to `{go}`"),
            Err(Silence::Ended | Silence::Killed) => bail!("the engine ended during `{go}`"),
        }
    }

    /// Judges a counterfactual; `None` if interrupted.
    pub(super) fn judge(&mut self, row: &Row, counterfactual: &str) -> Result<Option<Ruling>> {
        self.engine.new_game()?;
        let before = Position::from_sfen(&row.sfen).ok().context("not a position")?;
        let mv = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
        let (played, best) = mv(&row.played).zip(mv(&row.best)).context("no moves")?;
        let (after_played, after_best) = (after(&before, played), after(&before, best));
        macro_rules! chance {
            ($position:expr, $without:expr) => {
                match self.chance($position, $without)? {
                    Some(chance) => chance,
                    None => return Ok(None),
                }
            };
        }
        let kept = 1.0 - chance!(&after_played, &[]);
        let best_win = 1.0 - chance!(&after_best, &[]);
        let loss = best_win - kept;
        let ruling = |share: f64| Ok(Some(Ruling { loss, share }));
        if loss <= 0.0 {
            return ruling(0.0);
        }
        if counterfactual == "proof" {
            // The mate must be a loss for this engine, too.
            let expected = row.loss.unwrap_or(0.0);
            return ruling(if kept < 0.02 || loss >= expected / 2.0 { 1.0 } else { 0.0 });
        }
        if let Some(sfen) = counterfactual.strip_suffix(" no mate") {
            let position = Position::from_sfen(sfen).ok().context("not a position")?;
            return ruling(if chance!(&position, &[]) < 1.0 { 1.0 } else { 0.0 });
        }
        if let Some((sfen, _)) = counterfactual.split_once(" both ") {
            let position = Position::from_sfen(sfen).ok().context("not a position")?;
            let there = [best, played].map(|mv| after(&position, mv));
            let [best_there, played_there] =
                [1.0 - chance!(&there[0], &[]), 1.0 - chance!(&there[1], &[])];
            // The difference of the scores, as if the best move were worth what it is worth.
            let odds = |chance: f64| {
                let chance = chance.clamp(1e-6, 1.0 - 1e-6);
                (chance / (1.0 - chance)).ln()
            };
            let left_odds = odds(best_win) - (odds(best_there) - odds(played_there));
            let left = best_win - 1.0 / (1.0 + (-left_odds).exp());
            return ruling(1.0 - left / loss);
        }
        let (sfen, moves) =
            counterfactual.split_once(" without ").context("not a counterfactual")?;
        let position = Position::from_sfen(sfen).ok().context("not a position")?;
        let without: Vec<PackedMove> =
            moves.split(' ').map(str::parse).collect::<Result<_, _>>().ok().context("not moves")?;
        if position.side_to_move() != before.side_to_move() {
            let chance = 1.0 - chance!(&position, &without);
            return ruling((chance - kept) / loss);
        }
        let all = chance!(&position, &[]);
        let chance = chance!(&position, &without);
        ruling((best_win.min(all) - chance) / loss)
    }
}

pub(super) fn after(position: &Position, mv: PackedMove) -> Position {
    let mut after = position.clone();
    after.do_move(mv);
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_below_the_threshold_is_no_mistake() {
        let ruling = |loss, share| Ruling { loss, share };
        assert!(ruling(0.2, 0.5).is_mistake() && ruling(0.2, 0.5).confirms());
        assert!(!ruling(0.04, 1.0).is_mistake() && !ruling(0.2, 0.49).confirms());
    }
}
