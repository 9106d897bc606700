//! The `bantam` command.

mod cli;

use bantam_allocations::CountingAllocator;

/// The system's, which counts in `weigh`.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> std::process::ExitCode {
    cli::run()
}
