//! Quoting input in messages.

/// A piece of input as it can be quoted in a message: at most 80 characters, without control
/// characters.
pub fn shown(token: &str) -> String {
    const LONGEST: usize = 80;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut text: String = token.chars().take(LONGEST).map(clean).collect();
    if token.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tokens_are_shortened_and_cleaned() {
        assert_eq!(shown("abc\u{7}"), "abc\u{fffd}");
        assert_eq!(shown(&"é".repeat(1 << 20)).chars().count(), 81);
    }
}
