//! Plays pairs of games on several threads, each with its own engine processes, which are kept
//! from game to game.

use crate::csa_file;
use crate::game::{self, Aborted, Ending, Fault, Game};
use crate::match_settings::MatchSettings;
use crate::opening::Opening;
use crate::spec::{EngineSpec, Limit};
use crate::store::GameRecord;
use crate::usi_engine::UsiEngine;
use anyhow::{Context, Result, bail};
use crossbeam_channel::{RecvTimeoutError, Sender, unbounded};
use shogi_core::Color;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Set by Ctrl-C (once: stop and report, twice: exit) or when there are enough games.
#[derive(Clone, Default)]
pub struct Stop {
    stop: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
}

impl Stop {
    /// A flag that Ctrl-C sets.
    pub fn on_interrupt() -> Result<Self> {
        let stop = Self::default();
        let flags = stop.clone();
        ctrlc::set_handler(move || {
            flags.stop.store(true, Ordering::Relaxed);
            if flags.interrupted.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })
        .context("cannot handle Ctrl-C")?;
        Ok(stop)
    }

    /// Whether Ctrl-C was pressed.
    pub fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The flag that ends all waits.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    fn set(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A pair of games between two engines.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Engines A and B.
    pub engines: [EngineSpec; 2],
    /// For factorial tests: [`GameRecord::factors`].
    pub factors: Option<String>,
}

/// A match or a factorial test to be played.
pub struct Runner<'a> {
    /// Limits, rules and concurrency.
    pub settings: &'a MatchSettings,
    /// The openings.
    pub openings: &'a [Opening],
    /// The engines of each pair.
    pub pair: &'a (dyn Fn(usize) -> Pair + Sync),
    /// So many pairs in a row have the same opening, and the number of pairs is so many times
    /// `MatchSettings::pairs`: 1 in a match.
    pub pairings: usize,
    /// Refuse options that an engine does not declare, instead of a warning.
    pub strict_options: bool,
    /// When to stop.
    pub stop: &'a Stop,
}

/// A report of the runner.
pub enum Event<'a> {
    /// A game was finished.
    Game(&'a GameRecord),
    /// Something the user should know.
    Warning(&'a str),
}

enum Message {
    Game(Box<GameRecord>),
    Warning(String),
    Failed(anyhow::Error),
}

impl Runner<'_> {
    /// The number of pairs for each pairing. Games that would repeat others move by move prove nothing: at fixed
    /// nodes or depth, if each opening meets the same engines with cleared tables.
    fn pairs(&self) -> Result<usize> {
        let settings = self.settings;
        let first = (self.pair)(0);
        let mut fixed = true;
        for number in 0..self.pairings {
            for engine in (self.pair)(number).engines {
                let limit = settings.limit_of(engine.limit)?;
                fixed &= matches!(limit, Limit::Nodes(_) | Limit::Depth(_));
            }
        }
        // The engines of a factorial test change from pair to pair.
        let copies = fixed && first.factors.is_none() && !settings.keep_tables && !settings.repeat;
        Ok(if copies { settings.pairs.min(self.openings.len()) } else { settings.pairs })
    }

    /// Plays the pairs that `finished` does not have, until `on_event` returns `false`.
    ///
    /// # Errors
    /// An engine does not start, or `on_event` failed.
    pub fn run(
        &self,
        finished: &[GameRecord],
        mut on_event: impl FnMut(Event<'_>) -> Result<bool>,
    ) -> Result<()> {
        let order = self.settings.order(self.openings.len());
        let played: HashSet<(usize, bool)> =
            finished.iter().map(|game| (game.pair, game.swap)).collect();
        let pairs = self.pairs()?;
        if pairs < self.settings.pairs {
            on_event(Event::Warning(&format!(
                "the list has {pairs} openings, so this ends after {pairs} pairs of games instead of {}: at fixed \
                 nodes the games after them would repeat earlier ones. Give a longer list, or --repeat",
                self.settings.pairs
            )))?;
        }
        let shard = self.settings.shard;
        let pending: Vec<usize> = (0..pairs * self.pairings)
            .filter(|&pair| shard.is_none_or(|shard| shard.has((pair / self.pairings) as u64)))
            .filter(|&pair| [false, true].iter().any(|&swap| !played.contains(&(pair, swap))))
            .collect();
        let next = AtomicUsize::new(0);
        let deadline = self.settings.seconds.map(|time| Instant::now() + time);
        let (sender, receiver) = unbounded();
        let threads = usize::from(self.settings.concurrency).min(pending.len());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let sender = sender.clone();
                let (next, pending, order, played) = (&next, &pending, &order, &played);
                scope.spawn(move || {
                    let mut worker = PairPlayer { runner: self, engines: Vec::new() };
                    while !self.stop.is_set()
                        && deadline.is_none_or(|deadline| Instant::now() < deadline)
                        && let Some(&pair) = pending.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let opening = &self.openings[order[pair / self.pairings % order.len()]];
                        let swaps = [false, true]
                            .into_iter()
                            .filter(|&swap| !played.contains(&(pair, swap)));
                        if let Err(error) = worker.play_pair(pair, opening, swaps, &sender) {
                            let _ = sender.send(Message::Failed(error));
                            break;
                        }
                    }
                    worker.engines.into_iter().for_each(|seat| seat.engine.quit());
                });
            }
            drop(sender);
            let mut failed = None;
            let mut warned = HashSet::new();
            loop {
                let going_on = match receiver.recv_timeout(Duration::from_secs(1)) {
                    Ok(Message::Game(game)) => on_event(Event::Game(&game)),
                    Ok(Message::Warning(text)) if warned.insert(text.clone()) => {
                        on_event(Event::Warning(&text))
                    }
                    Ok(Message::Warning(_)) | Err(RecvTimeoutError::Timeout) => Ok(true),
                    Ok(Message::Failed(error)) => Err(error),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                match going_on {
                    Ok(true) => {}
                    Ok(false) => self.stop.set(),
                    Err(error) => {
                        self.stop.set();
                        failed.get_or_insert(error);
                    }
                }
            }
            match failed {
                // Whatever Ctrl-C cut off is no failure.
                Some(error) if !self.stop.interrupted() => Err(error),
                _ => Ok(()),
            }
        })
    }
}

/// An engine process of one side.
struct Seat<'a> {
    side: usize,
    command: (Vec<String>, Option<String>),
    engine: UsiEngine<'a>,
}

struct PairPlayer<'a> {
    runner: &'a Runner<'a>,
    engines: Vec<Seat<'a>>,
}

impl<'a> PairPlayer<'a> {
    /// As [`PairPlayer::ready_seat`]; errors that concern no option of the match become warnings.
    fn seat(
        &mut self,
        side: usize,
        spec: &EngineSpec,
        sender: &Sender<Message>,
    ) -> Result<Seat<'a>> {
        let seat = self.ready_seat(side, spec, sender)?;
        for error in seat.engine.errors() {
            let text = format!("engine `{}` reports an error: {error}", spec.name);
            let _ = sender.send(Message::Warning(text));
        }
        Ok(seat)
    }

    /// Takes out the running engine of a side, started and set up by its specification.
    fn ready_seat(
        &mut self,
        side: usize,
        spec: &EngineSpec,
        sender: &Sender<Message>,
    ) -> Result<Seat<'a>> {
        let command = (spec.command.clone(), spec.folder.clone());
        let found =
            self.engines.iter().position(|seat| seat.side == side && seat.command == command);
        if let Some(index) = found {
            let mut seat = self.engines.swap_remove(index);
            if seat.engine.is_running() {
                seat.engine
                    .reconfigure(&spec.options, !self.runner.settings.keep_tables)
                    .with_context(|| format!("engine `{}`", spec.name))?;
                return Ok(seat);
            }
            let text = format!("engine `{}` ended between games and is started again", spec.name);
            let _ = sender.send(Message::Warning(text));
        }
        let engine = UsiEngine::start(spec, self.runner.stop.flag())?;
        for option in engine.undeclared_options() {
            let text = format!("engine `{}` does not declare the option `{option}`", spec.name);
            if self.runner.strict_options {
                bail!(
                    "{text}; Monomi's search parameters are options of a build with `--features tune` \
                     (cargo build --release --features tune --target-dir target/tune)"
                );
            }
            let _ = sender.send(Message::Warning(text));
        }
        Ok(Seat { side, command, engine })
    }

    fn play_pair(
        &mut self,
        pair: usize,
        opening: &Opening,
        swaps: impl Iterator<Item = bool>,
        sender: &Sender<Message>,
    ) -> Result<()> {
        let Pair { engines, factors } = (self.runner.pair)(pair);
        let settings = self.runner.settings;
        let limits = [settings.limit_of(engines[0].limit)?, settings.limit_of(engines[1].limit)?];
        for swap in swaps {
            let mut seats =
                [self.seat(0, &engines[0], sender)?, self.seat(1, &engines[1], sender)?];
            let [a, b] = &mut seats;
            let rules = settings.rules();
            let game = if swap {
                let limits = [limits[1], limits[0]];
                game::play([&mut b.engine, &mut a.engine], opening, limits, &rules)
            } else {
                game::play([&mut a.engine, &mut b.engine], opening, limits, &rules)
            };
            let game = match game {
                Ok(game) => game,
                Err(Aborted::Interrupted) => return Ok(()),
                Err(Aborted::Killed(color)) => {
                    let killed = usize::from((color == Color::White) != swap);
                    let _ = sender.send(Message::Warning(format!(
                        "engine `{}` was killed; the game does not count, and the same command plays it again",
                        engines[killed].name
                    )));
                    let alive = seats.into_iter().enumerate().filter(|(side, _)| *side != killed);
                    self.engines.extend(alive.map(|(_, seat)| seat));
                    continue;
                }
            };
            let loser = loser_by_fault(&game, swap);
            for (side, seat) in seats.into_iter().enumerate() {
                // A process that hangs or has ended is replaced before the next game.
                let lost = matches!(game.ending, Ending::Forfeit(Fault::Hang | Fault::Crash));
                if !(lost && loser == Some(side)) {
                    self.engines.push(seat);
                }
            }
            if let Some(folder) = &settings.csa {
                let (black, white) = (usize::from(swap), usize::from(!swap));
                let names = [black, white].map(|side| engines[side].name.as_str());
                csa_file::write(folder, (pair, swap), names, opening, &game)?;
            }
            let name = loser.map(|side| engines[side].name.clone());
            let record = record(pair, swap, opening, &game, name, factors.clone());
            let _ = sender.send(Message::Game(Box::new(record)));
        }
        Ok(())
    }
}

/// The engine (0 is A) that forfeited.
fn loser_by_fault(game: &Game, swap: bool) -> Option<usize> {
    let Ending::Forfeit(_) = game.ending else { return None };
    // Black is engine B if the colours are exchanged.
    let black = usize::from(swap);
    Some(if game.winner == Some(Color::White) { black } else { 1 - black })
}

fn record(
    pair: usize,
    swap: bool,
    opening: &Opening,
    game: &Game,
    forfeited_by: Option<String>,
    factors: Option<String>,
) -> GameRecord {
    let score = match game.winner {
        None => 0.5,
        Some(winner) => f64::from(u8::from((winner == Color::Black) != swap)),
    };
    GameRecord {
        pair,
        swap,
        score,
        ending: game.ending.word().to_owned(),
        forfeited_by,
        fault: match &game.ending {
            Ending::Forfeit(fault) => Some(fault.to_string()),
            _ => None,
        },
        factors,
        time_ms: game.time.map(|time| time.as_millis() as u64),
        game: opening.position_text(&game.moves),
    }
}

/// Puts the two games of a pair together.
#[derive(Default)]
pub struct PairCollector(HashMap<usize, (bool, f64)>);

impl PairCollector {
    /// Returns the pair's points for engine A once both games are known. A game that is reported
    /// twice counts once.
    pub fn add(&mut self, game: &GameRecord) -> Option<f64> {
        match self.0.get(&game.pair) {
            Some(&(swap, score)) if swap != game.swap => {
                self.0.remove(&game.pair);
                Some(score + game.score)
            }
            Some(_) => None,
            None => {
                self.0.insert(game.pair, (game.swap, game.score));
                None
            }
        }
    }
}
