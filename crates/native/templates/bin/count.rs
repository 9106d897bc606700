//! Counts what every contender allocates; nothing is timed.

#[global_allocator]
static ALLOCATOR: bantam_allocations::CountingAllocator = bantam_allocations::CountingAllocator;

fn main() -> std::process::ExitCode {
    bantam_native_run::count()
}
