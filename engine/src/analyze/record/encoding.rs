//! From bytes to text: the encoding is found out by content, never by a file's name.

use crate::analyze::record::ReadError;
use encoding_rs::{EUC_JP, Encoding as Table, SHIFT_JIS, UTF_16BE, UTF_16LE};

/// How a record was encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 without a byte-order mark (plain ASCII too).
    Utf8,
    /// UTF-8 behind a byte-order mark.
    Utf8Bom,
    /// UTF-16 behind a byte-order mark.
    Utf16,
    /// Shift_JIS as Windows has it.
    ShiftJis,
    /// EUC-JP, as some CSA files have it.
    EucJp,
}

impl Encoding {
    /// The name as files and people write it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf8Bom => "UTF-8 with BOM",
            Encoding::Utf16 => "UTF-16",
            Encoding::ShiftJis => "Shift_JIS",
            Encoding::EucJp => "EUC-JP",
        }
    }
}

/// A text may hold so many broken characters in a thousand before it counts as no text: names
/// with characters outside the table, a file cut off in the middle.
const TOLERATED_PERMILLE: usize = 5;

/// Decodes a file.
///
/// # Errors
/// It is empty or no text in any of the encodings.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), ReadError> {
    if bytes.iter().all(|byte| byte.is_ascii_whitespace()) {
        return Err(ReadError::Empty);
    }
    for (mark, table) in [(&[0xFF, 0xFE], UTF_16LE), (&[0xFE, 0xFF], UTF_16BE)] {
        if let Some(rest) = bytes.strip_prefix(mark) {
            let (text, broken) = table.decode_without_bom_handling(rest);
            return if broken {
                Err(ReadError::Binary)
            } else {
                Ok((text.into(), Encoding::Utf16))
            };
        }
    }
    if bytes.contains(&0) {
        return Err(ReadError::Binary);
    }
    let (rest, utf8) = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => (rest, Encoding::Utf8Bom),
        None => (bytes, Encoding::Utf8),
    };
    match std::str::from_utf8(rest) {
        Ok(text) => return Ok((text.to_owned(), utf8)),
        // Cut off within the last character.
        Err(error) if error.error_len().is_none() => {
            return Ok((String::from_utf8_lossy(rest).into_owned(), utf8));
        }
        Err(_) if utf8 == Encoding::Utf8Bom => {
            return tolerated(String::from_utf8_lossy(rest).into_owned(), utf8);
        }
        Err(_) => {}
    }
    let japanese = [(SHIFT_JIS, Encoding::ShiftJis), (EUC_JP, Encoding::EucJp)];
    let decoded = japanese.map(|(table, name)| (read_as(table, bytes), name));
    let [first, second] = decoded;
    let (text, name) = if oddity(&second.0) < oddity(&first.0) { second } else { first };
    let lossy = String::from_utf8_lossy(bytes);
    if lossy.matches('\u{FFFD}').count() < text.matches('\u{FFFD}').count() {
        return tolerated(lossy.into_owned(), utf8);
    }
    tolerated(text, name)
}

fn read_as(table: &'static Table, bytes: &[u8]) -> String {
    table.decode_without_bom_handling(bytes).0.into_owned()
}

/// How little a text looks like Japanese: broken characters weigh most; half-width katakana and
/// private or control characters are what the wrong table makes of kanji.
fn oddity(text: &str) -> usize {
    let weigh = |c: char| match c {
        '\u{FFFD}' => 20,
        '\u{FF61}'..='\u{FF9F}' | '\u{E000}'..='\u{F8FF}' | '\u{80}'..='\u{9F}' => 1,
        _ => 0,
    };
    text.chars().map(weigh).sum()
}

fn tolerated(text: String, encoding: Encoding) -> Result<(String, Encoding), ReadError> {
    let broken = text.matches('\u{FFFD}').count();
    let control = text.chars().filter(|c| c.is_control() && !c.is_whitespace()).count();
    let of = text.chars().count();
    // One is what a cut within a character leaves.
    if broken + control > 1 + of * TOLERATED_PERMILLE / 1000 {
        return Err(ReadError::Binary);
    }
    Ok((text, encoding))
}

/// What Shift_JIS writes in another way, or else as the printers' mark for a missing piece of type.
const ELSEWHERE: [(char, &str); 6] =
    [('〜', "～"), ('—', "―"), ('−', "－"), ('☗', "▲"), ('☖', "△"), ('⛊', "▲")];
const MISSING: &[u8] = &[0x81, 0xAC];

/// Encodes a text as Shift_JIS; characters that it does not have become `〓`.
pub fn shift_jis(text: &str) -> Vec<u8> {
    let (bytes, _, missing) = SHIFT_JIS.encode(text);
    if !missing {
        return bytes.into_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        let mut buffer = [0; 4];
        let other = ELSEWHERE.iter().find(|(from, _)| *from == c).map(|(_, to)| *to);
        match SHIFT_JIS.encode(other.unwrap_or_else(|| c.encode_utf8(&mut buffer))) {
            (encoded, _, false) => bytes.extend_from_slice(&encoded),
            _ => bytes.extend_from_slice(MISSING),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "手合割：平手\n先手：羽生 善治\n   1 ７六歩(77)   ( 0:01/00:00:01)\n";

    #[test]
    fn each_encoding_is_recognised() {
        let bom = format!("\u{FEFF}{TEXT}");
        let utf16: Vec<u8> = bom.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, encoding) in [
            (TEXT.as_bytes(), Encoding::Utf8),
            (bom.as_bytes(), Encoding::Utf8Bom),
            (&utf16, Encoding::Utf16),
            (&SHIFT_JIS.encode(TEXT).0, Encoding::ShiftJis),
            (&EUC_JP.encode(TEXT).0, Encoding::EucJp),
            (&EUC_JP.encode("N+羽生\n+7776FU\n").0, Encoding::EucJp),
        ] {
            let (text, found) = decode(bytes).unwrap();
            assert_eq!(found, encoding, "{text}");
            assert!(text.contains("羽生"), "{text}");
        }
    }

    #[test]
    fn a_cut_file_is_still_text() {
        for bytes in [TEXT.as_bytes(), &SHIFT_JIS.encode(TEXT).0, &EUC_JP.encode(TEXT).0] {
            for cut in 20..bytes.len() {
                assert!(decode(&bytes[..cut]).is_ok(), "cut at {cut}");
            }
        }
    }

    #[test]
    fn what_is_no_text_is_said_to_be_none() {
        assert_eq!(decode(b""), Err(ReadError::Empty));
        assert_eq!(decode(b" \r\n"), Err(ReadError::Empty));
        assert_eq!(decode(b"\x7FELF\0\0\0"), Err(ReadError::Binary));
        let noise: Vec<u8> = (1u32..4000).map(|i| (i.wrapping_mul(i) >> 3) as u8 | 1).collect();
        assert_eq!(decode(&noise), Err(ReadError::Binary));
    }

    #[test]
    fn shift_jis_goes_there_and_back() {
        let text = "手合割：平手\n*飛の不成〜羽生—藤井☗７六歩 ③①\n";
        let (back, encoding) = decode(&shift_jis(text)).unwrap();
        assert_eq!(encoding, Encoding::ShiftJis);
        assert_eq!(back, "手合割：平手\n*飛の不成～羽生―藤井▲７六歩 ③①\n");
        let (back, _) = decode(&shift_jis("先手：🐶さん和\n後手：あいうえおかきくけこ\n")).unwrap();
        assert_eq!(back, "先手：〓さん和\n後手：あいうえおかきくけこ\n");
    }
}
