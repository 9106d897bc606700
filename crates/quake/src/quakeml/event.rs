//! A Quake → an event of QuakeML with its origin, magnitudes, picks and amplitudes.

use super::element::{Elements, apart};
use super::identifier::{Identifiers, allowed};
use super::vocabulary::{cut, depth_type, evaluation_mode, evaluation_status, event_type, type_certainty};
use crate::view::View;
use bantam_model::Slot;

/// The namespace of the one foreign element, as SeisComP's converter has it.
const SEISCOMP: &str = "http://geofon.gfz-potsdam.de/ns/seiscomp3-schema/0.12";

/// How deep an event's children lie, and theirs.
const CHILD: usize = 3;
const GRANDCHILD: usize = 4;

/// Writes the event of a quake, the document's so-manieth.
pub(super) fn write<'r>(quake: View<'r>, number: usize, ids: &mut Identifiers<'r>, to: &mut Elements<'_>) {
    let id = named(ids, quake.text(&quake.fields.quake.public_id), || format!("smi:local/event/{number}"));
    let (picks, stations, amplitudes) = (Vec::new(), Vec::new(), Vec::new());
    let mut event = Event { quake, id, origin: String::new(), ids, picks, stations, amplitudes };
    let id = event.id.clone();
    to.element("event", &[("publicID", &id)], |to| event.parts(to));
}

/// The identifier of an object: its own, or else a generated one.
fn named(ids: &mut Identifiers<'_>, own: &str, generated: impl FnOnce() -> String) -> String {
    if own.is_empty() { ids.generate(generated()) } else { ids.take(own) }
}

/// An event that is being written. What lies beside origin and magnitudes is kept until they are written.
struct Event<'e, 'r> {
    quake: View<'r>,
    id: String,
    /// The identifier of the origin that the magnitudes of the list are of, in the document or not.
    origin: String,
    ids: &'e mut Identifiers<'r>,
    picks: Vec<u8>,
    stations: Vec<u8>,
    amplitudes: Vec<u8>,
}

impl Event<'_, '_> {
    fn parts(&mut self, to: &mut Elements<'_>) {
        let (quake, of) = (self.quake, &self.quake.fields.quake);
        let own = quake.text(&of.preferred_origin_id);
        let origin = apart(GRANDCHILD, |to| self.origin(to));
        let is_origin = !(own.is_empty() && origin.is_empty());
        let generated = if is_origin { "origin" } else { "otherOrigin" };
        self.origin = named(self.ids, own, || format!("{}/{generated}", self.id));
        let (magnitudes, preferred) = self.magnitudes(is_origin);

        if is_origin {
            to.text("preferredOriginID", &self.origin);
        }
        to.text("preferredMagnitudeID", &preferred);
        to.text("type", event_type(quake.text(&of.quake_type)).unwrap_or(""));
        to.text("typeCertainty", type_certainty(quake.text(&of.type_certainty)).unwrap_or(""));
        for (slot, kind) in [(&of.place_name, "earthquake name"), (&of.region, "region name")] {
            if !quake.text(slot).is_empty() {
                to.group("description", |to| {
                    to.text("text", quake.text(slot));
                    to.text("type", kind);
                });
            }
        }
        self.creation(to);
        if is_origin {
            to.element("origin", &[("publicID", &self.origin)], |to| to.written(&origin));
        }
        for part in [&magnitudes, &self.stations, &self.amplitudes, &self.picks] {
            to.written(part);
        }
    }

    fn creation(&self, to: &mut Elements<'_>) {
        let (quake, of) = (self.quake, &self.quake.fields.quake);
        let (created, modified) = (quake.time(&of.creation_time), quake.time(&of.modification_time));
        to.group("creationInfo", |to| {
            to.text("agencyID", cut(quake.text(&of.agency), 64));
            to.text("author", cut(quake.text(&of.author), 128));
            to.time("creationTime", created);
            if let Some(modified) = modified.filter(|_| modified != created) {
                to.leaf("scs:modificationTime", &[("xmlns:scs", SEISCOMP)], &modified.to_string());
            }
        });
    }

    /// What lies in the origin, its arrivals too.
    fn origin(&mut self, to: &mut Elements<'_>) {
        let (quake, of) = (self.quake, &self.quake.fields.quake);
        to.group("time", |to| {
            to.time("value", quake.time(&of.time));
            to.number("uncertainty", quake.number(&of.time_uncertainty));
        });
        to.quantity("latitude", quake.number(&of.latitude), quake.number(&of.latitude_uncertainty));
        to.quantity("longitude", quake.number(&of.longitude), quake.number(&of.longitude_uncertainty));
        to.group("depth", |to| {
            to.metres("value", quake.number(&of.depth));
            to.metres("uncertainty", quake.number(&of.depth_uncertainty));
        });
        to.text("depthType", depth_type(quake.text(&of.depth_type)).unwrap_or(""));
        resource("methodID", quake.text(&of.method), to);
        resource("earthModelID", quake.text(&of.earth_model), to);
        quality(quake, to);
        uncertainty(quake, to);
        evaluation(quake, [&of.evaluation_mode, &of.evaluation_status], to);
        creation_of(quake, [&of.origin_agency, &of.origin_author], to);
        for (at, phase) in quake.items(&of.phases).enumerate() {
            self.arrival(phase, at + 1, to);
        }
    }

    fn arrival(&mut self, phase: View<'_>, number: usize, to: &mut Elements<'_>) {
        let of = &phase.fields.phase;
        let pick = self.ids.generate(format!("{}/pick/{number}", self.id));
        let arrival = self.ids.generate(format!("{}/arrival/{number}", self.id));
        to.element("arrival", &[("publicID", &arrival)], |to| {
            to.text("pickID", &pick);
            to.leaf("phase", &[], phase.text(&of.phase));
            to.number("azimuth", phase.number(&of.azimuth));
            to.number("distance", phase.number(&of.distance));
            to.number("timeResidual", phase.number(&of.residual));
            to.number("timeWeight", weight(phase, &of.weight, &of.unused));
        });
        let codes = [&of.network_code, &of.station_code, &of.location_code, &of.channel_code];
        let rest = apart(GRANDCHILD, |to| {
            to.group("time", |to| to.time("value", phase.time(&of.time)));
            evaluation(phase, [&of.evaluation_mode, &of.evaluation_status], to);
        });
        if !rest.is_empty() || has_code(phase, codes) {
            Elements::new(&mut self.picks, CHILD).element("pick", &[("publicID", &pick)], |to| {
                waveform(phase, codes, to);
                to.written(&rest);
            });
        }
    }

    /// The magnitudes as elements, and the identifier of the preferred one, empty if there is none.
    fn magnitudes(&mut self, is_origin: bool) -> (Vec<u8>, String) {
        let (quake, of) = (self.quake, &self.quake.fields.quake);
        let own_id = quake.text(&of.preferred_magnitude_id);
        let own = apart(GRANDCHILD, |to| preferred_values(quake, to));
        let is_preferred = !(own_id.is_empty() && own.is_empty());
        let same = quake.items(&of.magnitudes).position(|one| is_preferred && is_same(quake, one));
        let mut preferred = String::new();
        let mut written = Vec::new();
        for (at, one) in quake.items(&of.magnitudes).enumerate() {
            let is_same = same == Some(at);
            let generated = format!("{}/magnitude/{}", self.id, at + 1);
            let id = named(self.ids, if is_same { own_id } else { "" }, || generated);
            written.extend(apart(CHILD, |to| {
                to.element("magnitude", &[("publicID", &id)], |to| {
                    // Without an origin, one that is named would be another origin than the event's.
                    self.magnitude(one, &id, is_origin, to);
                    if is_same {
                        creation_of(quake, [&of.magnitude_agency, &of.magnitude_author], to);
                    }
                });
            }));
            if is_same {
                preferred = id;
            }
        }
        if is_preferred && same.is_none() {
            preferred = named(self.ids, own_id, || format!("{}/magnitude", self.id));
            let other = self.ids.generate(format!("{}/otherOrigin", self.id));
            written.extend(apart(CHILD, |to| {
                to.element("magnitude", &[("publicID", &preferred)], |to| {
                    to.written(&own);
                    to.text("originID", &other);
                });
            }));
        }
        (written, preferred)
    }

    fn magnitude(&mut self, magnitude: View<'_>, id: &str, is_origin: bool, to: &mut Elements<'_>) {
        let of = &magnitude.fields.magnitude;
        for (at, station) in magnitude.items(&of.station_magnitude).enumerate() {
            self.contribution(station, &format!("{id}/station/{}", at + 1), to);
        }
        to.quantity("mag", magnitude.number(&of.magnitude), magnitude.number(&of.magnitude_uncertainty));
        to.text("type", cut(magnitude.text(&of.magnitude_type), 32));
        if is_origin {
            to.text("originID", &self.origin);
        }
        resource("methodID", magnitude.text(&of.magnitude_method), to);
        to.count("stationCount", magnitude.count(&of.station_count));
    }

    fn contribution(&mut self, station: View<'_>, id: &str, to: &mut Elements<'_>) {
        let of = &station.fields.station_magnitude;
        let id = self.ids.generate(id.to_owned());
        to.group("stationMagnitudeContribution", |to| {
            to.text("stationMagnitudeID", &id);
            to.number("residual", station.number(&of.residual));
            to.number("weight", weight(station, &of.weight, &of.unused));
        });
        let amplitude = station.number(&of.amplitude);
        let amplitude_id = amplitude.map(|_| self.ids.generate(format!("{id}/amplitude"))).unwrap_or_default();
        let codes = [&of.network_code, &of.station_code, &of.location_code, &of.channel_code];
        let rest = apart(GRANDCHILD, |to| {
            to.quantity("mag", station.number(&of.magnitude), None);
            to.text("type", cut(station.text(&of.magnitude_type), 32));
            to.text("amplitudeID", &amplitude_id);
            if has_code(station, codes) {
                waveform(station, codes, to);
            }
        });
        if !rest.is_empty() {
            Elements::new(&mut self.stations, CHILD).element("stationMagnitude", &[("publicID", &id)], |to| {
                to.text("originID", &self.origin);
                to.written(&rest);
            });
        }
        if amplitude.is_some() {
            Elements::new(&mut self.amplitudes, CHILD).element("amplitude", &[("publicID", &amplitude_id)], |to| {
                to.quantity("genericAmplitude", amplitude, None);
            });
        }
    }
}

/// What the Quake says of its preferred magnitude.
fn preferred_values(quake: View<'_>, to: &mut Elements<'_>) {
    let of = &quake.fields.quake;
    to.quantity("mag", quake.number(&of.magnitude), quake.number(&of.magnitude_uncertainty));
    to.text("type", cut(quake.text(&of.magnitude_type), 32));
    to.count("stationCount", quake.count(&of.magnitude_station_count));
    creation_of(quake, [&of.magnitude_agency, &of.magnitude_author], to);
}

/// Whether a magnitude of the list is the preferred one, as far as both say.
fn is_same(quake: View<'_>, one: View<'_>) -> bool {
    let (of, its) = (&quake.fields.quake, &quake.fields.magnitude);
    let same = |a: &Slot, b: &Slot| quake.number(a).map(f64::to_bits) == one.number(b).map(f64::to_bits);
    same(&of.magnitude, &its.magnitude)
        && same(&of.magnitude_uncertainty, &its.magnitude_uncertainty)
        && quake.text(&of.magnitude_type) == one.text(&its.magnitude_type)
        && quake.count(&of.magnitude_station_count) == one.count(&its.station_count)
}

/// The weight as QuakeML tells used from unused: 0 or below for unused.
fn weight(of: View<'_>, weight: &Slot, unused: &Slot) -> Option<f64> {
    let weight = of.number(weight);
    if of.flag(unused) { Some(weight.filter(|w| *w <= 0.0).unwrap_or(0.0)) } else { weight }
}

fn quality(quake: View<'_>, to: &mut Elements<'_>) {
    let of = &quake.fields.quake;
    to.group("quality", |to| {
        to.count("usedPhaseCount", quake.count(&of.used_phase_count));
        to.count("usedStationCount", quake.count(&of.used_station_count));
        to.number("standardError", quake.number(&of.standard_error));
        to.number("azimuthalGap", quake.number(&of.azimuthal_gap));
        to.number("secondaryAzimuthalGap", quake.number(&of.secondary_azimuthal_gap));
        to.number("minimumDistance", quake.number(&of.minimum_distance));
        to.number("medianDistance", quake.number(&of.median_distance));
        to.number("maximumDistance", quake.number(&of.maximum_distance));
    });
}

fn uncertainty(quake: View<'_>, to: &mut Elements<'_>) {
    let of = &quake.fields.quake;
    to.group("originUncertainty", |to| {
        to.metres("horizontalUncertainty", quake.number(&of.horizontal_uncertainty));
        to.metres("minHorizontalUncertainty", quake.number(&of.min_horizontal_uncertainty));
        to.metres("maxHorizontalUncertainty", quake.number(&of.max_horizontal_uncertainty));
        let azimuth = quake.number(&of.azimuth_max_horizontal_uncertainty);
        to.number("azimuthMaxHorizontalUncertainty", azimuth);
        let Some(ellipsoid) = quake.message(&of.confidence_ellipsoid) else { return };
        let of = &quake.fields.ellipsoid;
        to.element("confidenceEllipsoid", &[], |to| {
            for (name, slot) in [
                ("semiMajorAxisLength", &of.semi_major_axis_length),
                ("semiMinorAxisLength", &of.semi_minor_axis_length),
                ("semiIntermediateAxisLength", &of.semi_intermediate_axis_length),
                ("majorAxisPlunge", &of.major_axis_plunge),
                ("majorAxisAzimuth", &of.major_axis_azimuth),
                ("majorAxisRotation", &of.major_axis_rotation),
            ] {
                to.number(name, ellipsoid.number(slot));
            }
        });
    });
}

/// A reference to something outside of the document.
fn resource(name: &str, text: &str, to: &mut Elements<'_>) {
    if !text.is_empty() {
        to.text(name, &allowed(text));
    }
}

fn evaluation(of: View<'_>, [mode, status]: [&Slot; 2], to: &mut Elements<'_>) {
    to.text("evaluationMode", evaluation_mode(of.text(mode)).unwrap_or(""));
    to.text("evaluationStatus", evaluation_status(of.text(status)).unwrap_or(""));
}

fn creation_of(of: View<'_>, [agency, author]: [&Slot; 2], to: &mut Elements<'_>) {
    to.group("creationInfo", |to| {
        to.text("agencyID", cut(of.text(agency), 64));
        to.text("author", cut(of.text(author), 128));
    });
}

fn has_code(of: View<'_>, codes: [&Slot; 4]) -> bool {
    codes.into_iter().any(|slot| !of.text(slot).is_empty())
}

fn waveform(of: View<'_>, codes: [&Slot; 4], to: &mut Elements<'_>) {
    let names = ["networkCode", "stationCode", "locationCode", "channelCode"];
    let all = names.into_iter().zip(codes.map(|slot| cut(of.text(slot), 8)));
    // The first two are required.
    let there: Vec<_> = all.enumerate().filter(|(at, (_, code))| *at < 2 || !code.is_empty()).map(|(_, a)| a).collect();
    to.element("waveformID", &there, |_| {});
}
