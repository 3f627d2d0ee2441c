//! Messages of the commands for game records, books and training data.

use super::{Lang, count};
use monomi_book::Results;
use monomi_selfplay::{Reason, Statistics};
use monomi_text::texts;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

texts! {
    DataTexts
    // `records`

    fn statistics(self, all: &Statistics) -> String {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let (games, positions) = (all.games, all.positions);
        let per_game = positions as f64 / games.max(1) as f64;
        let quiet = percent(all.quiet, positions);
        let [drawn, black, white] = all.results.map(|count| percent(count, games));
        let reasons = Reason::ALL.into_iter().zip(all.reasons).filter(|pair| pair.1 > 0);
        let reasons = reasons.map(|(reason, count)| {
            format!("{} {:.1} %", self.end_of_game(reason), percent(count, games))
        });
        let reasons: Vec<String> = reasons.collect();
        let mut text = match self {
            Lang::En => {
                let mut text = format!(
                    "{}, {} ({per_game:.1} a game), {quiet:.1} % of them quiet\n",
                    count(games, "game", "games"),
                    count(positions, "position", "positions")
                );
                if all.tree > 0 {
                    let _ = writeln!(
                        text,
                        "{} from the search trees",
                        count(all.tree, "position", "positions")
                    );
                }
                let _ = writeln!(
                    text,
                    "won by Black {black:.1} %, by White {white:.1} %, drawn {drawn:.1} %"
                );
                let _ = writeln!(text, "ended by: {}", reasons.join(", "));
                text.push_str("score for Black   positions   won by Black\n");
                text
            }
            Lang::Ja => {
                let mut text = format!(
                    "{games} 局、{positions} 局面（一局平均 {per_game:.1}）、うち静かな局面 {quiet:.1} %\n"
                );
                if all.tree > 0 {
                    let _ = writeln!(text, "探索木からの局面 {}", all.tree);
                }
                let _ = writeln!(
                    text,
                    "先手勝ち {black:.1} %、後手勝ち {white:.1} %、引き分け {drawn:.1} %"
                );
                let _ = writeln!(text, "終局の理由: {}", reasons.join("、"));
                text.push_str("先手の評価値         局面数       先手勝率\n");
                text
            }
        };
        for class in all.classes() {
            let share = 100.0 * class.share();
            let _ = writeln!(text, "{:15}   {:9}   {share:10.1} %", class.score, class.positions);
        }
        if let Some(scale) = all.scale() {
            let _ = match self {
                Lang::En => writeln!(text, "results follow 1 / (1 + exp(-score / {scale:.0}))"),
                Lang::Ja => {
                    writeln!(text, "先手の勝率は 1 / (1 + exp(-評価値 / {scale:.0})) に近似")
                }
            };
        }
        text
    }

    fn end_of_game(self, reason: Reason) -> &'static str {
        let [en, ja] = match reason {
            Reason::Unknown => ["unknown", "不明"],
            Reason::Mate => ["mate", "詰み"],
            Reason::Adjudicated => ["adjudicated", "評価値による判定"],
            Reason::Declaration => ["declaration", "入玉宣言"],
            Reason::Repetition => ["repetition", "千日手"],
            Reason::PerpetualCheck => ["perpetual check", "連続王手の千日手"],
            Reason::MaxPlies => ["too long", "手数制限"],
        };
        match self {
            Lang::En => en,
            Lang::Ja => ja,
        }
    }

    // `book`

    fn book_built(self, games: usize, positions: usize, moves: usize) -> String {
        let size = self.book_size(positions, moves);
        match self {
            Lang::En => format!("{}: {size}", count(games as u64, "game", "games")),
            Lang::Ja => format!("{games} 局: {size}"),
        }
    }

    fn books_merged(self, books: usize, positions: usize, moves: usize) -> String {
        let size = self.book_size(positions, moves);
        match self {
            Lang::En => format!("{}: {size}", count(books as u64, "book", "books")),
            Lang::Ja => format!("定跡 {books} 個: {size}"),
        }
    }

    fn book_size(self, positions: usize, moves: usize) -> String {
        match self {
            Lang::En => format!(
                "{}, {}",
                count(positions as u64, "position", "positions"),
                count(moves as u64, "move", "moves")
            ),
            Lang::Ja => format!("{positions} 局面、{moves} 手"),
        }
    }

    fn book_faults(self, faults: usize, twice: usize) -> String {
        match self {
            Lang::En => format!(
                "{}, {} twice",
                count(faults as u64, "fault", "faults"),
                count(twice as u64, "position", "positions")
            ),
            Lang::Ja => format!("誤り {faults} 件、重複した局面 {twice} 件"),
        }
    }

    fn book_unsorted(self, line: usize) -> String {
        match self {
            Lang::En => {
                format!("not sorted (line {line}): `monomi book merge -o SORTED FILE` sorts it")
            }
            Lang::Ja => format!(
                "並び順が正しくありません（{line} 行目）。`monomi book merge -o 出力 ファイル` で並べ替えられます"
            ),
        }
    }

    fn broken_lines(self, lines: usize) -> String {
        match self {
            Lang::En => format!("{} in all", count(lines as u64, "broken line", "broken lines")),
            Lang::Ja => format!("読めない行は全部で {lines} 行です"),
        }
    }

    /// Value, depth and count of a move.
    fn book_move(self, eval: i32, depth: u32, count: u32) -> String {
        match self {
            Lang::En => format!("eval {eval:6} depth {depth:3} count {count:6}"),
            Lang::Ja => format!("評価値 {eval:6} 深さ {depth:3} 採用回数 {count:6}"),
        }
    }

    /// Follows it.
    fn results(self, results: Results) -> String {
        let Results { won, drawn, lost } = results;
        let games = f64::from(won) + f64::from(drawn) + f64::from(lost);
        let score = 100.0 * (f64::from(won) + 0.5 * f64::from(drawn)) / games.max(1.0);
        match self {
            Lang::En => format!("  won {won} drawn {drawn} lost {lost} ({score:.0} %)"),
            Lang::Ja => format!("  {won} 勝 {drawn} 分 {lost} 敗（{score:.0} %）"),
        }
    }

    // `convert`, `datagen`

    fn unknown_format(self, path: &Path) -> String {
        let path = path.display();
        match self {
            Lang::En => format!(
                "{path}: the name does not tell the format (.mgr, .psv, .bin, .hcpe); use --from or --to"
            ),
            Lang::Ja => format!(
                "{path}: 名前から形式（.mgr、.psv、.bin、.hcpe）が分かりません。--from か --to を指定してください"
            ),
        }
    }

    fn converted(self, path: &Path, games: u64, positions: u64) -> String {
        let path = path.display();
        match self {
            Lang::En => format!(
                "{path}: {}, {}",
                count(games, "game", "games"),
                count(positions, "position", "positions")
            ),
            Lang::Ja => format!("{path}: {games} 局、{positions} 局面"),
        }
    }

    fn left_out(self, parts: u64) -> String {
        match self {
            Lang::En => format!("{} of the input left out", count(parts, "part", "parts")),
            Lang::Ja => format!("入力のうち {parts} 箇所を読み飛ばしました"),
        }
    }

    fn style_needs_network(self, evaluation: &str) -> String {
        match self {
            Lang::En => format!("--style needs a network; this evaluation is {evaluation}"),
            Lang::Ja => format!("--style には NNUE が必要です（この評価関数は {evaluation}）"),
        }
    }

    fn generated(
        self,
        path: &Path,
        counts: [u64; 3],
        speed: f64,
        seed: u64,
    ) -> String {
        let [games, positions, new] = counts;
        let path = path.display();
        match self {
            Lang::En => format!(
                "{path}: {}, {}, {new} of them from this run at {speed:.0} per second; seed {seed}",
                count(games, "game", "games"),
                count(positions, "position", "positions")
            ),
            Lang::Ja => format!(
                "{path}: {games} 局、{positions} 局面（今回 {new} 局面、毎秒 {speed:.0} 局面）、シード {seed}"
            ),
        }
    }

    fn generation_progress(
        self,
        games: u64,
        positions: u64,
        speed: f64,
        left: Option<Duration>,
    ) -> String {
        match self {
            Lang::En => {
                let left = left.map_or(String::new(), |left| {
                    format!(", {} left", indicatif::HumanDuration(left))
                });
                format!(
                    "{}, {}, {speed:.0} per second{left}",
                    count(games, "game", "games"),
                    count(positions, "position", "positions")
                )
            }
            Lang::Ja => {
                let left =
                    left.map_or(String::new(), |left| format!("、残り{}", duration_ja(left)));
                format!("{games} 局、{positions} 局面、毎秒 {speed:.0} 局面{left}")
            }
        }
    }
}

fn duration_ja(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..60 => format!(" {seconds} 秒"),
        seconds @ ..3600 => format!(" {} 分", seconds.div_ceil(60)),
        seconds => format!(" {} 時間 {} 分", seconds / 3600, seconds / 60 % 60),
    }
}
