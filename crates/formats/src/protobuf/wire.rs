//! Wire types: the low three bits of a tag. "Message Structure" in
//! <https://protobuf.dev/programming-guides/encoding/>.

/// A varint: 7 bits a byte, at most 10 bytes.
pub(super) const VARINT: u32 = 0;
/// Eight bytes, little-endian.
pub(super) const I64: u32 = 1;
/// A varint of the bytes that follow, and those bytes.
pub(super) const LEN: u32 = 2;
/// Opens a group.
pub(super) const SGROUP: u32 = 3;
/// Closes a group.
pub(super) const EGROUP: u32 = 4;
/// Four bytes, little-endian.
pub(super) const I32: u32 = 5;
