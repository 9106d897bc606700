//! The contest with the allocator `system`.

fn main() -> std::process::ExitCode {
    bantam_native_run::main("system")
}
