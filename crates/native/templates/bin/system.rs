//! The contest with the allocator `system`, which counts when it is told to, as that of Bantam itself.

#[global_allocator]
static ALLOCATOR: bantam_allocations::CountingAllocator = bantam_allocations::CountingAllocator;

fn main() -> std::process::ExitCode {
    bantam_native_run::main("system")
}
