//! Writes a module of JavaScript with all that it imports as one script to standard output; with `--module` as a
//! module that exports what the first one does: `cargo run -p monomi-support --example join -- [--module] FILE`.

use monomi_support::scripts::{Form, join};
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_module = arguments.first().is_some_and(|first| first == "--module");
    if is_module {
        arguments.remove(0);
    }
    let [file] = &arguments[..] else { return Err("usage: join [--module] FILE".into()) };
    let form = if is_module { Form::Module } else { Form::Script };
    let text = join(file, form, &|name| std::fs::read_to_string(name).ok())?;
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
