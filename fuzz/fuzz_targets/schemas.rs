//! Any bytes, read as a schema: if they can be read, then what is printed of them has to be read, and printed alike.
#![no_main]

use bantam::model::source::{read, to_proto};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, input)) = data.split_first() else { return };
    let name = ["a.proto", "a.thrift", "a.binpb"][*first as usize % 3];
    let Ok(source) = read(name, input, &[]) else { return };
    let text = to_proto(&source.schema, None);
    let again = read("b.proto", text.as_bytes(), &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(to_proto(&again.schema, None), text);
});
