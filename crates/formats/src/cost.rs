//! Where the bytes go: which field of the schema each byte of a file belongs to.
//!
//! A format's account walks over bytes that were written, not over records, so its sums are the file's size by construction.

use bantam_model::Slot;
use std::collections::HashMap;

/// The bytes of one field over all records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cost {
    /// The field, such as `phases[].time.secs`; empty for what belongs to no field.
    pub path: String,
    /// The slots that lead to it, from a record on; empty with an empty path, and for fields that the schema does not have.
    pub slots: Vec<u32>,
    /// Values.
    pub count: u64,
    /// Bytes that name the field.
    pub tag: u64,
    /// Bytes that say how long something is, how many there are, or where it ends.
    pub length: u64,
    /// Bytes of values; of a message, none but those of its fields.
    pub value: u64,
}

impl Cost {
    /// All its bytes.
    pub fn bytes(&self) -> u64 {
        self.tag + self.length + self.value
    }
}

/// The costs of fields while bytes are walked over.
#[derive(Debug)]
pub struct Account {
    costs: Vec<Cost>,
    below: HashMap<(usize, u32), usize>,
}

impl Default for Account {
    fn default() -> Self {
        Self { costs: vec![Cost::default()], below: HashMap::new() }
    }
}

/// The place of what belongs to no field.
pub(crate) const NOTHING: usize = 0;

/// The slot number of fields that the schema does not have.
const UNKNOWN: u32 = u32::MAX;

impl Account {
    /// The place of a field below another one.
    pub(crate) fn field(&mut self, parent: usize, slot: &Slot) -> usize {
        let many = if slot.cardinality.is_many() { "[]" } else { "" };
        self.below(parent, slot.index, || format!("{}{many}", slot.name))
    }

    /// The place of fields that the schema does not have.
    pub(crate) fn unknown(&mut self, parent: usize) -> usize {
        self.below(parent, UNKNOWN, || "?".to_owned())
    }

    fn below(&mut self, parent: usize, index: u32, name: impl FnOnce() -> String) -> usize {
        if let Some(&found) = self.below.get(&(parent, index)) {
            return found;
        }
        let at = self.costs.len();
        let parent_path = &self.costs[parent].path;
        let dot = if parent_path.is_empty() { "" } else { "." };
        let path = format!("{parent_path}{dot}{}", name());
        let known = index != UNKNOWN && (parent == NOTHING || !self.costs[parent].slots.is_empty());
        let slots = if known { [&self.costs[parent].slots[..], &[index]].concat() } else { Vec::new() };
        self.costs.push(Cost { path, slots, ..Cost::default() });
        self.below.insert((parent, index), at);
        at
    }

    pub(crate) fn of(&mut self, place: usize) -> &mut Cost {
        &mut self.costs[place]
    }

    /// The costs, the highest first; what costs nothing is left out.
    pub fn costs(self) -> Vec<Cost> {
        let mut costs: Vec<_> = self.costs.into_iter().filter(|cost| cost.bytes() > 0).collect();
        costs.sort_by(|a, b| b.bytes().cmp(&a.bytes()).then_with(|| a.path.cmp(&b.path)));
        costs
    }
}
