//! Weighings that are kept and held against budgets.

use crate::command::{Folder, bantam};

const WEIGH: [&str; 8] =
    ["weigh", "--sample", "dns", "--records", "200", "--quick", "--formats", "protobuf,json/bantam"];

#[test]
fn a_weighing_is_kept_and_compared() {
    let folder = Folder::new();
    let (kept, more) = (folder.path("a.json"), folder.path("b.json"));
    bantam(&[&WEIGH[..], &["--save", &kept]].concat()).ok();
    let again = bantam(&[&WEIGH[..], &["--against", &kept, "--save", &more]].concat()).ok();
    assert!(again.err.contains("figures are the same") && !again.err.contains("bytes:"), "{}", again.err);
    assert!(!folder.read("b.json").is_empty());
    // Another seed is another input.
    let other = bantam(&[&WEIGH[..], &["--seed", "2", "--against", &kept]].concat()).ok();
    assert!(other.err.contains("another input (seed)"), "{}", other.err);
    let junk = folder.file("junk.json", "[]");
    let err = bantam(&[&WEIGH[..], &["--against", &junk]].concat()).fails(1);
    assert!(err.contains("it is no weighing"), "{err}");
}

#[test]
fn a_broken_budget_is_exit_code_1() {
    let folder = Folder::new();
    let kept = folder.path("a.json");
    bantam(&[&WEIGH[..], &["--save", &kept]].concat()).ok();
    let budget = "protobuf<=5KB, protobuf<=1x, decode protobuf<=1000x, json+zlib<=1.0x";
    let done = bantam(&[&WEIGH[..], &["--against", &kept, "--budget", budget]].concat()).ok();
    assert_eq!(done.err.matches("kept: ").count(), 4, "{}", done.err);
    for broken in ["protobuf<=1KB", "protobuf<=0.9x", "decode protobuf<=1ns", "xml<=1GB"] {
        let run = bantam(&[&WEIGH[..], &["--against", &kept, "--budget", broken]].concat());
        assert!(run.code == 1 && run.err.contains(&format!("BROKEN: {broken}")), "{broken}: {}", run.err);
    }
    for wrong in ["protobuf", "decode protobuf<=5KB"] {
        let err = bantam(&[&WEIGH[..], &["--budget", wrong]].concat()).fails(2);
        assert!(err.contains("write for example"), "{err}");
    }
    let err = bantam(&[&WEIGH[..], &["--budget", "protobuf<=1x"]].concat()).fails(2);
    assert!(err.contains("--against FILE"), "{err}");
}
