//! The latest update of each quake.
//!
//! Of quakes with one public identifier, the one with the latest modification time is kept; of several with that time, the last
//! in the order of the files. A quake without a modification time is older than all that have one. Quakes without an
//! identifier cannot be told from each other, so each is kept.
//!
//! The files are read twice: first to find the times, then to convert those that hold a latest update. So memory holds an
//! identifier, a time and a place for each quake, about 150 bytes, instead of its records, about 15 KB.

use crate::model::{Batch, Row, Value};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What the choice of the latest updates left out, and what it could not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Latest {
    /// Updates that are not the latest.
    pub superseded: u64,
    /// Quakes without an identifier, all kept.
    pub without_id: u64,
    /// Updates without a modification time, kept only where no other has one.
    pub without_time: u64,
}

/// A record of a file, both counted from 0.
type Place = (u32, u32);

/// Seconds and nanoseconds.
type Time = (i64, i64);

/// An update: its quake's identifier, and when it was modified.
pub(super) struct Update {
    id: Option<Box<str>>,
    time: Option<Time>,
}

/// The updates of a batch of quakes.
pub(super) fn updates(quakes: &Batch<'_>) -> Vec<Update> {
    quakes.rows().map(update).collect()
}

fn update(quake: Row<'_>) -> Update {
    let id = match quake.field("public_iD") {
        Some(Value::String(id)) if !id.is_empty() => Some(id.into()),
        _ => None,
    };
    let part = |time: Row<'_>, name: &str| match time.field(name) {
        Some(Value::Int(value)) => value,
        _ => 0,
    };
    let time = match quake.field("modification_time") {
        Some(Value::Message(time)) => Some((part(time, "secs"), part(time, "nanos"))),
        _ => None,
    };
    Update { id, time }
}

/// The latest updates so far.
#[derive(Default)]
pub(super) struct Choice {
    latest: HashMap<Box<str>, (Option<Time>, Place)>,
    anonymous: Vec<Place>,
    counts: Latest,
}

impl Choice {
    /// Adds the updates of a file. Files come in their order.
    pub(super) fn add(&mut self, file: usize, updates: Vec<Update>) {
        for (record, Update { id, time }) in updates.into_iter().enumerate() {
            let place = (file as u32, record as u32);
            self.counts.without_time += u64::from(time.is_none());
            let Some(id) = id else {
                self.counts.without_id += 1;
                self.anonymous.push(place);
                continue;
            };
            match self.latest.entry(id) {
                Entry::Vacant(new) => drop(new.insert((time, place))),
                Entry::Occupied(mut known) => {
                    self.counts.superseded += 1;
                    if time >= known.get().0 {
                        known.insert((time, place));
                    }
                }
            }
        }
    }

    /// What is kept, and the counts.
    pub(super) fn finish(self) -> (Kept, Latest) {
        let mut places = self.anonymous;
        places.extend(self.latest.into_values().map(|(_, place)| place));
        places.sort_unstable();
        (Kept { places }, self.counts)
    }
}

/// The records that are kept.
pub(super) struct Kept {
    places: Vec<Place>,
}

impl Kept {
    /// The files that hold any, in order.
    pub(super) fn files(&self) -> Vec<usize> {
        let mut files: Vec<_> = self.places.iter().map(|&(file, _)| file as usize).collect();
        files.dedup();
        files
    }

    /// Whether a record of a file is kept.
    pub(super) fn holds(&self, file: usize, record: usize) -> bool {
        self.places.binary_search(&(file as u32, record as u32)).is_ok()
    }

    /// Whether any record of a file is kept.
    pub(super) fn holds_any(&self, file: usize) -> bool {
        let at = self.places.partition_point(|&(f, _)| (f as usize) < file);
        self.places.get(at).is_some_and(|&(f, _)| f as usize == file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_time_wins_then_the_later_file() {
        let update = |id: &str, time: Option<i64>| Update {
            id: (!id.is_empty()).then(|| id.into()),
            time: time.map(|secs| (secs, 0)),
        };
        let mut choice = Choice::default();
        choice.add(0, vec![update("a", Some(5)), update("b", Some(1)), update("c", None)]);
        choice.add(1, vec![update("a", Some(4)), update("", Some(9)), update("", None)]);
        choice.add(3, vec![update("b", Some(1)), update("c", None), update("d", None), update("a", None)]);
        choice.add(4, vec![update("d", Some(-7))]);
        let (kept, counts) = choice.finish();
        assert_eq!(kept.places, [(0, 0), (1, 1), (1, 2), (3, 0), (3, 1), (4, 0)]);
        assert_eq!(counts, Latest { superseded: 5, without_id: 2, without_time: 5 });
        assert_eq!(kept.files(), [0, 1, 3, 4]);
        assert!(kept.holds_any(3) && !kept.holds_any(2) && !kept.holds_any(5) && !kept.holds(3, 2) && kept.holds(3, 1));
    }
}
