//! Times in units of a clock.

/// A time as the server sends it with a move: `T12` in the unit of the clock. Some servers send
/// `T3.500`; these are seconds where the unit is shorter than a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    pub thousandths: u64,
    pub is_decimal: bool,
}

impl Units {
    /// A number of units.
    pub fn whole(number: u64) -> Self {
        Self { thousandths: number.saturating_mul(1000), is_decimal: false }
    }

    /// Reads what follows `T`: digits, and perhaps a point and more digits. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
            return None;
        }
        let fraction: String = fraction.chars().chain("000".chars()).take(3).collect();
        let thousandths = whole.parse::<u64>().ok()?.checked_mul(1000)?;
        let thousandths = thousandths.checked_add(fraction.parse().ok()?)?;
        Some(Self { thousandths, is_decimal: text.contains('.') })
    }
}
