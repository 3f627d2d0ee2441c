//! The page of an opening book: a single HTML file with the board of the reports.

use crate::output::html::board_page;
use serde::Serialize;
use std::io;

const PAGE: &str = include_str!("report/book.html");

/// The moves of a book from a position on.
#[derive(Clone, Debug, Serialize)]
pub struct BookPage {
    /// The title.
    pub name: String,
    /// The first position as SFEN.
    pub start: String,
    /// The positions; the first one is the start.
    pub positions: Vec<PagePosition>,
}

/// A position of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PagePosition {
    /// Its moves, best first; all are legal.
    pub moves: Vec<PageMove>,
}

/// A move of the page.
#[derive(Clone, Debug, Serialize)]
pub struct PageMove {
    /// As in USI.
    pub usi: String,
    /// In Japanese, with the mark of the side.
    pub name: String,
    /// In centipawns for the side that moves.
    pub value: i32,
    /// In plies; 0 if unknown.
    pub depth: u32,
    /// How often it was played; 0 if unknown.
    pub count: u32,
    /// Games won, drawn and lost by the side that moves, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<[u32; 3]>,
    /// The number of the position that it leads to, if the page has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
    /// The book has the position that it leads to, but the page does not.
    pub cut: bool,
}

/// The page, which works without a network and in both languages.
///
/// # Errors
/// Serialization fails; no book causes this.
pub fn book_page(page: &BookPage) -> io::Result<String> {
    board_page(PAGE, &page.name, "book.js", page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_may_contain_anything() {
        let name = "{{data}} {{title}} <b>".to_owned();
        let html = book_page(&BookPage { name, start: String::new(), positions: Vec::new() });
        let html = html.unwrap();
        assert!(html.contains("<title>{{data}} {{title}} &lt;b&gt;</title>"), "{html}");
        assert_eq!(html.matches("\"positions\":[]").count(), 1);
        assert!(html.contains("id=\"data\">{\"name\""), "{html}");
    }
}
