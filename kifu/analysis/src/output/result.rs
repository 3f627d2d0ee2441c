//! How a game ended, in words.

use crate::judge::AnalyzedGame;
use crate::judge::story::Side;
use monomi_support::text::{Lang, Message as _, say};

/// The ending with the winner, `Resignation (Black wins)`; in Japanese the closing words of the record if it
/// has any. `None` if the record does not say how the game ended.
pub(super) fn result(game: &AnalyzedGame<'_>, lang: Lang) -> Option<String> {
    let record = game.record;
    if let (Lang::Ja, Some(closing)) = (lang, &record.closing) {
        return Some(closing.clone());
    }
    let Some(ending) = &record.ending else { return record.closing.clone() };
    let mut ending = ending.in_lang(lang).to_string();
    if let (Lang::En, Some(first)) = (lang, ending.get(..1).map(str::to_uppercase)) {
        ending.replace_range(..1, &first);
    }
    let winner = game.record.winner().map(|color| Side { color, handicap: game.is_handicap() });
    Some(match winner.map(|winner| winner.in_lang(lang).to_string()) {
        Some(winner) => say!(lang, "{ending} ({winner} wins)", "{ending}（{winner}の勝ち）"),
        None => ending,
    })
}
