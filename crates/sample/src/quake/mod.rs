//! `quake`: earthquakes as a seismic network reports them, in `SeisComPML`.
//!
//! The documents follow schema 0.11 of `SeisComP` (<https://www.seiscomp.de/doc/base/api-datamodel-python.html> tells what
//! the elements mean) and have the size and shape of what a national network publishes; network, islands, observatory
//! and events are invented. The numbers agree with each other: distances are those of the stations, picks are at
//! the origin's time, the travel time of a model and the residual, magnitudes are the means of their stations'. So
//! a reader can be checked not only for what it reads, but for what it adds up.

mod document;
mod draw;
mod ids;
mod magnitudes;
mod maths;
mod network;
mod number;
mod origin;
mod phases;
mod source;
mod travel;
mod xml;

#[cfg(test)]
mod tests;

use crate::{Make, Rng, Sample};
use document::Report;
use ids::Ids;
use network::Network;
use origin::{Quality, Uncertainty};
use source::Source;
use std::ops::Range;
use xml::Xml;

/// The table's row.
pub(crate) static QUAKE: Sample = Sample {
    name: "quake",
    about: "earthquakes with picks, arrivals, amplitudes and magnitudes: half a megabyte of SeisComPML each",
    records: 1,
    schemas: &[],
    make: Make::Document { format: "seiscompml", write },
};

const HEAD: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<seiscomp xmlns=\"http://geofon.gfz-potsdam.de/ns/seiscomp3-schema/0.11\" version=\"0.11\">
  <EventParameters>
";
const FOOT: &[u8] = b"  </EventParameters>
</seiscomp>
";

/// All picks come first, then all amplitudes, origins and events.
fn write(seed: u64, events: Range<usize>, out: &mut Vec<u8>) {
    let network = Network::new(seed);
    out.extend_from_slice(HEAD);
    let (mut amplitudes, mut origins, mut last) = (Vec::new(), Vec::new(), Vec::new());
    for number in events {
        event(seed, &network, number as u64, |report| {
            report.picks(&mut inside(out));
            report.amplitudes(&mut inside(&mut amplitudes));
            report.origin(&mut inside(&mut origins));
            report.event(&mut inside(&mut last));
        });
    }
    for part in [amplitudes, origins, last] {
        out.extend_from_slice(&part);
    }
    out.extend_from_slice(FOOT);
}

/// The level of what `EventParameters` holds.
fn inside(out: &mut Vec<u8>) -> Xml<'_> {
    Xml { out, level: 2 }
}

/// Makes an event of a network, by seed and number only.
fn event(seed: u64, network: &Network, number: u64, show: impl FnOnce(&Report<'_, '_>)) {
    // Far apart in the seeds of all events; the generator mixes the bits.
    let mut rng = Rng::new(seed.rotate_left(32) ^ number.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1));
    let rng = &mut rng;
    let source = Source::draw(rng, network, number);
    let mut ids = Ids::new(rng, network.first_serial, number, &source);
    let phases = phases::draw(rng, network, &source, &mut ids);
    let (origin_id, origin_created) = ids.location("Origin", rng);
    let amplitudes = magnitudes::amplitudes(rng, &source, &phases, &mut ids);
    let quality = Quality::of(&phases);
    show(&Report {
        source: &source,
        phases: &phases,
        amplitudes: &amplitudes,
        magnitudes: &magnitudes::magnitudes(rng, &origin_id, &amplitudes, &mut ids),
        origin_id: &origin_id,
        origin_created,
        quality: &quality,
        uncertainty: &Uncertainty::draw(rng, &quality),
    });
}
