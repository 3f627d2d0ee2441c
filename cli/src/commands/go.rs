//! `monomi go`.

use crate::commands::arguments::LimitArgs;
use crate::commands::values::{at_least, notation, parsed, within};
use crate::commands::{EvalArg, INTERRUPTED, PositionArg, on_interrupt};
use crate::failure::Failure;
use crate::lang::Lang;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use monomi_analysis::Notation;
use monomi_movegen::{PackedMove, Position};
use monomi_search::{
    BestMove, Bound, Info, Reporter, Score, SearchOptions, SearchResult, Searcher, Signals,
};
use monomi_support::text::{messages, say};
use monomi_usi::{bestmove_line, info_line};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time of a search without a limit.
const DEFAULT_MOVETIME: Duration = Duration::from_secs(1);

const AFTER_HELP: &str = "\
Without a limit the search takes one second. Ctrl-C ends it and prints the best move so far.
Instead of an SFEN a file with a game or a diagram (KIF, KI2, BOD, CSA, JKF, USI) can be given, or
`-` for standard input; its last position is searched.

On a terminal the output is meant for people; otherwise, and with --usi, it is that of the USI
protocol.

Examples:
  monomi go
  monomi go --movetime 3000 --threads 2 startpos moves 7g7f 3c3d
  monomi go --infinite game.kif
  monomi go --depth 15 --searchmoves 7g7f,2g2f --json
  monomi go --nodes 100000 --multipv 3 --eval-file nn.bin '4k4/9/4P4/9/9/9/9/9/4K4 b G 1'";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    limits: LimitArgs,
    /// Search until Ctrl-C.
    #[arg(long, conflicts_with_all = ["nodes", "depth", "movetime"])]
    infinite: bool,
    /// Search only these moves, separated by commas.
    #[arg(long, value_name = "MOVES", value_delimiter = ',', value_parser = parsed::<PackedMove>)]
    searchmoves: Vec<PackedMove>,
    /// Number of best lines.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = within(1..=600u16))]
    multipv: u16,
    /// Number of threads.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = within(1..=1024u16))]
    threads: u16,
    /// Size of the hash table in MiB.
    #[arg(long, default_value_t = 256, value_name = "MIB",
          value_parser = at_least(1usize))]
    hash: usize,
    /// Print the result as one JSON object.
    #[arg(long, conflicts_with = "usi")]
    json: bool,
    /// Print USI lines even on a terminal.
    #[arg(long)]
    usi: bool,
    /// How moves are written on a terminal [default: by the language].
    #[arg(long, value_name = "NOTATION", value_parser = notation(), conflicts_with_all = ["json", "usi"])]
    notation: Option<Notation>,
    #[command(flatten)]
    eval: EvalArg,
    #[command(flatten)]
    position: PositionArg,
}

enum Output<'a, W> {
    Usi { out: &'a mut W, written: std::io::Result<()> },
    Terminal(ProgressBar),
    Json,
}

/// Prints progress and keeps the lines of the last iteration.
struct Printer<'a, W> {
    output: Output<'a, W>,
    root: &'a Position,
    style: Style,
    lines: Vec<Info>,
}

/// How lines are written for people.
#[derive(Clone, Copy)]
struct Style {
    lang: Lang,
    notation: Notation,
}

impl<W: Write + Send> Reporter for Printer<'_, W> {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        if info.bound == Bound::Exact || info.multipv_count > 1 {
            if info.multipv == 1 {
                self.lines.clear();
            }
            self.lines.push(info.clone());
        }
        match &mut self.output {
            Output::Usi { out, written } => {
                *written = writeln!(out, "{}", info_line(info));
                // Stop when the reader has closed the output.
                if written.is_err() {
                    return ControlFlow::Break(());
                }
            }
            Output::Terminal(bar) if info.multipv == 1 && info.bound == Bound::Exact => {
                bar.set_message(readable(self.root, info, self.style));
            }
            Output::Terminal(_) | Output::Json => {}
        }
        ControlFlow::Continue(())
    }
}

messages! {
    /// A move of `--searchmoves` that cannot be played.
    struct IllegalSearchmove {
        mv: PackedMove,
        sfen: String,
    } =>
        "--searchmoves: {mv} is illegal in {sfen}",
        "--searchmoves: {mv} は指せません（局面 {sfen}）";
}

pub(super) fn run(args: &Args, out: &mut (impl Write + Send), lang: Lang) -> Result<(), Failure> {
    let position = args.position.read()?;
    if let Some(mv) = args.searchmoves.iter().find(|&&mv| !position.is_legal(mv)) {
        return Err(Failure::usage(IllegalSearchmove { mv: *mv, sfen: position.to_sfen() }));
    }
    let mut searcher = Searcher::new(args.hash, args.eval.load(lang)?)?;
    searcher.set_threads(args.threads.into())?;
    let signals = Arc::new(Signals::default());
    let handler = Arc::clone(&signals);
    on_interrupt(move || {
        if handler.stopped() {
            std::process::exit(INTERRUPTED.into());
        }
        handler.stop();
    })?;
    let start = Instant::now();
    let mut limits = args.limits.limits().with_searchmoves(args.searchmoves.clone());
    limits.infinite = args.infinite;
    if args.limits.is_empty() && !args.infinite {
        limits.movetime = Some(DEFAULT_MOVETIME);
    }
    let options = SearchOptions::default().with_multi_pv(args.multipv.into());
    let output = if args.json {
        Output::Json
    } else if !args.usi && std::io::stdout().is_terminal() {
        let target = ProgressDrawTarget::stdout();
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Output::Terminal(bar)
    } else {
        Output::Usi { out: &mut *out, written: Ok(()) }
    };
    let style = Style { lang, notation: args.notation.unwrap_or(Notation::of(lang)) };
    let mut printer = Printer { output, root: &position, style, lines: Vec::new() };
    let result = searcher.go(&position, &limits, &options, &signals, &mut printer);
    let time = start.elapsed();
    let Printer { output, lines, .. } = printer;
    match output {
        Output::Usi { written, .. } => {
            written?;
            writeln!(out, "{}", bestmove_line(&result))?;
        }
        Output::Terminal(bar) => {
            bar.finish_and_clear();
            write!(out, "{}", summary(&position, &result, &lines, time, style))?;
        }
        Output::Json => {
            writeln!(out, "{}", to_json(&position, &result, &lines, time))?;
        }
    }
    Ok(())
}

/// A line of analysis.
fn readable(root: &Position, info: &Info, Style { lang, notation }: Style) -> String {
    let (depth, score) = (info.depth, score_text(info.score, lang));
    let (seconds, moves) = (info.time.as_secs_f64(), notation.line(root, &info.pv));
    say!(
        lang,
        "depth {depth:>2}  {score:>6}  {seconds:>5.1} s  {moves}",
        "深さ {depth:>2}  評価値 {score:>6}  {seconds:>5.1} 秒  {moves}"
    )
}

/// `+120` in centipawns for the side to move, or the length of a mate in plies.
fn score_text(score: Score, lang: Lang) -> String {
    match score {
        Score::Cp(value) => format!("{value:+}"),
        Score::Mate(plies) if plies > 0 => say!(lang, "mate in {plies}", "{plies} 手で勝ち"),
        Score::Mate(plies) => say!(lang, "mated in {}", "{} 手で負け", -plies),
    }
}

fn best(result: &SearchResult) -> String {
    match result.best {
        BestMove::Move(mv) => mv.to_string(),
        BestMove::Resign => "resign".to_owned(),
        BestMove::Win => "win".to_owned(),
    }
}

fn summary(
    root: &Position,
    result: &SearchResult,
    lines: &[Info],
    time: Duration,
    style: Style,
) -> String {
    let mut text = String::new();
    for info in lines {
        let _ = writeln!(text, "{}", readable(root, info, style));
    }
    let Style { lang, notation } = style;
    let best = match result.best {
        BestMove::Win => say!(lang, "win by declaration", "入玉宣言勝ち"),
        BestMove::Resign => say!(lang, "none, the position is lost", "なし（負け）"),
        BestMove::Move(mv) => notation.line(root, &[mv]),
    };
    let (nodes, seconds) = (HumanCount(result.nodes), time.as_secs_f64());
    let speed = HumanCount((result.nodes as f64 / seconds.max(1e-3)) as u64);
    text + &say!(
        lang,
        "Best move: {best} ({nodes} nodes, {seconds:.1} s, {speed} nodes/s)\n",
        "最善手: {best}（{nodes} ノード、{seconds:.1} 秒、毎秒 {speed} ノード）\n"
    )
}

fn to_json(position: &Position, result: &SearchResult, lines: &[Info], time: Duration) -> Value {
    let score = |score| match score {
        Score::Cp(value) => json!({ "cp": value }),
        Score::Mate(plies) => json!({ "mate": plies }),
    };
    let moves = |pv: &[PackedMove]| pv.iter().map(ToString::to_string).collect::<Vec<_>>();
    let line = |info: &Info| {
        json!({
            "multipv": info.multipv,
            "depth": info.depth,
            "seldepth": info.seldepth,
            "score": score(info.score),
            "pv": moves(&info.pv),
        })
    };
    json!({
        "sfen": position.to_sfen(),
        "bestmove": best(result),
        "ponder": result.ponder.map(|mv| mv.to_string()),
        "score": score(result.score),
        "depth": result.depth,
        "nodes": result.nodes,
        "time_ms": time.as_millis() as u64,
        "lines": lines.iter().map(line).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_for_people() {
        let line = ["7g7f", "3c3d"].map(|mv| mv.parse().unwrap()).to_vec();
        let mut info = Info::new(Score::Cp(53), line);
        (info.depth, info.nodes, info.time) = (7, 1_000, Duration::from_millis(300));
        let best = BestMove::Move(info.pv[0]);
        let mut result = SearchResult::new(best, info.score);
        (result.depth, result.nodes) = (7, 1_000);
        let root = Position::startpos();
        let time = Duration::from_millis(500);
        let [english, japanese] =
            [Lang::En, Lang::Ja].map(|lang| Style { lang, notation: Notation::of(lang) });
        assert_eq!(
            summary(&root, &result, std::slice::from_ref(&info), time, english),
            "depth  7     +53    0.3 s  P-7f P-3d\nBest move: P-7f (1,000 nodes, 0.5 s, 2,000 nodes/s)\n"
        );
        assert_eq!(
            summary(&root, &result, std::slice::from_ref(&info), time, japanese),
            "深さ  7  評価値    +53    0.3 秒  ▲７六歩 △３四歩\n\
             最善手: ▲７六歩（1,000 ノード、0.5 秒、毎秒 2,000 ノード）\n"
        );
        let usi = Style { notation: Notation::Usi, ..english };
        assert!(readable(&root, &info, usi).ends_with("  7g7f 3c3d"));
        info.score = Score::Mate(-4);
        assert!(readable(&root, &info, english).contains("  mated in 4    0.3 s  P-7f"));
        assert!(readable(&root, &info, japanese).contains("評価値 4 手で負け    0.3 秒  ▲７六歩"));
        info.score = Score::Mate(5);
        assert!(readable(&root, &info, english).contains("  mate in 5    0.3 s  P-7f"));
        let lost = SearchResult::new(BestMove::Resign, Score::Mate(0));
        assert!(summary(&root, &lost, &[], time, japanese).contains("なし（負け）"));
    }
}
