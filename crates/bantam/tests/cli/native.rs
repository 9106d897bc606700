//! `bantam weigh --native`, as far as it goes without the registry.

use crate::command::{Folder, bantam_in};

#[test]
fn without_cargo_it_says_so_before_anything_is_weighed() {
    let folder = Folder::new();
    let nothing = folder.path("nothing");
    let environment = [("PATH", &nothing[..]), ("XDG_CACHE_HOME", &nothing[..])];
    let said =
        bantam_in(&environment, &["weigh", "--sample", "dns", "--records", "10", "--quick", "--native"]).fails(2);
    let reason = "the native lane compiles what it generates, and there is no cargo: install Rust by rustup";
    assert!(said.contains(reason), "{said}");
}
