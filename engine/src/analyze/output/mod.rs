//! Analysed games as files: data for programs, annotated records for GUIs.

mod comments;
mod csa;
mod data;
mod kif;

pub use comments::CommentStyle;
pub use csa::csa;
pub use data::{CSV_HEADER, csv, jsonl};
pub use kif::kif;
