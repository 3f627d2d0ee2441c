//! The scripts of the pages: modules of the folder `report`, joined into one for each page.

use monomi_support::scripts::{Form, join};

/// The modules; web/build reads the same files.
macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("report/", $name)))),*]
    };
}
const MODULES: [(&str, &str); 12] = modules![
    "board.js",
    "book.js",
    "drill.js",
    "exercise.js",
    "graph.js",
    "index.js",
    "live.js",
    "notation.js",
    "page.js",
    "pieces.js",
    "script.js",
    "words.js",
];

/// The script of a page that begins with a module.
pub(super) fn script(entry: &str) -> String {
    let read = |name: &str| {
        MODULES.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned())
    };
    // A test joins all of them.
    join(entry, Form::Script, &read).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_of_every_page_can_be_joined() {
        for (name, text) in MODULES {
            let last = text.lines().last().unwrap();
            assert!(script(name).ends_with(&format!("{last}\n")), "{name}");
        }
    }
}
