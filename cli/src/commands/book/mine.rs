//! `monomi book mine`.

use crate::commands::arguments::{DrawArg, EvalArg, LimitArgs};
use crate::commands::book::choice::ChoiceArgs;
use crate::commands::book::convert::complain;
use crate::commands::book::leaves::{cores, eval_of_mate, how};
use crate::commands::book::{exit_code, size_text};
use crate::commands::records::positions_text;
use crate::commands::values::{at_least, within};
use crate::commands::{INTERRUPTED, cancel_on_interrupt};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use crossbeam_channel::{Sender, unbounded};
use monomi_analysis::{
    AnalysisSettings, ListError, ListedPosition, SearchedPosition, WinScale, search_list,
};
use monomi_book::{
    BestLine, BookEntry, BookMove, Converted, LeafChoice, Mine, MinimaxError, entry_of,
};
use monomi_movegen::Position;
use monomi_search::Score;
use monomi_support::batch::files::Claim;
use monomi_support::batch::jobs::Cancel;
use monomi_support::text::{Message, messages, say};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Nodes for each position if no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;
/// The book is saved this often; more rarely if saving takes more than a tenth of the time.
const SAVE_EVERY: Duration = Duration::from_secs(60);
/// Interval between lines that show the progress.
const TELL_EVERY: Duration = Duration::from_secs(10);
/// At most this many positions are chosen at once.
const MOST_AT_ONCE: usize = 4096;

const HELP: &str = "\
Each core searches a position of its own. The book keeps the values of these searches; give it to
`monomi book minimax` to play from it. It is saved every minute and at the end, and the same command
continues it. Without --positions and --time mining ends with Ctrl-C.

Examples:
  monomi book mine --time 3600 mined.ybb
  monomi book mine --nodes 2000000 --positions 20000 --start openings.sfen mined.ybb
  monomi book mine --games opponent/ --margin 50 mined.ybb
  monomi book minimax mined.ybb -o tournament.ybb

Exit codes: 0 success; 1 failure; 2 invalid arguments; 3 some records or lines could not be read
completely; 130 interrupted, everything is saved.";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::commands) struct Args {
    /// The book to extend (.db or .ybb); it need not exist.
    #[arg(value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: PathBuf,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of lines for each position.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = within(1..=600u16))]
    multipv: u16,
    /// Stop after this many searched positions.
    #[arg(long, value_name = "N", value_parser = at_least(1usize))]
    positions: Option<usize>,
    /// Stop after this time.
    #[arg(long, value_name = "SECONDS", value_parser = at_least(1u64))]
    time: Option<u64>,
    /// Number of threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16))]
    threads: Option<u16>,
    /// Size of each thread's transposition table in MiB [default: enough for the nodes].
    #[arg(long, value_name = "MIB", value_parser = at_least(1u32))]
    hash: Option<u32>,
    #[command(flatten)]
    draw: DrawArg,
    #[command(flatten)]
    eval: EvalArg,
    /// Do not show the progress.
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }

    fn settings(&self) -> AnalysisSettings {
        let threads = self.threads();
        AnalysisSettings {
            nodes: self.limits.nodes.or(self.limits.is_empty().then_some(DEFAULT_NODES)),
            depth: self.limits.depth,
            movetime: self.limits.movetime(),
            time_per_game: None,
            threads,
            jobs: threads,
            multi_pv: self.multipv.into(),
            hash_mib: self.hash.map(|mib| mib as usize),
            win_scale: WinScale::default(),
            reasons: false,
        }
    }
}

messages! {
    /// The book has faults, which saving would leave out.
    struct Damaged(path: PathBuf) =>
        "{path} is damaged and was not changed; `monomi book convert` makes a valid book of it",
        "{path} は壊れているため変更しませんでした。`monomi book convert` で正しい定跡にできます";
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let threads = args.threads();
    let _claim = Claim::new(&args.book).with_context(|| Doing::Writing(args.book.clone()))?;
    let (mine, faults) = Mine::open(&args.book, how(&args.book, threads, args.draw.value))?;
    if faults.count > 0 {
        complain(&args.book, &faults, lang);
        return Err(Damaged(args.book.clone()).into());
    }
    let (choice, all_good) = args.choice.read(0, lang)?;
    let evaluation = args.eval.load(lang)?;
    let cancel = cancel_on_interrupt()?;
    let (sender, receiver) = unbounded();
    let now = Instant::now();
    let mut miner = Miner {
        mine,
        choice,
        sender: Some(sender),
        open: 0,
        since_choice: 0,
        searched: 0,
        left: args.positions.unwrap_or(usize::MAX),
        ends: args.time.and_then(|seconds| now.checked_add(Duration::from_secs(seconds))),
        threads,
        save_at: now + SAVE_EVERY,
        tell_at: now + TELL_EVERY,
        best: None,
        quiet: args.quiet,
        lang,
    };
    miner.refill()?;
    let mut failed = None;
    let searched =
        search_list(&receiver, &args.settings(), &evaluation, &cancel, &mut |entry, result| {
            let (Ok(position), Some(result)) = (&entry.position, result) else { return };
            if let Err(error) = miner.take(position, result, &cancel)
                && failed.is_none()
            {
                failed = Some(error);
                cancel.cancel();
            }
        });
    // Whatever happened, what was searched is saved first.
    let saved = miner.mine.save()?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    searched?;
    miner.report(saved.as_ref(), out)?;
    if cancel.is_cancelled() && !miner.time_is_over() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(exit_code(all_good))
}

/// The moves of a searched position; none if the game is over there.
fn searched_entry(position: &Position, searched: &SearchedPosition) -> Option<BookEntry> {
    let moves = searched.lines().filter_map(|(score, pv)| {
        let (&mv, ponder) = (pv.first()?, pv.get(1).copied());
        let eval = match score {
            Score::Cp(cp) => cp,
            Score::Mate(plies) => eval_of_mate(plies.into()),
        };
        Some(BookMove { mv, ponder, eval, depth: searched.depth(), count: 1 })
    });
    entry_of(position, moves).ok()
}

/// Keeps the searching threads busy, and collects what they find.
struct Miner {
    mine: Mine,
    choice: LeafChoice,
    /// To the searching threads; `None` when nothing more is to be searched.
    sender: Option<Sender<Result<ListedPosition, ListError>>>,
    /// Positions sent whose results have not come.
    open: usize,
    /// Results since positions were chosen.
    since_choice: usize,
    /// Positions searched.
    searched: usize,
    /// Positions that may still be sent.
    left: usize,
    ends: Option<Instant>,
    threads: usize,
    save_at: Instant,
    tell_at: Instant,
    /// The best line when positions were last chosen.
    best: Option<BestLine>,
    quiet: bool,
    lang: Lang,
}

impl Miner {
    fn time_is_over(&self) -> bool {
        self.ends.is_some_and(|ends| Instant::now() >= ends)
    }

    /// Chooses positions and sends them; without any the search ends.
    fn refill(&mut self) -> Result<(), MinimaxError> {
        let Some(sender) = &self.sender else { return Ok(()) };
        // The larger the book, the longer its values take.
        let at_once = (self.mine.positions() / 32).clamp(4 * self.threads, MOST_AT_ONCE);
        self.choice.count = at_once.min(self.left);
        let round = self.mine.choose(&self.choice)?;
        self.since_choice = 0;
        self.best = round.best;
        self.left -= round.positions.len();
        self.open += round.positions.len();
        for position in round.positions {
            // The receiver lives longer.
            let _ = sender.send(Ok(ListedPosition::new(position)));
        }
        if self.open == 0 || self.left == 0 {
            self.sender = None;
        }
        Ok(())
    }

    /// Takes the result of a position.
    fn take(
        &mut self,
        position: &Position,
        result: &SearchedPosition,
        cancel: &Cancel,
    ) -> Result<(), MinimaxError> {
        self.open -= 1;
        self.searched += 1;
        self.since_choice += 1;
        if let Some(entry) = searched_entry(position, result) {
            self.mine.add(entry);
        }
        if self.time_is_over() {
            cancel.cancel();
        } else if self.open == 0 || self.open <= self.threads && self.since_choice >= self.threads {
            self.refill()?;
        }
        self.tell();
        self.save_sometimes();
        Ok(())
    }

    /// Saves the book if it is time. An error here is only reported: space may be made on the disk before
    /// the next attempt.
    fn save_sometimes(&mut self) {
        let begin = Instant::now();
        if begin < self.save_at {
            return;
        }
        if let Err(error) = self.mine.save() {
            crate::commands::complain(error.in_lang(self.lang));
        }
        self.save_at = Instant::now() + SAVE_EVERY.max(10 * begin.elapsed());
    }

    fn tell(&mut self) {
        if !self.quiet && Instant::now() >= self.tell_at {
            self.tell_at = Instant::now() + TELL_EVERY;
            let (lang, best) = (self.lang, self.best_text());
            let (all, searched) = (
                positions_text(self.mine.positions() as u64, lang),
                positions_text(self.searched as u64, lang),
            );
            let line = say!(lang, "{all}, {searched} searched", "{all}（探索 {searched}）");
            // A closed standard error is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}{best}");
        }
    }

    /// The best line as the end of a line of text.
    fn best_text(&self) -> String {
        let Some(BestLine { value, moves, .. }) = &self.best else { return String::new() };
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let moves = moves.join(" ");
        say!(self.lang, "; best line {value:+}: {moves}", "、最善手順 {value:+}: {moves}")
    }

    /// What was done, with the best line by all values.
    fn report(&mut self, saved: Option<&Converted>, out: &mut impl Write) -> Result<(), Failure> {
        let lang = self.lang;
        self.choice.count = 0;
        self.best = self.mine.choose(&self.choice)?.best;
        let searched = positions_text(self.searched as u64, lang);
        let best = self.best_text();
        say!(lang, out, "{searched} searched{best}\n", "探索: {searched}{best}\n")?;
        if let Some(saved) = saved {
            let size = size_text(saved.positions as usize, saved.moves as usize, lang);
            writeln!(out, "{size}")?;
        }
        Ok(())
    }
}
