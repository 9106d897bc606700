//! All objects of a document: by kind, by identifier, and by what they belong to.

use super::source::{Element, Field, Source, Text};
use super::value::called;
use crate::note::{NoteKind, Notes};
use bantam_model::{Batch, Error, ErrorKind, Result};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::ops::Range;

/// Objects of one kind, in the file's order.
#[derive(Default)]
pub(super) struct Objects<'r> {
    pub(super) all: Vec<Element<'r>>,
    by_id: HashMap<&'r [u8], u32, RandomState>,
}

impl<'r> Objects<'r> {
    fn reserve(&mut self, more: usize) {
        self.all.reserve(more);
        self.by_id.reserve(more);
    }

    fn push(&mut self, element: Element<'r>, id: Field, notes: &mut Notes) -> u32 {
        let at = self.all.len() as u32;
        self.all.push(element);
        if let Some(id) = element.full(id) {
            let first = *self.by_id.entry(id.bytes).or_insert(at);
            if first != at {
                notes.add(NoteKind::DuplicateId, id.place(), || called(id.str()));
            }
        }
        at
    }

    /// The object with this identifier.
    pub(super) fn find(&self, id: Text<'_>) -> Option<u32> {
        self.by_id.get(id.bytes).copied()
    }
}

/// An event with what lies inside it.
pub(super) struct Event<'r> {
    pub(super) element: Element<'r>,
    pub(super) origins: Range<u32>,
    pub(super) magnitudes: Range<u32>,
}

/// Of which origin a magnitude is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Origin(u32),
    /// Of an origin that is not in the file.
    Missing,
    /// It does not say.
    Unsaid,
}

/// The objects of a document.
pub(super) struct Document<'r> {
    pub(super) events: Vec<Event<'r>>,
    pub(super) origins: Objects<'r>,
    pub(super) magnitudes: Objects<'r>,
    pub(super) station_magnitudes: Objects<'r>,
    pub(super) picks: Objects<'r>,
    pub(super) amplitudes: Objects<'r>,
    /// By magnitude.
    pub(super) of: Vec<Of>,
    /// Pairs of an origin and a magnitude of it, in order.
    by_origin: Vec<(u32, u32)>,
}

impl<'r> Document<'r> {
    pub(super) fn new(source: &Source, raw: &'r Batch<'r>, notes: &mut Notes) -> Result<Self> {
        let root = Element::root(raw).ok_or_else(|| Error::new(ErrorKind::Truncated, "the document is empty"))?;
        let mut document = Self {
            events: Vec::new(),
            origins: Objects::default(),
            magnitudes: Objects::default(),
            station_magnitudes: Objects::default(),
            picks: Objects::default(),
            amplitudes: Objects::default(),
            of: Vec::new(),
            by_origin: Vec::new(),
        };
        // In SeisComPML, the origin that a magnitude lies in.
        let mut inside = Vec::new();
        for parameters in root.children(source.root.parameters) {
            document.parameters(source, parameters, &mut inside, notes);
        }
        document.assign(source, &inside);
        document.parts(source, root, notes)?;
        Ok(document)
    }

    /// The magnitudes of an origin.
    pub(super) fn magnitudes_of(&self, origin: u32) -> impl Iterator<Item = u32> {
        let start = self.by_origin.partition_point(|&(of, _)| of < origin);
        self.by_origin[start..].iter().take_while(move |&&(of, _)| of == origin).map(|&(_, magnitude)| magnitude)
    }

    fn parameters(&mut self, source: &Source, of: Element<'r>, inside: &mut Vec<Of>, notes: &mut Notes) {
        let fields = &source.parameters;
        self.add_picks(source, of.children(fields.pick), notes);
        self.add_amplitudes(source, of.children(fields.amplitude), notes);
        for origin in of.children(fields.origin) {
            self.add_origin(source, origin, inside, notes);
        }
        for magnitude in of.children(fields.magnitude) {
            self.add_magnitude(source, magnitude, None, inside, notes);
        }
        self.add_station_magnitudes(source, of.children(fields.station_magnitude), notes);
        count_mechanisms(of.children(fields.focal_mechanism).len(), notes);
        for event in of.children(fields.event) {
            self.add_event(source, event, inside, notes);
        }
        for catalog in of.children(fields.catalog) {
            let events = source.catalog.as_ref().and_then(|c| c.event);
            for event in catalog.children(events) {
                self.add_event(source, event, inside, notes);
            }
        }
    }

    fn add_event(&mut self, source: &Source, element: Element<'r>, inside: &mut Vec<Of>, notes: &mut Notes) {
        let fields = &source.event;
        let (first_origin, first_magnitude) = (self.origins.all.len() as u32, self.magnitudes.all.len() as u32);
        for origin in element.children(fields.origin) {
            self.add_origin(source, origin, inside, notes);
        }
        for magnitude in element.children(fields.magnitude) {
            self.add_magnitude(source, magnitude, None, inside, notes);
        }
        self.add_station_magnitudes(source, element.children(fields.station_magnitude), notes);
        self.add_picks(source, element.children(fields.pick), notes);
        self.add_amplitudes(source, element.children(fields.amplitude), notes);
        count_mechanisms(element.children(fields.focal_mechanism).len(), notes);
        self.events.push(Event {
            element,
            origins: first_origin..self.origins.all.len() as u32,
            magnitudes: first_magnitude..self.magnitudes.all.len() as u32,
        });
    }

    fn add_origin(&mut self, source: &Source, element: Element<'r>, inside: &mut Vec<Of>, notes: &mut Notes) {
        let at = self.origins.push(element, source.origin.id, notes);
        self.add_station_magnitudes(source, element.children(source.origin.station_magnitude), notes);
        for magnitude in element.children(source.origin.magnitude) {
            self.add_magnitude(source, magnitude, Some(at), inside, notes);
        }
    }

    fn add_magnitude(
        &mut self,
        source: &Source,
        element: Element<'r>,
        origin: Option<u32>,
        inside: &mut Vec<Of>,
        notes: &mut Notes,
    ) {
        self.magnitudes.push(element, source.magnitude.id, notes);
        inside.push(origin.map_or(Of::Unsaid, Of::Origin));
    }

    fn add_picks(&mut self, source: &Source, picks: impl ExactSizeIterator<Item = Element<'r>>, notes: &mut Notes) {
        self.picks.reserve(picks.len());
        for pick in picks {
            self.picks.push(pick, source.pick.id, notes);
        }
    }

    fn add_amplitudes(&mut self, source: &Source, all: impl ExactSizeIterator<Item = Element<'r>>, notes: &mut Notes) {
        self.amplitudes.reserve(all.len());
        for amplitude in all {
            self.amplitudes.push(amplitude, source.amplitude.id, notes);
        }
    }

    fn add_station_magnitudes(
        &mut self,
        source: &Source,
        all: impl ExactSizeIterator<Item = Element<'r>>,
        notes: &mut Notes,
    ) {
        self.station_magnitudes.reserve(all.len());
        for one in all {
            self.station_magnitudes.push(one, source.station_magnitude.id, notes);
        }
    }

    /// Finds the origin of each magnitude: the one it lies in, or the one it names.
    fn assign(&mut self, source: &Source, inside: &[Of]) {
        for (magnitude, &inside) in self.magnitudes.all.iter().zip(inside) {
            let named = || magnitude.full(source.magnitude.origin);
            self.of.push(match inside {
                Of::Origin(origin) => Of::Origin(origin),
                _ => named().map_or(Of::Unsaid, |id| self.origins.find(id).map_or(Of::Missing, Of::Origin)),
            });
        }
        let pairs = self.of.iter().enumerate().filter_map(|(magnitude, of)| match of {
            Of::Origin(origin) => Some((*origin, magnitude as u32)),
            _ => None,
        });
        self.by_origin = pairs.collect();
        self.by_origin.sort_unstable();
    }

    /// Notes what else a file holds, and whether there is no event in it.
    fn parts(&self, source: &Source, root: Element<'r>, notes: &mut Notes) -> Result<()> {
        let of = &source.root;
        let module = [("module", of.module), ("plugin", of.plugin), ("binding", of.binding)];
        if let Some((name, _)) = module.into_iter().find(|(_, field)| root.children(*field).len() > 0)
            && self.events.is_empty()
        {
            let text =
                format!("this is SeisComP's description of a {name}, which holds no events (<seiscomp> with <{name}>)");
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        let parts = [
            ("Inventory", of.inventory),
            ("Config", of.config),
            ("Routing", of.routing),
            ("QualityControl", of.quality_control),
            ("DataAvailability", of.data_availability),
            ("ArclinkLog", of.arclink_log),
            ("Journaling", of.journaling),
        ];
        let found: Vec<_> =
            parts.into_iter().filter(|(_, f)| root.children(*f).len() > 0).map(|(name, _)| name).collect();
        notes.add_many(NoteKind::OtherPart, found.len() as u64, None, || found.join(", "));
        if self.events.is_empty() {
            notes.add(NoteKind::NoEvent, None, || self.held(&found));
        }
        Ok(())
    }

    /// What a file without events holds.
    fn held(&self, parts: &[&str]) -> String {
        let counted = [
            ("origin", self.origins.all.len()),
            ("magnitude", self.magnitudes.all.len()),
            ("pick", self.picks.all.len()),
            ("amplitude", self.amplitudes.all.len()),
        ];
        let objects = counted
            .iter()
            .filter(|(_, n)| *n > 0)
            .map(|(name, n)| format!("{n} {name}{}", if *n == 1 { "" } else { "s" }));
        let held: Vec<_> = parts.iter().map(ToString::to_string).chain(objects).collect();
        if held.is_empty() { "it holds nothing".to_owned() } else { format!("it holds {}", held.join(", ")) }
    }
}

fn count_mechanisms(found: usize, notes: &mut Notes) {
    notes.add_many(NoteKind::FocalMechanism, found as u64, None, String::new);
}
