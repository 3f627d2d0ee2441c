//! Arrays aligned to cache lines for SIMD code. Large arrays are placed on large pages if the
//! system provides them.
//!
//! Weights, histories and the transposition table are accessed at random. With small pages, nearly
//! every access would also miss the TLB.

mod available;

pub use available::{Available, NotEnoughMemory};

use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapRaw};
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Size in bytes of a cache line and of the widest vector.
pub const LINE: usize = 64;
/// Arrays of at least this many bytes get their own pages; none in WebAssembly, which has none to give.
const LARGE: usize = match () {
    () if cfg!(target_family = "wasm") => usize::MAX,
    // Small enough to test arrays of both kinds.
    () if cfg!(miri) => 4 << 10,
    () => 64 << 10,
};
/// Size of a large page on the supported systems. Harmless on others.
const LARGE_PAGE: usize = 2 << 20;

/// An array of fixed length, aligned to 64 bytes.
pub struct Aligned<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
    /// The memory mapping; `None` if the array is on the heap.
    pages: Option<MmapRaw>,
}

// SAFETY: it owns its elements, as a `Box` does.
unsafe impl<T: Zeroable + Send> Send for Aligned<T> {}
// SAFETY: a shared reference to it gives only shared references to its elements.
unsafe impl<T: Zeroable + Sync> Sync for Aligned<T> {}

impl<T: Zeroable> Aligned<T> {
    /// Allocates `len` elements of zero bytes. Aborts if out of memory, as `Vec` does.
    pub fn zeroed(len: usize) -> Self {
        let wanted = || layout::<T>(len).unwrap_or(Layout::new::<T>());
        Self::try_zeroed(len).unwrap_or_else(|| handle_alloc_error(wanted()))
    }

    /// Allocates `len` elements of zero bytes; `None` if out of memory.
    pub fn try_zeroed(len: usize) -> Option<Self> {
        let layout = layout::<T>(len)?;
        let pages = if layout.size() < LARGE { None } else { Some(map(layout.size())?) };
        let start = match &pages {
            Some(pages) => pages.as_mut_ptr(),
            // SAFETY: the layout has a nonzero size of at least one cache line.
            None => unsafe { alloc_zeroed(layout) },
        };
        Some(Self { start: NonNull::new(start)?.cast(), len, pages })
    }
}

/// The layout of `len` elements in whole cache lines; `None` if the size is too large.
fn layout<T>(len: usize) -> Option<Layout> {
    const { assert!(align_of::<T>() <= LINE && !std::mem::needs_drop::<T>()) };
    let bytes = size_of::<T>().checked_mul(len)?.max(1);
    Some(Layout::from_size_align(bytes, LINE).ok()?.pad_to_align())
}

/// Maps pages of zero bytes.
fn map(bytes: usize) -> Option<MmapRaw> {
    let pages = MmapMut::map_anon(bytes.checked_next_multiple_of(LARGE_PAGE)?).ok()?;
    // Only a hint; failure is ignored. Miri has no `madvise`.
    #[cfg(all(target_os = "linux", not(miri)))]
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(pages.into())
}

impl<T: Zeroable> Drop for Aligned<T> {
    fn drop(&mut self) {
        if let (None, Some(layout)) = (&self.pages, layout::<T>(self.len)) {
            // SAFETY: it was allocated on the heap with this layout.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}

impl<T: Zeroable> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the memory holds `len` elements as long as `self` lives. They are valid from the
        // beginning (`Zeroable`); cache lines and pages are aligned at least as strictly as `T`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable + Copy> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Zeroable + Copy> FromIterator<T> for Aligned<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        let mut aligned = Self::zeroed(items.len());
        aligned.copy_from_slice(&items);
        aligned
    }
}

/// Prefetches the cache line of a value that will be needed soon.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect on memory, and every x86-64 CPU has SSE.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>((&raw const *value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_all_sizes_are_blank_aligned_and_their_own() {
        // Miri would take minutes for more than one large page.
        let large = if cfg!(miri) { LARGE } else { LARGE_PAGE };
        for len in [0, 1, 31, 32, 33, LARGE / 2 - 1, LARGE / 2, large / 2, large + 1] {
            let mut array = Aligned::<i16>::zeroed(len);
            assert_eq!(array.len(), len);
            assert_eq!(array.as_ptr() as usize % LINE, 0);
            assert!(array.iter().all(|&value| value == 0));
            let copy = array.clone();
            array.iter_mut().enumerate().for_each(|(i, value)| *value = i as i16);
            assert!(copy.iter().all(|&value| value == 0));
            let again: Aligned<i16> = (0..len).map(|i| i as i16).collect();
            assert_eq!(*again, *array);
        }
    }

    #[test]
    fn what_no_memory_holds_is_refused() {
        assert!(Aligned::<u64>::try_zeroed(usize::MAX / 2).is_none());
        assert!(Aligned::<u64>::try_zeroed(isize::MAX as usize / 8).is_none());
    }
}
