//! Reasons and notices that the library keeps as English text, in Japanese.

/// The Japanese for an English text; the text itself where there is none.
pub(crate) fn phrase(text: &str) -> String {
    let found = PHRASES.iter().find_map(|(english, japanese)| {
        let holes = fill(english, text)?;
        let mut holes = holes.into_iter();
        let mut parts = japanese.split("{}");
        let mut done = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            done.push_str(&phrase(holes.next().unwrap_or_default()));
            done.push_str(part);
        }
        Some(done)
    });
    found.unwrap_or_else(|| text.to_owned())
}

/// What stands for each `{}` of a template in a text; `None` if the text is another one.
fn fill<'t>(template: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = template.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut holes = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let end = match parts.peek() {
            None => {
                rest.len().checked_sub(part.len()).filter(|&at| rest.ends_with(part) && at > 0)?
            }
            Some(_) => rest.find(part).filter(|&at| at > 0)?,
        };
        holes.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    (rest.is_empty()).then_some(holes)
}

/// English with `{}` for what varies, and Japanese with the same number of `{}` in the same order.
const PHRASES: &[(&str, &str)] = &[
    // Numbers, by the standard library and clap.
    ("invalid digit found in string", "数ではありません"),
    ("cannot parse integer from empty string", "数がありません"),
    ("number too large to fit in target type", "数が大きすぎます"),
    ("number too small to fit in target type", "数が小さすぎます"),
    ("number would be zero for non-zero type", "0 は指定できません"),
    ("invalid float literal", "数ではありません"),
    ("cannot parse float from empty string", "数がありません"),
    ("{} is not in {}..={}", "{} は {} から {} の範囲にありません"),
    ("{} is not in {}..", "{} は {} 以上ではありません"),
    ("{} is not in {}..{}", "{} は {} から {} の範囲にありません"),
    ("{} is not in ..={}", "{} は {} 以下ではありません"),
    // Files.
    (
        "this is a device or a named pipe, not a file",
        "ファイルではなくデバイスまたは名前付きパイプです",
    ),
    (
        "nobody reads the output: {} bytes were not written",
        "出力が読まれないため、{} バイトを書けませんでした",
    ),
    // Arguments.
    ("expected a number of at least 1", "1 以上の数を指定してください"),
    ("expected NAME=VALUE", "名前=値 の形で指定してください"),
    ("not from 0 to {}", "0 から {} の範囲にありません"),
    ("{} is more than {}", "{} は {} より大きい数です"),
    (
        "expected I/N with I from 1 to N, like 3/8",
        "3/8 のように I/N（I は 1 から N）の形で指定してください",
    ),
    // Moves, in notices of `csa`.
    ("unknown piece", "未知の駒です"),
    ("illegal", "反則手です"),
    ("not a CSA move", "CSA 形式の指し手ではありません"),
    ("missing destination", "移動先がありません"),
    ("missing origin", "移動元がありません"),
    ("this piece cannot be dropped", "打てない駒です"),
    ("no piece on the origin square", "移動元に駒がありません"),
    ("origin and destination are the same", "移動元と移動先が同じです"),
    ("the piece on the origin square is a different one", "移動元の駒が違います"),
    // Files of earlier runs.
    ("the file is shorter than the checkpoint says", "ファイルが前回の記録より短くなっています"),
    ("is a folder, expected a list of positions", "フォルダです。局面の一覧を指定してください"),
    ("the file has changed while it was read", "読み込み中にファイルが変更されました"),
    // Configuration of `csa`, and USI options in it.
    (
        "`password`: put the password into a file and name it by `password-file`",
        "`password`: パスワードはファイルに書き、`password-file` で指定してください",
    ),
    (
        "the extended mode needs `game`, the name of a game",
        "拡張モードには対局名 `game` が必要です",
    ),
    (
        "a color can be asked for only together with `game`",
        "手番は対局名 `game` とともに指定してください",
    ),
    ("has no effect without `tls = true`", "`tls = true` がなければ効果がありません"),
    ("at least {} seconds, or 0 for none", "{} 秒以上か、0（なし）を指定してください"),
    ("at least one second", "1 秒以上を指定してください"),
    ("the environment variable {} is not set", "環境変数 {} が設定されていません"),
    ("is empty or has spaces in it", "空か、空白を含んでいます"),
    ("must be one word", "空白を含められません"),
    (
        "is neither in a file (password-file) nor in the environment (MONOMI_CSA_PASSWORD)",
        "ファイル（password-file）にも環境変数（MONOMI_CSA_PASSWORD）にもありません",
    ),
    ("there is no option `{}`", "`{}` というオプションはありません"),
    (
        "option {}: expected {}, got `{}`",
        "オプション {} には {} が必要ですが、`{}` が指定されました",
    ),
    (
        "option {}: {} is not between {} and {}",
        "オプション {} の値 {} は {} から {} の範囲にありません",
    ),
    // Notices of `csa`.
    (
        "the login is refused ({}); next attempt in {}",
        "ログインを拒否されました（{}）。{}後に再試行します",
    ),
    ("{}; next attempt in {}", "{}。{}後に再試行します"),
    ("the lost game cannot be resumed any more", "切断した対局は再開できません"),
    ("the server does not resume the game ({})", "サーバーが対局を再開しません（{}）"),
    ("a game is offered that cannot be played: {}", "指せない対局の条件が届きました: {}"),
    ("the server says: {}", "サーバーからの通知: {}"),
    ("a line that makes no sense: `{}`", "解釈できない行です: `{}`"),
    (
        "ending after this game; once more to end at once",
        "この対局が終わったら終了します。もう一度中断するとただちに終了します",
    ),
    ("this game has no record: {}", "この対局の棋譜は書けません: {}"),
    ("the game is rejected: {}", "対局が拒否されました: {}"),
    ("the game ended before it began", "対局が始まる前に終わりました"),
    ("the game goes on", "対局を再開します"),
    ("the engine: {}", "エンジン: {}"),
    ("{}; no more moves are made in this game", "{}。この対局ではもう指しません"),
    (
        "the server's rules do not allow the declaration; playing on",
        "サーバーの規則では宣言できないため、対局を続けます",
    ),
    ("the game is lost", "対局を失いました"),
    ("the server does not answer the login within {}", "サーバーが{}以内にログインに応答しません"),
    ("cannot connect to {}: {}", "{} に接続できません: {}"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_filled_in() {
        assert_eq!(phrase("0 is not in 1..=600"), "0 は 1 から 600 の範囲にありません");
        assert_eq!(phrase("0 is not in 1.."), "0 は 1 以上ではありません");
        assert_eq!(phrase("unheard of"), "unheard of");
        assert_eq!(phrase(""), "");
        let refused = "the login is refused (not a CSA move); next attempt in 5 s";
        assert_eq!(
            phrase(refused),
            "ログインを拒否されました（CSA 形式の指し手ではありません）。5 s後に再試行します"
        );
        for (english, japanese) in PHRASES {
            assert_eq!(english.matches("{}").count(), japanese.matches("{}").count(), "{english}");
            assert!(!japanese.is_ascii() || japanese.starts_with('{'), "{english}");
        }
    }

    /// Texts in the sources that end up in errors and notices.
    #[test]
    fn all_reasons_in_the_sources_are_translated() {
        let sources = [
            include_str!("../../csa/src/client.rs"),
            include_str!("../../csa/src/config.rs"),
            include_str!("../../csa/src/play.rs"),
        ];
        let mut checked = 0;
        for source in sources {
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            // Calls may be broken over lines.
            let code: String = code.split_whitespace().collect::<Vec<_>>().join(" ");
            for start in [
                "ok_or(\"",
                "Err(\"",
                "Err(format!( \"",
                "Err(format!(\"",
                "notice(\"",
                "notice(&format!(\"",
                "notice(&format!( \"",
                "reason = format!(\"",
                "reason = \"",
                "ok_or_else(|| format!(\"",
            ] {
                for (at, _) in code.match_indices(start) {
                    let text = &code[at + start.len()..];
                    let Some(text) = text.split('"').next() else { continue };
                    let sample = sample(text);
                    // Only quoted data, as in `{breach}`.
                    if !sample.chars().any(char::is_alphabetic) {
                        continue;
                    }
                    checked += 1;
                    assert_ne!(phrase(&sample), sample, "no Japanese for `{text}`");
                }
            }
        }
        assert!(checked > 10, "{checked}");
    }

    /// A template of `format!` with `7` for what varies.
    fn sample(template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            text.push('7');
            rest = after.split_once('}').map_or("", |(_, rest)| rest);
        }
        text + rest
    }
}
