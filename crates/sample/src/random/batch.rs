//! Random records of any schema.

use super::{Classes, Options, text};
use crate::Rng;
use bantam_model::{Batch, Cardinality, Kind, Layout, MessageId, Presence, Result, Shape, Slot};
use std::collections::HashSet;
use std::sync::Arc;

/// Below this depth only what is required is filled.
const DEPTH: u32 = 4;
/// Rows of one record, about: the rest of a record that has so many is filled as if below the depth.
const ROWS: u32 = 300;

pub(super) fn make(layout: &Arc<Layout>, records: usize, seed: u64, options: Options) -> Result<Batch<'static>> {
    let mut maker =
        Maker { rng: Rng::new(seed), options, layout: layout.clone(), batch: Batch::new(layout.clone()), rows: 0 };
    for _ in 0..records {
        let row = maker.batch.push_record()?;
        maker.rows = 0;
        maker.row(row, layout.root().id, 1)?;
    }
    Ok(maker.batch)
}

struct Maker {
    rng: Rng,
    options: Options,
    layout: Arc<Layout>,
    batch: Batch<'static>,
    /// Rows of this record so far.
    rows: u32,
}

/// A scalar before it is stored.
#[derive(PartialEq, Eq, Hash, Clone)]
enum Scalar {
    Word(u64),
    Text(Vec<u8>),
}

impl Scalar {
    fn is_zero(&self) -> bool {
        match self {
            Self::Word(word) => *word == 0,
            Self::Text(text) => text.is_empty(),
        }
    }
}

impl Maker {
    fn is_deep(&self, depth: u32) -> bool {
        depth >= DEPTH || self.rows > ROWS
    }

    fn row(&mut self, row: usize, id: MessageId, depth: u32) -> Result<()> {
        // A message that requires itself would never end.
        self.batch.limits().check_depth(depth)?;
        self.rows += 1;
        let layout = self.layout.clone();
        let message = layout.message(id);
        // Some rows are sparse, some full.
        let density = self.rng.between(1, 5);
        for slot in &message.slots {
            let must = slot.presence == Presence::Required || message.shape != Shape::Record;
            let deep = self.is_deep(depth) && (slot.cardinality.is_many() || matches!(slot.kind, Kind::Message(_)));
            if !must && (deep || self.rng.below(6) >= density) {
                continue;
            }
            if slot.rivals.iter().any(|&rival| self.batch.has(row, rival)) {
                continue;
            }
            self.slot(row, slot, depth)?;
        }
        Ok(())
    }

    fn slot(&mut self, row: usize, slot: &Slot, depth: u32) -> Result<()> {
        match (slot.cardinality, slot.kind) {
            (Cardinality::Repeated | Cardinality::Set | Cardinality::Map, _) => self.list(row, slot, depth),
            (_, Kind::Message(id)) => {
                let inner = self.batch.push_row(self.layout.message(id).stride)?;
                self.batch.set(row, slot, inner as u64);
                self.row(inner, id, depth + 1)
            }
            (_, kind) => {
                let value = self.scalar(kind);
                self.set(row, slot, &value)
            }
        }
    }

    fn set(&mut self, row: usize, slot: &Slot, value: &Scalar) -> Result<()> {
        if slot.presence == Presence::Implicit && value.is_zero() {
            return Ok(());
        }
        let word = self.word(value)?;
        self.batch.set(row, slot, word);
        Ok(())
    }

    fn word(&mut self, value: &Scalar) -> Result<u64> {
        match value {
            Scalar::Word(word) => Ok(*word),
            Scalar::Text(text) => Ok(self.batch.store(text)?.word()),
        }
    }

    fn list(&mut self, row: usize, slot: &Slot, depth: u32) -> Result<()> {
        let least = u64::from(!self.options.allows(Classes::EMPTY_LISTS));
        let message = matches!(slot.kind, Kind::Message(_));
        let count = match self.rng.below(60) {
            _ if self.is_deep(depth) && message => least,
            0 if !message => 120 + self.rng.below(200),
            1..20 => 1,
            _ => least + self.rng.below(6),
        };
        self.batch.mark(row, slot.index);
        let list_at = row + slot.word as usize;
        match (slot.cardinality, slot.kind) {
            (Cardinality::Map, Kind::Message(entry)) => self.map(list_at, entry, count, depth),
            (_, Kind::Message(id)) => {
                for _ in 0..count {
                    let item = self.batch.push_item(list_at, slot.item_words(&self.layout))?;
                    self.row(item, id, depth + 1)?;
                }
                Ok(())
            }
            (cardinality, kind) => {
                let mut seen = HashSet::new();
                for _ in 0..count {
                    let value = self.scalar(kind);
                    if cardinality != Cardinality::Set || seen.insert(value.clone()) {
                        let word = self.word(&value)?;
                        let item = self.batch.push_item(list_at, 1)?;
                        self.batch.words_mut()[item] = word;
                    }
                }
                Ok(())
            }
        }
    }

    fn map(&mut self, list_at: usize, entry: MessageId, count: u64, depth: u32) -> Result<()> {
        let layout = self.layout.clone();
        let of = layout.message(entry);
        let (key, value) = (&of.slots[0], &of.slots[1]);
        if let Kind::Message(_) = key.kind {
            // Two random messages may be equal; one cannot.
            if count > 0 {
                let item = self.batch.push_item(list_at, of.stride)?;
                self.row(item, entry, depth + 1)?;
            }
            return Ok(());
        }
        let mut seen = HashSet::new();
        for _ in 0..count {
            let found = self.scalar(key.kind);
            if seen.insert(found.clone()) {
                let item = self.batch.push_item(list_at, of.stride)?;
                self.rows += 1;
                self.set(item, key, &found)?;
                self.slot(item, value, depth + 1)?;
            }
        }
        Ok(())
    }

    fn scalar(&mut self, kind: Kind) -> Scalar {
        let (rng, options) = (&mut self.rng, self.options);
        Scalar::Word(match kind {
            Kind::Bool => rng.below(2),
            Kind::Int(int) => text::int(rng, int),
            Kind::Float => text::float(rng, options),
            Kind::Double => text::double(rng, options),
            Kind::String => return Scalar::Text(text::string(rng, options).into_bytes()),
            Kind::Bytes => return Scalar::Text(text::bytes(rng, options)),
            Kind::Enum(id) => {
                let of = self.layout.schema().enumeration(id);
                let number = match &of.values[..] {
                    [] => 0,
                    _ if of.open && options.allows(Classes::UNNAMED) && rng.one_in(6) => rng.next_u64() as i32,
                    values => rng.pick(values).number,
                };
                i64::from(number) as u64
            }
            // Rows are no scalars; `slot`, `list` and `map` see to them before.
            Kind::Message(_) => 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bantam_model::{Lowerings, Row, Value, compare};

    /// Checks the rules of the module's documentation for every row.
    fn check(row: Row<'_>, seen: &mut HashSet<&'static str>) {
        row.batch().check_required(row.offset(), row.layout()).unwrap();
        for slot in &row.layout().slots {
            let Some(value) = row.get(slot) else {
                assert!(row.word(slot) == 0 && row.layout().shape != Shape::Wrapper);
                assert!(row.layout().shape != Shape::Entry, "an entry lacks its {}", slot.name);
                continue;
            };
            assert!(slot.rivals.iter().all(|&rival| !row.batch().has(row.offset(), rival)), "two of a oneof");
            let zero = matches!(value, Value::String("") | Value::Bytes([])) || row.word(slot) == 0;
            assert!(!zero || slot.presence != Presence::Implicit, "{} is an implicit zero", slot.name);
            match value {
                Value::Message(inner) => check(inner, seen),
                Value::List(items) => {
                    seen.extend(items.is_empty().then_some("empty list"));
                    let mut keys = HashSet::new();
                    for item in items.iter() {
                        if let Value::Message(inner) = item {
                            check(inner, seen);
                            let first = inner.layout().slots.first();
                            if let (Cardinality::Map, Some(key)) = (slot.cardinality, first)
                                && !matches!(key.kind, Kind::Message(_))
                            {
                                let key = format!("{:?}", inner.get(key));
                                assert!(keys.insert(key), "a key twice in {}", slot.name);
                            }
                        }
                    }
                }
                Value::Enum(id, number) => {
                    let of = row.batch().layout().schema().enumeration(id);
                    assert!(of.open || of.name_of(number).is_some());
                    seen.extend(of.name_of(number).is_none().then_some("unnamed"));
                }
                Value::String(text) => {
                    seen.extend(text.is_empty().then_some("empty text"));
                    seen.extend(text.contains('\0').then_some("control"));
                }
                Value::Double(v) if v.is_nan() => {
                    seen.insert("NaN");
                }
                _ => {}
            }
        }
    }

    fn all(options: Options) -> HashSet<&'static str> {
        let mut seen = HashSet::new();
        for seed in 0..150 {
            let layout = options.layout(&mut Rng::new(seed), 1 + seed as usize % 16);
            let batch = options.batch(&layout, 3, seed).unwrap();
            assert_eq!(batch.len(), 3);
            batch.rows().for_each(|row| check(row, &mut seen));
        }
        seen
    }

    #[test]
    fn records_keep_the_rules_of_readers() {
        let seen = all(Options::default());
        for one in ["empty list", "unnamed", "empty text", "control", "NaN"] {
            assert!(seen.contains(one), "{one}");
        }
    }

    #[test]
    fn what_is_left_out_does_not_come_up() {
        let out =
            Classes::NON_FINITE | Classes::EMPTY_LISTS | Classes::EMPTY_TEXT | Classes::CONTROL | Classes::UNNAMED;
        assert_eq!(all(Options::default().without(out)), HashSet::new());
    }

    #[test]
    fn the_same_seed_gives_the_same_records() {
        let layout = Options::default().layout(&mut Rng::new(4), 12);
        let make = |seed| super::super::batch(&layout, 5, seed).unwrap();
        compare(&make(1), &make(1), Lowerings::NONE).unwrap();
        assert!(compare(&make(1), &make(2), Lowerings::NONE).is_err());
    }
}
