//! Arrays on large pages, where the system gives them.
//!
//! Histories are read all over the place: on small pages nearly every look would also miss the
//! processor's buffer of page addresses.

use bytemuck::Pod;
use memmap2::MmapMut;
use std::alloc::{Layout, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A large page on the systems that we know; elsewhere it does no harm.
const LARGE_PAGE: usize = 2 << 20;

/// An array of fixed length, on large pages if the system has some.
pub struct LargePages<T: Pod> {
    pages: MmapMut,
    length: usize,
    element: PhantomData<T>,
}

impl<T: Pod> LargePages<T> {
    /// `length` elements of zero bytes. Like a `Vec`, it ends the process when there is no memory.
    pub fn zeroed(length: usize) -> Self {
        let layout = Layout::array::<T>(length).unwrap_or(Layout::new::<T>());
        let bytes = layout.size().next_multiple_of(LARGE_PAGE);
        let pages = MmapMut::map_anon(bytes).unwrap_or_else(|_| handle_alloc_error(layout));
        // A wish, no more.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Self { pages, length, element: PhantomData }
    }
}

impl<T: Pod> Deref for LargePages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the pages hold `length` elements, zeroes to begin with; any bytes are a valid
        // `T: Pod`, and pages are aligned stricter than any type that we keep in them.
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast(), self.length) }
    }
}

impl<T: Pod> DerefMut for LargePages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.pages.as_mut_ptr().cast(), self.length) }
    }
}

/// Asks for the cache line of a value that will be needed soon.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect on memory, and SSE is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>((&raw const *value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
