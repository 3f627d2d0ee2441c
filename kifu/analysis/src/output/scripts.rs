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

/// A file of the folder `report` that the app uses, too: a module, or a part of the page.
pub fn report_file(name: &str) -> Option<&'static str> {
    match name {
        "style.css" => Some(include_str!("report/style.css")),
        "head.html" => Some(include_str!("report/head.html")),
        "navigation.html" => Some(include_str!("report/navigation.html")),
        _ => MODULES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text),
    }
}

/// The script of a report that is shown by the app ([`BrowserEngine::hosted`](super::BrowserEngine::hosted)).
pub fn hosted_script() -> String {
    script("live.js")
}

/// The script of a page that begins with a module.
pub(super) fn script(entry: &str) -> String {
    let read = |name: &str| report_file(name).map(str::to_owned);
    // A test joins all of them.
    join(entry, Form::Script, &read).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_of_every_page_can_be_joined() {
        let read = |name: &str| report_file(name).map(str::to_owned);
        for (name, text) in MODULES {
            let joined = join(name, Form::Script, &read).unwrap();
            let last = text.lines().last().unwrap();
            // Alone it has tables only, which nothing uses.
            assert!(joined.ends_with(&format!("{last}\n")) || name == "words.js", "{name}");
        }
    }
}
