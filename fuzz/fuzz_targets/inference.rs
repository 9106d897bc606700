//! Any bytes in a format without a schema: if one can be inferred, then it is sound, and the records can be read by it.
#![no_main]

use bantam::formats::{FORMATS, Format};
use bantam::model::{ErrorKind, Layout, Limits};
use bantam::{Dataset, Input, Request, infer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&first, bytes)) = data.split_first() else { return };
    let inferred: Vec<&'static Format> = FORMATS.iter().copied().filter(|f| f.text && f.name != "xml").collect();
    let format = inferred[first as usize % inferred.len()];
    let limits = Limits::default().depth(20).list_items(10_000).batch_bytes(4 << 20);
    let Ok(found) = infer(format, &[("records", bytes)], &limits) else { return };
    Layout::new(found.schema.into(), found.root).expect("an inferred schema is sound");
    let Ok(input) = Input::new("records", bytes.to_vec()) else { return };
    let request = Request { from: Some(format), limits, ..Request::default() };
    if let Err(error) = Dataset::read(&input, &request) {
        // An array where lines are due, and a cell whose quotes do not end, only the reader refuses.
        let stricter =
            matches!((format.name, error.kind()), ("ndjson", ErrorKind::Mismatch) | ("csv", ErrorKind::Truncated));
        assert!(stricter, "{}: {error}", format.name);
    }
});
