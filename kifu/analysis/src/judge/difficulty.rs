//! How hard a better move was to find.

use monomi_support::text::{Lang, Message, say};
use serde::{Deserialize, Serialize};
use std::fmt::{Formatter, Result};

/// With fewer nodes than this a move is found easily.
const EASY: u64 = 1_000;
/// From so many nodes on a move is hard to find.
const HARD: u64 = 20_000;

/// How hard a move is to find, by the nodes after which a search finds it for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
}

impl Difficulty {
    /// For a move found after so many nodes.
    pub fn of(nodes: u64) -> Self {
        match nodes {
            HARD.. => Self::Hard,
            EASY.. => Self::Medium,
            _ => Self::Easy,
        }
    }

    /// The name in data, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

impl Message for Difficulty {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Easy => say!(lang, f, "easy", "易しい"),
            Self::Medium => say!(lang, f, "medium", "普通"),
            Self::Hard => say!(lang, f, "hard", "難しい"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_nodes_are_never_easier() {
        let mut grades: Vec<Difficulty> =
            (0..2_000).map(|step| Difficulty::of(step * 20)).collect();
        grades.dedup();
        assert_eq!(grades, [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard]);
        for grade in grades {
            let json = serde_json::to_value(grade).unwrap();
            assert_eq!(
                (json.as_str(), grade.in_lang(Lang::En).to_string()),
                (Some(grade.name()), grade.name().to_owned())
            );
        }
    }
}
