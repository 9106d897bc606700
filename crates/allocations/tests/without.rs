//! In a program with another allocator, there is nothing to tell.

#[test]
fn without_the_allocator_there_are_no_counts() {
    assert_eq!(bantam_allocations::counted(|| drop(std::hint::black_box(vec![0_u8; 100]))), None);
}
