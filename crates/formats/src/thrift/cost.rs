//! Which field each byte belongs to: headers, lengths and values of both protocols.

use super::protocol::{Cursor, Protocol};
use super::table::Type;
use crate::codec::Framing;
use crate::cost::{Account, NOTHING};
use bantam_model::{Error, ErrorKind, Kind, Layout, Limits, MessageId, Result, Shape, Slot};
use std::marker::PhantomData;

/// Adds the bytes of a file that was written by a schema.
pub(super) fn count<P: Protocol>(layout: &Layout, bytes: &[u8], framing: Framing, account: &mut Account) -> Result<()> {
    let from = Cursor { input: bytes, at: 0, end: bytes.len() };
    let mut walk = Walk::<P> { layout, from, account, protocol: PhantomData };
    let root = layout.root().id;
    if framing != Framing::List {
        while walk.from.at < bytes.len() {
            walk.structure(Some(root), NOTHING, 1)?;
        }
        return Ok(());
    }
    P::read_field(&mut walk.from, 0)?;
    walk.took(0, NOTHING, Part::Tag);
    let start = walk.from.at;
    let (_, count) = P::read_list(&mut walk.from)?;
    walk.took(start, NOTHING, Part::Length);
    for _ in 0..count {
        walk.structure(Some(root), NOTHING, 1)?;
    }
    let start = walk.from.at;
    P::read_field(&mut walk.from, 0)?;
    walk.took(start, NOTHING, Part::Length);
    Ok(())
}

#[derive(Clone, Copy)]
enum Part {
    Tag,
    Length,
    Value,
}

struct Walk<'w, P> {
    layout: &'w Layout,
    from: Cursor<'w>,
    account: &'w mut Account,
    protocol: PhantomData<P>,
}

impl<'w, P: Protocol> Walk<'w, P> {
    /// Counts what was read since a place of the input.
    fn took(&mut self, start: usize, place: usize, part: Part) {
        let bytes = (self.from.at - start) as u64;
        let cost = self.account.of(place);
        match part {
            Part::Tag => cost.tag += bytes,
            Part::Length => cost.length += bytes,
            Part::Value => cost.value += bytes,
        }
    }

    /// A struct. Its end is a byte of its length.
    fn structure(&mut self, id: Option<MessageId>, place: usize, depth: u32) -> Result<()> {
        Limits::default().depth(Limits::MOST_DEPTH).check_depth(depth)?;
        let layout: &'w Layout = self.layout;
        let mut last = 0;
        loop {
            let start = self.from.at;
            let (of, number, header) = P::read_field(&mut self.from, last)?;
            if of == Type::Stop {
                self.took(start, place, Part::Length);
                return Ok(());
            }
            last = number;
            let slot = id.and_then(|id| layout.message(id).by_number(i32::from(number)));
            let field = match slot {
                Some(slot) => self.account.field(place, slot),
                None => self.account.unknown(place),
            };
            self.took(start, field, Part::Tag);
            if header.is_some() {
                self.account.of(field).count += 1;
            } else {
                self.value(of, slot, field, depth)?;
            }
        }
    }

    fn value(&mut self, of: Type, slot: Option<&'w Slot>, field: usize, depth: u32) -> Result<()> {
        let message = slot.and_then(|s| if let Kind::Message(id) = s.kind { Some(id) } else { None });
        let start = self.from.at;
        match of {
            Type::List | Type::Set => {
                let (item, count) = P::read_list(&mut self.from)?;
                self.took(start, field, Part::Length);
                for _ in 0..count {
                    self.item(item, slot, message, field, depth + 1)?;
                }
                return Ok(());
            }
            Type::Map => return self.map(message, field, depth + 1),
            _ => {}
        }
        self.item(of, slot, message, field, depth + 1)
    }

    /// One value that is no field's list: of a list, or by itself.
    fn item(
        &mut self,
        of: Type,
        slot: Option<&'w Slot>,
        message: Option<MessageId>,
        field: usize,
        depth: u32,
    ) -> Result<()> {
        Limits::default().depth(Limits::MOST_DEPTH).check_depth(depth)?;
        let layout: &'w Layout = self.layout;
        let start = self.from.at;
        if !matches!(of, Type::List | Type::Set | Type::Map) {
            self.account.of(field).count += 1;
        }
        match of {
            Type::Struct => return self.structure(message, field, depth),
            // A list in a list has a message of its own in the schema.
            Type::List | Type::Set | Type::Map => {
                let inner = message.map(|id| layout.message(id)).filter(|m| m.shape == Shape::Wrapper);
                let slot = inner.map(|m| &m.slots[0]).or(slot);
                let field = if inner.is_some() { slot.map_or(field, |s| self.account.field(field, s)) } else { field };
                return self.value(of, slot, field, depth);
            }
            Type::Bool => drop(P::read_bool(&mut self.from)?),
            Type::Double => drop(P::read_double(&mut self.from)?),
            Type::Binary => {
                let len = P::read_length(&mut self.from)?;
                self.took(start, field, Part::Length);
                let start = self.from.at;
                self.from.slice(len)?;
                self.took(start, field, Part::Value);
                return Ok(());
            }
            Type::Byte | Type::I16 | Type::I32 | Type::I64 => drop(P::read_int(&mut self.from, of)?),
            other => return Err(Error::new(ErrorKind::Syntax, format!("a value of {other:?}")).at_byte(start)),
        }
        self.took(start, field, Part::Value);
        Ok(())
    }

    fn map(&mut self, entry: Option<MessageId>, field: usize, depth: u32) -> Result<()> {
        let layout: &'w Layout = self.layout;
        let start = self.from.at;
        let (key, value, count) = P::read_map(&mut self.from)?;
        self.took(start, field, Part::Length);
        let slots = entry.map(|id| &layout.message(id).slots);
        let slot = |at: usize| slots.and_then(|slots| slots.get(at));
        for _ in 0..count {
            self.account.of(field).count += 1;
            for (of, slot) in [(key, slot(0)), (value, slot(1))] {
                let place = slot.map_or(field, |slot| self.account.field(field, slot));
                self.value(of, slot, place, depth)?;
            }
        }
        Ok(())
    }
}
