//! Output formats: JSONL and CSV, annotated records, an HTML report, an SVG graph.

mod comments;
mod csa;
mod data;
mod html;
mod kif;
mod svg;

pub use comments::CommentStyle;
pub use csa::csa;
pub use data::{csv, csv_header, json_line, jsonl, list_csv, list_csv_header};
pub use html::{BrowserEngine, EngineInfo, IndexRow, html, index};
pub use kif::kif;
pub use svg::svg;
