//! An event's objects as elements: picks, amplitudes, the origin with all inside it, the event.

use super::magnitudes::{Amplitude, Magnitude};
use super::network::{Station, region};
use super::number::{Micros, SECOND, year};
use super::origin::{Quality, Uncertainty};
use super::phases::{Phase, method};
use super::source::{Source, Work};
use super::xml::Xml;

const AGENCY: &str = "LANT(Lantern_Primary)";

/// Who made something: a program on a computer, or the analysts' desk.
#[derive(Debug, Clone, Copy)]
enum Author {
    Picker,
    Amplitudes,
    Magnitudes,
    Locator,
    Events,
    Analyst,
}

impl Author {
    /// Names of hosts under `.example`, which belongs to nobody (RFC 2606).
    fn name(self) -> &'static str {
        match self {
            Self::Picker => "scautopick@proc1.lantern.example",
            Self::Amplitudes => "scamp@proc1.lantern.example",
            Self::Magnitudes => "scmag@proc1.lantern.example",
            Self::Locator => "scautoloc@proc1.lantern.example",
            Self::Events => "scevent@proc1.lantern.example",
            Self::Analyst => "analyst@desk2.lantern.example",
        }
    }

    /// The program, or the analyst who did the same by hand.
    fn or_analyst(self, work: Work) -> Self {
        if work == Work::Manual { Self::Analyst } else { self }
    }
}

/// An event with all that was found out about it.
#[derive(Debug)]
pub(super) struct Report<'r, 'n> {
    pub(super) source: &'r Source,
    pub(super) phases: &'r [Phase<'n>],
    pub(super) amplitudes: &'r [Amplitude<'r, 'n>],
    pub(super) magnitudes: &'r [Magnitude],
    pub(super) origin_id: &'r str,
    pub(super) origin_created: Micros,
    pub(super) quality: &'r Quality,
    pub(super) uncertainty: &'r Uncertainty,
}

fn creation(xml: &mut Xml<'_>, author: Author, created: Micros, modified: Option<Micros>) {
    xml.of("creationInfo", |xml| {
        xml.text("agencyID", AGENCY);
        xml.text("author", author.name());
        xml.time("creationTime", created);
        if let Some(modified) = modified {
            xml.time("modificationTime", modified);
        }
    });
}

fn waveform(xml: &mut Xml<'_>, station: &Station, component: &str) {
    let channel = format!("{}{component}", station.band);
    let mut attributes = vec![("networkCode", station.network), ("stationCode", &station.code)];
    attributes.extend(station.location.map(|location| ("locationCode", location)));
    attributes.push(("channelCode", &channel));
    xml.empty("waveformID", &attributes);
}

fn mode(work: Work) -> &'static str {
    match work {
        Work::Manual => "manual",
        Work::Automatic => "automatic",
    }
}

fn status(work: Work) -> &'static str {
    match work {
        Work::Manual => "confirmed",
        Work::Automatic => "preliminary",
    }
}

impl Report<'_, '_> {
    /// The elements `pick`.
    pub(super) fn picks(&self, xml: &mut Xml<'_>) {
        for phase in self.phases {
            xml.with("pick", &[("publicID", &phase.pick_id)], |xml| pick(xml, phase));
        }
    }

    /// The elements `amplitude`.
    pub(super) fn amplitudes(&self, xml: &mut Xml<'_>) {
        for found in self.amplitudes {
            xml.with("amplitude", &[("publicID", &found.id)], |xml| amplitude(xml, found));
        }
    }

    /// The element `origin`.
    pub(super) fn origin(&self, xml: &mut Xml<'_>) {
        let work = self.source.work;
        xml.with("origin", &[("publicID", self.origin_id)], |xml| {
            self.place(xml);
            xml.text("methodID", "GridSearch");
            xml.text("earthModelID", "lantern-2layer");
            quality(xml, self.quality);
            uncertainty(xml, self.uncertainty);
            xml.text("evaluationMode", mode(work));
            xml.text("evaluationStatus", status(work));
            let author = Author::Locator.or_analyst(work);
            creation(xml, author, self.origin_created, Some(self.origin_modified()));
            self.phases.iter().for_each(|phase| xml.of("arrival", |xml| arrival(xml, phase)));
            for found in self.amplitudes {
                let id = [("publicID", found.magnitude_id.as_str())];
                xml.with("stationMagnitude", &id, |xml| station_magnitude(xml, found, work));
            }
            for found in self.magnitudes {
                xml.with("magnitude", &[("publicID", &found.id)], |xml| self.magnitude(xml, found));
            }
        });
    }

    fn place(&self, xml: &mut Xml<'_>) {
        let (source, off) = (self.source, self.uncertainty);
        xml.of("time", |xml| xml.time("value", source.time));
        xml.quantity("latitude", source.latitude, Some(off.latitude));
        xml.quantity("longitude", source.longitude, Some(off.longitude));
        xml.quantity("depth", source.depth, Some(off.depth));
    }

    /// The summary magnitude is the last thing that is added.
    fn origin_modified(&self) -> Micros {
        self.magnitudes.last().map_or(self.origin_created, |m| m.created) + SECOND / 8
    }

    fn magnitude(&self, xml: &mut Xml<'_>, found: &Magnitude) {
        let summary = found.contributions.is_empty();
        xml.quantity("magnitude", found.value, found.uncertainty);
        xml.text("type", found.name);
        xml.text("methodID", found.method);
        xml.count("stationCount", found.stations);
        if !summary {
            xml.text("evaluationStatus", status(self.source.work));
        }
        let author = if summary { Author::Magnitudes } else { Author::Magnitudes.or_analyst(self.source.work) };
        creation(xml, author, found.created, None);
        for part in &found.contributions {
            xml.of("stationMagnitudeContribution", |xml| {
                xml.text("stationMagnitudeID", &self.amplitudes[part.amplitude].magnitude_id);
                if let Some(residual) = part.residual {
                    xml.number("residual", residual);
                }
                xml.count("weight", part.weight);
            });
        }
    }

    /// The element `event`.
    pub(super) fn event(&self, xml: &mut Xml<'_>) {
        let source = self.source;
        let preferred = self.magnitudes.last().map_or("", |m| &m.id);
        xml.with("event", &[("publicID", &source.id)], |xml| {
            xml.text("preferredOriginID", self.origin_id);
            xml.text("preferredMagnitudeID", preferred);
            if let Some(kind) = source.kind {
                xml.text("type", kind);
            }
            // The first programs knew of it as soon as some picks had been made.
            let created = self.phases.iter().map(|p| p.time).min().unwrap_or(source.time) + 21 * SECOND + 610_839;
            creation(xml, Author::Events, created, Some(self.origin_modified() + 11_017));
            let region = region(source.latitude, source.longitude);
            description(xml, region, "region name");
            if source.kind == Some("earthquake") && source.magnitude >= 5.0 {
                let name = format!("{} {region} earthquake", year(source.time));
                description(xml, &name, "earthquake name");
            }
            xml.text("originReference", self.origin_id);
        });
    }
}

fn description(xml: &mut Xml<'_>, text: &str, kind: &str) {
    xml.of("description", |xml| {
        xml.text("text", text);
        xml.text("type", kind);
    });
}

fn pick(xml: &mut Xml<'_>, phase: &Phase<'_>) {
    xml.of("time", |xml| xml.time("value", phase.time));
    waveform(xml, phase.station, phase.component.encode_utf8(&mut [0; 4]));
    let by_program = phase.work == Work::Automatic;
    // A Butterworth filter: its order and corners in Hz.
    xml.text("filterID", if by_program { "BW(3,2.5,12)" } else { "BW(4,1.5,12)" });
    if by_program {
        xml.text("methodID", method(phase.wave));
    }
    xml.text("phaseHint", phase.wave.name());
    xml.text("evaluationMode", mode(phase.work));
    creation(xml, Author::Picker.or_analyst(phase.work), phase.created, None);
}

fn amplitude(xml: &mut Xml<'_>, found: &Amplitude<'_, '_>) {
    xml.text("type", found.scale.name());
    xml.of("amplitude", |xml| {
        xml.number("value", found.value);
        if let Some(uncertainty) = found.uncertainty {
            xml.number("lowerUncertainty", uncertainty);
            xml.number("upperUncertainty", uncertainty);
        }
    });
    xml.of("timeWindow", |xml| {
        xml.time("reference", found.reference);
        xml.number("begin", found.window.0);
        xml.number("end", found.window.1);
    });
    if let Some(snr) = found.snr {
        xml.number("snr", snr);
    }
    xml.text("pickID", &found.phase.pick_id);
    waveform(xml, found.phase.station, found.component());
    if found.work == Work::Manual {
        xml.text("evaluationMode", mode(found.work));
    }
    creation(xml, Author::Amplitudes.or_analyst(found.work), found.created, None);
}

fn station_magnitude(xml: &mut Xml<'_>, found: &Amplitude<'_, '_>, work: Work) {
    xml.quantity("magnitude", found.magnitude, None);
    xml.text("type", found.scale.name());
    xml.text("amplitudeID", &found.id);
    waveform(xml, found.phase.station, found.component());
    creation(xml, Author::Magnitudes.or_analyst(work), found.magnitude_created, None);
}

fn arrival(xml: &mut Xml<'_>, phase: &Phase<'_>) {
    xml.text("pickID", &phase.pick_id);
    xml.text("phase", phase.wave.name());
    if phase.residual.is_some() {
        xml.number("timeCorrection", 0.0);
    }
    xml.number("azimuth", phase.azimuth);
    xml.number("distance", phase.distance);
    if let Some(residual) = phase.residual {
        xml.number("timeResidual", residual);
    }
    xml.number("weight", phase.weight);
}

fn quality(xml: &mut Xml<'_>, quality: &Quality) {
    xml.of("quality", |xml| {
        xml.count("associatedPhaseCount", quality.associated_phases);
        xml.count("usedPhaseCount", quality.used_phases);
        xml.count("usedStationCount", quality.used_stations);
        xml.number("standardError", quality.standard_error);
        xml.number("azimuthalGap", quality.gap);
        xml.number("secondaryAzimuthalGap", quality.secondary_gap);
        xml.text("groundTruthLevel", "-");
        xml.number("maximumDistance", quality.maximum_distance);
        xml.number("minimumDistance", quality.minimum_distance);
        xml.number("medianDistance", quality.median_distance);
    });
}

fn uncertainty(xml: &mut Xml<'_>, off: &Uncertainty) {
    xml.of("uncertainty", |xml| {
        xml.number("horizontalUncertainty", off.most);
        xml.number("minHorizontalUncertainty", off.least);
        xml.number("maxHorizontalUncertainty", off.most);
        xml.number("azimuthMaxHorizontalUncertainty", off.azimuth);
        xml.of("confidenceEllipsoid", |xml| {
            let [major, intermediate, minor] = off.axes;
            xml.number("semiMajorAxisLength", major);
            xml.number("semiMinorAxisLength", minor);
            xml.number("semiIntermediateAxisLength", intermediate);
            xml.number("majorAxisPlunge", off.plunge);
            xml.number("majorAxisAzimuth", off.azimuth);
            xml.number("majorAxisRotation", off.rotation);
        });
    });
}

impl Amplitude<'_, '_> {
    /// The channel's third letter; none for both horizontal ones together.
    fn component(&self) -> &'static str {
        if self.uncertainty.is_some() { "" } else { "Z" }
    }
}
