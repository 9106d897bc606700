//! Objects of a document → the rows of a Quake.

use super::Options;
mod stations;

use super::choose::Chosen;
use super::document::Document;
use super::source::{Element, Field, Language, Source, Text};
use super::value::{ANY, NOT_NEGATIVE, Unit, Values, called};
use crate::message::Fields;
use crate::note::NoteKind;
use crate::time::Time;
use bantam_model::{Batch, Error, ErrorKind, Result, Slot, Span};
use std::ops::RangeInclusive;

const ANGLE: RangeInclusive<f64> = 0.0..=360.0;
const ARC: RangeInclusive<f64> = 0.0..=180.0;

/// What quakes may take: so many bytes, and so many times the document's. Those of real documents are a part of theirs.
const LEAST_GROWTH: u64 = 64 << 20;
const MOST_GROWTH: u64 = 16;

/// Fills quakes from a document.
pub(super) struct Fill<'f, 'r, 'a> {
    source: &'f Source,
    fields: &'f Fields,
    options: &'f Options,
    document: &'f Document<'r>,
    values: &'f mut Values,
    /// Where the document lies in the batch's input, if it does.
    start: Option<usize>,
    batch: &'f mut Batch<'a>,
    chosen: Chosen,
    /// Bytes of the document, and of all text in quakes.
    document_bytes: u64,
    text: u64,
    /// Which objects are in a quake.
    used: Used,
}

#[derive(Default)]
struct Used {
    origins: Vec<bool>,
    magnitudes: Vec<bool>,
    picks: Vec<bool>,
    amplitudes: Vec<bool>,
    station_magnitudes: Vec<bool>,
}

impl<'f, 'r, 'a> Fill<'f, 'r, 'a> {
    pub(super) fn new(
        source: &'f Source,
        fields: &'f Fields,
        options: &'f Options,
        document: &'f Document<'r>,
        values: &'f mut Values,
        (start, bytes): (Option<usize>, usize),
        batch: &'f mut Batch<'a>,
    ) -> Self {
        let used = Used {
            origins: vec![false; document.origins.all.len()],
            magnitudes: vec![false; document.magnitudes.all.len()],
            picks: vec![false; document.picks.all.len()],
            amplitudes: vec![false; document.amplitudes.all.len()],
            station_magnitudes: vec![false; document.station_magnitudes.all.len()],
        };
        Self {
            source,
            fields,
            options,
            document,
            values,
            start,
            batch,
            chosen: Chosen::default(),
            document_bytes: bytes as u64,
            text: 0,
            used,
        }
    }

    /// Adds the quake of an event.
    pub(super) fn quake(&mut self, at: usize) -> Result<()> {
        let event = &self.document.events[at];
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.make(self.source, self.document, event, self.values);
        let row = self.batch.push_record()?;
        let done = self.parts(row, event.element, &chosen).and_then(|()| self.check_growth());
        self.chosen = chosen;
        done.map_err(|e| e.in_record(at))
    }

    fn parts(&mut self, row: usize, event: Element<'r>, chosen: &Chosen) -> Result<()> {
        let document = self.document;
        let origin = chosen.origin.map(|at| document.origins.all[at as usize]);
        let magnitude = chosen.magnitude.map(|at| document.magnitudes.all[at as usize]);
        self.event(row, event)?;
        if let Some(origin) = origin {
            self.origin(row, origin)?;
        }
        if let Some(magnitude) = magnitude {
            self.preferred_magnitude(row, magnitude)?;
        }
        self.modified(row, event, origin, magnitude)?;
        mark(&mut self.used.origins, chosen.origin);
        mark(&mut self.used.magnitudes, chosen.magnitude);
        if let Some(origin) = origin {
            self.phases(row, origin)?;
        }
        for &magnitude in &chosen.magnitudes {
            mark(&mut self.used.magnitudes, Some(magnitude));
            self.magnitude(row, document.magnitudes.all[magnitude as usize])?;
        }
        Ok(())
    }

    fn event(&mut self, row: usize, event: Element<'r>) -> Result<()> {
        let (of, to) = (&self.source.event, &self.fields.quake);
        if event.full(of.id).is_none() {
            self.values.notes.add(NoteKind::NoId, None, String::new);
        }
        self.text(row, &to.public_id, event.full(of.id))?;
        self.text(row, &to.quake_type, event.full(of.kind))?;
        self.text(row, &to.type_certainty, event.full(of.certainty))?;
        if let Some(creation) = event.child(of.creation) {
            self.text(row, &to.agency, creation.full(self.source.creation.agency))?;
            self.text(row, &to.author, creation.full(self.source.creation.author))?;
        }
        // Of each kind, the first that is there.
        let described = |kind: &[u8]| {
            let fields = &self.source.description;
            let mut found =
                event.children(of.description).filter(|d| d.full(fields.kind).is_some_and(|t| t.bytes == kind));
            found.find_map(|d| d.full(fields.text))
        };
        let place = described(b"earthquake name").or_else(|| described(b"nearest cities"));
        let region = described(b"region name").or_else(|| described(b"Flinn-Engdahl region"));
        self.text(row, &to.place_name, place)?;
        self.text(row, &to.region, region)
    }

    fn origin(&mut self, row: usize, origin: Element<'r>) -> Result<()> {
        let (of, to, quantity) = (&self.source.origin, &self.fields.quake, &self.source.quantity);
        self.text(row, &to.preferred_origin_id, origin.full(of.id))?;
        for (slot, field) in [
            (&to.depth_type, of.depth_type),
            (&to.method, of.method),
            (&to.earth_model, of.earth_model),
            (&to.evaluation_mode, of.mode),
            (&to.evaluation_status, of.status),
        ] {
            self.text(row, slot, origin.full(field))?;
        }
        if let Some(creation) = origin.child(of.creation) {
            self.text(row, &to.origin_agency, creation.full(self.source.creation.agency))?;
            self.text(row, &to.origin_author, creation.full(self.source.creation.author))?;
        }
        if let Some(time) = self.due(origin, of.time) {
            let found = self.values.time(time, self.source.time.value);
            self.time(row, &to.time, found)?;
            self.number(row, &to.time_uncertainty, time, self.source.time.uncertainty, NOT_NEGATIVE);
        }
        for (slot, uncertainty, field, range) in [
            (&to.latitude, &to.latitude_uncertainty, of.latitude, -90.0..=90.0),
            (&to.longitude, &to.longitude_uncertainty, of.longitude, -180.0..=180.0),
        ] {
            if let Some(value) = self.due(origin, field) {
                self.number(row, slot, value, quantity.value, range);
                self.number(row, uncertainty, value, quantity.uncertainty, NOT_NEGATIVE);
            }
        }
        if let Some(depth) = self.due(origin, of.depth) {
            self.length(row, &to.depth, depth, quantity.value, -10.0..=1_000.0);
            self.length(row, &to.depth_uncertainty, depth, quantity.uncertainty, NOT_NEGATIVE);
        }
        if let Some(quality) = origin.child(of.quality) {
            self.quality(row, quality);
        }
        if let Some(uncertainty) = origin.child(of.uncertainty) {
            self.uncertainty(row, uncertainty)?;
        }
        Ok(())
    }

    fn quality(&mut self, row: usize, quality: Element<'r>) {
        let (of, to) = (&self.source.quality, &self.fields.quake);
        self.count(row, &to.used_phase_count, quality, of.used_phases);
        self.count(row, &to.used_station_count, quality, of.used_stations);
        self.number(row, &to.standard_error, quality, of.standard_error, NOT_NEGATIVE);
        self.number(row, &to.azimuthal_gap, quality, of.gap, ANGLE);
        self.number(row, &to.secondary_azimuthal_gap, quality, of.secondary_gap, ANGLE);
        self.number(row, &to.minimum_distance, quality, of.minimum_distance, ARC);
        self.number(row, &to.maximum_distance, quality, of.maximum_distance, ARC);
        self.number(row, &to.median_distance, quality, of.median_distance, ARC);
    }

    fn uncertainty(&mut self, row: usize, uncertainty: Element<'r>) -> Result<()> {
        let (of, to) = (&self.source.uncertainty, &self.fields.quake);
        self.length(row, &to.horizontal_uncertainty, uncertainty, of.horizontal, NOT_NEGATIVE);
        self.length(row, &to.min_horizontal_uncertainty, uncertainty, of.minimum, NOT_NEGATIVE);
        self.length(row, &to.max_horizontal_uncertainty, uncertainty, of.maximum, NOT_NEGATIVE);
        self.number(row, &to.azimuth_max_horizontal_uncertainty, uncertainty, of.azimuth, -360.0..=360.0);
        let Some(ellipsoid) = uncertainty.child(of.ellipsoid) else { return Ok(()) };
        let (of, to) = (&self.source.ellipsoid, &self.fields.ellipsoid);
        let inner = self.batch.push_row(self.stride(&self.fields.quake.confidence_ellipsoid))?;
        self.number(inner, &to.semi_major_axis_length, ellipsoid, of.major, NOT_NEGATIVE);
        self.number(inner, &to.semi_minor_axis_length, ellipsoid, of.minor, NOT_NEGATIVE);
        self.number(inner, &to.semi_intermediate_axis_length, ellipsoid, of.intermediate, NOT_NEGATIVE);
        self.number(inner, &to.major_axis_plunge, ellipsoid, of.plunge, ANY);
        self.number(inner, &to.major_axis_azimuth, ellipsoid, of.azimuth, ANY);
        self.number(inner, &to.major_axis_rotation, ellipsoid, of.rotation, ANY);
        self.batch.set(row, &self.fields.quake.confidence_ellipsoid, inner as u64);
        Ok(())
    }

    fn preferred_magnitude(&mut self, row: usize, magnitude: Element<'r>) -> Result<()> {
        let (of, to, quantity) = (&self.source.magnitude, &self.fields.quake, &self.source.quantity);
        self.text(row, &to.preferred_magnitude_id, magnitude.full(of.id))?;
        self.text(row, &to.magnitude_type, magnitude.full(of.kind))?;
        if let Some(value) = self.due(magnitude, of.value) {
            self.number(row, &to.magnitude, value, quantity.value, ANY);
            self.number(row, &to.magnitude_uncertainty, value, quantity.uncertainty, NOT_NEGATIVE);
        }
        self.count(row, &to.magnitude_station_count, magnitude, of.station_count);
        if let Some(creation) = magnitude.child(of.creation) {
            self.text(row, &to.magnitude_agency, creation.full(self.source.creation.agency))?;
            self.text(row, &to.magnitude_author, creation.full(self.source.creation.author))?;
        }
        Ok(())
    }

    /// The latest creation or modification of event, origin and magnitude.
    fn modified(
        &mut self,
        row: usize,
        event: Element<'r>,
        origin: Option<Element<'r>>,
        magnitude: Option<Element<'r>>,
    ) -> Result<()> {
        let (source, to) = (self.source, &self.fields.quake);
        let infos = [
            event.child(source.event.creation),
            origin.and_then(|o| o.child(source.origin.creation)),
            magnitude.and_then(|m| m.child(source.magnitude.creation)),
        ];
        let mut latest = None;
        for (at, info) in infos.into_iter().enumerate() {
            let Some(info) = info else { continue };
            let created = self.values.time(info, source.creation.created);
            if at == 0 {
                self.time(row, &to.creation_time, created)?;
            }
            latest = latest.max(created).max(self.values.time(info, source.creation.modified));
        }
        self.time(row, &to.modification_time, latest)
    }

    /// An error where objects that are shared make much of a small document: one long code under many arrivals, one origin
    /// under many events.
    fn check_growth(&self) -> Result<()> {
        let (made, most) = (self.batch.bytes() + self.text, LEAST_GROWTH + MOST_GROWTH * self.document_bytes);
        if made <= most {
            return Ok(());
        }
        let text = format!(
            "the quakes take {made} bytes so far, from a document of {}: it shares too much; {most} are allowed",
            self.document_bytes
        );
        Err(Error::new(ErrorKind::Limit, text))
    }

    /// Counts the objects that are in no quake.
    pub(super) fn finish(&mut self) {
        for (kind, used) in [
            (NoteKind::OtherOrigin, &self.used.origins),
            (NoteKind::OtherMagnitude, &self.used.magnitudes),
            (NoteKind::OtherPick, &self.used.picks),
            (NoteKind::OtherAmplitude, &self.used.amplitudes),
            (NoteKind::OtherStationMagnitude, &self.used.station_magnitudes),
        ] {
            let left = used.iter().filter(|&&used| !used).count();
            self.values.notes.add_many(kind, left as u64, None, String::new);
        }
    }

    fn note(&mut self, kind: NoteKind, id: Option<Text<'r>>) {
        let place = id.and_then(Text::place);
        self.values.notes.add(kind, place, || id.map(|t| called(t.str())).unwrap_or_default());
    }

    /// An element whose value is due; one without a value counts.
    fn due(&mut self, of: Element<'r>, field: Field) -> Option<Element<'r>> {
        let element = of.child(field)?;
        if element.text(self.source.quantity.value).is_none() {
            self.values.notes.add(NoteKind::Empty, None, String::new);
        }
        Some(element)
    }

    fn stride(&self, slot: &Slot) -> u32 {
        slot.item_words(self.batch.layout())
    }

    fn item(&mut self, row: usize, list: &Slot) -> Result<usize> {
        self.batch.mark(row, list.index);
        let words = self.stride(list);
        self.batch.push_item(row + list.word as usize, words)
    }

    /// Sets text, if there is some.
    fn text(&mut self, row: usize, slot: &Slot, text: Option<Text<'r>>) -> Result<()> {
        let Some(text) = text else { return Ok(()) };
        self.text += text.bytes.len() as u64;
        let span = match (self.start, text.place()) {
            (Some(start), Some(place)) => Span::of_input((start + place) as u32, text.bytes.len() as u32),
            _ => self.batch.store(text.bytes)?,
        };
        self.batch.set(row, slot, span.word());
        Ok(())
    }

    fn time(&mut self, row: usize, slot: &Slot, time: Option<Time>) -> Result<()> {
        let Some(time) = time else { return Ok(()) };
        let inner = self.batch.push_row(self.stride(slot))?;
        let to = &self.fields.timestamp;
        if time.secs != 0 {
            self.batch.set(inner, &to.secs, time.secs as u64);
        }
        if time.nanos != 0 {
            self.batch.set(inner, &to.nanos, u64::from(time.nanos));
        }
        self.batch.set(row, slot, inner as u64);
        Ok(())
    }

    fn number(&mut self, row: usize, slot: &Slot, of: Element<'r>, field: Field, range: RangeInclusive<f64>) {
        let number = self.values.number(of, field, range);
        self.set_number(row, slot, number);
    }

    /// A length, in the language's unit; the range is in kilometres.
    fn length(&mut self, row: usize, slot: &Slot, of: Element<'r>, field: Field, range: RangeInclusive<f64>) {
        let unit = if self.source.language == Language::QuakeMl { Unit::Metres } else { Unit::Same };
        let number = self.values.number_in(of, field, unit, range);
        self.set_number(row, slot, number);
    }

    fn count(&mut self, row: usize, slot: &Slot, of: Element<'r>, field: Field) {
        if let Some(count) = self.values.count(of, field) {
            self.batch.set(row, slot, count as u64);
        }
    }

    fn set_number(&mut self, row: usize, slot: &Slot, number: Option<f64>) {
        if let Some(number) = number {
            self.batch.set(row, slot, number.to_bits());
        }
    }
}

fn mark(used: &mut [bool], at: Option<u32>) {
    if let Some(at) = at {
        used[at as usize] = true;
    }
}
