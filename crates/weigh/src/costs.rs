//! What a row costs besides its bytes and times: memory, and which field the bytes are of.

use serde::{Deserialize, Serialize};

/// What one run allocates, for the whole batch of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Allocations {
    /// `count`: how often memory was asked for.
    pub count: u64,
    /// `bytes`: how much in all.
    pub bytes: u64,
    /// `peak_bytes`: the most that was held at one time, beyond what was held before.
    pub peak_bytes: u64,
}

/// The allocations of a row, counted in a pass of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// `first_encode`: of writing for the first time, into an empty buffer.
    pub first_encode: Option<Allocations>,
    /// `encode`: of writing again, into a buffer that has grown before.
    pub encode: Option<Allocations>,
    /// `first_decode`: of reading for the first time, into nothing.
    pub first_decode: Option<Allocations>,
    /// `decode`: of reading again, into what has grown before, where the codec reuses it.
    pub decode: Option<Allocations>,
}

/// The bytes of one field over all records.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldCost {
    /// `path`: the field, such as `phases[].time.secs`; empty for what belongs to no field, as the framing.
    pub path: String,
    /// `count`: how many values there are.
    pub count: u64,
    /// `tag_bytes`: the bytes that name the field.
    pub tag_bytes: u64,
    /// `length_bytes`: the bytes that say how long it is, or how many.
    pub length_bytes: u64,
    /// `value_bytes`: the bytes of its values; of a message, none but those of its fields.
    pub value_bytes: u64,
    /// `compressed_bytes`: how much smaller the compressed records are without it; `null` where that was not tried.
    pub compressed_bytes: Option<i64>,
}

impl FieldCost {
    /// All its bytes.
    pub fn bytes(&self) -> u64 {
        self.tag_bytes + self.length_bytes + self.value_bytes
    }
}
