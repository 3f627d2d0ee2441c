//! Quoting input in messages and pages.

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

/// The text as XML and HTML have it, without control characters.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // XML does not allow control characters, not even escaped.
            c if c.is_control() => {}
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tokens_are_shortened_and_cleaned() {
        assert_eq!(shown("abc\u{7}"), "abc\u{fffd}");
        assert_eq!(shown(&"é".repeat(1 << 20)).chars().count(), 81);
    }

    #[test]
    fn texts_are_safe_in_pages() {
        assert_eq!(escaped("<b a=\"1\">&\u{1}'"), "&lt;b a=&quot;1&quot;&gt;&amp;'");
    }
}
