//! What stations observed: arrivals with their picks, station magnitudes with their amplitudes.

use super::super::source::{Element, Text};
use super::super::value::ANY;
use super::{ARC, Fill, NOT_NEGATIVE, mark};
use crate::note::NoteKind;
use bantam_model::{Result, Slot};

impl<'r> Fill<'_, 'r, '_> {
    pub(super) fn phases(&mut self, row: usize, origin: Element<'r>) -> Result<()> {
        let arrivals = origin.children(self.source.origin.arrival);
        for arrival in arrivals {
            let of = &self.source.arrival;
            let weight = self.values.number(arrival, of.weight, ANY);
            let time_used = self.values.bool(arrival, of.used);
            let used = time_used != Some(false) && weight.is_none_or(|w| w > 0.0);
            let pick_id = arrival.full(of.pick);
            if !used {
                let kept = self.options.keep_unused;
                self.note(if kept { NoteKind::KeptArrival } else { NoteKind::UnusedArrival }, pick_id);
            }
            if used || self.options.keep_unused {
                self.phase(row, arrival, pick_id, weight, used)?;
            }
        }
        Ok(())
    }

    fn phase(
        &mut self,
        row: usize,
        arrival: Element<'r>,
        pick_id: Option<Text<'r>>,
        weight: Option<f64>,
        used: bool,
    ) -> Result<()> {
        let (of, to, list) = (&self.source.arrival, &self.fields.phase, &self.fields.quake.phases);
        let item = self.item(row, list)?;
        self.text(item, &to.phase, arrival.full(of.phase))?;
        self.number(item, &to.residual, arrival, of.residual, ANY);
        self.set_number(item, &to.weight, weight);
        self.number(item, &to.azimuth, arrival, of.azimuth, -360.0..=360.0);
        self.number(item, &to.distance, arrival, of.distance, ARC);
        if !used {
            self.batch.set(item, &to.unused, 1);
        }
        let Some(pick) = pick_id.and_then(|id| self.document.picks.find(id)) else {
            self.note(NoteKind::PickNotFound, pick_id);
            return Ok(());
        };
        mark(&mut self.used.picks, Some(pick));
        let (pick, of) = (self.document.picks.all[pick as usize], &self.source.pick);
        if let Some(time) = self.due(pick, of.time) {
            let found = self.values.time(time, self.source.time.value);
            self.time(item, &to.time, found)?;
        }
        self.text(item, &to.evaluation_mode, pick.full(of.mode))?;
        self.text(item, &to.evaluation_status, pick.full(of.status))?;
        let codes = [&to.network_code, &to.station_code, &to.location_code, &to.channel_code];
        self.waveform(item, codes, pick.child(of.waveform))
    }

    pub(super) fn magnitude(&mut self, row: usize, magnitude: Element<'r>) -> Result<()> {
        let (of, to, quantity) = (&self.source.magnitude, &self.fields.magnitude, &self.source.quantity);
        let item = self.item(row, &self.fields.quake.magnitudes)?;
        if let Some(value) = self.due(magnitude, of.value) {
            self.number(item, &to.magnitude, value, quantity.value, ANY);
            self.number(item, &to.magnitude_uncertainty, value, quantity.uncertainty, NOT_NEGATIVE);
        }
        self.text(item, &to.magnitude_type, magnitude.full(of.kind))?;
        self.text(item, &to.magnitude_method, magnitude.full(of.method))?;
        self.count(item, &to.station_count, magnitude, of.station_count);
        for contribution in magnitude.children(of.contribution) {
            self.contribution(item, contribution)?;
        }
        Ok(())
    }

    fn contribution(&mut self, magnitude: usize, contribution: Element<'r>) -> Result<()> {
        let (of, to) = (&self.source.contribution, &self.fields.station_magnitude);
        let weight = self.values.number(contribution, of.weight, ANY);
        let used = weight.is_none_or(|w| w > 0.0);
        let id = contribution.full(of.station_magnitude);
        if !used {
            if !self.options.keep_unused {
                self.note(NoteKind::UnusedStationMagnitude, id);
                return Ok(());
            }
            self.note(NoteKind::KeptStationMagnitude, id);
        }
        let item = self.item(magnitude, &self.fields.magnitude.station_magnitude)?;
        self.number(item, &to.residual, contribution, of.residual, ANY);
        self.set_number(item, &to.weight, weight);
        if !used {
            self.batch.set(item, &to.unused, 1);
        }
        let Some(at) = id.and_then(|id| self.document.station_magnitudes.find(id)) else {
            self.note(NoteKind::StationMagnitudeNotFound, id);
            return Ok(());
        };
        mark(&mut self.used.station_magnitudes, Some(at));
        let (station, of) = (self.document.station_magnitudes.all[at as usize], &self.source.station_magnitude);
        if let Some(value) = self.due(station, of.value) {
            self.number(item, &to.magnitude, value, self.source.quantity.value, ANY);
        }
        self.text(item, &to.magnitude_type, station.full(of.kind))?;
        let codes = [&to.network_code, &to.station_code, &to.location_code, &to.channel_code];
        self.waveform(item, codes, station.child(of.waveform))?;
        // Not every station magnitude has one.
        let Some(id) = station.full(of.amplitude) else { return Ok(()) };
        let Some(at) = self.document.amplitudes.find(id) else {
            self.note(NoteKind::AmplitudeNotFound, Some(id));
            return Ok(());
        };
        mark(&mut self.used.amplitudes, Some(at));
        if let Some(value) = self.document.amplitudes.all[at as usize].child(self.source.amplitude.value) {
            self.number(item, &to.amplitude, value, self.source.quantity.value, ANY);
        }
        Ok(())
    }

    fn waveform(&mut self, row: usize, codes: [&Slot; 4], waveform: Option<Element<'r>>) -> Result<()> {
        let Some(waveform) = waveform else { return Ok(()) };
        let of = &self.source.waveform;
        for (slot, field) in codes.into_iter().zip([of.network, of.station, of.location, of.channel]) {
            self.text(row, slot, waveform.full(field))?;
        }
        Ok(())
    }
}
