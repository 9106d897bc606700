//! The contest with the allocator `mimalloc`.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    bantam_native_run::main("mimalloc")
}
