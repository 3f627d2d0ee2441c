//! Where a game was decided: its turning points, and one sentence about it.

use crate::judge::{AnalyzedGame, JudgedPosition};
use crate::line::Notation;
use monomi_record::{Ending, Record};
use monomi_support::text::{Lang, Message, say};
use shogi_core::Color;
use std::fmt::{Formatter, Result};

/// Most turning points that are listed.
const MOST: usize = 4;
/// Plies for which a change must last.
const LASTING: usize = 12;
/// A change of at least this much is a turning point.
const LARGE: f64 = 0.1;
/// A side above this winning probability is winning; changes above it, or below the opposite, do not
/// count.
const WON: f64 = 0.85;
/// A side with this winning probability is ahead.
const AHEAD: f64 = 0.6;
/// At the end of a game without result, a side with this winning probability would have won.
const DECIDED: f64 = 0.7;

/// By how much the move after `chances[0]` lastingly lowered its side's winning probability; the others
/// are those of the following positions, for the same side. What happens to a won or lost game does not
/// count, and neither does what the opponent gives back.
fn lasting_fall(chances: &[f64]) -> f64 {
    let Some((&before, later)) = chances.split_first() else { return 0.0 };
    let counted = |chance: f64| chance.clamp(1.0 - WON, WON);
    let later = later.iter().map(|&chance| counted(chance)).reduce(f64::max);
    later.map_or(0.0, |later| counted(before) - later)
}

/// The lasting falls of the moves that were judged, by ply: in the plies after them, up to `plies`.
fn falls<'s>(
    positions: &'s [JudgedPosition<'_>],
    plies: usize,
) -> impl Iterator<Item = (usize, f64)> + 's {
    positions.iter().enumerate().filter(|(_, judged)| judged.verdict.is_some()).map(
        move |(at, judged)| {
            let until = at.saturating_add(plies).saturating_add(1).min(positions.len());
            let own = |black: f64| match judged.position.side_to_move() {
                Color::Black => black,
                Color::White => 1.0 - black,
            };
            let chances = positions[at..until].iter().map_while(JudgedPosition::black_chance);
            let chances: Vec<f64> = chances.map(own).collect();
            (at, lasting_fall(&chances))
        },
    )
}

/// The moves that changed the probable winner most and for some time, in the order of the game.
pub(crate) fn turning_points<'s, 'a>(
    positions: &'s [JudgedPosition<'a>],
) -> Vec<&'s JudgedPosition<'a>> {
    let mut found: Vec<(usize, f64)> =
        falls(positions, LASTING).filter(|(_, fall)| *fall >= LARGE).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.truncate(MOST);
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(at, _)| &positions[at]).collect()
}

/// What a game was about, as one sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Story {
    /// A move of the loser decided the game.
    Decided(Decision),
    /// The loser fell behind without a move that decided the game.
    Gradual(Side),
    /// The loser by the rules or by resignation stood well, with this winning probability.
    LostOtherwise(Side, f64, Cause),
    /// Nobody was winning at the end; Black's winning probability.
    Open(f64),
}

impl Story {
    /// Replaces the names of moves by `{played}` and `{better}`, for pages on which the reader chooses the
    /// notation. Returns the ply of the position in which they are moves, if there are any.
    pub(crate) fn leave_moves_open(&mut self) -> Option<usize> {
        let Self::Decided(decision) = self else { return None };
        decision.played = "{played}".to_owned();
        decision.better = decision.better.take().map(|_| "{better}".to_owned());
        Some(decision.number - 1)
    }
}

/// How a side lost a game that it was not losing on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Resignation,
    Time,
    Rules,
    Declaration,
}

/// A side with its name: in handicap games 下手 and 上手.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) color: Color,
    pub(crate) handicap: bool,
}

impl Message for Side {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match (self.color, self.handicap) {
            (Color::Black, false) => say!(lang, f, "Black", "先手"),
            (Color::White, false) => say!(lang, f, "White", "後手"),
            (Color::Black, true) => say!(lang, f, "Black", "下手"),
            (Color::White, true) => say!(lang, f, "White", "上手"),
        }
    }
}

/// The move that decided a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decision {
    pub(crate) loser: Side,
    /// Number of the move, from 1.
    pub(crate) number: usize,
    pub(crate) played: String,
    /// Winning probabilities of the loser before and after it.
    pub(crate) before: f64,
    pub(crate) after: f64,
    /// A better move.
    pub(crate) better: Option<String>,
}

/// The story of a game, with moves in a notation; `None` unless all its positions were searched.
pub(crate) fn story(game: &AnalyzedGame<'_>, notation: Notation) -> Option<Story> {
    let positions = &game.positions;
    let black_at_end = positions.last()?.black_chance()?;
    let moves = positions.len() - 1;
    let complete = positions[..moves].iter().all(|judged| judged.verdict.is_some());
    if moves == 0 || !complete {
        return None;
    }
    let side = |color| Side { color, handicap: game.is_handicap() };
    let chance = |color| if color == Color::Black { black_at_end } else { 1.0 - black_at_end };
    let by_rule = loser(game.record, positions[moves].position.side_to_move());
    if let Some((color, cause)) = by_rule
        && chance(color) >= 1.0 - AHEAD
    {
        return Some(Story::LostOtherwise(side(color), chance(color), cause));
    }
    let on_board = Color::all().into_iter().find(|&color| chance(color) <= 1.0 - DECIDED);
    let Some(loser) = by_rule.map(|(color, _)| color).or(on_board) else {
        return Some(Story::Open(black_at_end));
    };
    let own = falls(positions, usize::MAX)
        .filter(|(at, _)| positions[*at].position.side_to_move() == loser)
        .filter(|(_, fall)| *fall >= LARGE);
    let Some((at, _)) = own.reduce(|most, next| if next.1 > most.1 { next } else { most }) else {
        return Some(Story::Gradual(side(loser)));
    };
    let decision = decision(&positions[at], &positions[at + 1], side(loser), notation);
    Some(Story::Decided(decision?))
}

fn decision(
    judged: &JudgedPosition<'_>,
    after: &JudgedPosition<'_>,
    loser: Side,
    notation: Notation,
) -> Option<Decision> {
    let own = |judged: &JudgedPosition<'_>| {
        let black = judged.black_chance()?;
        Some(if loser.color == Color::Black { black } else { 1.0 - black })
    };
    let best = judged.lines().into_iter().next().map(|line| line.pv).unwrap_or_default();
    let is_other = best.first() != judged.played.map(|played| &played.mv);
    Some(Decision {
        loser,
        number: judged.ply + 1,
        played: judged.line(notation, &[judged.played?.mv]),
        before: own(judged)?,
        after: own(after)?,
        better: best.first().filter(|_| is_other).map(|&mv| judged.line(notation, &[mv])),
    })
}

/// The side that lost according to the record, and why; `to_move` is the side to move at the end.
pub(crate) fn loser(record: &Record, to_move: Color) -> Option<(Color, Cause)> {
    Some(match record.ending.as_ref()? {
        Ending::Resign | Ending::Mate => (to_move, Cause::Resignation),
        Ending::TimeUp => (to_move, Cause::Time),
        Ending::FoulLoss => (to_move, Cause::Rules),
        Ending::FoulWin | Ending::IllegalMove => (to_move.flip(), Cause::Rules),
        Ending::Declaration => (to_move.flip(), Cause::Declaration),
        _ => return None,
    })
}

fn percent(chance: f64) -> f64 {
    (chance * 100.0).round()
}

impl Message for Story {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Decided(decision) => decision.write(lang, f),
            Self::Gradual(loser) => {
                let loser = loser.in_lang(lang);
                say!(
                    lang,
                    f,
                    "{loser} fell behind gradually; no single move decided the game.",
                    "{loser}は徐々に形勢を損ねた。勝敗を決めた一手はない。"
                )
            }
            Self::LostOtherwise(loser, chance, cause) => {
                let (loser, percent) = (loser.in_lang(lang), percent(*chance));
                match cause {
                    // Without these words a reader would take it for an error of the analysis.
                    Cause::Resignation if *chance >= WON => say!(
                        lang,
                        f,
                        "{loser} resigned although winning (winning chances of {percent} %).",
                        "{loser}は勝勢（勝率{percent}％）の局面で投了した。"
                    ),
                    Cause::Resignation => say!(
                        lang,
                        f,
                        "{loser} resigned with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で投了した。"
                    ),
                    Cause::Time => say!(
                        lang,
                        f,
                        "{loser} lost on time with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で時間切れ負けになった。"
                    ),
                    Cause::Declaration => say!(
                        lang,
                        f,
                        "{loser} lost by a declaration, with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で入玉宣言により敗れた。"
                    ),
                    Cause::Rules => say!(
                        lang,
                        f,
                        "{loser} lost by breaking the rules, with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で反則負けになった。"
                    ),
                }
            }
            Self::Open(black) => {
                let (black, white) = (percent(*black), 100.0 - percent(*black));
                say!(
                    lang,
                    f,
                    "The game was open at its end (Black {black} %, White {white} %).",
                    "最終局面では勝敗が決まっていない（先手{black}％、後手{white}％）。"
                )
            }
        }
    }
}

impl Message for Decision {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        let Self { number, played, .. } = self;
        let loser = self.loser.in_lang(lang);
        let (before, after) = (percent(self.before), percent(self.after));
        let (ahead, even) = (self.before >= AHEAD, self.before > 1.0 - AHEAD);
        if ahead {
            say!(
                lang,
                f,
                "{loser} was winning until move {number} ({played}, {before} % to {after} %)",
                "{loser}は{number}手目{played}（勝率{before}％→{after}％）まで優勢だった。"
            )?;
        } else if even {
            say!(
                lang,
                f,
                "The game was even until move {number} ({played}, {before} % to {after} %)",
                "{number}手目{played}（{loser}の勝率{before}％→{after}％）まで互角だった。"
            )?;
        } else {
            say!(
                lang,
                f,
                "{loser} was behind, and lost at move {number} ({played}, {before} % to {after} %)",
                "苦しかった{loser}は{number}手目{played}（勝率{before}％→{after}％）で敗れた。"
            )?;
        }
        match (&self.better, lang) {
            (None, Lang::En) => f.write_str("."),
            (None, Lang::Ja) => Ok(()),
            (Some(better), _) if ahead => {
                say!(lang, f, "; {better} kept the advantage.", "{better}なら優勢を保っていた。")
            }
            (Some(better), _) if even => {
                say!(lang, f, "; {better} kept the balance.", "{better}なら互角を保っていた。")
            }
            (Some(better), _) => say!(lang, f, "; {better} was better.", "{better}が勝った。"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fall(chances: &[f64]) -> f64 {
        (lasting_fall(chances) * 1000.0).round() / 1000.0
    }

    #[test]
    fn moves_can_be_left_open() {
        let mut story = Story::Decided(Decision {
            loser: Side { color: Color::White, handicap: false },
            number: 8,
            played: "△３四歩".to_owned(),
            before: 0.7,
            after: 0.2,
            better: Some("△８四歩".to_owned()),
        });
        let told = |story: &Story| [Lang::En, Lang::Ja].map(|lang| story.in_lang(lang).to_string());
        let names = told(&story);
        assert_eq!(story.leave_moves_open(), Some(7));
        let open = told(&story);
        let filled = open
            .each_ref()
            .map(|text| text.replacen("{played}", "△３四歩", 1).replacen("{better}", "△８四歩", 1));
        assert!(open != names && filled == names, "{open:?}");
        assert_eq!(Story::Open(0.5).leave_moves_open(), None);
    }

    #[test]
    fn a_fall_counts_as_far_as_it_lasts() {
        assert_eq!(fall(&[0.8, 0.5, 0.5, 0.4]), 0.3);
        // The opponent gives a part of it back, or everything.
        assert_eq!(fall(&[0.8, 0.5, 0.7, 0.4]), 0.1);
        assert!(fall(&[0.8, 0.5, 0.9, 0.4]) < 0.0);
        // Swings of a won or lost game.
        assert_eq!(fall(&[0.99, 0.86]), 0.0);
        assert_eq!(fall(&[0.1, 0.0, 0.0]), 0.0);
        assert_eq!(fall(&[0.99, 0.5]), 0.35);
        assert_eq!((fall(&[]), fall(&[0.5])), (0.0, 0.0));
    }

    fn both(story: &Story) -> [String; 2] {
        [Lang::En, Lang::Ja].map(|lang| story.in_lang(lang).to_string())
    }

    #[test]
    fn stories_are_told_in_both_languages() {
        let decided = |before, after, better: Option<&str>| {
            both(&Story::Decided(Decision {
                loser: Side { color: Color::Black, handicap: false },
                number: 95,
                played: "▲４三と".to_owned(),
                before,
                after,
                better: better.map(str::to_owned),
            }))
        };
        assert_eq!(
            decided(0.82, 0.6, Some("▲５二金")),
            [
                "Black was winning until move 95 (▲４三と, 82 % to 60 %); ▲５二金 kept the advantage.",
                "先手は95手目▲４三と（勝率82％→60％）まで優勢だった。▲５二金なら優勢を保っていた。"
            ]
        );
        assert_eq!(
            decided(0.5, 0.2, Some("▲５二金")),
            [
                "The game was even until move 95 (▲４三と, 50 % to 20 %); ▲５二金 kept the balance.",
                "95手目▲４三と（先手の勝率50％→20％）まで互角だった。▲５二金なら互角を保っていた。"
            ]
        );
        assert_eq!(
            decided(0.3, 0.1, None),
            [
                "Black was behind, and lost at move 95 (▲４三と, 30 % to 10 %).",
                "苦しかった先手は95手目▲４三と（勝率30％→10％）で敗れた。"
            ]
        );
        let black = Side { color: Color::Black, handicap: false };
        assert_eq!(
            both(&Story::LostOtherwise(black, 1.0, Cause::Resignation)),
            [
                "Black resigned although winning (winning chances of 100 %).",
                "先手は勝勢（勝率100％）の局面で投了した。"
            ]
        );
        let upper = Side { color: Color::White, handicap: true };
        assert_eq!(
            both(&Story::LostOtherwise(upper, 0.617, Cause::Time)),
            [
                "White lost on time with winning chances of 62 %.",
                "上手は勝率62％の局面で時間切れ負けになった。"
            ]
        );
    }
}
