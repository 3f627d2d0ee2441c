//! Progress bars on standard error, for people at a terminal.

use crate::lang::Lang;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use monomi_support::text::say;
use std::fmt;
use std::io::IsTerminal as _;
use std::time::Duration;

/// A bar on standard error, hidden if `quiet` or if standard error is no terminal. Beside the keys of
/// `indicatif` the template may contain `{left}`: the remaining time, which is empty as long as it is
/// unknown and in the last second.
pub fn bar(quiet: bool, length: Option<u64>, template: &str, lang: Lang) -> ProgressBar {
    let target = if quiet || !std::io::stderr().is_terminal() {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let bar = ProgressBar::with_draw_target(length, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        let left = move |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A terminal that cannot be written is no reason to stop.
            let _ = text.write_str(&left(state.eta(), lang));
        };
        bar.set_style(style.with_key("left", left));
    }
    bar
}

/// A remaining time with a comma before it; nothing for less than a second, which also means unknown.
pub fn left(time: Duration, lang: Lang) -> String {
    if time < Duration::from_secs(1) {
        return String::new();
    }
    let time = duration(time, lang);
    say!(lang, ", {time} left", "、残り{time}")
}

fn duration(time: Duration, lang: Lang) -> String {
    match (lang, time.as_secs()) {
        (Lang::En, _) => HumanDuration(time).to_string(),
        (Lang::Ja, seconds @ ..60) => format!(" {seconds} 秒"),
        (Lang::Ja, seconds @ ..3600) => format!(" {} 分", seconds.div_ceil(60)),
        (Lang::Ja, seconds) => format!(" {} 時間 {} 分", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_time_is_not_shown() {
        assert_eq!(left(Duration::ZERO, Lang::En), "");
        assert_eq!(left(Duration::from_millis(999), Lang::Ja), "");
        assert_eq!(left(Duration::from_secs(1), Lang::En), ", 1 second left");
        assert_eq!(left(Duration::from_secs(59), Lang::Ja), "、残り 59 秒");
        assert_eq!(left(Duration::from_secs(61), Lang::Ja), "、残り 2 分");
        assert_eq!(left(Duration::from_secs(3_660), Lang::Ja), "、残り 1 時間 1 分");
    }
}
