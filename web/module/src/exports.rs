//! The functions of the module. Texts are UTF-8. The caller asks for a buffer with [`monomi_buffer`],
//! writes its input there and calls one of the others, which read all of it. Output comes through
//! the imported function `output` before they return.

use crate::{File, Instance, Output};
use monomi_usi::Next;
use std::time::Duration;

#[link(wasm_import_module = "monomi")]
unsafe extern "C" {
    /// Receives `length` bytes at `text`, valid during the call. `kind` is an [`Output`].
    #[link_name = "output"]
    fn host_output(kind: u32, text: *const u8, length: usize);
}

/// An instance and its input.
pub struct Handle {
    instance: Instance,
    input: Vec<u8>,
}

fn tell(kind: Output, text: &str) {
    // SAFETY: the host reads the bytes of the text, which lives until the call returns.
    unsafe { host_output(kind as u32, text.as_ptr(), text.len()) }
}

fn state(next: Next) -> u32 {
    match next {
        Next::Wait => 0,
        Next::Step => 1,
        Next::Quit => 2,
    }
}

/// Creates an instance, which lives as long as the module. Null if there is not enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn monomi_new() -> *mut Handle {
    std::panic::set_hook(Box::new(|panic| tell(Output::Panic, &panic.to_string())));
    match Instance::new() {
        Ok(instance) => Box::into_raw(Box::new(Handle { instance, input: Vec::new() })),
        Err(error) => {
            tell(Output::Panic, &error);
            std::ptr::null_mut()
        }
    }
}

/// The buffer for `length` bytes of input.
///
/// # Safety
/// `handle` comes from [`monomi_new`], and no other call for it is in progress.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monomi_buffer(handle: *mut Handle, length: usize) -> *mut u8 {
    // SAFETY: the caller's; JavaScript calls one function at a time.
    let handle = unsafe { &mut *handle };
    handle.input.clear();
    handle.input.resize(length, 0);
    handle.input.as_mut_ptr()
}

/// Executes the line of USI in the buffer. 1: call [`monomi_step`]; 2: `quit` was read.
///
/// # Safety
/// As for [`monomi_buffer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monomi_line(handle: *mut Handle) -> u32 {
    // SAFETY: the caller's.
    let handle = unsafe { &mut *handle };
    let line = String::from_utf8_lossy(&handle.input).into_owned();
    state(handle.instance.line(&line, &mut tell))
}

/// Continues a search for about so many milliseconds. 1: call it again.
///
/// # Safety
/// As for [`monomi_buffer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monomi_step(handle: *mut Handle, milliseconds: u32) -> u32 {
    // SAFETY: the caller's.
    let handle = unsafe { &mut *handle };
    state(handle.instance.step(Duration::from_millis(milliseconds.into()), &mut tell))
}

/// Answers the request in the buffer.
///
/// # Safety
/// As for [`monomi_buffer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monomi_request(handle: *mut Handle) {
    // SAFETY: the caller's.
    let handle = unsafe { &mut *handle };
    let request = String::from_utf8_lossy(&handle.input).into_owned();
    handle.instance.request(&request, &mut tell);
}

/// Takes the file in the buffer: game records (0) or a network (1).
///
/// # Safety
/// As for [`monomi_buffer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monomi_load(handle: *mut Handle, kind: u32) {
    // SAFETY: the caller's.
    let handle = unsafe { &mut *handle };
    let bytes = std::mem::take(&mut handle.input);
    let file = if kind == 0 { File::Records } else { File::Network };
    handle.instance.load(file, &bytes, &mut tell);
}
