//! With the feature `serde`: records as JSON Kifu Format.

use crate::read::clean;
use crate::record::Record;
use crate::{jkf, write};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// As an object of JSON Kifu Format, the same as [`write::jkf`] writes: headers, starting position, moves with times
/// and comments, variations, ending. Not in it: ratings, closing words, faults, and the text of the file.
impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write::to_json(self).serialize(serializer)
    }
}

/// From an object of JSON Kifu Format. Unlike [`crate::read`] this refuses records with faults. The data format must
/// describe itself, as JSON, YAML, CBOR and MessagePack do.
impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Value::deserialize(deserializer)?;
        let mut record = jkf::from_json(&json).map_err(Error::custom)?;
        match record.faults.first() {
            Some(fault) => Err(Error::custom(fault)),
            None => {
                clean(&mut record);
                Ok(record)
            }
        }
    }
}
