//! Counting what code allocates.
//!
//! A program that has [`CountingAllocator`] as its global allocator can ask for the allocations of a closure with
//! [`counted`]. Everything else goes to the system's allocator as it would without: while nothing is counted, an
//! allocation costs one look at a flag of its thread besides. Reallocation stays reallocation.
//!
//! ```
//! use bantam_allocations::{CountingAllocator, counted};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! let counts = counted(|| drop(std::hint::black_box(vec![0_u8; 100]))).expect("the allocator is the program's");
//! assert_eq!((counts.count, counts.bytes, counts.peak_bytes), (1, 100, 100));
//! ```
//!
//! This is the one crate of the workspace with `unsafe`: [`GlobalAlloc`] is an unsafe trait.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts when [`counted`] asks for it.
#[derive(Debug, Clone, Copy, Default)]
pub struct CountingAllocator;

/// What a closure allocated, on its own thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// How often memory was asked for: allocations, and reallocations of either direction.
    pub count: u64,
    /// How many bytes in all; of a reallocation, those that it grew by.
    pub bytes: u64,
    /// The most bytes that were held at one time, beyond what was held before. That a reallocation may hold the old
    /// and the new place for a moment is the allocator's own affair and not counted.
    pub peak_bytes: u64,
}

/// What has been counted on a thread.
#[derive(Debug, Clone, Copy)]
struct Tally {
    counts: Counts,
    /// Bytes held beyond those at the start; below zero when more was freed.
    held: i64,
}

impl Tally {
    const ZERO: Self = Self { counts: Counts { count: 0, bytes: 0, peak_bytes: 0 }, held: 0 };

    fn grown(mut self, old: usize, new: usize) -> Self {
        self.counts.count += 1;
        self.counts.bytes += new.saturating_sub(old) as u64;
        self.held += new as i64 - old as i64;
        self.counts.peak_bytes = self.counts.peak_bytes.max(self.held.max(0) as u64);
        self
    }
}

thread_local! {
    // Constant and without a destructor, so that reading them never allocates.
    static COUNTING: Cell<bool> = const { Cell::new(false) };
    static TALLY: Cell<Tally> = const { Cell::new(Tally::ZERO) };
}

/// Runs the closure and tells what it allocated on this thread; `None` if [`CountingAllocator`] is not the program's
/// allocator. What is freed counts for the peak, whoever allocated it. Inside another [`counted`], nothing of the
/// inner closure counts for the outer one.
pub fn counted(run: impl FnOnce()) -> Option<Counts> {
    let _outer = Outer { counting: COUNTING.get(), tally: TALLY.get() };
    // One allocation of our own shows whether anyone counts.
    start();
    drop(std::hint::black_box(Box::new(0_u8)));
    let counts = TALLY.get().counts.count > 0;
    start();
    run();
    counts.then_some(TALLY.get().counts)
}

/// What was being counted before, which goes on afterwards, also when the closure panics.
struct Outer {
    counting: bool,
    tally: Tally,
}

impl Drop for Outer {
    fn drop(&mut self) {
        COUNTING.set(self.counting);
        TALLY.set(self.tally);
    }
}

fn start() {
    TALLY.set(Tally::ZERO);
    COUNTING.set(true);
}

/// Notes a block that was of `old` bytes and is of `new` now. At a thread's end there is nobody left to count for.
#[inline]
fn note(old: usize, new: usize) {
    if COUNTING.try_with(Cell::get).unwrap_or(false) {
        let _ = TALLY.try_with(|tally| {
            let now = tally.get();
            // Freeing is no request.
            tally.set(if new == 0 { Tally { held: now.held - old as i64, ..now } } else { now.grown(old, new) });
        });
    }
}

// SAFETY: every call goes to `System` unchanged, which keeps the contract of `GlobalAlloc`; counting allocates nothing,
// does not unwind, and touches only cells of the thread.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(0, layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, and it is handed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(0, layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(layout.size(), size);
        // SAFETY: as above; `block` is from `System`, since all blocks are.
        unsafe { System.realloc(block, layout, size) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}
