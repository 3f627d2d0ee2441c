//! Work on threads of its own, while Python goes on.

use crossbeam_channel::{RecvTimeoutError, bounded};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;

/// How often Python is asked whether Ctrl-C was pressed.
pub const ASK: Duration = Duration::from_millis(50);

/// Runs a function on a thread with this stack size and waits for it without the interpreter's lock. The flag is set
/// when Ctrl-C is pressed.
///
/// # Errors
/// Ctrl-C was pressed, or there is no memory for the thread.
pub fn run<T: Send>(
    py: Python<'_>,
    stack: usize,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (sender, receiver) = bounded(1);
    thread::scope(|scope| {
        let stop = &stop;
        let thread = Builder::new().stack_size(stack).spawn_scoped(scope, move || {
            // Nobody waits any more after Ctrl-C.
            let _ = sender.send(work(stop));
        });
        let thread = thread.map_err(|error| PyOSError::new_err(error.to_string()))?;
        let done = loop {
            match py.detach(|| receiver.recv_timeout(ASK)) {
                Ok(result) => break Ok(result),
                Err(RecvTimeoutError::Timeout) => match py.check_signals() {
                    Ok(()) => {}
                    Err(error) => break Err(error),
                },
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(PyRuntimeError::new_err("the work ended with an internal error"));
                }
            }
        };
        stop.store(true, Ordering::Relaxed);
        // What a panic said is in the error already.
        let _ = py.detach(|| thread.join());
        done
    })
}
