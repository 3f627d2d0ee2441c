//! The settings that games were made with, stored as text in their file.

/// Keys and values, in order. Values contain no line breaks and keys no `=`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GenerationSettings(pub Vec<(String, String)>);

impl GenerationSettings {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|pair| pair.0 == key).map(|pair| pair.1.as_str())
    }

    /// Adds a value.
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.0.push((key.to_owned(), value.to_string().replace(['\n', '\r'], " ")));
        self
    }

    /// The first key whose values differ, with both values. Keys that begin with `#` are remarks
    /// and are not compared.
    pub fn difference<'a>(&'a self, other: &'a Self) -> Option<(&'a str, &'a str, &'a str)> {
        let keys = self.0.iter().chain(&other.0).map(|pair| pair.0.as_str());
        keys.filter(|key| !key.starts_with('#')).find_map(|key| {
            let (mine, theirs) = (self.get(key), other.get(key));
            let none = "(none)";
            (mine != theirs).then(|| (key, mine.unwrap_or(none), theirs.unwrap_or(none)))
        })
    }

    pub(super) fn to_text(&self) -> String {
        self.0.iter().map(|(key, value)| format!("{key}={value}\n")).collect()
    }

    pub(super) fn from_text(text: &str) -> Self {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        Self(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }
}
