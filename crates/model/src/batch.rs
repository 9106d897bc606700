//! Many records of one message in one flat buffer.
//!
//! A batch is a buffer of 64 bit words that holds rows as [`Layout`] describes, the input that text may be
//! ranges of, and text of its own for what the input does not hold as it is. Nothing is allocated a
//! record; a batch that is used again allocates nothing at all. Everything is an offset, so rows move freely.
//!
//! Lists grow by doubling: a list of `n` items has room for the next power of two. A list at the end of the
//! buffer grows in place, any other moves to the end; as rows hold offsets only, that is a plain copy.

use crate::error::{Error, ErrorKind, Result};
use crate::layout::{Layout, MessageLayout, Slot};
use crate::limits::Limits;
use crate::row::Row;
use crate::schema::Kind;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Where text or bytes lie: offset, length, and whether in the input or in the batch's own text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span(u64);

impl Span {
    const OWN: u64 = 1 << 63;

    /// A range of the input. `len` is below 2 GiB ([`Limits::MOST_STRING_BYTES`]).
    #[inline]
    pub const fn of_input(offset: u32, len: u32) -> Self {
        Self(offset as u64 | (len as u64) << 32)
    }

    /// A range of the batch's own text.
    #[inline]
    pub const fn of_own(offset: u32, len: u32) -> Self {
        Self(offset as u64 | (len as u64) << 32 | Self::OWN)
    }

    /// From a row's word.
    #[inline]
    pub const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// As a row's word.
    #[inline]
    pub const fn word(self) -> u64 {
        self.0
    }

    /// Bytes.
    #[inline]
    pub const fn len(self) -> usize {
        (self.0 >> 32) as usize & (i32::MAX as usize)
    }

    /// Whether it has no bytes.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The offset, in the input or in the batch's own text.
    #[inline]
    pub const fn offset(self) -> usize {
        self.0 as u32 as usize
    }

    /// Whether it lies in the batch's own text.
    #[inline]
    pub const fn is_own(self) -> bool {
        self.0 & Self::OWN != 0
    }
}

/// Where a list's items lie: word offset and count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct List(u64);

impl List {
    /// `count` items from word `offset`.
    #[inline]
    pub const fn new(offset: u32, count: u32) -> Self {
        Self(offset as u64 | (count as u64) << 32)
    }

    /// From a row's word.
    #[inline]
    pub const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// As a row's word.
    #[inline]
    pub const fn word(self) -> u64 {
        self.0
    }

    /// The first item's word.
    #[inline]
    pub const fn offset(self) -> usize {
        self.0 as u32 as usize
    }

    /// Items.
    #[inline]
    pub const fn len(self) -> usize {
        (self.0 >> 32) as usize
    }

    /// Whether it has no items.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// Many records of one message.
///
/// Reading goes through [`Batch::rows`]. The methods that take word offsets are for codecs; an offset that is
/// not of this batch panics or gives a wrong value, never more.
#[derive(Debug, Clone)]
pub struct Batch<'a> {
    layout: Arc<Layout>,
    /// Words of a record: the root's stride.
    stride: u32,
    input: Cow<'a, [u8]>,
    words: Vec<u64>,
    text: Vec<u8>,
    records: List,
    limits: Limits,
    skipped: u64,
}

impl Batch<'static> {
    /// An empty batch with the default limits.
    pub fn new(layout: Arc<Layout>) -> Self {
        Self::with_limits(layout, Limits::default())
    }

    /// An empty batch.
    pub fn with_limits(layout: Arc<Layout>, limits: Limits) -> Self {
        Self {
            stride: layout.root().stride,
            layout,
            input: Cow::Borrowed(&[]),
            words: Vec::new(),
            text: Vec::new(),
            records: List::default(),
            limits,
            skipped: 0,
        }
    }
}

impl<'a> Batch<'a> {
    /// Empties the batch, keeping its memory, for records whose text may be ranges of `input`.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] if the input is larger than the limit of a batch.
    pub fn reset(&mut self, input: &'a [u8]) -> Result<()> {
        self.clear();
        self.limits.check_batch(input.len() as u64)?;
        self.input = Cow::Borrowed(input);
        Ok(())
    }

    /// Empties the batch, keeping its memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.text.clear();
        self.records = List::default();
        self.input = Cow::Borrowed(&[]);
        self.skipped = 0;
    }

    /// Empties the batch and frees it from its input's lifetime, keeping its memory.
    #[must_use]
    pub fn renew<'b>(mut self) -> Batch<'b> {
        self.clear();
        let Self { layout, stride, words, text, limits, .. } = self;
        let (input, records) = (Cow::Borrowed(&[][..]), List::default());
        Batch { layout, stride, input, words, text, records, limits, skipped: 0 }
    }

    /// The same batch with its own copy of the input.
    #[must_use]
    pub fn into_owned(self) -> Batch<'static> {
        let Self { layout, stride, input, words, text, records, limits, skipped } = self;
        Batch { layout, stride, input: Cow::Owned(input.into_owned()), words, text, records, limits, skipped }
    }

    /// The layout of its rows.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// What a reader may put into it.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Records.
    #[inline]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Where the records lie.
    #[inline]
    pub fn records(&self) -> List {
        self.records
    }

    /// A record, counted from 0.
    pub fn get(&self, record: usize) -> Option<Row<'_>> {
        let layout = self.layout.root();
        let at = self.records.offset() + record * layout.stride as usize;
        (record < self.len()).then(|| Row::new(self, layout, at))
    }

    /// The records, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> + Clone {
        let layout = self.layout.root();
        let (start, stride) = (self.records.offset(), layout.stride as usize);
        (0..self.len()).map(move |record| Row::new(self, layout, start + record * stride))
    }

    /// The input that text may be ranges of.
    #[inline]
    pub fn input(&self) -> &[u8] {
        &self.input
    }

    /// The batch's own text.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Unknown fields that readers left out: their number, not their bytes.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Bytes in use: rows and own text, without the input.
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8 + self.text.len() as u64
    }

    /// The bytes behind a span.
    #[inline]
    pub fn bytes_of(&self, span: Span) -> &[u8] {
        let (at, len) = (span.offset(), span.len());
        let source: &[u8] = if span.is_own() { &self.text } else { &self.input };
        &source[at..at + len]
    }
}

/// For codecs: building rows, by word offset.
impl Batch<'_> {
    /// Counts an unknown field that was left out.
    #[inline]
    pub fn skip(&mut self) {
        self.skipped += 1;
    }

    /// All words.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// All words, to be filled.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Adds a record of zeros; gives its row.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] at the limit of records or of bytes.
    #[inline]
    pub fn push_record(&mut self) -> Result<usize> {
        let (records, row) = self.grow(self.records, self.stride)?;
        self.records = records;
        Ok(row)
    }

    /// Takes back the last record.
    pub fn pop_record(&mut self) {
        let left = self.records.len().saturating_sub(1);
        let stride = self.stride as usize;
        let at = self.records.offset() + left * stride;
        self.words[at..at + stride].fill(0);
        self.records = List::new(self.records.offset() as u32, left as u32);
    }

    /// Keeps only the records that the function says yes to, in their order; it is asked for each by its number.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let (from, count, stride) = (self.records.offset(), self.records.len(), self.stride as usize);
        let mut kept = 0;
        for record in 0..count {
            if keep(record) {
                let at = from + record * stride;
                self.words.copy_within(at..at + stride, from + kept * stride);
                kept += 1;
            }
        }
        self.words[from + kept * stride..from + count * stride].fill(0);
        self.records = List::new(from as u32, kept as u32);
    }

    /// Adds an item of zeros to the list at word `list_at`; gives the item's word.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] at the limit of items or of bytes.
    #[inline]
    pub fn push_item(&mut self, list_at: usize, item_words: u32) -> Result<usize> {
        let list = List::from_word(self.words[list_at]);
        let (list, item) = self.grow(list, item_words)?;
        self.words[list_at] = list.word();
        Ok(item)
    }

    /// Adds a row of zeros outside any list, for a single message; gives the row.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] at the limit of bytes.
    #[inline]
    pub fn push_row(&mut self, stride: u32) -> Result<usize> {
        let at = self.words.len();
        self.extend(stride as usize)?;
        Ok(at)
    }

    /// Sets a single field's word and has-bit. Codecs see to [`Presence`](crate::Presence) and oneofs themselves.
    #[inline]
    pub fn set(&mut self, row: usize, slot: &Slot, word: u64) {
        self.words[row + slot.word as usize] = word;
        self.words[row + slot.index as usize / 64] |= 1 << (slot.index % 64);
    }

    /// Sets a slot's has-bit.
    #[inline]
    pub fn mark(&mut self, row: usize, index: u32) {
        self.words[row + index as usize / 64] |= 1 << (index % 64);
    }

    /// Clears a slot: its word and has-bit.
    #[inline]
    pub fn unset(&mut self, row: usize, slot: &Slot) {
        self.words[row + slot.word as usize] = 0;
        self.words[row + slot.index as usize / 64] &= !(1 << (slot.index % 64));
    }

    /// Whether a slot's has-bit is on.
    #[inline]
    pub fn has(&self, row: usize, index: u32) -> bool {
        self.words[row + index as usize / 64] >> (index % 64) & 1 != 0
    }

    /// Adds bytes to the batch's own text. For strings they must be UTF-8.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] at the limit of a string or of the batch.
    pub fn store(&mut self, bytes: &[u8]) -> Result<Span> {
        self.limits.check_string(bytes.len())?;
        self.limits.check_batch(self.bytes() + bytes.len() as u64)?;
        let at = self.text.len();
        self.text.extend_from_slice(bytes);
        Ok(Span::of_own(at as u32, bytes.len() as u32))
    }

    /// Adds text piece by piece: `fill` appends to the batch's own text, and what it added is the span.
    ///
    /// # Errors
    /// What `fill` gives, and [`ErrorKind::Limit`] at the limit of a string or of the batch.
    pub fn store_with(&mut self, fill: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<Span> {
        let at = self.text.len();
        fill(&mut self.text)?;
        let len = self.text.len() - at;
        self.limits.check_string(len)?;
        self.limits.check_batch(self.bytes())?;
        Ok(Span::of_own(at as u32, len as u32))
    }

    /// A span of the input. `at..at + len` must lie in it.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] at the limit of a string.
    #[inline]
    pub fn span(&self, at: usize, len: usize) -> Result<Span> {
        self.limits.check_string(len)?;
        debug_assert!(at + len <= self.input.len());
        Ok(Span::of_input(at as u32, len as u32))
    }

    /// Takes double keys out of the map at word `list_at`: the first place and the last value stay, as when the
    /// entries are put into a dictionary one after another.
    pub fn unite_keys(&mut self, list_at: usize, entry: &MessageLayout) {
        let list = List::from_word(self.words[list_at]);
        if list.len() < 2 {
            return;
        }
        let stride = entry.stride as usize;
        let key = &entry.slots[0];
        let mut seen: HashMap<Key<'_>, usize> = HashMap::with_capacity(list.len());
        let mut moves: Vec<(usize, usize)> = Vec::new();
        let mut kept = 0;
        for item in 0..list.len() {
            let at = list.offset() + item * stride + key.word as usize;
            let word = self.words[at];
            let found = match key.kind {
                Kind::String | Kind::Bytes => Key::Text(self.bytes_of(Span::from_word(word))),
                // Messages as keys have no order and no identity here: they are kept as they are.
                Kind::Message(_) => return,
                _ => Key::Word(word),
            };
            let place = *seen.entry(found).or_insert(kept);
            if place == kept {
                kept += 1;
            }
            if place != item {
                moves.push((item, place));
            }
        }
        for (from, to) in moves {
            let (from, to) = (list.offset() + from * stride, list.offset() + to * stride);
            self.words.copy_within(from..from + stride, to);
        }
        let left = list.offset() + kept * stride;
        self.words[left..list.offset() + list.len() * stride].fill(0);
        self.words[list_at] = List::new(list.offset() as u32, kept as u32).word();
    }

    /// Checks the required fields of a row and of the single messages below it.
    ///
    /// # Errors
    /// [`ErrorKind::Missing`] with the field's path.
    #[inline]
    pub fn check_required(&self, row: usize, message: &MessageLayout) -> Result<()> {
        for (at, &mask) in message.required.iter().enumerate() {
            let missing = mask & !self.words[row + at];
            if missing != 0 {
                return Err(missing_field(message, at * 64 + missing.trailing_zeros() as usize));
            }
        }
        for &at in &message.checked {
            let slot = &message.slots[at as usize];
            if let (true, Kind::Message(id)) = (self.has(row, at), slot.kind) {
                let inner = self.words[row + slot.word as usize] as usize;
                self.check_required(inner, self.layout.message(id)).map_err(|e| e.in_field(&slot.name))?;
            }
        }
        Ok(())
    }

    #[inline]
    fn grow(&mut self, list: List, item_words: u32) -> Result<(List, usize)> {
        let count = list.len();
        // Nothing or a power of two: the list is full. One branch for both, as both are rare.
        let full = count & count.wrapping_sub(1) == 0;
        let rare = full | (count >= self.limits.max_list_items() as usize);
        let offset = if rare { self.make_room(list, item_words)? } else { list.offset() };
        Ok((List::new(offset as u32, count as u32 + 1), offset + count * item_words as usize))
    }

    /// Checks the limit of items, and doubles a full list's room; gives its offset.
    #[cold]
    fn make_room(&mut self, list: List, item_words: u32) -> Result<usize> {
        let (offset, count, stride) = (list.offset(), list.len(), item_words as usize);
        self.limits.check_list(count + 1)?;
        if count == 0 {
            let at = self.words.len();
            self.extend(stride)?;
            return Ok(at);
        }
        let used = count * stride;
        if offset + used == self.words.len() {
            self.extend(used)?;
            return Ok(offset);
        }
        let at = self.words.len();
        self.extend(2 * used)?;
        self.words.copy_within(offset..offset + used, at);
        Ok(at)
    }

    #[inline]
    fn extend(&mut self, words: usize) -> Result<()> {
        let len = self.words.len() + words;
        self.limits.check_batch(len as u64 * 8 + self.text.len() as u64)?;
        self.words.resize(len, 0);
        Ok(())
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Key<'b> {
    Text(&'b [u8]),
    Word(u64),
}

#[cold]
fn missing_field(message: &MessageLayout, slot: usize) -> Error {
    Error::new(ErrorKind::Missing, "the required field is missing").in_field(&message.slots[slot].name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Cardinality, Field, Int, Kind, Message, MessageId, Schema};

    fn layout() -> Arc<Layout> {
        let fields = vec![
            Field::new("id", 1, Kind::Int(Int::U32), Cardinality::Required),
            Field::new("name", 2, Kind::String, Cardinality::Optional),
            Field::new("kids", 3, Kind::Message(MessageId(0)), Cardinality::Repeated),
        ];
        let message = Message { name: "Node".into(), fields, ..Message::default() };
        Arc::new(Layout::new(Arc::new(Schema { messages: vec![message], enums: vec![] }), MessageId(0)).unwrap())
    }

    #[test]
    fn lists_that_grow_in_turn_stay_whole() {
        let layout = layout();
        let stride = layout.root().stride;
        let mut batch = Batch::new(layout.clone());
        let rows: Vec<usize> = (0..2).map(|_| batch.push_record().unwrap()).collect();
        let first = batch.records().offset();
        for item in 0..100 {
            for record in 0..rows.len() {
                let row = first + record * stride as usize;
                let at = batch.push_item(row + 3, stride).unwrap();
                batch.words_mut()[at + 1] = item * 10 + record as u64;
            }
        }
        for record in 0..rows.len() {
            let list = List::from_word(batch.words()[first + record * stride as usize + 3]);
            assert_eq!(list.len(), 100);
            for item in 0..100 {
                let at = list.offset() + item * stride as usize + 1;
                assert_eq!(batch.words()[at], item as u64 * 10 + record as u64);
            }
        }
    }

    #[test]
    fn limits_hold() {
        let mut batch = Batch::with_limits(layout(), Limits::default().list_items(2));
        batch.push_record().unwrap();
        batch.push_record().unwrap();
        assert_eq!(batch.push_record().unwrap_err().kind(), ErrorKind::Limit);
        let mut batch = Batch::with_limits(layout(), Limits::default().batch_bytes(100));
        assert!(batch.store(&[0; 101]).is_err());
        assert!((0..4).any(|_| batch.push_record().is_err()));
    }

    #[test]
    fn the_limit_of_items_is_exact() {
        let layout = layout();
        for most in [0, 1, 2, 3, 4, 5, 7, 8, 9, 100] {
            let limits = Limits::default().list_items(most);
            let mut batch = Batch::with_limits(layout.clone(), limits.clone());
            let records = (0..200).take_while(|_| batch.push_record().is_ok()).count();
            assert_eq!((records, batch.len()), (most as usize, most as usize));

            let mut batch = Batch::with_limits(layout.clone(), limits);
            let list_at = batch.push_row(1).unwrap();
            let items = (0..200).take_while(|_| batch.push_item(list_at, 1).is_ok()).count();
            assert_eq!(items, most as usize);
        }
    }

    #[test]
    fn retained_records_stay_in_order_and_more_can_follow() {
        let layout = layout();
        let mut batch = Batch::new(layout.clone());
        let id = |batch: &mut Batch<'_>, id| {
            let row = batch.push_record().unwrap();
            batch.set(row, &layout.root().slots[0], id);
        };
        (0..5).for_each(|n| id(&mut batch, n));
        batch.retain(|record| record % 2 == 1);
        (5..9).for_each(|n| id(&mut batch, n));
        let ids: Vec<_> = batch.rows().map(|row| row.word(&layout.root().slots[0])).collect();
        assert_eq!(ids, [1, 3, 5, 6, 7, 8]);
        batch.retain(|_| false);
        assert!(batch.is_empty());
        id(&mut batch, 7);
        assert_eq!(batch.len(), 1);
    }

    #[test]
    fn required_fields_are_checked_with_their_path() {
        let layout = layout();
        let mut batch = Batch::new(layout.clone());
        let row = batch.push_record().unwrap();
        let error = batch.check_required(row, layout.root()).unwrap_err();
        assert_eq!(error.to_string(), "field id: the required field is missing");
        batch.set(row, &layout.root().slots[0], 7);
        batch.check_required(row, layout.root()).unwrap();
    }

    #[test]
    fn double_keys_keep_the_first_place_and_the_last_value() {
        let entry = Message {
            name: "E".into(),
            fields: vec![
                Field::new("key", 1, Kind::String, Cardinality::Optional),
                Field::new("value", 2, Kind::Int(Int::I32), Cardinality::Optional),
            ],
            shape: crate::schema::Shape::Entry,
            ..Message::default()
        };
        let fields = vec![Field::new("m", 1, Kind::Message(MessageId(0)), Cardinality::Map)];
        let outer = Message { name: "M".into(), fields, ..Message::default() };
        let schema = Arc::new(Schema { messages: vec![entry, outer], enums: vec![] });
        let layout = Arc::new(Layout::new(schema, MessageId(1)).unwrap());
        let mut batch = Batch::new(layout.clone());
        let row = batch.push_record().unwrap();
        let entry = layout.message(MessageId(0));
        for (key, value) in [("a", 1), ("b", 2), ("a", 3), ("c", 4), ("b", 5)] {
            let at = batch.push_item(row + 1, entry.stride).unwrap();
            let text = batch.store(key.as_bytes()).unwrap();
            batch.set(at, &entry.slots[0], text.word());
            batch.set(at, &entry.slots[1], value);
        }
        batch.unite_keys(row + 1, entry);
        batch.mark(row, 0);
        let Some(crate::Value::List(items)) = batch.get(0).unwrap().field("m") else { panic!("no map") };
        let shown: Vec<_> = items
            .iter()
            .map(|e| {
                format!(
                    "{:?}",
                    match e {
                        crate::Value::Message(e) => (e.word(&entry.slots[1]), e.field("key").is_some()),
                        _ => panic!("no entry"),
                    }
                )
            })
            .collect();
        assert_eq!(shown, ["(3, true)", "(5, true)", "(4, true)"]);
    }

    #[test]
    fn used_again_a_batch_is_empty_and_zero() {
        let mut batch = Batch::new(layout());
        let row = batch.push_record().unwrap();
        batch.words_mut()[row + 1] = 9;
        batch.reset(b"abc").unwrap();
        assert!(batch.is_empty());
        let row = batch.push_record().unwrap();
        assert_eq!(batch.words()[row + 1], 0);
        assert_eq!(batch.bytes_of(batch.span(1, 2).unwrap()), b"bc");
    }
}
