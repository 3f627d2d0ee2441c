//! Analysed games as files: data for programs, annotated records for GUIs, a report and a
//! graph for people.

mod comments;
mod csa;
mod data;
mod html;
mod kif;
mod svg;

pub use comments::CommentStyle;
pub use csa::csa;
pub use data::{csv, csv_header, json_line, jsonl, list_csv, list_csv_header};
pub use html::html;
pub use kif::kif;
pub use svg::svg;
