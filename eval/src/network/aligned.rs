//! Arrays of integers that start at a cache line, as the SIMD kernels like them.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Bytes of a cache line, and of the widest vector.
pub(crate) const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// Integers for which every bit pattern is a value and zero bytes mean 0.
///
/// # Safety
/// The type has no padding, no invalid bit pattern and an alignment and size that divide 64.
pub(crate) unsafe trait Plain: Copy {}

// SAFETY: a plain integer.
unsafe impl Plain for i8 {}
// SAFETY: a plain integer.
unsafe impl Plain for u8 {}
// SAFETY: a plain integer.
unsafe impl Plain for i16 {}
// SAFETY: a plain integer.
unsafe impl Plain for i32 {}

/// A heap array of fixed length, aligned to 64 bytes.
pub(crate) struct Aligned<T: Plain> {
    lines: Box<[Line]>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Plain> Aligned<T> {
    /// `len` zeros.
    pub(crate) fn zeroed(len: usize) -> Self {
        let lines = (len * size_of::<T>()).div_ceil(LINE);
        // SAFETY: zero bytes are a valid `Line`. Asking for zeroed memory rather than writing
        // zeros leaves it to the system to hand out its zero pages, which matters for 250 MB.
        let lines = unsafe { Box::<[Line]>::new_zeroed_slice(lines).assume_init() };
        Self { lines, len, element: PhantomData }
    }

    /// The elements as bytes, in the machine's order.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let bytes = self.len * size_of::<T>();
        // SAFETY: the lines hold at least that many initialised bytes, `T: Plain` takes any, and
        // the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), bytes) }
    }
}

impl<T: Plain> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Self { lines: self.lines.clone(), len: self.len, element: PhantomData }
    }
}

impl<T: Plain> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold `len` elements; `T: Plain` allows any bytes and is no stricter
        // aligned than a line.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl<T: Plain> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
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
