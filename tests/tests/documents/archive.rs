//! The documents in a release archive.

use crate::paths::{documents, links};
use crate::root;
use std::path::Path;
use std::process::Command;
use tests::folder::Folder;
use tests::report;

#[test]
fn links_of_an_archive_lead_to_its_files_or_to_the_repository() {
    let folder = Folder::new();
    let archive = folder.file("archive");
    let script = root().join("tools/scripts/documents");
    let Ok(output) = Command::new("python3").arg(script).args([&archive, "9.8.7"]).output() else {
        return report("skipped: there is no python3");
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found = Vec::new();
    documents(Path::new(&archive), &mut found);
    assert!(found.len() > 10, "{found:?}");
    let (mut inside, mut outside) = (0, 0);
    for document in found {
        let text = std::fs::read_to_string(&document).expect("a document");
        for target in links(&text).filter(|target| !target.is_empty()) {
            let there = ["blob", "tree"].iter().find_map(|kind| {
                let start = format!("{}/{kind}/v9.8.7/", env!("CARGO_PKG_REPOSITORY"));
                target.strip_prefix(start.as_str())
            });
            let exists = match there {
                Some(path) => root().join(path).exists(),
                None if target.contains(':') => continue,
                None => document.parent().expect("a folder").join(target).exists(),
            };
            assert!(exists, "{}: ]({target})", document.display());
            *(if there.is_some() { &mut outside } else { &mut inside }) += 1;
        }
    }
    assert!(inside > 20 && outside > 5, "{inside} inside, {outside} outside");
}
