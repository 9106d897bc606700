//! A layout compiled for the wire: per message one entry for each tag that a reader may meet, and one step for
//! each field that a writer has to write, in the order of field numbers.

use super::wire;
use crate::plan::{Whole, check_entries};
use crate::varint::spread7;
use bantam_model::{Cardinality, Encoding, EnumId, Error, ErrorKind, Int, Kind, Layout, MessageId, MessageLayout};
use bantam_model::{Presence, Result, Slot, Width};
use std::collections::HashMap;

/// The largest field number: 2^29 − 1.
const MOST_NUMBER: i32 = (1 << 29) - 1;

/// Numbers that the format keeps for itself.
const RESERVED: std::ops::RangeInclusive<i32> = 19_000..=19_999;

#[derive(Debug)]
pub(super) struct Tables {
    pub(super) messages: Vec<Table>,
    pub(super) root: u32,
    /// How many predictions there are: one an entry, and one a message for its first field.
    pub(super) predictions: usize,
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) id: MessageId,
    pub(super) stride: u32,
    /// Sorted by tag; the last one matches nothing and stands for the start of the message.
    pub(super) entries: Vec<Entry>,
    pub(super) steps: Vec<Step>,
    /// Where this message's predictions start.
    pub(super) first_prediction: usize,
    pub(super) unknown: Option<u32>,
    pub(super) whole: Whole,
    /// It is a map's entry: what the input leaves out is put in.
    pub(super) is_entry: bool,
    /// The words of its map fields, with the entries' messages.
    pub(super) maps: Vec<(u32, u32)>,
    small: Vec<u16>,
    large: HashMap<u32, u16>,
}

/// What to do with the value behind a tag. The first ones store one word and set a has-bit of the first word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// A varint as it is: `int64`, `uint64`.
    Varint,
    /// A varint's low 32 bits: `uint32`.
    Low32,
    /// A varint's low 32 bits with their sign: `int32`, enums.
    Signed32,
    /// `sint32`.
    Zigzag32,
    /// `sint64`.
    Zigzag64,
    Bool,
    /// `fixed32`, `float`.
    Fixed32,
    /// `sfixed32`.
    SignedFixed32,
    /// `fixed64`, `sfixed64`, `double`.
    Fixed64,
    Text,
    Bytes,
    /// One value that needs more than a store: in a oneof, of a closed enum, of 8 or 16 bits, or with a has-bit
    /// beyond the first word.
    Careful,
    Message,
    Group,
    /// An item of a list.
    Item,
    ItemMessage,
    ItemGroup,
    /// A packed list.
    Packed,
    /// Matches nothing.
    Start,
}

/// What a reader does with a tag.
#[derive(Debug)]
pub(super) struct Entry {
    /// The tag's bytes as they lie in the input, little-endian, and the mask for them.
    pub(super) tag_bytes: u64,
    pub(super) tag_mask: u64,
    pub(super) tag_len: u32,
    pub(super) op: Op,
    /// How one value is read where `op` is `Careful`, `Item` or `Packed`.
    pub(super) scalar: Op,
    pub(super) word: u32,
    pub(super) index: u32,
    pub(super) has: u64,
    /// Zero, false and empty are absence.
    pub(super) implicit: bool,
    /// The message of a message, group or list of them.
    pub(super) message: u32,
    pub(super) tag: u32,
    pub(super) check: Check,
}

/// What else a value must pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    Nothing,
    /// A value of a closed enum: others are unknown fields.
    Closed(EnumId),
    /// A whole number of 8 or 16 bits.
    Narrow(Int),
}

/// What a writer does for a field.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) tag_bytes: u64,
    pub(super) tag_len: u32,
    pub(super) op: Op,
    pub(super) scalar: Op,
    pub(super) word: u32,
    pub(super) index: u32,
    pub(super) message: u32,
    pub(super) item_words: u32,
    /// The end tag of a group.
    pub(super) end_tag: u64,
}

impl Tables {
    pub(super) fn new(layout: &Layout) -> Result<Self> {
        let mut predictions = 0;
        let mut messages = Vec::new();
        for message in layout.messages() {
            let name = &layout.schema().message(message.id).name;
            let table = Table::new(layout, message, predictions).map_err(|e| e.in_field(name))?;
            predictions += table.entries.len();
            messages.push(table);
        }
        Ok(Self { messages, root: layout.root().id.0, predictions })
    }
}

impl Table {
    fn new(layout: &Layout, message: &MessageLayout, first_prediction: usize) -> Result<Self> {
        let fields = &layout.schema().message(message.id).fields;
        let mut slots: Vec<&Slot> = message.slots.iter().collect();
        slots.sort_by_key(|s| s.number);
        let mut entries = Vec::new();
        let mut steps = Vec::new();
        for slot in slots {
            if !(1..=MOST_NUMBER).contains(&slot.number) || RESERVED.contains(&slot.number) {
                let text = format!("protobuf has no field number {}", slot.number);
                return Err(Error::new(ErrorKind::Unsupported, text).in_field(&slot.name));
            }
            let field = &fields[slot.index as usize];
            let plan = Plan::new(layout, slot, field.group, field.packed);
            plan.entries(&mut entries);
            steps.push(plan.step());
        }
        // A list of scalars has two entries, packed and not.
        check_entries(entries.len())?;
        let maps = message.slots.iter().filter(|s| s.cardinality == Cardinality::Map);
        let mut table = Self {
            id: message.id,
            stride: message.stride,
            first_prediction,
            unknown: message.unknown,
            whole: Whole::new(message),
            is_entry: message.shape == bantam_model::Shape::Entry,
            maps: maps.map(|s| (s.word, message_of(s.kind))).collect(),
            small: vec![u16::MAX; 256],
            large: HashMap::new(),
            entries,
            steps,
        };
        table.index();
        Ok(table)
    }

    fn index(&mut self) {
        for (at, entry) in self.entries.iter().enumerate() {
            match self.small.get_mut(entry.tag as usize) {
                Some(place) => *place = at as u16,
                None => drop(self.large.insert(entry.tag, at as u16)),
            }
        }
        self.entries.push(Entry {
            tag_bytes: 1,
            tag_mask: 0,
            tag_len: 1,
            op: Op::Start,
            scalar: Op::Start,
            word: 0,
            index: 0,
            has: 0,
            implicit: false,
            message: 0,
            tag: 0,
            check: Check::Nothing,
        });
    }

    /// The entry of a tag.
    #[inline]
    pub(super) fn find(&self, tag: u32) -> Option<usize> {
        let at = match self.small.get(tag as usize) {
            Some(&at) => at,
            None => *self.large.get(&tag)?,
        };
        (at != u16::MAX).then_some(at as usize)
    }

    /// The entry that stands for the start of the message.
    #[inline]
    pub(super) fn start(&self) -> usize {
        self.entries.len() - 1
    }
}

/// A field on its way into entries and a step.
struct Plan<'l> {
    slot: &'l Slot,
    scalar: Op,
    message: u32,
    item_words: u32,
    group: bool,
    packed: bool,
    check: Check,
}

impl<'l> Plan<'l> {
    fn new(layout: &Layout, slot: &'l Slot, group: bool, packed: bool) -> Self {
        let check = match slot.kind {
            Kind::Enum(id) if !layout.schema().enumeration(id).open => Check::Closed(id),
            Kind::Int(int) if int.width < Width::W32 => Check::Narrow(int),
            _ => Check::Nothing,
        };
        let (message, item_words) = (message_of(slot.kind), slot.item_words(layout));
        Self { slot, scalar: scalar(slot.kind), message, item_words, group, packed, check }
    }

    fn tag(&self, wire: u32) -> u32 {
        (self.slot.number as u32) << 3 | wire
    }

    fn wire(&self) -> u32 {
        match self.scalar {
            Op::Fixed32 | Op::SignedFixed32 => wire::I32,
            Op::Fixed64 => wire::I64,
            Op::Message if self.group => wire::SGROUP,
            Op::Text | Op::Bytes | Op::Message => wire::LEN,
            _ => wire::VARINT,
        }
    }

    fn can_pack(&self) -> bool {
        self.slot.cardinality.is_many() && !matches!(self.scalar, Op::Text | Op::Bytes | Op::Message)
    }

    fn op(&self) -> Op {
        let many = self.slot.cardinality.is_many();
        match self.scalar {
            Op::Message if many && self.group => Op::ItemGroup,
            Op::Message if many => Op::ItemMessage,
            Op::Message if self.group => Op::Group,
            Op::Message => Op::Message,
            _ if many => Op::Item,
            one if self.check == Check::Nothing && self.slot.rivals.is_empty() && self.slot.index < 64 => one,
            _ => Op::Careful,
        }
    }

    /// A list of scalars is read packed or not, whichever the schema says.
    fn entries(&self, entries: &mut Vec<Entry>) {
        entries.push(self.entry(self.tag(self.wire()), self.op()));
        if self.can_pack() {
            entries.push(self.entry(self.tag(wire::LEN), Op::Packed));
        }
    }

    fn entry(&self, tag: u32, op: Op) -> Entry {
        let (tag_bytes, tag_len) = spread7(tag.into());
        Entry {
            tag_bytes,
            tag_mask: (1 << (8 * tag_len)) - 1,
            tag_len,
            op,
            scalar: self.scalar,
            word: self.slot.word,
            index: self.slot.index,
            has: 1 << (self.slot.index % 64),
            implicit: self.slot.presence == Presence::Implicit,
            message: self.message,
            tag,
            check: self.check,
        }
    }

    fn step(&self) -> Step {
        let packed = self.packed && self.can_pack();
        let tag = self.tag(if packed { wire::LEN } else { self.wire() });
        let (tag_bytes, tag_len) = spread7(tag.into());
        let op = match self.op() {
            Op::Item if packed => Op::Packed,
            Op::Careful => self.scalar,
            op => op,
        };
        Step {
            tag_bytes,
            tag_len,
            op,
            scalar: self.scalar,
            word: self.slot.word,
            index: self.slot.index,
            message: self.message,
            item_words: self.item_words,
            end_tag: spread7(self.tag(wire::EGROUP).into()).0,
        }
    }
}

fn message_of(kind: Kind) -> u32 {
    match kind {
        Kind::Message(MessageId(id)) => id,
        _ => u32::MAX,
    }
}

fn scalar(kind: Kind) -> Op {
    match kind {
        Kind::Bool => Op::Bool,
        Kind::Int(Int { encoding: Encoding::Varint, width: Width::W64, .. }) => Op::Varint,
        Kind::Int(Int { encoding: Encoding::Varint, signed: false, .. }) => Op::Low32,
        Kind::Int(Int { encoding: Encoding::Varint, .. }) | Kind::Enum(_) => Op::Signed32,
        Kind::Int(Int { encoding: Encoding::Zigzag, width: Width::W64, .. }) => Op::Zigzag64,
        Kind::Int(Int { encoding: Encoding::Zigzag, .. }) => Op::Zigzag32,
        Kind::Int(Int { encoding: Encoding::Fixed, width: Width::W64, .. }) | Kind::Double => Op::Fixed64,
        Kind::Int(Int { encoding: Encoding::Fixed, signed: true, .. }) => Op::SignedFixed32,
        Kind::Int(Int { encoding: Encoding::Fixed, .. }) | Kind::Float => Op::Fixed32,
        Kind::String => Op::Text,
        Kind::Bytes => Op::Bytes,
        Kind::Message(_) => Op::Message,
    }
}
