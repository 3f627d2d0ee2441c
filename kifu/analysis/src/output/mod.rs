//! The fourth stage shows the results: JSONL and CSV, annotated records, an HTML report, an SVG graph, a
//! summary for the terminal. The page of an opening book is here too, because it has the report's board.

mod book_page;
mod comments;
mod csa;
mod data;
mod drill;
mod html;
mod index;
mod kif;
mod line_data;
mod result;
mod scripts;
mod summary;
mod svg;
mod terminal;

pub use book_page::{BookPage, PageMove, PagePosition, book_page};
pub use comments::{CommentStyle, score_comment};
pub use csa::csa;
pub use data::{ListRow, csv, csv_header, json_line, jsonl, list_csv, list_csv_header};
pub use drill::{drill_page, next_moves};
pub use html::{BrowserEngine, EngineInfo, html};
pub use index::{IndexRow, index, mistake_kinds};
pub use kif::{kif, record_kif};
pub use scripts::{hosted_script, report_file};
pub use summary::summary;
pub use svg::svg;
pub use terminal::Terminal;
