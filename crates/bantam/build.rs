//! Hands the compiler's version and the target to the program, which names them in every weigh-in.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("TARGET").expect("cargo says what it builds for");
    println!("cargo::rustc-env=BANTAM_TARGET={target}");
    let compiler = env::var("RUSTC").expect("cargo says what it builds with");
    // Without an answer the weigh-in names none.
    if let Ok(output) = Command::new(compiler).arg("--version").output()
        && let Ok(version) = String::from_utf8(output.stdout)
    {
        println!("cargo::rustc-env=BANTAM_RUSTC={}", version.trim());
    }
}
