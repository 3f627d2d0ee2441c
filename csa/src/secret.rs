//! Text that is sent to the server and never shown.

use std::fmt;

/// A password or a token. `Debug` does not show it, and there is no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for sending.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether the text can be sent as a single word.
    pub fn is_one_word(&self) -> bool {
        !self.0.is_empty() && !self.0.contains(|c: char| c.is_whitespace() || c.is_control())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_does_not_show_the_text() {
        let secret = Secret::new("hunter2");
        assert_eq!(format!("{secret:?}"), "Secret(***)");
        assert!(!format!("{:?}", Some(&secret)).contains("hunter2"));
    }

    #[test]
    fn one_word_means_no_spaces_and_not_empty() {
        assert!(Secret::new("floodgate-300-10F,abc").is_one_word());
        for bad in ["", "a b", "a\n", "a\u{0}b", "\u{3000}"] {
            assert!(!Secret::new(bad).is_one_word(), "{bad:?}");
        }
    }
}
