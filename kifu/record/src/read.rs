//! Reads files of all formats and encodings.

use crate::detect;
use crate::encoding::{Encoding, decode};
use crate::fault::ReadError;
use crate::format::Format;
use crate::record::Record;
use crate::{csa, jkf, kakinoki, usi};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The games of a file, and its encoding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct File {
    /// Encoding of the file.
    pub encoding: Encoding,
    /// Its games, at least one; only CSA and USI files hold several.
    pub records: Vec<Record>,
}

/// Reads a file's bytes.
///
/// # Errors
/// The file holds no game. A game with invalid parts is not an error: see
/// [`Record::faults`].
pub fn read(bytes: &[u8]) -> Result<File, ReadError> {
    // A bug in a reader must not stop the analysis of other files.
    let read = catch_unwind(AssertUnwindSafe(|| {
        let (text, encoding) = decode(bytes)?;
        Ok(File { encoding, records: read_text(&text)? })
    }));
    read.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(ReadError::Panic(text.unwrap_or("unknown reason").to_owned()))
    })
}

/// Removes control characters, which would do things to the terminal on which a name or a comment is
/// shown. Line ends and tabs stay.
fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    let harmful = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.contains(harmful) { text.replace(harmful, "").into() } else { text }
}

/// Removes control characters from all texts of a record.
pub(crate) fn clean(record: &mut Record) {
    record.texts_mut(|text| *text = without_controls(std::mem::take(text).into()).into_owned());
}

/// Reads decoded text.
///
/// # Errors
/// As [`read`].
pub fn read_text(text: &str) -> Result<Vec<Record>, ReadError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let text = without_controls(text.into());
    let text: &str = &text;
    // Old Mac files end lines with a single carriage return.
    let unix;
    let text = if text.replace("\r\n", "").contains('\r') {
        unix = text.replace("\r\n", "\n").replace('\r', "\n");
        &unix
    } else {
        text
    };
    let format = detect::detect(text).ok_or(ReadError::NoRecord)?;
    let mut records = match format {
        Format::Kif => kakinoki::read(text, Format::Kif),
        Format::Ki2 => kakinoki::read(text, Format::Ki2),
        Format::Csa => csa::read(text),
        Format::Jkf => jkf::read(text),
        Format::Usi => usi::read(text),
    }?;
    let single = records.len() == 1;
    for record in &mut records {
        // JSON can hide them from the look at the whole text.
        clean(record);
        let usable = single && record.faults.is_empty();
        record.source = match format {
            Format::Kif | Format::Csa if usable => {
                record.source.take().and_then(|source| source.with_text(text))
            }
            _ => None,
        };
    }
    Ok(records)
}
