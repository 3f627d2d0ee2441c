//! The table of options as a document.

use super::{Kind, Options, Platform, Spec, specs};
use monomi_support::text::Lang;
use std::fmt::Write as _;

impl Options {
    /// All options in Markdown, in English and Japanese: the text of docs/options.md.
    pub fn markdown() -> String {
        let mut text = String::from(
            "<!-- Written by `MONOMI_BLESS=1 cargo test -p monomi-usi options`; do not edit. -->\n\n\
             # Options ([日本語](#オプション))\n\n\
             The options of USI, for `setoption name NAME value VALUE`, for the GUI's dialogue and for \
             `[options]` of\n`monomi csa`. Names are compared without case, spaces and underscores.\n\n\
             | name | default | values | meaning |\n|---|---|---|---|\n",
        );
        specs().for_each(|spec| text.push_str(&spec.row(Lang::En)));
        text.push_str(&format!("\nDefaults in browsers: {}.\n", in_browsers(", ")));
        text.push_str(
            "Not in browsers: threads, `Stochastic_Ponder`, the evaluation file, the book and the log.\n\n\
             ## オプション\n\n\
             USI のオプションです。`setoption name 名前 value 値`、GUI の設定画面、`monomi csa` の `[options]` で\
             指定できます。名前の大文字・小文字、空白、`_` は区別しません。\n\n\
             | 名前 | 初期値 | 値 | 意味 |\n|---|---|---|---|\n",
        );
        specs().for_each(|spec| text.push_str(&spec.row(Lang::Ja)));
        text.push_str(&format!("\nブラウザ版での初期値: {}。\n", in_browsers("、")));
        text.push_str(
            "ブラウザ版には、スレッド、`Stochastic_Ponder`、評価関数ファイル、定跡、ログのオプションはありません。\n",
        );
        text
    }
}

/// The options with another default in browsers.
fn in_browsers(comma: &str) -> String {
    let others = specs().filter(|spec| spec.browser_default.is_some());
    let shown = |spec: &Spec| match spec.kind_on(Platform::Browser) {
        Kind::Check { default, .. } => format!("`{}` {default}", spec.name),
        Kind::Spin { default, .. } => format!("`{}` {default}", spec.name),
        Kind::Combo { .. } | Kind::Text { .. } => String::new(),
    };
    others.map(shown).collect::<Vec<_>>().join(comma)
}

impl Spec {
    fn row(&self, lang: Lang) -> String {
        let about = self.about[usize::from(lang == Lang::Ja)];
        let mut names = format!("`{}`", self.name);
        for synonym in self.synonyms {
            let _ = write!(names, ", `{synonym}`");
        }
        let (default, values) = match &self.kind {
            Kind::Check { default, .. } => (default.to_string(), "true, false".to_owned()),
            Kind::Spin { default, min, max, .. } => {
                let values = match lang {
                    Lang::En => format!("{min} to {max}"),
                    Lang::Ja => format!("{min}〜{max}"),
                };
                (default.to_string(), values)
            }
            Kind::Combo { default, values, .. } => {
                let all: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
                (format!("`{}`", values[*default]), all.join(" "))
            }
            Kind::Text { file, default, .. } => {
                let default =
                    if default.is_empty() { String::new() } else { format!("`{default}`") };
                let values = match (lang, file) {
                    (Lang::En, true) => "a file",
                    (Lang::En, false) => "a folder",
                    (Lang::Ja, true) => "ファイル",
                    (Lang::Ja, false) => "フォルダ",
                };
                (default, values.to_owned())
            }
        };
        let default = match lang {
            _ if !self.automatic => default,
            Lang::En => "automatic".to_owned(),
            Lang::Ja => "自動".to_owned(),
        };
        format!("| {names} | {default} | {values} | {about} |\n")
    }
}
