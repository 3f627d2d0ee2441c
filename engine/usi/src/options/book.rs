//! The options of the opening book.

use super::{Kind, Options, Spec, check, spec, spin};
use std::path::PathBuf;

/// The value of `BookFile` for no book.
pub const NO_BOOK: &str = "no_book";

/// Which book to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookSource {
    /// The file as given by the user.
    pub file: String,
    /// The folder that is searched first; may be empty.
    pub dir: String,
    /// Leave the book on disk.
    pub on_the_fly: bool,
}

impl BookSource {
    /// The names of the books, in the order of their priority.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.file.split(';').map(str::trim).filter(|name| !name.is_empty())
    }

    /// The paths to try for a book, in order.
    pub fn paths(&self, name: &str) -> Vec<PathBuf> {
        let file = PathBuf::from(name);
        let mut paths = Vec::new();
        if !self.dir.is_empty() {
            paths.push(PathBuf::from(&self.dir).join(&file));
        }
        paths.push(file);
        paths
    }
}

impl Options {
    /// The book that the options name.
    pub fn book_source(&self) -> Option<BookSource> {
        if !self.own_book || self.book_file.is_empty() || self.book_file == NO_BOOK {
            return None;
        }
        Some(BookSource {
            file: self.book_file.clone(),
            dir: self.book_dir.clone(),
            on_the_fly: self.book_on_the_fly,
        })
    }

    /// Sets the options that name the book.
    pub fn set_book_source(&mut self, source: Option<&BookSource>) {
        match source {
            None => self.put("BookFile", NO_BOOK),
            Some(source) => {
                self.put("BookFile", &source.file);
                self.put("BookDir", &source.dir);
                self.put("BookOnTheFly", &source.on_the_fly.to_string());
            }
        }
    }
}

/// As in `options.rs`.
pub static TABLE: [Spec; 19] = [
    check("USI_OwnBook", true, |o, on| o.own_book = on)
        .or(&["OwnBook"])
        .native()
        .about("use the opening book if `BookFile` names one", "`BookFile` に定跡があれば使う"),
    spec(
        "BookFile",
        Kind::Text { file: true, default: NO_BOOK, set: |o, s| s.clone_into(&mut o.book_file) },
    )
    .native()
    .about(
        "opening books: YaneuraOu's `.db` and `.ybb`, Apery's `.bin`; of several, separated by `;`, \
         the first one that has a move answers",
        "定跡ファイル（やねうら王の `.db`・`.ybb`、Apery の `.bin`）。`;` で区切って複数指定すると、\
         指し手のある最初の定跡を使う",
    ),
    spec(
        "BookDir",
        Kind::Text { file: false, default: "book", set: |o, s| s.clone_into(&mut o.book_dir) },
    )
    .native()
    .about("the folder searched first for `BookFile`", "定跡をまず探すフォルダ"),
    check("BookOnTheFly", false, |o, on| o.book_on_the_fly = on).native().about(
        "search a `.ybb` or a sorted `.db` on disk instead of reading it into memory",
        "`.ybb` またはソート済みの `.db` をメモリに読まずディスク上で引く",
    ),
    spin("BookMoves", 16, 0, 10_000, |o, n| o.book.moves = n as u16)
        .native()
        .about("use the book up to this move of the game", "定跡を使う手数"),
    spin("BookIgnoreRate", 0, 0, 100, |o, n| o.book.ignore_rate = n as u32)
        .native()
        .about("how often to ignore the book at random, in percent", "定跡を無視する確率（%）"),
    check("NarrowBook", false, |o, on| o.book.narrow = on)
        .native()
        .about("ignore moves played in less than 10 % of the games", "採用率が 1 割未満の手を除く"),
    spin("BookEvalDiff", 30, 0, 99_999, |o, n| o.book.eval_diff = n as i32).native().about(
        "how much worse than the best book move a move may be, in centipawns",
        "最善手との評価値の差の上限",
    ),
    spin("BookEvalBlackDiff", -1, -1, 99_999, |o, n| o.book.eval_diff_of[0] = i32::try_from(n).ok().filter(|&n| n >= 0))
        .native()
        .about("`BookEvalDiff` for Black only; -1 for the same", "先手番だけの `BookEvalDiff`（-1 なら同じ値）"),
    spin("BookEvalWhiteDiff", -1, -1, 99_999, |o, n| o.book.eval_diff_of[1] = i32::try_from(n).ok().filter(|&n| n >= 0))
        .native()
        .about("`BookEvalDiff` for White only; -1 for the same", "後手番だけの `BookEvalDiff`（-1 なら同じ値）"),
    spin("BookEvalBlackLimit", 0, -99_999, 99_999, |o, n| o.book.eval_limit[0] = n as i32)
        .native()
        .about(
            "minimum evaluation of book moves for Black, in centipawns",
            "先手番の定跡手の評価値の下限（センチポーン）",
        ),
    spin("BookEvalWhiteLimit", -140, -99_999, 99_999, |o, n| o.book.eval_limit[1] = n as i32)
        .native()
        .about(
            "minimum evaluation of book moves for White, in centipawns",
            "後手番の定跡手の評価値の下限（センチポーン）",
        ),
    spin("BookDepthLimit", 16, 0, 99_999, |o, n| o.book.depth_limit = n as u32).native().about(
        "ignore positions whose best move has a smaller depth; books without depths are not \
         affected",
        "最善手の探索深さがこれより浅い局面は使わない（深さのない定跡はそのまま使う）",
    ),
    spin("BookDepthBlackLimit", -1, -1, 99_999, |o, n| o.book.depth_limit_of[0] = u32::try_from(n).ok())
        .native()
        .about("`BookDepthLimit` for Black only; -1 for the same", "先手番だけの `BookDepthLimit`（-1 なら同じ値）"),
    spin("BookDepthWhiteLimit", -1, -1, 99_999, |o, n| o.book.depth_limit_of[1] = u32::try_from(n).ok())
        .native()
        .about("`BookDepthLimit` for White only; -1 for the same", "後手番だけの `BookDepthLimit`（-1 なら同じ値）"),
    check("ConsiderBookMoveCount", false, |o, on| o.book.consider_count = on).native().about(
        "choose moves in proportion to their counts; moves without a searched value (depth 0, as \
         from `monomi book build`) are always chosen this way",
        "採用回数に応じて選ぶ。探索値のない手（深さ 0、`monomi book build` で作った定跡など）は常\
         に採用回数で選ぶ",
    ),
    spin("BookPvMoves", 8, 1, 246, |o, n| o.book.pv_moves = n as usize)
        .native()
        .about("length of displayed book lines, in moves", "定跡の読み筋の長さ"),
    check("IgnoreBookPly", false, |o, on| o.book.lookup.ignore_ply = on).native().about(
        "accept the same position with another move number",
        "手数が違っても同じ局面とみなす",
    ),
    check("FlippedBook", true, |o, on| o.book.lookup.flipped = on)
        .native()
        .about("accept the same position with the colours exchanged", "先後を入れ替えた局面も引く"),
];
