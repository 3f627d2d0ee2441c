//! Monomi as a WebAssembly module for `wasm32-unknown-unknown`, without any glue generator.
//!
//! An [`Instance`] is an engine with a USI session, and a reader and analyser of game records. The
//! module's functions (`exports.rs`) pass texts through a buffer of the instance; `web/package/src/engine.js` is
//! the other side. [`Instance`] itself also runs on other machines, for tests.

#[cfg(target_arch = "wasm32")]
mod exports;

use monomi_app::Requests;
use monomi_eval::Evaluation;
use monomi_eval::network::{NetworkFile, SimdLevel};
use monomi_support::text::Message as _;
use monomi_usi::{Immediate, Next};
use serde_json::json;
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
    requests: Requests,
}

impl Instance {
    /// A new engine.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new() -> Result<Self, String> {
        let session = Immediate::new().map_err(|error| error.to_string())?;
        let requests = Requests::new(session.evaluation().clone());
        Ok(Self { session, requests })
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
            File::Records => self.requests.open(bytes),
            File::Network => self.load_network(bytes).to_string(),
        };
        tell(Output::Answer, &answer);
    }

    fn load_network(&mut self, bytes: &[u8]) -> serde_json::Value {
        match NetworkFile::read(bytes, bytes.len() as u64) {
            Ok(file) => {
                let scale = file.fv_scale();
                let evaluation = Evaluation::from_network(file, scale, SimdLevel::best());
                self.session.set_evaluation(evaluation.clone());
                let name = evaluation.describe();
                self.requests.set_evaluation(evaluation);
                json!({ "ok": name })
            }
            Err(error) => json!({ "error": error.in_lang(self.requests.lang()).to_string() }),
        }
    }

    /// Answers a request in JSON (see `web/src/requests.rs`).
    pub fn request(&mut self, request: &str, tell: &mut dyn FnMut(Output, &str)) {
        let answer =
            self.requests.answer(request, &mut |progress| tell(Output::Progress, progress));
        tell(Output::Answer, &answer);
    }
}
