//! Texts as bytes.

use crate::encoding::{Encoding, shift_jis};
use encoding_rs::{EUC_JP, ISO_2022_JP};
use std::borrow::Cow;

/// Encodes a text. What the encoding does not have becomes `〓`; line ends stay as they are.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf8Bom => format!("\u{FEFF}{text}").into_bytes(),
        Encoding::Utf16 => {
            let marked = format!("\u{FEFF}{text}");
            marked.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        Encoding::ShiftJis => shift_jis(text),
        Encoding::EucJp => with_replacements(text, EUC_JP),
        Encoding::Iso2022Jp => with_replacements(text, ISO_2022_JP),
    }
}

fn with_replacements(text: &str, encoding: &'static encoding_rs::Encoding) -> Vec<u8> {
    let whole = encoding.encode(text);
    if !whole.2 {
        return whole.0.into_owned();
    }
    // Escape sequences of ISO-2022-JP must not stand around each character, so the text is made fit first.
    let fits = |c: char| !encoding.encode(c.encode_utf8(&mut [0; 4])).2;
    let fit: String = text.chars().map(|c| if fits(c) { c } else { '〓' }).collect();
    let (bytes, ..): (Cow<'_, [u8]>, _, _) = encoding.encode(&fit);
    bytes.into_owned()
}
