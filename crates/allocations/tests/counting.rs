//! Counting, in a program whose allocator counts.

use bantam_allocations::{CountingAllocator, Counts, counted};
use std::hint::black_box;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn of(run: impl FnOnce()) -> (u64, u64, u64) {
    let Counts { count, bytes, peak_bytes } = counted(run).unwrap();
    (count, bytes, peak_bytes)
}

#[test]
fn what_is_allocated_is_counted() {
    assert_eq!(of(|| ()), (0, 0, 0));
    assert_eq!(of(|| drop(black_box(Box::new([0_u8; 24])))), (1, 24, 24));
    // One after the other, and both at once.
    let block = || black_box(vec![1_u8; 100]);
    assert_eq!(of(|| (drop(block()), drop(block())).0), (2, 200, 100));
    assert_eq!(of(|| drop((block(), block()))), (2, 200, 200));
    assert_eq!(of(|| drop(black_box(vec![0_u8; 100]))), (1, 100, 100), "zeroed");
}

#[test]
fn a_reallocation_counts_what_it_grows_by() {
    let grown = of(|| {
        let mut text: Vec<u8> = black_box(Vec::with_capacity(10));
        text.reserve_exact(30);
        text.push(1);
        text.shrink_to_fit();
        drop(black_box(text));
    });
    assert_eq!(grown, (3, 30, 30));
}

#[test]
fn freeing_what_was_there_before_makes_room() {
    let before = black_box(vec![1_u8; 1_000]);
    let counts = of(|| {
        drop(before);
        drop(black_box(vec![1_u8; 600]));
    });
    assert_eq!(counts, (1, 600, 0));
}

#[test]
fn an_inner_count_is_its_own() {
    let mut inner = None;
    let outer = of(|| {
        drop(black_box(Box::new(1_u64)));
        inner = counted(|| drop(black_box(Box::new([1_u64; 4]))));
        drop(black_box(Box::new(1_u64)));
    });
    assert_eq!(outer, (2, 16, 8));
    assert_eq!(inner.unwrap(), Counts { count: 1, bytes: 32, peak_bytes: 32 });
}

#[test]
fn other_threads_do_not_count() {
    let (to, from) = std::sync::mpsc::channel::<()>();
    let other = std::thread::spawn(move || {
        while from.recv_timeout(std::time::Duration::from_millis(1)).is_err() {
            drop(black_box(vec![0_u8; 4_096]));
        }
    });
    let counts = of(|| {
        for _ in 0..1_000 {
            drop(black_box(vec![0_u8; 10]));
        }
    });
    to.send(()).unwrap();
    other.join().unwrap();
    assert_eq!(counts, (1_000, 10_000, 10));
}
