//! Where a game was decided: its turning points, and a few sentences about it.

use crate::judge::curve::{Change, Curve, Lead, WON};
use crate::judge::{AnalyzedGame, JudgedPosition};
use crate::line::Notation;
use monomi_record::Defeat;
use monomi_support::text::{Lang, Message, say};
use shogi_core::Color;
use std::fmt::{Formatter, Result};

/// Most turning points that are listed.
const MOST: usize = 4;
/// A change of at least this much is a turning point.
const LARGE: f64 = 0.1;
/// A side with this winning probability is ahead.
const AHEAD: f64 = 0.6;
/// At the end of a game without result, a side with this winning probability would have won.
const DECIDED: f64 = 0.7;
/// A side that had as much is named, where the rest of the story would hide it.
const CLEAR: f64 = 0.75;
/// What is lost with one move is no gradual loss from here on.
const STEP: f64 = 0.25;
/// A side that was winning for more moves than this is always named.
const LONG: usize = 5;

/// The moves that lowered their side's winning probability most, in the order of the game.
pub fn turning_points<'s, 'a>(positions: &'s [JudgedPosition<'a>]) -> Vec<&'s JudgedPosition<'a>> {
    let fall = |pair: &'s [JudgedPosition<'a>]| {
        let own = |black: f64| match pair[0].position.side_to_move() {
            Color::Black => black,
            Color::White => 1.0 - black,
        };
        pair[0].verdict?;
        let fall = own(pair[0].black_chance()?) - own(pair[1].black_chance()?);
        (fall >= LARGE).then_some((&pair[0], fall))
    };
    let mut found: Vec<_> = positions.windows(2).filter_map(fall).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.truncate(MOST);
    found.sort_by_key(|(judged, _)| judged.ply);
    found.into_iter().map(|(judged, _)| judged).collect()
}

/// What a game was about: who led before it was decided, and how it was decided. Nothing of it contradicts
/// the curve of winning probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// What the sides had, in the order of the game, as far as the rest does not say it.
    leads: Vec<(Side, Lead)>,
    /// When the loser lost the lead for good, if the rest does not say it.
    turn: Option<(Side, Change)>,
    outcome: Outcome,
}

/// How a game was decided.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    /// A move of the loser decided the game.
    Decided(Decision),
    /// The loser fell behind without a move that decided the game.
    Gradual(Side),
    /// The loser never led, and no move decided the game.
    Behind(Side),
    /// The loser lost much at once, but not by a move of its own.
    NoMistake(Side),
    /// The loser by the rules or by resignation stood well, with this winning probability.
    LostOtherwise(Side, f64, Defeat),
    /// Nobody was winning at the end; Black with its winning probability.
    Open(Side, f64),
}

impl Story {
    /// Replaces the names of moves by `{played}` and `{better}`, for pages on which the reader chooses the
    /// notation. Returns the ply of the position in which they are moves, if there are any.
    pub fn leave_moves_open(&mut self) -> Option<usize> {
        let Outcome::Decided(decision) = &mut self.outcome else { return None };
        decision.played = "{played}".to_owned();
        decision.better = decision.better.take().map(|_| "{better}".to_owned());
        Some(decision.number - 1)
    }
}

/// A side with its name: in handicap games 下手 and 上手.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    pub color: Color,
    pub handicap: bool,
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
struct Decision {
    loser: Side,
    /// Number of the move, from 1.
    number: usize,
    played: String,
    /// Winning probabilities of the loser before and after it.
    before: f64,
    after: f64,
    /// How it stood until then.
    until_then: UntilThen,
    /// A better move.
    better: Option<String>,
    /// Why the move was bad, in Japanese and in English.
    reason: Option<[String; 2]>,
}

/// How the game stood until the loser's decisive move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UntilThen {
    /// The loser was ahead.
    Ahead,
    /// Neither side had been ahead, and afterwards the loser was never even again.
    Even,
    /// The loser stood evenly, but more must be said of the game.
    Mixed,
    /// The loser stood evenly once more, after the other side had been winning.
    Recovered,
    /// The loser was behind and had never been ahead.
    Behind,
    /// The loser was behind after having been ahead.
    FellBehind,
}

/// The story of a game, with moves in a notation; `None` unless all its positions were searched.
pub fn story(game: &AnalyzedGame<'_>, notation: Notation) -> Option<Story> {
    let positions = &game.positions;
    let moves = positions.len() - 1;
    let complete = positions[..moves].iter().all(|judged| judged.verdict.is_some());
    if moves == 0 || !complete {
        return None;
    }
    let black = positions.iter().map(JudgedPosition::black_chance).collect::<Option<_>>()?;
    let curve = Curve::new(black, game.record.start.side_to_move());
    let by_rule = game.record.defeat();
    let name = |at: usize| {
        let judged = &positions[at];
        let best = judged.lines().into_iter().next().map(|line| line.pv).unwrap_or_default();
        let played = judged.played.map(|played| played.mv);
        let better = best.first().copied().filter(|&best| Some(best) != played);
        let names = |mv: Option<_>| mv.map(|mv| judged.line(notation, &[mv]));
        (names(played).unwrap_or_default(), names(better))
    };
    let mut story = tell(&curve, by_rule, game.is_handicap(), name);
    if let Outcome::Decided(decision) = &mut story.outcome {
        let reason = positions[decision.number - 1].reason();
        decision.reason = reason.map(|reason| reason.words.clone());
    }
    Some(story)
}

/// The story of a game with this curve. `loser` is the loser of the record. `name` returns the names of the
/// move played in a position and of a better one.
fn tell(
    curve: &Curve,
    loser: Option<(Color, Defeat)>,
    handicap: bool,
    name: impl Fn(usize) -> (String, Option<String>),
) -> Story {
    let side = |color| Side { color, handicap };
    let end = curve.end();
    // Names a side with at least this much, and one that was winning for long.
    let lead = |color: Color, until: usize, least: f64| {
        let lead = curve.lead(color, until);
        (lead.most >= least || lead.winning > LONG).then_some((side(color), lead))
    };
    let in_order = |leads: [Option<(Side, Lead)>; 2]| {
        let mut leads: Vec<_> = leads.into_iter().flatten().collect();
        leads.sort_by_key(|(_, lead)| lead.ply);
        leads
    };
    if let Some((color, defeat)) = loser
        && curve.chance(color, end) >= 1.0 - AHEAD
    {
        let chance = curve.chance(color, end);
        let own = match chance {
            chance if chance >= WON => f64::INFINITY,
            chance if chance >= CLEAR => WON,
            _ => CLEAR,
        };
        let leads = in_order([lead(color, end, own), lead(color.flip(), end, CLEAR)]);
        let outcome = Outcome::LostOtherwise(side(color), chance, defeat);
        return Story { leads, turn: None, outcome };
    }
    let on_board =
        Color::all().into_iter().find(|&color| curve.chance(color, end) <= 1.0 - DECIDED);
    let Some(loser) = loser.map(|(color, _)| color).or(on_board) else {
        let leads = in_order(Color::all().map(|color| lead(color, end, CLEAR)));
        let outcome = Outcome::Open(side(Color::Black), curve.chance(Color::Black, end));
        return Story { leads, turn: None, outcome };
    };
    let turn = curve.last_lead(loser);
    let change = |at: usize| {
        let (before, after) = (curve.chance(loser, at), curve.chance(loser, at + 1));
        (side(loser), Change { number: at + 1, before, after })
    };
    let falls = curve.lasting_falls(loser).filter(|(_, fall)| *fall >= LARGE);
    let Some((at, _)) = falls.reduce(|most, next| if next.1 > most.1 { next } else { most }) else {
        let own = lead(loser, end, AHEAD);
        let turn = turn.filter(|_| own.is_some()).map(change);
        let since = curve.last_lead(loser).unwrap_or(0);
        let until = turn.as_ref().map_or(end, |(_, change)| change.number - 1);
        let least = if turn.is_some() { CLEAR } else { f64::INFINITY };
        let leads = in_order([own, lead(loser.flip(), until, least)]);
        let even = curve.chance(loser, 0) > 1.0 - AHEAD || curve.last_lead(loser).is_some();
        let outcome = match even {
            _ if curve.largest_step(loser, since) >= STEP => Outcome::NoMistake,
            true => Outcome::Gradual,
            false => Outcome::Behind,
        };
        return Story { leads, turn, outcome: outcome(side(loser)) };
    };
    let (before, after) = (curve.chance(loser, at), curve.chance(loser, at + 1));
    let (own, other) = match before {
        // That the loser was ahead is said; not that it had stood better still.
        before if before >= AHEAD => (if before >= WON { f64::INFINITY } else { WON }, CLEAR),
        before if before > 1.0 - AHEAD => (CLEAR, CLEAR),
        _ => (AHEAD, f64::INFINITY),
    };
    let own = lead(loser, at, own);
    let was_ahead = own.is_some();
    let leads = in_order([own, lead(loser.flip(), at, other)]);
    let even_later = (at + 1..=end).any(|ply| curve.chance(loser, ply) > 1.0 - AHEAD);
    let until_then = match before {
        before if before >= AHEAD => UntilThen::Ahead,
        before if before <= 1.0 - AHEAD && was_ahead => UntilThen::FellBehind,
        before if before <= 1.0 - AHEAD => UntilThen::Behind,
        _ if leads.is_empty() && !even_later => UntilThen::Even,
        _ if curve.lead(loser.flip(), at).most >= WON => UntilThen::Recovered,
        _ => UntilThen::Mixed,
    };
    let turn = turn.filter(|&turn| turn > at || (turn < at && was_ahead)).map(change);
    let (played, better) = name(at);
    let loser = side(loser);
    let number = at + 1;
    let reason = None;
    let decision = Decision { loser, number, played, before, after, until_then, better, reason };
    Story { leads, turn, outcome: Outcome::Decided(decision) }
}

fn percent(chance: f64) -> f64 {
    (chance * 100.0).round()
}

impl Message for Story {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        let blank = say!(lang, " ", "");
        for (side, lead) in &self.leads {
            write_lead(*side, *lead, lang, f)?;
            f.write_str(&blank)?;
        }
        // In the order of the game.
        let (before, after) = match (&self.outcome, &self.turn) {
            (Outcome::Decided(decision), Some((_, change))) if change.number > decision.number => {
                (None, self.turn.as_ref())
            }
            (_, turn) => (turn.as_ref(), None),
        };
        if let Some((side, change)) = before {
            write_turn(*side, *change, lang, f)?;
            f.write_str(&blank)?;
        }
        self.outcome.write(lang, f)?;
        if let Some((side, change)) = after {
            f.write_str(&blank)?;
            write_turn(*side, *change, lang, f)?;
        }
        Ok(())
    }
}

/// What a side had.
fn write_lead(side: Side, lead: Lead, lang: Lang, f: &mut Formatter<'_>) -> Result {
    let (side, most) = (side.in_lang(lang), percent(lead.most));
    let when = match lead.ply {
        0 => say!(lang, "at the start", "開始局面"),
        ply => say!(lang, "after move {ply}", "{ply}手目"),
    };
    let won = percent(WON);
    match lead.winning {
        0 | 1 => say!(
            lang,
            f,
            "{side} had winning chances of up to {most} % ({when}).",
            "{side}の勝率は一時{most}％（{when}）に達していた。"
        ),
        moves => say!(
            lang,
            f,
            "{side} had winning chances of {won} % or more for {moves} moves in all ({most} % {when}).",
            "{side}は計{moves}手にわたり勝率{won}％以上だった（最高は{when}の{most}％）。"
        ),
    }
}

/// The loser lost the lead for good.
fn write_turn(loser: Side, change: Change, lang: Lang, f: &mut Formatter<'_>) -> Result {
    let loser = loser.in_lang(lang);
    let (number, before, after) = (change.number, percent(change.before), percent(change.after));
    say!(
        lang,
        f,
        "The lead changed hands for good at move {number} ({loser} {before} % to {after} %).",
        "{loser}は{number}手目（勝率{before}％→{after}％）で逆転を許し、その後は優位に立てなかった。"
    )
}

impl Message for Outcome {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Decided(decision) => decision.write(lang, f),
            Self::Gradual(loser) => {
                let loser = loser.in_lang(lang);
                say!(
                    lang,
                    f,
                    "{loser} fell behind gradually; no single move decided the game.",
                    "{loser}は徐々に形勢を損ねた。はっきりした敗着はない。"
                )
            }
            Self::Behind(loser) => {
                let loser = loser.in_lang(lang);
                say!(
                    lang,
                    f,
                    "{loser} was behind from the start; no single move decided the game.",
                    "{loser}は最初から苦しかった。はっきりした敗着はない。"
                )
            }
            Self::NoMistake(loser) => {
                let loser = loser.in_lang(lang);
                say!(
                    lang,
                    f,
                    "No single mistake of {loser} decided the game.",
                    "{loser}にはっきりした敗着はない。"
                )
            }
            Self::LostOtherwise(loser, chance, defeat) => {
                let (loser, percent) = (loser.in_lang(lang), percent(*chance));
                match defeat {
                    // Without these words a reader would take it for an error of the analysis.
                    Defeat::Resignation if *chance >= WON => say!(
                        lang,
                        f,
                        "{loser} resigned although winning (winning chances of {percent} %).",
                        "{loser}は勝勢（勝率{percent}％）の局面で投了した。"
                    ),
                    Defeat::Resignation => say!(
                        lang,
                        f,
                        "{loser} resigned with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で投了した。"
                    ),
                    // The record says so, whatever the position is.
                    Defeat::Mate => say!(
                        lang,
                        f,
                        "{loser} lost by mate according to the record, with winning chances of {percent} %.",
                        "棋譜では{loser}が詰みで負けたが、勝率は{percent}％だった。"
                    ),
                    Defeat::Time => say!(
                        lang,
                        f,
                        "{loser} lost on time with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で時間切れ負けになった。"
                    ),
                    Defeat::Declaration => say!(
                        lang,
                        f,
                        "{loser} lost by a declaration, with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で入玉宣言により敗れた。"
                    ),
                    Defeat::Rules => say!(
                        lang,
                        f,
                        "{loser} lost by breaking the rules, with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で反則負けになった。"
                    ),
                    Defeat::Default => say!(
                        lang,
                        f,
                        "{loser} lost by default, with winning chances of {percent} %.",
                        "{loser}は勝率{percent}％の局面で不戦敗になった。"
                    ),
                }
            }
            Self::Open(side, black) => {
                let (black, white) = (percent(*black), 100.0 - percent(*black));
                let first = side.in_lang(lang);
                let other = Side { color: side.color.flip(), ..*side };
                let second = other.in_lang(lang);
                say!(
                    lang,
                    f,
                    "The game was open at its end ({first} {black} %, {second} {white} %).",
                    "最終局面では勝負がついていない（{first}{black}％、{second}{white}％）。"
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
        match self.until_then {
            UntilThen::Ahead if self.before >= WON => say!(
                lang,
                f,
                "{loser} was winning until move {number} ({played}, {before} % to {after} %)",
                "{loser}は{number}手目{played}（勝率{before}％→{after}％）まで勝勢だった。"
            ),
            UntilThen::Ahead => say!(
                lang,
                f,
                "{loser} was ahead until move {number} ({played}, {before} % to {after} %)",
                "{loser}は{number}手目{played}（勝率{before}％→{after}％）まで優勢だった。"
            ),
            UntilThen::Even => say!(
                lang,
                f,
                "The game was even until move {number} ({played}, {before} % to {after} %)",
                "{number}手目{played}（{loser}の勝率{before}％→{after}％）まで互角だった。"
            ),
            UntilThen::Mixed => say!(
                lang,
                f,
                "{loser} lost the game with move {number} ({played}, {before} % to {after} %)",
                "{loser}の敗着は{number}手目{played}（勝率{before}％→{after}％）だった。"
            ),
            UntilThen::Behind => say!(
                lang,
                f,
                "{loser} was behind, and lost the last chance with move {number} ({played}, {before} % to {after} %)",
                "{loser}は苦しい形勢から、{number}手目{played}（勝率{before}％→{after}％）で最後のチャンスを逃した。"
            ),
            UntilThen::FellBehind | UntilThen::Recovered => say!(
                lang,
                f,
                "{loser} lost the last chance with move {number} ({played}, {before} % to {after} %)",
                "{loser}は{number}手目{played}（勝率{before}％→{after}％）で最後のチャンスを逃した。"
            ),
        }?;
        self.write_better(lang, f)?;
        match &self.reason {
            Some([ja, en]) => say!(lang, f, " Reason: {en}.", "理由：{ja}。"),
            None => Ok(()),
        }
    }
}

impl Decision {
    fn write_better(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        let Some(better) = &self.better else { return f.write_str(say!(lang, ".", "").as_str()) };
        match self.until_then {
            UntilThen::Ahead => {
                say!(lang, f, "; {better} kept the advantage.", "{better}なら優勢を保っていた。")
            }
            UntilThen::Even | UntilThen::Mixed | UntilThen::Recovered => {
                say!(lang, f, "; {better} kept the balance.", "{better}なら互角を保っていた。")
            }
            UntilThen::Behind | UntilThen::FellBehind => {
                say!(lang, f, "; {better} was better.", "{better}のほうがよかった。")
            }
        }
    }
}

#[cfg(test)]
mod tests;
