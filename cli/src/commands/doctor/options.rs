//! Options that lose games, and the files that options name.

use super::{Finding, bad, check, good, note};
use crate::lang::{Lang, count};
use monomi_book::Book;
use monomi_eval::source::EvalSource;
use monomi_movegen::EnteringKingRule;
use monomi_support::text::{Message, say};
use monomi_usi::{Options, Setup};
use std::time::Duration;

/// All findings about the options.
pub fn findings(setup: &Setup, lang: Lang) -> Vec<Finding> {
    let options = setup.options();
    let mut all = vec![network(options, lang)];
    all.extend(books(setup, lang));
    all.extend([rule(options, lang), delay(options, lang), move_limit(options, lang)]);
    all.extend(weakening(options, lang));
    all
}

fn network(options: &Options, lang: Lang) -> Finding {
    let source = options.eval_source();
    match source.load(&mut |_| ()) {
        Err(error) => bad(format!("EvalFile: {}", error.in_lang(lang))),
        Ok(evaluation) => {
            let text = monomi_usi::describe_evaluation(&evaluation, lang);
            let text = say!(lang, "evaluation: {text}", "評価関数: {text}");
            let set = match &source {
                EvalSource::Internal => return good(text),
                EvalSource::PieceSquare => return check(text),
                EvalSource::File { options, .. } => options.fv_scale,
            };
            match (set, evaluation.stated_fv_scale()) {
                (None, None) => note(say!(
                    lang,
                    "{text} (FV_SCALE is not set; is it that of the network?)",
                    "{text}（FV_SCALE は未指定。評価関数の説明と合っていますか）"
                )),
                (Some(set), Some(stated)) if set != stated => check(say!(
                    lang,
                    "{text}: the network's file states FV_SCALE {stated}",
                    "{text}: 評価関数のファイルには FV_SCALE {stated} とあります"
                )),
                _ => good(text),
            }
        }
    }
}

fn books(setup: &Setup, lang: Lang) -> Vec<Finding> {
    match setup.books() {
        Err(error) => vec![bad(error.in_lang(lang).to_string())],
        Ok(books) if books.is_empty() => vec![note(say!(lang, "no opening book", "定跡なし"))],
        Ok(books) => books.iter().map(|book| of_book(book, lang)).collect(),
    }
}

fn of_book(book: &Book, lang: Lang) -> Finding {
    let path = book.path().display();
    match book.positions() {
        Some(0) => bad(say!(
            lang,
            "book {path}: there is no position in it",
            "定跡 {path}: 局面がありません"
        )),
        Some(number) => {
            let positions = count(number as u64, "position", "positions");
            good(say!(lang, "book {path}: {positions}", "定跡 {path}: {number} 局面"))
        }
        None => good(say!(lang, "book {path}: searched on disk", "定跡 {path}: ディスク上で検索")),
    }
}

fn rule(options: &Options, lang: Lang) -> Finding {
    let rule = options.search.entering_king_rule;
    let name = rule.name();
    let text = say!(lang, "EnteringKingRule {name}", "入玉ルール: {name}");
    match rule {
        EnteringKingRule::Csa27 => good(text),
        EnteringKingRule::None => check(say!(
            lang,
            "{text}: the engine never declares a win",
            "{text}: 宣言勝ちをしません"
        )),
        _ => check(say!(
            lang,
            "{text}: most servers and tournaments use CSARule27; a wrong declaration loses",
            "{text}: 多くのサーバーと大会は CSARule27 です。誤った宣言は負けになります"
        )),
    }
}

fn delay(options: &Options, lang: Lang) -> Finding {
    let [usual, worst] =
        [options.time.network_delay, options.time.network_delay2].map(|delay| delay.as_millis());
    let text = say!(
        lang,
        "NetworkDelay {usual}, NetworkDelay2 {worst}",
        "通信の遅延: NetworkDelay {usual}、NetworkDelay2 {worst}"
    );
    match options.time.network_delay2 {
        short if short < Duration::from_millis(100) => check(say!(
            lang,
            "{text}: too little for a GUI or a server, may lose on time",
            "{text}: GUI やサーバー経由では短すぎ、時間切れのおそれがあります"
        )),
        long if long > Duration::from_secs(3) => check(say!(
            lang,
            "{text}: gives much thinking time away",
            "{text}: 思考時間が大きく減ります"
        )),
        _ => good(text),
    }
}

fn move_limit(options: &Options, lang: Lang) -> Finding {
    let plies = options.search.max_moves_to_draw;
    match plies {
        0 => note(say!(
            lang,
            "MaxMovesToDraw 0: no limit; tournaments often have one (256, 320 or 512)",
            "最大手数: 無制限（MaxMovesToDraw 0）。大会では 256・320・512 手などの制限があります"
        )),
        1..200 => check(say!(
            lang,
            "MaxMovesToDraw {plies}: shorter than in any usual rule",
            "最大手数: {plies} 手は通常のルールより短い値です"
        )),
        _ => good(say!(lang, "MaxMovesToDraw {plies}", "最大手数: {plies} 手")),
    }
}

/// Options that make the engine weaker or resign early.
fn weakening(options: &Options, lang: Lang) -> Vec<Finding> {
    let mut all = Vec::new();
    if options.playing_level() < 20 {
        let level = options.playing_level();
        all.push(check(say!(
            lang,
            "SkillLevel {level}: plays at reduced strength",
            "SkillLevel {level}: 弱く指す設定です"
        )));
    }
    if options.depth_limit > 0 || options.nodes_limit > 0 {
        all.push(check(say!(
            lang,
            "DepthLimit or NodesLimit is set: searches end early",
            "DepthLimit または NodesLimit の指定により、探索が途中で終わります"
        )));
    }
    if options.resign_value < 1000 {
        let value = options.resign_value;
        all.push(check(say!(
            lang,
            "ResignValue {value}: may resign games that can be saved",
            "ResignValue {value}: まだ指せる局面で投了するおそれがあります"
        )));
    }
    if options.search.multi_pv > 1 {
        let lines = options.search.multi_pv;
        all.push(check(say!(
            lang,
            "MultiPV {lines}: weaker in games than 1",
            "MultiPV {lines}: 対局では 1 より弱くなります"
        )));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::Grade;

    /// The worst grade of the findings that name this word.
    fn grade(options: &[(&str, &str)], word: &str) -> Option<Grade> {
        let folder = tempfile::tempdir().unwrap();
        let mut setup = Setup::in_folder(folder.path());
        for (name, value) in options {
            setup.set(name, value).unwrap();
        }
        let found = findings(&setup, Lang::En);
        found.iter().filter(|finding| finding.text.contains(word)).map(|f| f.grade).max()
    }

    #[test]
    fn the_defaults_are_good() {
        let folder = tempfile::tempdir().unwrap();
        let found = findings(&Setup::in_folder(folder.path()), Lang::Ja);
        assert!(found.iter().all(|finding| finding.grade <= Grade::Note), "{found:?}");
    }

    #[test]
    fn each_option_that_loses_games_is_named() {
        for (name, value, expected) in [
            ("EnteringKingRule", "TryRule", Grade::Check),
            ("EnteringKingRule", "NoEnteringKing", Grade::Check),
            ("MaxMovesToDraw", "100", Grade::Check),
            ("MaxMovesToDraw", "320", Grade::Good),
            ("NetworkDelay2", "0", Grade::Check),
            ("NetworkDelay2", "9000", Grade::Check),
            ("SkillLevel", "5", Grade::Check),
            ("NodesLimit", "1000", Grade::Check),
            ("ResignValue", "300", Grade::Check),
            ("MultiPV", "3", Grade::Check),
            ("EvalFile", "no/such.bin", Grade::Bad),
            ("BookFile", "no/such.db", Grade::Bad),
        ] {
            let found = grade(&[(name, value)], name);
            assert_eq!(found, Some(expected), "{name} {value}");
        }
    }

    #[test]
    fn files_beside_the_program_count() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("engine_options.txt"), "SkillLevel 3\nNoSuch 1\n")
            .unwrap();
        let mut setup = Setup::in_folder(folder.path());
        let notes = setup.take_notes();
        assert!(notes.iter().any(Result::is_err) && notes.iter().any(Result::is_ok));
        let found = findings(&setup, Lang::En);
        assert!(found.iter().any(|finding| finding.text.starts_with("SkillLevel 3")), "{found:?}");
    }
}
