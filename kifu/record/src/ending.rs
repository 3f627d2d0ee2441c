//! How games end, and the words for it.

use monomi_support::text::{Lang, Message};
use std::fmt::{self, Formatter};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The side to move resigned.
    Resign,
    /// Adjourned.
    Interrupted,
    /// Repetition.
    Repetition,
    /// The side to move lost on time.
    TimeUp,
    /// An illegal move, where the word does not say whose. Readers put [`Ending::FoulLoss`] or
    /// [`Ending::FoulWin`] into a record.
    IllegalMove,
    /// The side to move broke the rules and lost (反則負け).
    FoulLoss,
    /// The opponent of the side to move broke the rules and lost (反則勝ち).
    FoulWin,
    /// Impasse: a draw by agreement or by points (持将棋).
    Impasse,
    /// The side to move declared a win (入玉宣言).
    Declaration,
    /// The side to move is mated.
    Mate,
    /// The problem has no mate (不詰).
    NoMate,
    /// Draw.
    Draw,
    /// The maximum number of moves was reached.
    MaxMoves,
    /// Anything else, as written in the file.
    Other(String),
}

/// The endings in KIF, in CSA and in English.
pub const ENDINGS: [(Ending, &str, &str, &str); 13] = [
    (Ending::Resign, "投了", "TORYO", "resignation"),
    (Ending::Interrupted, "中断", "CHUDAN", "interrupted"),
    (Ending::Repetition, "千日手", "SENNICHITE", "repetition"),
    (Ending::TimeUp, "切れ負け", "TIME_UP", "time up"),
    (Ending::FoulWin, "反則勝ち", "ILLEGAL_MOVE", "illegal move"),
    (Ending::FoulLoss, "反則負け", "ILLEGAL_MOVE", "illegal move"),
    (Ending::IllegalMove, "反則負け", "ILLEGAL_MOVE", "illegal move"),
    (Ending::Impasse, "持将棋", "JISHOGI", "impasse"),
    (Ending::Declaration, "入玉勝ち", "KACHI", "declaration"),
    (Ending::Mate, "詰み", "TSUMI", "mate"),
    (Ending::NoMate, "不詰", "FUZUMI", "no mate"),
    (Ending::Draw, "引き分け", "HIKIWAKE", "draw"),
    (Ending::MaxMoves, "最大手数", "MAX_MOVES", "maximum number of moves"),
];

impl Ending {
    /// From the word used in KIF.
    pub fn from_kif(word: &str) -> Option<Self> {
        let also = [
            ("詰", Ending::Mate),
            ("不詰み", Ending::NoMate),
            ("タイムアップ", Ending::TimeUp),
            ("反則手", Ending::IllegalMove),
            ("反則行為", Ending::IllegalMove),
            ("降参", Ending::Resign),
            ("負けました", Ending::Resign),
            ("時間切れ", Ending::TimeUp),
            ("時間切れ負け", Ending::TimeUp),
            ("反則", Ending::IllegalMove),
            ("勝ち宣言", Ending::Declaration),
            ("入玉宣言勝ち", Ending::Declaration),
            ("入玉", Ending::Declaration),
            ("引分", Ending::Draw),
            ("切断", Ending::Other("切断".to_owned())),
            ("接続切れ", Ending::Other("切断".to_owned())),
            ("通信切断", Ending::Other("切断".to_owned())),
            ("入玉宣言", Ending::Declaration),
            ("宣言勝ち", Ending::Declaration),
            ("引分け", Ending::Draw),
            ("不戦勝", Ending::Other("不戦勝".to_owned())),
            ("不戦敗", Ending::Other("不戦敗".to_owned())),
            ("封じ手", Ending::Other("封じ手".to_owned())),
        ];
        let known = ENDINGS.into_iter().find(|ending| ending.1 == word).map(|ending| ending.0);
        known.or_else(|| also.into_iter().find(|(name, _)| *name == word).map(|(_, e)| e))
    }

    /// From the word used in CSA, without `%`.
    pub fn from_csa(word: &str) -> Self {
        match word {
            _ if word.eq_ignore_ascii_case("ILLEGAL_MOVE") => Ending::IllegalMove,
            _ => ENDINGS
                .into_iter()
                .find(|ending| ending.2.eq_ignore_ascii_case(word))
                .map_or_else(|| Ending::Other(word.to_owned()), |ending| ending.0),
        }
    }

    /// The word used in KIF.
    pub fn kif(&self) -> &str {
        match self {
            Ending::Other(word) => word,
            _ => ENDINGS.iter().find(|ending| ending.0 == *self).map_or("中断", |e| e.1),
        }
    }

    /// The word used in CSA, without `%`.
    pub fn csa(&self) -> &str {
        match self {
            Ending::Other(word) if word.is_ascii() => word,
            Ending::Other(_) => "CHUDAN",
            _ => ENDINGS.iter().find(|ending| ending.0 == *self).map_or("CHUDAN", |e| e.2),
        }
    }
}

/// How a side lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defeat {
    /// It resigned.
    Resignation,
    /// It was mated.
    Mate,
    /// On time.
    Time,
    /// By breaking the rules, perpetual check included.
    Rules,
    /// By the opponent's declaration.
    Declaration,
    /// By default (不戦敗).
    Default,
}

/// In Japanese the word used in KIF.
#[doc(hidden)]
impl Message for Ending {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let known = ENDINGS.iter().find(|ending| ending.0 == *self);
        f.write_str(match (lang, known) {
            (Lang::En, Some(ending)) => ending.3,
            (Lang::En, None) => match self.kif() {
                "不戦勝" => "win by default",
                "不戦敗" => "loss by default",
                "切断" => "disconnected",
                "封じ手" => "sealed move",
                word => word,
            },
            _ => self.kif(),
        })
    }
}
