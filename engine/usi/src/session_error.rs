//! Why a session cannot be served.

use monomi_search::ThreadsError;
use monomi_support::text::{count, error_message, messages};

messages! {
    /// Why a session did not start, or not all of its output was written.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum SessionError {
        /// There is not enough memory, or a thread cannot be started.
        Threads(error: ThreadsError) => both "{error}";
        /// The output was closed, or nothing reads it: this many bytes are left.
        OutputClosed(left: usize) =>
            let english = count(*left as u64, "byte", "bytes");
            "output closed: {english} could not be written",
            "出力先が閉じられたため、{left} バイトを書けませんでした";
    }
}
error_message!(SessionError, Threads: ThreadsError);
