//! `monomi tsume find`.

use crate::commands::games::{Game, read_games};
use crate::commands::tsume::batch::{Interrupt, Workers, bar, options};
use crate::commands::tsume::found::{Form, Found, Origin};
use crate::commands::values::{at_least, range};
use crate::commands::{INTERRUPTED, PARTLY};
use crate::failure::Failure;
use crate::lang::Lang;
use monomi_mate::MateLimits;
use monomi_mate::tsume::{SoundProblem, TsumeAnswer, TsumeRules, TsumeSolver, Wanted, attacker};
use monomi_movegen::square::{HAND_KINDS, unpromoted};
use monomi_movegen::{Position, SET_COUNT, rotated};
use monomi_record::Ending;
use monomi_support::batch::jobs::{self, Source};
use shogi_core::{Color, Square};
use std::io::Write;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  monomi tsume find game.kif
  monomi tsume find --plies 5-9 games/ > problems.sfen
  monomi tsume find --json --kif problems games/

Looks for mates in every position of the games and removes all pieces that a mate does not need, so
that sound problems without flaws are left; most mates do not make one. First come those that the
player missed. White defends in all diagrams. Without --json a comment says where the problem comes
from; the next line is an SFEN, followed by `moves` and the solution.

Exit codes: 0 done; 1 failure; 2 invalid arguments; 3 done, except for invalid input; 130
interrupted.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct FindArgs {
    /// Length of the problems in plies.
    #[arg(long, value_name = "N-M", default_value = "3-15", value_parser = range::<u16>)]
    plies: RangeInclusive<u16>,
    /// Node limit for each other move; what it leaves undecided is dropped.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = at_least(100u64))]
    nodes: u64,
    /// Allow flaws such as equally long defences.
    #[arg(long)]
    flaws: bool,
    #[command(flatten)]
    workers: Workers,
    #[command(flatten)]
    form: Form,
    /// Game records, or folders with game records (KIF, KI2, CSA, JKF, USI; `-` for standard input).
    #[arg(value_name = "FILE", required = true, value_hint = clap::ValueHint::AnyPath)]
    records: Vec<PathBuf>,
}

/// A mate in a game.
struct Mate {
    game: usize,
    /// Moves before it.
    after: usize,
    plies: u16,
    missed: bool,
    position: Position,
}

/// Looks for problems in mates.
struct Finder<'a> {
    args: &'a FindArgs,
    stop: &'a (dyn Fn() -> bool + Sync),
    lang: Lang,
}

pub fn run(args: &FindArgs, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let (games, all_good) = read_games(&args.records, lang);
    let interrupt = Interrupt::catch()?;
    let stop = || interrupt.is_stopped();
    let finder = Finder { args, stop: &stop, lang };
    let mut found = Found::new(&args.form, lang)?;
    let mut others = Vec::new();
    let all: Vec<usize> = (0..games.len()).collect();
    finder.each(
        &interrupt,
        &all,
        |solver, &game, emit| {
            for mate in finder.mates(solver, game, &games[game]) {
                let problem = if mate.missed { finder.problem(solver, &mate) } else { None };
                emit((mate, problem));
            }
        },
        |(mate, problem)| match problem {
            Some(problem) => write(&mut found, &games, &mate, problem, out),
            None => {
                others.extend((!mate.missed).then_some(mate));
                Ok(())
            }
        },
    )?;
    finder.each(
        &interrupt,
        &others,
        |solver, mate, emit| {
            if let Some(problem) = finder.problem(solver, mate) {
                emit((mate, problem));
            }
        },
        |(mate, problem)| write(&mut found, &games, mate, problem, out),
    )?;
    Ok(match (interrupt.is_stopped(), all_good) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (_, false) => ExitCode::from(PARTLY),
        _ => ExitCode::SUCCESS,
    })
}

fn write(
    found: &mut Found<'_>,
    games: &[Game],
    mate: &Mate,
    problem: SoundProblem,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let game = games[mate.game].name.clone();
    found.write(problem, Some(&Origin { game, after: mate.after, missed: mate.missed }), out)
}

impl Finder<'_> {
    /// Works on every job and delivers the results in the order of the jobs.
    fn each<'j, J: Sync, R: Send>(
        &self,
        interrupt: &Interrupt,
        all: &'j [J],
        work: impl Fn(&mut TsumeSolver, &'j J, &mut dyn FnMut(R)) + Sync,
        mut deliver: impl FnMut(R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let solvers = self.args.workers.solvers(all.len(), TsumeRules::default());
        let bar = bar(all.len(), self.lang);
        let mut failed = None;
        let options = options(solvers.len() * 16);
        jobs::run(
            solvers,
            Source::Iterator(&mut all.iter()),
            &options,
            &interrupt.cancel,
            |solver, job, emit| {
                work(solver, job, emit);
                bar.inc(1);
                ControlFlow::Continue(())
            },
            |result| match bar.suspend(|| deliver(result)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    failed = Some(failure);
                    ControlFlow::Break(())
                }
            },
        )?;
        bar.finish_and_clear();
        failed.map_or(Ok(()), Err)
    }

    /// The mates in a game whose length is asked for.
    fn mates(&self, solver: &mut TsumeSolver, number: usize, game: &Game) -> Vec<Mate> {
        let mut mates = Vec::new();
        for (after, position) in game.record.positions().enumerate() {
            if (self.stop)() {
                break;
            }
            let Some(plies) = self.length(solver, &position) else { continue };
            if self.args.plies.contains(&plies) {
                let missed = self.is_missed(solver, game, after, &position);
                let position = as_problem(&position);
                mates.extend(position.map(|position| Mate {
                    game: number,
                    after,
                    plies,
                    missed,
                    position,
                }));
            }
        }
        mates
    }

    fn limits(&self, plies: Option<u16>) -> MateLimits {
        MateLimits::default().with_nodes(self.args.nodes).with_plies(plies)
    }

    /// The length of the mate in a position, if there is one and it is not too long.
    fn length(&self, solver: &mut TsumeSolver, position: &Position) -> Option<u16> {
        // The search by proof numbers is much faster where there is none.
        solver.has_mate(position, &self.limits(None), self.stop).filter(|&mate| mate)?;
        let limits = self.limits(Some(*self.args.plies.end()));
        match solver.solve(position, &limits, self.stop).answer {
            TsumeAnswer::Mate(solution) if solution.shortest => Some(solution.line.len() as u16),
            _ => None,
        }
    }

    /// Whether the player resigned or made a move after which there is no mate.
    fn is_missed(
        &self,
        solver: &mut TsumeSolver,
        game: &Game,
        after: usize,
        position: &Position,
    ) -> bool {
        let Some(played) = game.record.moves.get(after) else {
            return game.record.ending == Some(Ending::Resign);
        };
        let mut next = position.clone();
        next.do_move(played.mv);
        let limits = self.limits(None);
        !next.in_check() || solver.mates_every_reply(&next, &limits, self.stop) == Some(false)
    }

    fn problem(&self, solver: &mut TsumeSolver, mate: &Mate) -> Option<SoundProblem> {
        let FindArgs { nodes, flaws, .. } = *self.args;
        solver.reduce(&mate.position, &Wanted { plies: mate.plies, nodes, flaws }, self.stop)
    }
}

/// The position as a problem: White defends, and the pieces that a game with handicap lacks are in White's
/// hand.
fn as_problem(position: &Position) -> Option<Position> {
    let mut partial = position.to_partial();
    if attacker(position) == Color::White {
        partial = rotated(&partial);
    }
    // Fails only for 0.
    let _ = partial.ply_set(1);
    for kind in HAND_KINDS {
        let on_board = Square::all().filter(|&square| {
            partial.piece_at(square).is_some_and(|piece| unpromoted(piece.piece_kind()) == kind)
        });
        let count = |color| partial.hand_of_a_player(color).count(kind).unwrap_or(0);
        let all = on_board.count() as u8 + count(Color::Black) + count(Color::White);
        for _ in all..SET_COUNT[kind as usize] {
            let hand = partial.hand_of_a_player_mut(Color::White);
            *hand = hand.added(kind)?;
        }
    }
    Position::from_partial(&partial).ok()
}
