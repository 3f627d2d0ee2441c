//! Arrays of numbers that start at a cache line, as SIMD kernels like them.

use memmap2::MmapMut;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Bytes of a cache line, and of the widest vector.
pub(crate) const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// Numbers for which every bit pattern is a value and zero bytes mean 0.
///
/// # Safety
/// The type has no padding, no invalid bit pattern and an alignment and size that divide 64.
pub unsafe trait Plain: Copy {}

// SAFETY: a plain integer.
unsafe impl Plain for i8 {}
// SAFETY: a plain integer.
unsafe impl Plain for u8 {}
// SAFETY: a plain integer.
unsafe impl Plain for i16 {}
// SAFETY: a plain integer.
unsafe impl Plain for i32 {}
// SAFETY: every bit pattern is a number or not one, but a value; 4 bytes.
unsafe impl Plain for f32 {}

/// From this size on an array gets pages of its own, large ones where the system gives them: the
/// rows of a move are scattered, and small pages would miss the processor's page buffer.
const LARGE: usize = 512 << 10;
/// A large page on the systems that we know; elsewhere it does no harm.
const LARGE_PAGE: usize = 2 << 20;

enum Memory {
    Heap(Box<[Line]>),
    Mapped(MmapMut),
}

/// An array of fixed length, aligned to 64 bytes.
pub struct Aligned<T: Plain> {
    memory: Memory,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Plain> Aligned<T> {
    /// `len` zeros.
    pub fn zeroed(len: usize) -> Self {
        let bytes = len * size_of::<T>();
        let memory = mapped(bytes).unwrap_or_else(|| {
            let lines = bytes.div_ceil(LINE);
            // SAFETY: zero bytes are a valid `Line`.
            Memory::Heap(unsafe { Box::<[Line]>::new_zeroed_slice(lines).assume_init() })
        });
        Self { memory, len, element: PhantomData }
    }

    #[inline(always)]
    fn start(&self) -> *const u8 {
        match &self.memory {
            Memory::Heap(lines) => lines.as_ptr().cast(),
            Memory::Mapped(pages) => pages.as_ptr(),
        }
    }

    #[inline(always)]
    fn start_mut(&mut self) -> *mut u8 {
        match &mut self.memory {
            Memory::Heap(lines) => lines.as_mut_ptr().cast(),
            Memory::Mapped(pages) => pages.as_mut_ptr(),
        }
    }

    /// The elements as bytes, in the machine's order.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let bytes = self.len * size_of::<T>();
        // SAFETY: the memory holds at least that many initialised bytes, `T: Plain` takes any,
        // and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.start_mut(), bytes) }
    }
}

/// Pages for a large array; `None` for a small one, or if the system refuses.
fn mapped(bytes: usize) -> Option<Memory> {
    if bytes < LARGE {
        return None;
    }
    let pages = MmapMut::map_anon(bytes.next_multiple_of(LARGE_PAGE)).ok()?;
    // A wish, no more.
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(Memory::Mapped(pages))
}

impl<T: Plain> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Plain> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the memory holds `len` elements, zeroed to begin with; `T: Plain` allows any
        // bytes and is no stricter aligned than a line; pages are aligned stricter still.
        unsafe { std::slice::from_raw_parts(self.start().cast(), self.len) }
    }
}

impl<T: Plain> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.start_mut().cast(), self.len) }
    }
}

impl<T: Plain> FromIterator<T> for Aligned<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        let mut aligned = Self::zeroed(items.len());
        aligned.copy_from_slice(&items);
        aligned
    }
}
