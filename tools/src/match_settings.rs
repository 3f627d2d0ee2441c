//! Options that `match` and `factorial` share.

use crate::adjudication::{Adjudication, Agreement};
use crate::game::GameRules;
use crate::opening::Opening;
use crate::spec::{Limit, seconds};
use crate::store::Header;
use anyhow::{Result, bail, ensure};
use clap::Args;
use monomi_movegen::EnteringKingRule;
use monomi_support::batch::shard::Shard;
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// How the games are played.
#[derive(Args, Clone, Debug)]
pub struct MatchSettings {
    /// List of openings: an sfen, or `startpos`, in each line, `moves ...` after it if wanted
    #[arg(long, value_name = "FILE", default_value = "tools/openings/even.sfen")]
    pub openings: PathBuf,
    /// Number of pairs of games; each opening is played with both colours
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub pairs: usize,
    /// Play only part I of N of the pairs, for a match on several machines; each part plays the games that it
    /// would have in the whole match. `monomi-tools result` adds the parts up
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Play each opening again when the list is at its end. Without this a match with fixed nodes stops there:
    /// an engine with one thread and cleared tables would repeat its games move by move
    #[arg(long)]
    pub repeat: bool,
    /// Nodes a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Clock: seconds for the game and for each move, e.g. 5+0.05
    #[arg(long, value_name = "BASE+INCREMENT")]
    pub tc: Option<String>,
    /// Byoyomi in milliseconds, alone or after --tc BASE
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub byoyomi: Option<u64>,
    /// Time a move in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Number of games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// Seed: decides on the order of the openings, and which side gets which factor
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A game of this many plies is a draw
    #[arg(long, value_name = "N", default_value_t = 320)]
    pub max_plies: usize,
    /// Rule of declaration: none, csa24, csa24h, csa27, csa27h or try
    #[arg(long, value_name = "RULE", default_value = "csa27", value_parser = entering_king_rule)]
    pub entering_king: EnteringKingRule,
    /// Milliseconds by which a move may exceed its time
    #[arg(long, value_name = "MS", default_value_t = 60)]
    pub margin: u64,
    /// Seconds without an answer after which an engine loses: after its time, or at fixed nodes
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub hang: Duration,
    /// A game is won when both engines have seen the same side ahead by CP for MOVES moves each (from PLY
    /// on); a mate counts as any score
    #[arg(long, value_name = "MOVES,CP[,PLY]", value_parser = Agreement::parse)]
    pub adjudicate_win: Option<Agreement>,
    /// A game is a draw when both engines have seen at most CP for either side for MOVES moves each
    #[arg(long, value_name = "MOVES,CP[,PLY]", value_parser = Agreement::parse)]
    pub adjudicate_draw: Option<Agreement>,
    /// Let the engines think during their opponent's turn; needs a clock
    #[arg(long)]
    pub ponder: bool,
    /// Write each game to a CSA file in this folder
    #[arg(long, value_name = "FOLDER")]
    pub csa: Option<PathBuf>,
    /// Keep the engines' tables from game to game; without this `isready` is sent before every game,
    /// as GUIs do, which clears them
    #[arg(long)]
    pub keep_tables: bool,
    /// Start no more games after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub seconds: Option<Duration>,
    /// Store the games here (JSON lines); a file that exists is continued
    #[arg(long, value_name = "FILE")]
    pub games: Option<PathBuf>,
    /// Without a terminal, report after this many pairs
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

fn entering_king_rule(text: &str) -> Result<EnteringKingRule> {
    Ok(match text.to_ascii_lowercase().as_str() {
        "none" => EnteringKingRule::None,
        "csa24" => EnteringKingRule::Csa24,
        "csa24h" => EnteringKingRule::Csa24Handicap,
        "csa27" => EnteringKingRule::Csa27,
        "csa27h" => EnteringKingRule::Csa27Handicap,
        "try" => EnteringKingRule::Try,
        _ => bail!("expected none, csa24, csa24h, csa27, csa27h or try"),
    })
}

impl MatchSettings {
    /// The limit for engines that have none of their own.
    pub fn limit(&self) -> Result<Option<Limit>> {
        let byoyomi = Duration::from_millis(self.byoyomi.unwrap_or(0));
        let clock = self.tc.is_some() || self.byoyomi.is_some();
        let kinds = [self.nodes.is_some(), self.movetime.is_some(), clock];
        ensure!(
            kinds.into_iter().filter(|&given| given).count() <= 1,
            "give only one of --nodes, --movetime and a clock (--tc, --byoyomi)"
        );
        Ok(if let Some(nodes) = self.nodes {
            Some(Limit::Nodes(nodes))
        } else if let Some(time) = self.movetime {
            Some(Limit::MoveTime(Duration::from_millis(time)))
        } else if clock {
            let limit = Limit::clock(self.tc.as_deref().unwrap_or("0"), byoyomi)?;
            if let Limit::Clock { increment, .. } = limit {
                ensure!(
                    increment.is_zero() || byoyomi.is_zero(),
                    "give an increment or --byoyomi, not both"
                );
            }
            Some(limit)
        } else {
            None
        })
    }

    /// The limit of an engine: its own, or the one for all.
    pub fn limit_of(&self, own: Option<Limit>) -> Result<Limit> {
        let limit = match (own, self.limit()?) {
            (Some(limit), _) | (None, Some(limit)) => limit,
            (None, None) => bail!("give --nodes, --tc, --byoyomi or --movetime"),
        };
        let clock = matches!(limit, Limit::Clock { .. });
        ensure!(clock || !self.ponder, "--ponder needs a clock (--tc or --byoyomi)");
        Ok(limit)
    }

    /// The rules of the games.
    pub fn rules(&self) -> GameRules {
        GameRules {
            max_plies: self.max_plies,
            entering_king: self.entering_king,
            margin: Duration::from_millis(self.margin),
            hang: self.hang,
            adjudication: Adjudication { win: self.adjudicate_win, draw: self.adjudicate_draw },
            ponder: self.ponder,
        }
    }

    /// Reads the openings. Returns their checksum, too.
    pub fn read_openings(&self) -> Result<(Vec<Opening>, u32)> {
        Opening::read_list(&self.openings)
    }

    /// The openings' numbers in the order in which they are played.
    pub fn order(&self, openings: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..openings).collect();
        fastrand::Rng::with_seed(self.seed).shuffle(&mut order);
        order
    }

    /// The settings that must not change when a file of games is continued.
    pub fn header(&self, kind: &str, openings_checksum: u32) -> Result<Header> {
        let limit = self.limit()?.map(|limit| format!("{limit:?}"));
        let rule = format!("{:?}", self.entering_king);
        let mut header = Header::from_iter(
            [
                ("monomi-tools", Value::from(kind)),
                ("seed", Value::from(self.seed)),
                ("limit", Value::from(limit)),
                ("openings", Value::from(format!("{openings_checksum:08x}"))),
                ("clear", Value::from(!self.keep_tables)),
                ("max_plies", Value::from(self.max_plies)),
                ("entering_king", Value::from(rule)),
            ]
            .map(|(key, value)| (key.to_owned(), value)),
        );
        // Files of before these settings existed can still be continued.
        for (key, rule) in [("win", self.adjudicate_win), ("draw", self.adjudicate_draw)] {
            if let Some(rule) = rule {
                header.insert(format!("adjudicate_{key}"), Value::from(format!("{rule:?}")));
            }
        }
        if self.ponder {
            header.insert("ponder".to_owned(), Value::from(true));
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        settings: MatchSettings,
    }

    fn limit(arguments: &str) -> Result<Option<Limit>> {
        let words = ["x"].into_iter().chain(arguments.split_ascii_whitespace());
        Command::try_parse_from(words)?.settings.limit()
    }

    #[test]
    fn one_limit_is_accepted_and_two_are_not() {
        let ms = Duration::from_millis;
        let clock = |base, increment, byoyomi| Limit::Clock {
            base: ms(base),
            increment: ms(increment),
            byoyomi: ms(byoyomi),
        };
        assert_eq!(limit("").unwrap(), None);
        assert_eq!(limit("--nodes 5000").unwrap(), Some(Limit::Nodes(5000)));
        assert_eq!(limit("--tc 5+0.05").unwrap(), Some(clock(5000, 50, 0)));
        assert_eq!(limit("--tc 10 --byoyomi 500").unwrap(), Some(clock(10_000, 0, 500)));
        assert_eq!(limit("--byoyomi 500").unwrap(), Some(clock(0, 0, 500)));
        for bad in [
            "--nodes 1 --tc 1",
            "--tc 1+1 --byoyomi 5",
            "--tc 0",
            "--tc x",
            "--nodes 0",
            "--tc 1e9",
        ] {
            assert!(limit(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_seed_decides_on_the_order_of_the_openings() {
        let order = |seed: &str| {
            Command::try_parse_from(["x", "--seed", seed]).unwrap().settings.order(100)
        };
        assert_eq!(order("5"), order("5"));
        assert_ne!(order("5"), order("6"));
        let mut sorted = order("5");
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..100));
    }
}
