//! Messages of the commands for game records, books and training data.

use super::{Lang, count};
use monomi_book::Results;
use monomi_text::texts;

texts! {
    DataTexts
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

}
