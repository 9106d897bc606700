//! Which origin and which magnitude of an event count.

use super::document::{Document, Event, Of};
use super::source::{Creation, Element, Field, Source, Text};
use super::value::{Values, called};
use crate::note::NoteKind;
use crate::time::Time;
use foldhash::fast::RandomState;
use std::collections::HashSet;

/// The preferred origin and magnitude of an event, and its magnitudes.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) origin: Option<u32>,
    pub(super) magnitude: Option<u32>,
    /// Those of the preferred origin.
    pub(super) magnitudes: Vec<u32>,
    /// All origins of the event.
    origins: Vec<u32>,
    /// All magnitudes of the event.
    candidates: Vec<u32>,
}

impl Chosen {
    /// Makes the choice for an event, by the rules that stand at the top of this module's parent.
    pub(super) fn make(&mut self, source: &Source, document: &Document<'_>, event: &Event<'_>, values: &mut Values) {
        let fields = &source.event;
        self.origins.clear();
        self.origins.extend(event.origins.clone());
        let references =
            |field: Field, values: &mut Values, find: &dyn Fn(Text<'_>) -> Option<u32>, into: &mut Vec<u32>| {
                let mut seen: HashSet<u32, RandomState> = into.iter().copied().collect();
                for id in event.element.texts(field).filter(|t| !t.bytes.is_empty()) {
                    match find(id) {
                        Some(at) if seen.insert(at) => into.push(at),
                        Some(_) => {}
                        None => values.notes.add(NoteKind::ReferenceNotFound, id.place(), || called(id.str())),
                    }
                }
            };
        references(fields.origin_reference, values, &|id| document.origins.find(id), &mut self.origins);
        let preferred = event.element.full(fields.preferred_origin);
        self.origin = preferred.and_then(|id| document.origins.find(id));
        if self.origin.is_none() {
            self.origin = self.other_origin(source, document, event, preferred, values);
        }
        self.candidates.clear();
        self.candidates.extend(event.magnitudes.clone());
        references(fields.magnitude_reference, values, &|id| document.magnitudes.find(id), &mut self.candidates);
        self.choose_magnitude(source, document, event, values);
    }

    fn other_origin(
        &mut self,
        source: &Source,
        document: &Document<'_>,
        event: &Event<'_>,
        preferred: Option<Text<'_>>,
        values: &mut Values,
    ) -> Option<u32> {
        if self.origins.is_empty()
            && document.events.len() == 1
            && event.element.texts(source.event.origin_reference).next().is_none()
        {
            self.origins.extend(0..document.origins.all.len() as u32);
        }
        if preferred.is_some() {
            note(values, NoteKind::OriginNotFound, source, event, preferred);
        }
        let kind = if self.origins.is_empty() { NoteKind::NoOrigin } else { NoteKind::OriginChosen };
        note(values, kind, source, event, None);
        let of = &source.origin;
        best(&self.origins, |at| {
            let origin = document.origins.all[at as usize];
            rank(origin, of.mode, of.status, of.creation, &source.creation)
        })
    }

    fn choose_magnitude(&mut self, source: &Source, document: &Document<'_>, event: &Event<'_>, values: &mut Values) {
        // What lies in an event, or is named by it, comes first, then what its origins have.
        let mut seen: HashSet<u32, RandomState> = self.candidates.iter().copied().collect();
        let listed = self.candidates.len();
        for &origin in self.origins.iter().chain(&self.origin) {
            for magnitude in document.magnitudes_of(origin) {
                if seen.insert(magnitude) {
                    self.candidates.push(magnitude);
                }
            }
        }
        self.candidates[listed..].sort_unstable();
        self.magnitudes.clear();
        for &magnitude in &self.candidates {
            match document.of[magnitude as usize] {
                Of::Origin(of) if Some(of) == self.origin => self.magnitudes.push(magnitude),
                Of::Unsaid => {
                    let element = document.magnitudes.all[magnitude as usize];
                    let id = element.full(source.magnitude.id);
                    let place = id.and_then(Text::place);
                    let what = || id.map(|t| called(t.str())).unwrap_or_default();
                    values.notes.add(NoteKind::MagnitudeWithoutOrigin, place, what);
                    self.magnitudes.push(magnitude);
                }
                Of::Origin(_) | Of::Missing => {}
            }
        }
        let preferred = event.element.full(source.event.preferred_magnitude);
        self.magnitude = preferred.and_then(|id| document.magnitudes.find(id));
        if self.magnitude.is_some() {
            return;
        }
        if preferred.is_some() {
            note(values, NoteKind::MagnitudeNotFound, source, event, preferred);
        }
        let kind = if self.candidates.is_empty() { NoteKind::NoMagnitude } else { NoteKind::MagnitudeChosen };
        note(values, kind, source, event, None);
        let of = &source.magnitude;
        let among = if self.magnitudes.is_empty() { &self.candidates } else { &self.magnitudes };
        self.magnitude = best(among, |at| {
            let magnitude = document.magnitudes.all[at as usize];
            rank(magnitude, of.mode, of.status, of.creation, &source.creation)
        });
    }
}

/// Notes something about an event, by what it names or by its own identifier.
fn note(values: &mut Values, kind: NoteKind, source: &Source, event: &Event<'_>, named: Option<Text<'_>>) {
    let what = named.or_else(|| event.element.full(source.event.id));
    values.notes.add(kind, what.and_then(Text::place), || what.map(|t| called(t.str())).unwrap_or_default());
}

/// What makes one better than another: not rejected, evaluated, newest; then its place in the file.
type Rank = (bool, bool, Option<Time>);

fn best(among: &[u32], rank: impl Fn(u32) -> Rank) -> Option<u32> {
    among.iter().copied().max_by_key(|&at| (rank(at), at))
}

fn rank(of: Element<'_>, mode: Field, status: Field, creation: Field, fields: &Creation) -> Rank {
    let status = of.full(status);
    let evaluated = status.is_some() || of.full(mode).is_some();
    let creation = of.child(creation);
    let time = |field| Time::parse(creation?.full(field)?.str()).map(|p| p.time);
    let newest = time(fields.created).max(time(fields.modified));
    (status.is_none_or(|s| s.bytes != b"rejected"), evaluated, newest)
}
