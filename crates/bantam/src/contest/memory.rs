//! What codecs allocate: counted in a pass of its own, so that it disturbs no time.

use super::time::{build, decode_with, encode_with};
use super::{Entry, Timed, spare};
use crate::weigh::{Allocations, Memory};
use bantam_allocations::counted;

/// Counts what every row allocates; leaves the rows as they are in a program whose allocator does not count.
pub(super) fn count(entries: &mut [Entry<'_>]) {
    for entry in entries {
        if let Some(timed) = &entry.timed {
            entry.row.memory = memory(timed, &entry.bytes);
        }
    }
}

fn memory(timed: &Timed<'_>, bytes: &[u8]) -> Option<Memory> {
    // A codec of its own for each way, as when times are taken. Building it is not counted: it is done once.
    let mut memory = Memory::default();
    if timed.files.is_empty() {
        let (mut codec, mut out, mut ends) = (build(timed), Vec::new(), Vec::new());
        let mut run = || allocations(&mut || encode_with(&mut *codec, timed, &mut out, &mut ends));
        memory.first_encode = Some(run()?);
        memory.encode = Some(run()?);
    }
    let (mut codec, mut batch) = (build(timed), spare(timed.given.batch()));
    let mut run = || allocations(&mut || decode_with(&mut *codec, timed, bytes, &mut batch));
    memory.first_decode = Some(run()?);
    memory.decode = Some(run()?);
    Some(memory)
}

fn allocations(run: &mut dyn FnMut()) -> Option<Allocations> {
    let counts = counted(run)?;
    Some(Allocations { count: counts.count, bytes: counts.bytes, peak_bytes: counts.peak_bytes })
}
