//! The fourth stage shows the results: JSONL and CSV, annotated records, an HTML report, an SVG graph, a
//! summary for the terminal.

mod comments;
mod csa;
mod data;
mod html;
mod kif;
mod summary;
mod svg;

pub use comments::CommentStyle;
pub use csa::csa;
pub use data::{ListRow, csv, csv_header, json_line, jsonl, list_csv, list_csv_header};
pub use html::{BrowserEngine, EngineInfo, IndexRow, html, index};
pub use kif::kif;
pub use summary::summary;
pub use svg::svg;
