//! Monomi as a WebAssembly module for `wasm32-unknown-unknown`, without any glue generator.
//!
//! An [`Instance`] is an engine with a USI session, and a reader and analyser of game records. The
//! module's functions (`exports.rs`) pass texts through a buffer of the instance; `package/src/engine.js` is
//! the other side. [`Instance`] itself also runs on other machines, for tests.

mod analysis;
#[cfg(target_arch = "wasm32")]
mod exports;
mod requests;

use analysis::Analysis;
use monomi_eval::Evaluation;
use monomi_eval::network::{NetworkFile, SimdLevel};
use monomi_record::Record;
use monomi_support::text::{Lang, Message as _};
use monomi_usi::{Immediate, Next};
use std::time::Duration;

/// The kind of a text from an [`Instance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Output {
    /// A line of USI.
    Line = 0,
    /// The answer to a request, in JSON.
    Answer = 1,
    /// Progress of the request at work, in JSON.
    Progress = 2,
    /// The message of a panic; the module cannot be used any more.
    Panic = 3,
}

/// The kind of file whose bytes are given to [`Instance::load`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// Game records in any format and encoding.
    Records,
    /// A network (`nn.bin`).
    Network,
}

/// An engine with everything that belongs to it.
pub struct Instance {
    session: Immediate,
    /// Of the errors of requests.
    lang: Lang,
    /// The games of the file opened last.
    records: Vec<Record>,
    analysis: Option<Analysis>,
}

impl Instance {
    /// A new engine.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new() -> Result<Self, String> {
        let session = Immediate::new().map_err(|error| error.to_string())?;
        Ok(Self { session, lang: Lang::default(), records: Vec::new(), analysis: None })
    }

    /// Executes a line of USI.
    pub fn line(&mut self, line: &str, tell: &mut (dyn FnMut(Output, &str) + Send)) -> Next {
        self.session.line(line, &mut |line| tell(Output::Line, line))
    }

    /// Continues a search without an end for about this long.
    pub fn step(&mut self, time: Duration, tell: &mut (dyn FnMut(Output, &str) + Send)) -> Next {
        self.session.step(time, &mut |line| tell(Output::Line, line))
    }

    /// Takes a file. The answer is a list of the games, or the description of the network.
    pub fn load(&mut self, file: File, bytes: &[u8], tell: &mut dyn FnMut(Output, &str)) {
        let answer = match file {
            File::Records => monomi_record::read(bytes)
                .map_err(|error| error.in_lang(self.lang).to_string())
                .map(|file| {
                    self.records = file.records;
                    requests::games(&self.records, self.lang)
                }),
            File::Network => NetworkFile::read(bytes, bytes.len() as u64)
                .map(|file| {
                    let scale = file.fv_scale();
                    let evaluation = Evaluation::from_network(file, scale, SimdLevel::best());
                    self.session.set_evaluation(evaluation);
                    serde_json::Value::from(self.session.evaluation().describe())
                })
                .map_err(|error| error.in_lang(self.lang).to_string()),
        };
        requests::answer(answer, tell);
    }

    /// Answers a request in JSON (see `requests.rs`).
    pub fn request(&mut self, request: &str, tell: &mut dyn FnMut(Output, &str)) {
        let answer = requests::execute(self, request, tell);
        requests::answer(answer, tell);
    }
}
