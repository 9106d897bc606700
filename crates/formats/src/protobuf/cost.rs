//! Which field each byte belongs to: tags, lengths and values of the wire format.

use crate::codec::Framing;
use crate::cost::{Account, NOTHING};
use crate::varint::{truncated, varint};
use bantam_model::{Encoding, Error, ErrorKind, Kind, Layout, Limits, MessageId, Result, Slot, Width};

/// Adds the bytes of a file that was written by a schema.
pub(super) fn count(layout: &Layout, bytes: &[u8], framing: Framing, account: &mut Account) -> Result<()> {
    let mut walk = Walk { layout, bytes, at: 0, account };
    let root = layout.root().id;
    match framing {
        Framing::Each => walk.message(root, bytes.len(), NOTHING, 1),
        Framing::Stream => {
            while walk.at < bytes.len() {
                let end = walk.length(NOTHING, bytes.len())?;
                walk.message(root, end, NOTHING, 1)?;
            }
            Ok(())
        }
        Framing::List => {
            while walk.at < bytes.len() {
                walk.account.of(NOTHING).tag += walk.varint(bytes.len())?.1;
                let end = walk.length(NOTHING, bytes.len())?;
                walk.message(root, end, NOTHING, 1)?;
            }
            Ok(())
        }
    }
}

struct Walk<'w> {
    layout: &'w Layout,
    bytes: &'w [u8],
    at: usize,
    account: &'w mut Account,
}

impl<'w> Walk<'w> {
    /// A varint, and how many bytes it has.
    fn varint(&mut self, end: usize) -> Result<(u64, u64)> {
        let start = self.at;
        let (value, after) = varint(self.bytes, start, end)?;
        self.at = after;
        Ok((value, (after - start) as u64))
    }

    /// A length, which counts for a place; gives the end of what it is of.
    fn length(&mut self, place: usize, end: usize) -> Result<usize> {
        let (len, bytes) = self.varint(end)?;
        self.account.of(place).length += bytes;
        if len > (end - self.at) as u64 {
            return Err(truncated("a value", end));
        }
        Ok(self.at + len as usize)
    }

    /// The fields of a message up to its end.
    fn message(&mut self, id: MessageId, end: usize, place: usize, depth: u32) -> Result<()> {
        while self.at < end {
            self.field(id, end, place, depth)?;
        }
        Ok(())
    }

    /// A field; gives whether it was the end of a group.
    fn field(&mut self, id: MessageId, end: usize, place: usize, depth: u32) -> Result<bool> {
        Limits::default().depth(Limits::MOST_DEPTH).check_depth(depth)?;
        let (tag, tag_bytes) = self.varint(end)?;
        let (number, wire) = ((tag >> 3) as i32, tag & 7);
        if wire == 4 {
            self.account.of(place).tag += tag_bytes;
            return Ok(true);
        }
        let layout: &'w Layout = self.layout;
        let slot = layout.message(id).by_number(number);
        let field = match slot {
            Some(slot) => self.account.field(place, slot),
            None => self.account.unknown(place),
        };
        self.account.of(field).tag += tag_bytes;
        self.value(slot, wire, end, field, depth)?;
        Ok(false)
    }

    fn value(&mut self, slot: Option<&Slot>, wire: u64, end: usize, field: usize, depth: u32) -> Result<()> {
        let message = slot.and_then(|s| if let Kind::Message(id) = s.kind { Some(id) } else { None });
        self.account.of(field).count += 1;
        match (wire, message) {
            (0, _) => {
                let bytes = self.varint(end)?.1;
                self.account.of(field).value += bytes;
            }
            (1, _) => self.skip(8, end, field)?,
            (5, _) => self.skip(4, end, field)?,
            (2, Some(id)) => {
                let inner = self.length(field, end)?;
                self.message(id, inner, field, depth + 1)?;
            }
            (2, None) => {
                let inner = self.length(field, end)?;
                let packed =
                    slot.is_some_and(|s| s.cardinality.is_many() && !matches!(s.kind, Kind::String | Kind::Bytes));
                if packed {
                    self.account.of(field).count += self.items(slot, inner).saturating_sub(1);
                }
                self.skip(inner - self.at, end, field)?;
            }
            (3, Some(id)) => while !self.field(id, end, field, depth + 1)? {},
            _ => return Err(Error::new(ErrorKind::Syntax, format!("no wire type {wire}")).at_byte(self.at)),
        }
        Ok(())
    }

    /// The items of a packed list up to its end.
    fn items(&self, slot: Option<&Slot>, end: usize) -> u64 {
        let width = match slot.map(|s| s.kind) {
            Some(Kind::Double) => 8,
            Some(Kind::Float) => 4,
            Some(Kind::Int(int)) if int.encoding == Encoding::Fixed => {
                if int.width == Width::W64 {
                    8
                } else {
                    4
                }
            }
            _ => return self.bytes[self.at..end].iter().filter(|&&b| b < 128).count() as u64,
        };
        ((end - self.at) / width) as u64
    }

    fn skip(&mut self, bytes: usize, end: usize, field: usize) -> Result<()> {
        if bytes > end - self.at {
            return Err(truncated("a value", end));
        }
        self.at += bytes;
        self.account.of(field).value += bytes as u64;
        Ok(())
    }
}
