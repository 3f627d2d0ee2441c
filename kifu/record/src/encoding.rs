//! Decodes files. The encoding is detected from the content, never from the file name.

use crate::fault::ReadError;
use encoding_rs::SHIFT_JIS;
use monomi_support::host::Japanese;
use std::io::{self, BufRead, Cursor};

/// Encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8 without a byte order mark, or plain ASCII.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8Bom,
    /// UTF-16, with or without a byte order mark.
    Utf16,
    /// Shift_JIS as used by Windows (code page 932).
    ShiftJis,
    /// EUC-JP, used by some CSA files.
    EucJp,
    /// ISO-2022-JP, used in mail.
    Iso2022Jp,
}

impl Encoding {
    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf8Bom => "UTF-8 with BOM",
            Encoding::Utf16 => "UTF-16",
            Encoding::ShiftJis => "Shift_JIS",
            Encoding::EucJp => "EUC-JP",
            Encoding::Iso2022Jp => "ISO-2022-JP",
        }
    }

    /// The name in the first line of a KIF.
    pub(crate) fn declared(self) -> &'static str {
        if self == Encoding::Utf8Bom { "UTF-8" } else { self.name() }
    }

    /// The name in the first line of a CSA record.
    pub(crate) fn declared_in_csa(self) -> &'static str {
        if self == Encoding::ShiftJis { "SHIFT_JIS" } else { self.declared() }
    }
}

/// Number of invalid characters per thousand up to which a file counts as text: names may use
/// characters outside the encoding, and files may be truncated.
const TOLERATED_PERMILLE: usize = 5;

/// Decodes a file.
///
/// # Errors
/// The file is empty, or not text in any of the encodings.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), ReadError> {
    if bytes.iter().all(|byte| byte.is_ascii_whitespace()) {
        return Err(ReadError::Empty);
    }
    for (mark, unit) in [
        (&[0xFF, 0xFE], u16::from_le_bytes as fn([u8; 2]) -> u16),
        (&[0xFE, 0xFF], u16::from_be_bytes),
    ] {
        if let Some(rest) = bytes.strip_prefix(mark) {
            let pairs = rest.chunks_exact(2);
            let complete = pairs.remainder().is_empty();
            let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
            return match String::from_utf16(&units) {
                Ok(text) if complete => Ok((text, Encoding::Utf16)),
                _ => Err(ReadError::Binary),
            };
        }
    }
    // Some programs fill up the last block of a file.
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let is_text = bytes[..end].contains(&b'\n') && !bytes[..end].contains(&0);
    let bytes = if is_text { &bytes[..end] } else { bytes };
    if bytes.contains(&0) {
        return unmarked_utf16(bytes).map(|text| (text, Encoding::Utf16)).ok_or(ReadError::Binary);
    }
    // Pure ASCII with escape sequences `ESC $ @` and `ESC $ B` for kanji.
    if bytes.is_ascii() && bytes.windows(3).any(|w| w == b"\x1B$B" || w == b"\x1B$@") {
        let text = monomi_support::host::decode(Japanese::Iso2022Jp, bytes);
        if text.matches('\u{FFFD}').count() <= 1 {
            return Ok((text, Encoding::Iso2022Jp));
        }
    }
    let (rest, utf8) = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => (rest, Encoding::Utf8Bom),
        None => (bytes, Encoding::Utf8),
    };
    match std::str::from_utf8(rest) {
        Ok(text) => return Ok((text.to_owned(), utf8)),
        // Truncated within the last character.
        Err(error) if error.error_len().is_none() => {
            return Ok((String::from_utf8_lossy(rest).into_owned(), utf8));
        }
        Err(_) if utf8 == Encoding::Utf8Bom => {
            return tolerated(String::from_utf8_lossy(rest).into_owned(), utf8);
        }
        Err(_) => {}
    }
    let japanese = [(Japanese::ShiftJis, Encoding::ShiftJis), (Japanese::EucJp, Encoding::EucJp)];
    let decoded = japanese.map(|(table, name)| (monomi_support::host::decode(table, bytes), name));
    let [first, second] = decoded;
    let (text, name) = if oddity(&second.0) < oddity(&first.0) { second } else { first };
    let lossy = String::from_utf8_lossy(bytes);
    if lossy.matches('\u{FFFD}').count() < text.matches('\u{FFFD}').count() {
        return tolerated(lossy.into_owned(), utf8);
    }
    tolerated(text, name)
}

/// A list of positions as UTF-8, if it is UTF-16 as PowerShell's `>` writes it; other lists as they are.
///
/// # Errors
/// The list cannot be read.
pub fn list_in_utf8(mut list: Box<dyn BufRead + Send>) -> io::Result<Box<dyn BufRead + Send>> {
    let start = list.fill_buf()?;
    let start = &start[..start.len().min(256)];
    let marked = start.starts_with(&[0xFF, 0xFE]) || start.starts_with(&[0xFE, 0xFF]);
    // A board in ASCII has a zero in every second byte.
    let zeros = start.iter().filter(|&&byte| byte == 0).count();
    if !marked && zeros * 3 < start.len().max(1) {
        return Ok(list);
    }
    let mut bytes = Vec::new();
    list.read_to_end(&mut bytes)?;
    let bytes = match decode(&bytes) {
        Ok((text, _)) => text.into_bytes(),
        Err(_) => bytes,
    };
    Ok(Box::new(Cursor::new(bytes)))
}

/// UTF-16 without a byte order mark: the order of bytes in which the text is a record.
fn unmarked_utf16(bytes: &[u8]) -> Option<String> {
    if !bytes.len().is_multiple_of(2) {
        return None;
    }
    [u16::from_le_bytes as fn([u8; 2]) -> u16, u16::from_be_bytes].into_iter().find_map(|unit| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        let text = String::from_utf16(&units).ok()?;
        let clean = !text.contains(|c: char| c.is_control() && !c.is_whitespace());
        (clean && crate::detect::detect(&text).is_some()).then_some(text)
    })
}

/// How unlike Japanese a text is. Invalid characters count most; half-width katakana, private use
/// and control characters are what kanji become in the wrong encoding.
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
    // A truncated character leaves one.
    if broken + control > 1 + of * TOLERATED_PERMILLE / 1000 {
        return Err(ReadError::Binary);
    }
    Ok((text, encoding))
}

/// Characters missing from Shift_JIS, and their usual replacements.
const REPLACEMENTS: [(char, &str); 6] =
    [('〜', "～"), ('—', "―"), ('−', "－"), ('☗', "▲"), ('☖', "△"), ('⛊', "▲")];
/// `〓`, for characters without a replacement.
const MISSING: &[u8] = &[0x81, 0xAC];

/// Encodes text as Shift_JIS. Characters that cannot be encoded become `〓`.
pub fn shift_jis(text: &str) -> Vec<u8> {
    let (bytes, _, missing) = SHIFT_JIS.encode(text);
    if !missing {
        return bytes.into_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        let mut buffer = [0; 4];
        let other = REPLACEMENTS.iter().find(|(from, _)| *from == c).map(|(_, to)| *to);
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
    use encoding_rs::EUC_JP;

    const TEXT: &str = "手合割：平手\n先手：羽生 善治\n   1 ７六歩(77)   ( 0:01/00:00:01)\n";

    #[test]
    fn each_encoding_is_detected() {
        let bom = format!("\u{FEFF}{TEXT}");
        let utf16: Vec<u8> = bom.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf16_be: Vec<u8> = bom.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&utf16[..utf16.len() - 1]), Err(ReadError::Binary));
        for (bytes, encoding) in [
            (TEXT.as_bytes(), Encoding::Utf8),
            (bom.as_bytes(), Encoding::Utf8Bom),
            (&utf16, Encoding::Utf16),
            (&utf16_be, Encoding::Utf16),
            (&SHIFT_JIS.encode(TEXT).0, Encoding::ShiftJis),
            (&EUC_JP.encode(TEXT).0, Encoding::EucJp),
            (&EUC_JP.encode("N+羽生\n+7776FU\n").0, Encoding::EucJp),
            // `N+羽生` in ISO-2022-JP.
            (&b"N+\x1B$B1)@8\x1B(B\n+7776FU\n"[..], Encoding::Iso2022Jp),
        ] {
            let (text, found) = decode(bytes).unwrap();
            assert_eq!(found, encoding, "{text}");
            assert!(text.contains("羽生"), "{text}");
        }
    }

    #[test]
    fn a_truncated_file_is_text() {
        for bytes in [TEXT.as_bytes(), &SHIFT_JIS.encode(TEXT).0, &EUC_JP.encode(TEXT).0] {
            for cut in 20..bytes.len() {
                assert!(decode(&bytes[..cut]).is_ok(), "cut at {cut}");
            }
        }
    }

    #[test]
    fn binary_and_empty_files_are_rejected() {
        assert_eq!(decode(b""), Err(ReadError::Empty));
        assert_eq!(decode(b" \r\n"), Err(ReadError::Empty));
        assert_eq!(decode(b"\x7FELF\0\0\0"), Err(ReadError::Binary));
        let noise: Vec<u8> = (1u32..4000).map(|i| (i.wrapping_mul(i) >> 3) as u8 | 1).collect();
        assert_eq!(decode(&noise), Err(ReadError::Binary));
    }

    #[test]
    fn shift_jis_round_trip() {
        let text = "手合割：平手\n*飛の不成〜羽生—藤井☗７六歩 ③①\n";
        let (back, encoding) = decode(&shift_jis(text)).unwrap();
        assert_eq!(encoding, Encoding::ShiftJis);
        assert_eq!(back, "手合割：平手\n*飛の不成～羽生―藤井▲７六歩 ③①\n");
        let (back, _) = decode(&shift_jis("先手：🐶さん和\n後手：あいうえおかきくけこ\n")).unwrap();
        assert_eq!(back, "先手：〓さん和\n後手：あいうえおかきくけこ\n");
    }
}
