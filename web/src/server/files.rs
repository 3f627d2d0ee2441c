//! The files of the app. They are parts of the program, put together when it starts as `web/build` does for the other
//! engine.

use super::Shared;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monomi_analysis::output::{hosted_script, report_file};
use monomi_support::scripts::{Form, join};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// Where the report's files are, seen from the root of the repository as all names of modules.
const REPORT: &str = "kifu/analysis/src/output/report/";

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        [$((concat!("web/", $name), include_str!(concat!("../../", $name)))),*]
    };
}
const MODULES: &[(&str, &str)] = &modules![
    "app/analysis.js",
    "app/app.js",
    "app/archive.js",
    "app/board-input.js",
    "app/commands.js",
    "app/dates.js",
    "app/engine-options.js",
    "app/game.js",
    "app/games.js",
    "app/kept.js",
    "app/native.js",
    "app/notes.js",
    "app/practice.js",
    "app/preview.js",
    "app/problems.js",
    "app/remarks.js",
    "app/replay.js",
    "app/setup.js",
    "app/speech.js",
    "app/statistics.js",
    "app/text-board.js",
    "app/tsume.js",
    "app/view.js",
    "app/zip.js",
    "package/src/client.js",
    "package/src/embedded.js",
    "package/src/engine.js",
    "package/src/lines.js",
    "package/src/load.js",
    "package/src/team.js",
];
const ENTRY: &str = "web/app/app.js";
const PAGE: &str = include_str!("../../app/index.html");
const STYLE: &str = include_str!("../../app/app.css");
const ICON: &str = include_str!("../../app/icon.svg");

pub struct Files {
    page: String,
    script: String,
    style: String,
}

impl Files {
    /// For a server at this port.
    pub fn new(port: u16) -> Self {
        let read = |name: &str| text_of(name).map(str::to_owned);
        // A test joins them.
        let script = join(ENTRY, Form::Script, &read).unwrap_or_default();
        let style = [report_file("style.css").unwrap_or_default(), STYLE].concat();
        Self { page: page(port), script, style }
    }

    fn get(&self, path: &str) -> Option<(&'static str, &str)> {
        Some(match path {
            "/" | "/index.html" => ("text/html; charset=utf-8", &self.page),
            "/app.js" => ("text/javascript; charset=utf-8", &self.script),
            "/app.css" => ("text/css; charset=utf-8", &self.style),
            "/icon.svg" => ("image/svg+xml", ICON),
            _ => return None,
        })
    }
}

fn text_of(name: &str) -> Option<&'static str> {
    let own = MODULES.iter().find(|(module, _)| *module == name).map(|(_, text)| *text);
    own.or_else(|| report_file(name.strip_prefix(REPORT)?))
}

/// The page, which says that it has a native engine. Its policy allows nothing from elsewhere, and of scripts in pages
/// only those of reports, which are shown in a frame that inherits the policy.
fn page(port: u16) -> String {
    let part = |name| report_file(name).unwrap_or_default();
    let hash = |text: &str| {
        let hash = STANDARD.encode(Sha256::digest(format!("\n{text}\n")));
        format!("'sha256-{hash}'")
    };
    let (script, style) = (hash(&hosted_script()), hash(part("style.css")));
    let sockets = format!("ws://127.0.0.1:{port} ws://localhost:{port}");
    let sources = format!(
        "script-src 'self' {script}; style-src 'self' {style}; img-src 'self' data: blob:; \
         connect-src 'self' {sockets}; frame-src 'self' blob: data:"
    );
    let head =
        part("head.html").replace("{{sources}}", &sources).replace("{{title}}", "Monomi 物見");
    let head = head.replacen("<html", "<html data-engine=\"native\"", 1);
    let links = |line: &&str| !line.contains("rel=\"manifest\"");
    let page: String = PAGE.lines().filter(links).flat_map(|line| [line, "\n"]).collect();
    page.replace("{{head}}", head.trim_end())
        .replace("{{navigation}}", part("navigation.html").trim_end())
}

pub async fn file(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    match shared.files.get(request.uri().path()) {
        Some((kind, text)) => ([("content-type", kind)], text.to_owned()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_app_is_complete() {
        let read = |name: &str| text_of(name).map(str::to_owned);
        join(ENTRY, Form::Script, &read).unwrap();
        let files = Files::new(7000);
        let (_, page) = files.get("/").unwrap();
        assert!(!page.contains("{{") && page.contains("data-engine=\"native\""), "{page}");
        // Whatever the page names is there.
        for part in page.split(['"']).filter(|part| part.ends_with(".js") || part.ends_with(".css"))
        {
            assert!(files.get(&format!("/{part}")).is_some(), "{part}");
        }
    }
}
