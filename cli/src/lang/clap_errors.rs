//! Errors of the command line in Japanese.

use crate::lang::Lang;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorFormatter, ErrorKind};
use monomi_support::text::{AnyMessage, Message as _};
use std::error::Error as _;
use std::fmt::Write as _;

/// Formats an error in Japanese.
pub enum Japanese {}

impl ErrorFormatter for Japanese {
    fn format_error(error: &Error<Self>) -> StyledStr {
        let styles = clap::builder::Styles::styled();
        let style = styles.get_error();
        let mut text = format!("{style}monomi:{style:#} {}", message(error));
        for (kind, what) in [
            (ContextKind::SuggestedSubcommand, "コマンド"),
            (ContextKind::SuggestedArg, "オプション"),
            (ContextKind::SuggestedValue, "値"),
        ] {
            let similar = list(error, kind);
            if !similar.is_empty() {
                let quoted: Vec<String> = similar.iter().map(|name| format!("'{name}'")).collect();
                let _ = write!(text, "\n\n  似ている{what}: {}", quoted.join("、"));
            }
        }
        if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
            let usage = usage.to_string();
            let style = styles.get_usage();
            let usage = usage.trim_start_matches("Usage:").trim();
            let _ = write!(text, "\n\n{style}使い方:{style:#} {usage}");
        }
        text.push_str("\n\n詳しくは '--help' を付けて実行してください。\n");
        text.into()
    }
}

fn message(error: &Error<Japanese>) -> String {
    let string = |kind| list(error, kind).into_iter().next();
    let argument = string(ContextKind::InvalidArg).unwrap_or_default();
    let value = string(ContextKind::InvalidValue).unwrap_or_default();
    let number = |kind| match error.get(kind) {
        Some(ContextValue::Number(number)) => *number,
        _ => 0,
    };
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => format!("'{argument}' の値がありません"),
        ErrorKind::InvalidValue => {
            let mut text = format!("'{argument}' の値 '{value}' は使えません");
            let values = list(error, ContextKind::ValidValue);
            if !values.is_empty() {
                let _ = write!(text, "\n  ［使える値: {}］", values.join("、"));
            }
            text
        }
        ErrorKind::UnknownArgument => format!("'{argument}' という引数はありません"),
        ErrorKind::InvalidSubcommand => {
            let name = string(ContextKind::InvalidSubcommand).unwrap_or_default();
            format!("'{name}' というコマンドはありません")
        }
        ErrorKind::NoEquals => format!("'{argument}' の値は = に続けて書いてください"),
        ErrorKind::ValueValidation => {
            let mut text = format!("'{argument}' の値 '{value}' は使えません");
            if let Some(source) = error.source() {
                // clap keeps errors of any type; values.rs names that of our parsers.
                let fault = source.downcast_ref::<AnyMessage>();
                let fault = fault.map_or_else(
                    || source.to_string(),
                    |fault| fault.in_lang(Lang::Ja).to_string(),
                );
                let _ = write!(text, ": {fault}");
            }
            text
        }
        ErrorKind::TooManyValues => format!("'{argument}' の値が多すぎます: '{value}'"),
        ErrorKind::TooFewValues => {
            let least = number(ContextKind::MinValues);
            let found = number(ContextKind::ActualNumValues);
            format!("'{argument}' には {least} 個以上の値が必要です（{found} 個しかありません）")
        }
        ErrorKind::WrongNumberOfValues => {
            let wanted = number(ContextKind::ExpectedNumValues);
            let found = number(ContextKind::ActualNumValues);
            format!("'{argument}' には {wanted} 個の値が必要です（{found} 個あります）")
        }
        ErrorKind::ArgumentConflict => {
            let other = list(error, ContextKind::PriorArg);
            if other.is_empty() || other == [argument.clone()] {
                format!("'{argument}' は一度しか指定できません")
            } else {
                format!("'{argument}' は '{}' と同時に指定できません", other.join("'、'"))
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = list(error, ContextKind::InvalidArg).join("\n  ");
            format!("次の引数が必要です:\n  {missing}")
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "コマンドを指定してください".to_owned()
        }
        ErrorKind::InvalidUtf8 => "引数が UTF-8 ではありません".to_owned(),
        ErrorKind::Io | ErrorKind::Format => "出力できません".to_owned(),
        // Help and version are no errors; new kinds are shown as they are.
        _ => error.source().map_or_else(|| error.kind().to_string(), ToString::to_string),
    }
}

fn list(error: &Error<Japanese>, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(list)) => list.clone(),
        _ => Vec::new(),
    }
}
