//! A page with reasons and diagrams, on which a player can judge each one.

use super::{Mistake, stem};
use monomi_movegen::{PackedMove, Position};
use monomi_record::Diagram;
use monomi_support::text::escaped;
use shogi_core::{Square, ToUsi as _};
use std::collections::BTreeMap;

/// Fills in the template of both pages: title, introduction, and a card for each reason.
fn filled([title, introduction, after]: [&str; 3], cards: &str) -> String {
    include_str!("page.html")
        .replace("{{title}}", title)
        .replace("{{introduction}}", introduction)
        .replace("{{cards}}", cards)
        .replace("{{after}}", after)
}

const TO_JUDGE: [&str; 3] = [
    "理由の判定 / Reasons to judge",
    "<p>それぞれの悪手について、Monomi の述べた理由が「正しい」「当たり前」「誤り」のどれかを選んでください。図は指した直後の局面です。</p>\n\
     <p>For each bad move, judge the reason that Monomi gives: right, trivial or wrong. The diagram shows the position after \
     the move. Orange squares are those of which the reason speaks.</p>\n<p id=\"sum\"></p>",
    include_str!("sum.html"),
];
const EXAMPLES: [&str; 3] = [
    "理由の種類と例 / Kinds of reasons with examples",
    "<p>実戦の悪手と、Monomi の述べた理由を、種類ごとに一つずつ示します。図は指した直後の局面です。</p>\n\
     <p>A bad move from a game for each kind of reason. The diagram shows the position after the move. Orange squares are \
     those of which the reason speaks.</p>",
    "",
];

/// The page with so many of the reasons, chosen at random, always the same ones.
pub(super) fn page(mistakes: &[Mistake], count: usize) -> String {
    let mut chosen: Vec<&Mistake> =
        mistakes.iter().filter(|mistake| mistake.row.reason.is_some()).collect();
    fastrand::Rng::with_seed(74).shuffle(&mut chosen);
    chosen.truncate(count);
    let cards: String = chosen
        .iter()
        .enumerate()
        .map(|(index, mistake)| card(index + 1, mistake, &buttons(index + 1)))
        .collect();
    filled(TO_JUDGE, &cards)
}

/// A page with one reason of each kind, the one that its search confirms most clearly.
pub(super) fn examples(mistakes: &[Mistake]) -> String {
    let mut best: BTreeMap<&str, &Mistake> = BTreeMap::new();
    for mistake in mistakes {
        let Some(claim) = mistake.row.claim.as_deref() else { continue };
        let share = |mistake: &Mistake| mistake.row.confirmed.unwrap_or(0.0);
        let known = best.entry(claim).or_insert(mistake);
        if share(mistake) > share(known) {
            *known = mistake;
        }
    }
    let name = |claim: &str| format!("<code>{}</code>", escaped(claim));
    let cards: String = best
        .iter()
        .enumerate()
        .map(|(index, (claim, mistake))| card(index + 1, mistake, &name(claim)))
        .collect();
    filled(EXAMPLES, &cards)
}

/// The choice of a judgement.
fn buttons(number: usize) -> String {
    [("right", "正しい / right"), ("trivial", "当たり前 / trivial"), ("wrong", "誤り / wrong")]
        .into_iter()
        .map(|(value, label)| {
            format!(
                "<label><input type=\"radio\" name=\"r{number}\" value=\"{value}\"> {label}</label>"
            )
        })
        .collect()
}

fn card(number: usize, mistake: &Mistake, end: &str) -> String {
    let row = &mistake.row;
    let text = |text: &Option<String>| escaped(text.as_deref().unwrap_or_default());
    let plan = match (&row.plan_ja, &row.plan) {
        (Some(ja), Some(en)) => format!("<p class=\"plan\">{} / {}</p>", escaped(ja), escaped(en)),
        _ => String::new(),
    };
    format!(
        "<section data-claim=\"{claim}\"><h2>{number}. {game}, {ply}: {played} (−{loss:.0} %)</h2>\n\
         <div class=\"boards\">{diagram}</div>\n\
         <p class=\"reason\">{ja}<br>{en}</p>\n{plan}\
         <p class=\"line\">最善 / best: {best}</p>\n\
         <p class=\"line\">{played} の後 / after it: {replies}</p>\n\
         <p class=\"judge\">{end}</p></section>\n",
        claim = text(&row.claim),
        game = escaped(&stem(&row.game)),
        ply = row.ply + 1,
        played = text(&row.played_ja),
        loss = row.loss.unwrap_or(0.0) * 100.0,
        diagram = diagram(row.sfen.as_str(), row.played.as_deref(), row.squares.as_deref()),
        ja = text(&row.reason_ja),
        en = text(&row.reason),
        best = escaped(&row.pv_ja),
        replies = escaped(&mistake.replies),
    )
}

/// The position after the move played, with its destination and the squares of the reason marked.
fn diagram(sfen: &str, played: Option<&str>, squares: Option<&str>) -> String {
    let Ok(mut position) = Position::from_sfen(sfen) else { return String::new() };
    if let Some(mv) = played.and_then(|mv| mv.parse::<PackedMove>().ok()) {
        position.do_move(mv);
    }
    let told: Vec<&str> = squares.unwrap_or_default().split(' ').collect();
    let is_told = |square: &Square| told.contains(&square.to_usi_owned().as_str());
    Diagram::default().with_marked(Square::all().filter(is_told)).svg(&position)
}
