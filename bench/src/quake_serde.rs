//! SeisComPML as people read it in Rust: quick-xml with serde into derived structs of the elements that are wanted, then
//! the same joins with hash maps.

use crate::quake_message::{ConfidenceEllipsoid, Magnitude, Phase, Quake, StationMagnitude, Timestamp};
use bantam_quake::Time;
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
struct Seiscomp {
    #[serde(rename = "EventParameters")]
    parameters: Parameters,
}

#[derive(Deserialize)]
struct Parameters {
    #[serde(default)]
    pick: Vec<Pick>,
    #[serde(default)]
    amplitude: Vec<Amplitude>,
    #[serde(default)]
    origin: Vec<Origin>,
    #[serde(default)]
    event: Vec<Event>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pick {
    #[serde(rename = "@publicID")]
    id: String,
    time: TimeQuantity,
    #[serde(rename = "waveformID")]
    waveform: Waveform,
    #[serde(default)]
    evaluation_mode: String,
    #[serde(default)]
    evaluation_status: String,
}

#[derive(Deserialize, Default)]
struct Waveform {
    #[serde(rename = "@networkCode", default)]
    network: String,
    #[serde(rename = "@stationCode", default)]
    station: String,
    #[serde(rename = "@locationCode", default)]
    location: String,
    #[serde(rename = "@channelCode", default)]
    channel: String,
}

#[derive(Deserialize)]
struct Amplitude {
    #[serde(rename = "@publicID")]
    id: String,
    amplitude: Real,
}

#[derive(Deserialize)]
struct TimeQuantity {
    value: String,
    uncertainty: Option<f64>,
}

#[derive(Deserialize)]
struct Real {
    value: f64,
    uncertainty: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Origin {
    #[serde(rename = "@publicID")]
    id: String,
    time: TimeQuantity,
    latitude: Real,
    longitude: Real,
    depth: Option<Real>,
    #[serde(default)]
    depth_type: String,
    #[serde(rename = "methodID", default)]
    method: String,
    #[serde(rename = "earthModelID", default)]
    earth_model: String,
    #[serde(default)]
    quality: Quality,
    #[serde(default)]
    uncertainty: Uncertainty,
    #[serde(default)]
    evaluation_mode: String,
    #[serde(default)]
    evaluation_status: String,
    #[serde(default)]
    creation_info: CreationInfo,
    #[serde(default)]
    arrival: Vec<Arrival>,
    #[serde(default)]
    station_magnitude: Vec<Station>,
    #[serde(default)]
    magnitude: Vec<Network>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Quality {
    used_phase_count: Option<i64>,
    used_station_count: Option<i64>,
    standard_error: Option<f64>,
    azimuthal_gap: Option<f64>,
    secondary_azimuthal_gap: Option<f64>,
    maximum_distance: Option<f64>,
    minimum_distance: Option<f64>,
    median_distance: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Uncertainty {
    horizontal_uncertainty: Option<f64>,
    min_horizontal_uncertainty: Option<f64>,
    max_horizontal_uncertainty: Option<f64>,
    azimuth_max_horizontal_uncertainty: Option<f64>,
    confidence_ellipsoid: Option<Ellipsoid>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ellipsoid {
    semi_major_axis_length: Option<f64>,
    semi_minor_axis_length: Option<f64>,
    semi_intermediate_axis_length: Option<f64>,
    major_axis_plunge: Option<f64>,
    major_axis_azimuth: Option<f64>,
    major_axis_rotation: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Arrival {
    #[serde(rename = "pickID")]
    pick: String,
    #[serde(default)]
    phase: String,
    azimuth: Option<f64>,
    distance: Option<f64>,
    time_residual: Option<f64>,
    time_used: Option<bool>,
    weight: Option<f64>,
}

#[derive(Deserialize)]
struct Station {
    #[serde(rename = "@publicID")]
    id: String,
    magnitude: Real,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(rename = "amplitudeID", default)]
    amplitude: String,
    #[serde(rename = "waveformID", default)]
    waveform: Waveform,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Network {
    #[serde(rename = "@publicID")]
    id: String,
    magnitude: Real,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(rename = "methodID", default)]
    method: String,
    station_count: Option<i64>,
    #[serde(default)]
    creation_info: CreationInfo,
    #[serde(default)]
    station_magnitude_contribution: Vec<Contribution>,
}

#[derive(Deserialize)]
struct Contribution {
    #[serde(rename = "stationMagnitudeID")]
    station: String,
    residual: Option<f64>,
    weight: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    #[serde(rename = "@publicID")]
    id: String,
    #[serde(rename = "preferredOriginID", default)]
    preferred_origin: String,
    #[serde(rename = "preferredMagnitudeID", default)]
    preferred_magnitude: String,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    type_certainty: String,
    #[serde(default)]
    creation_info: CreationInfo,
    #[serde(default)]
    description: Vec<Description>,
}

#[derive(Deserialize)]
struct Description {
    text: String,
    #[serde(rename = "type", default)]
    kind: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct CreationInfo {
    #[serde(rename = "agencyID", default)]
    agency: String,
    #[serde(default)]
    author: String,
    creation_time: Option<String>,
    modification_time: Option<String>,
}

/// The quake of the first event.
pub(crate) fn read(document: &str) -> Quake {
    let parameters = quick_xml::de::from_str::<Seiscomp>(document).expect("SeisComPML").parameters;
    let picks: HashMap<_, _> = parameters.pick.iter().map(|p| (p.id.as_str(), p)).collect();
    let amplitudes: HashMap<_, _> = parameters.amplitude.iter().map(|a| (a.id.as_str(), a)).collect();
    let origins: HashMap<_, _> = parameters.origin.iter().map(|o| (o.id.as_str(), o)).collect();
    let all = parameters.origin.iter();
    let stations: HashMap<_, _> = all.clone().flat_map(|o| &o.station_magnitude).map(|s| (s.id.as_str(), s)).collect();
    let magnitudes: HashMap<_, _> = all.flat_map(|o| &o.magnitude).map(|m| (m.id.as_str(), m)).collect();
    let event = &parameters.event[0];
    let mut quake = Quake::default();
    of_event(&mut quake, event);
    let mut infos = vec![&event.creation_info];
    if let Some(&origin) = origins.get(event.preferred_origin.as_str()) {
        of_origin(&mut quake, origin);
        quake.phases = origin.arrival.iter().filter(|a| is_used(a)).map(|a| phase(a, &picks)).collect();
        quake.magnitudes = origin.magnitude.iter().map(|m| magnitude(m, &stations, &amplitudes)).collect();
        infos.push(&origin.creation_info);
    }
    if let Some(magnitude) = magnitudes.get(event.preferred_magnitude.as_str()) {
        of_magnitude(&mut quake, magnitude);
        infos.push(&magnitude.creation_info);
    }
    let times = infos.into_iter().flat_map(|i| [&i.creation_time, &i.modification_time]).flatten();
    quake.modification_time = times.filter_map(|t| time(t)).max_by(|a, b| (a.secs, a.nanos).cmp(&(b.secs, b.nanos)));
    quake
}

fn time(text: &str) -> Option<Timestamp> {
    let time = Time::parse(text)?.time;
    Some(Timestamp { secs: time.secs, nanos: i64::from(time.nanos) })
}

fn of_event(quake: &mut Quake, event: &Event) {
    quake.public_id.clone_from(&event.id);
    quake.quake_type.clone_from(&event.kind);
    quake.type_certainty.clone_from(&event.type_certainty);
    quake.agency.clone_from(&event.creation_info.agency);
    quake.author.clone_from(&event.creation_info.author);
    quake.creation_time = event.creation_info.creation_time.as_deref().and_then(time);
    let described = |kind: &str| event.description.iter().find(|d| d.kind == kind).map(|d| d.text.clone());
    quake.place_name = described("earthquake name").or_else(|| described("nearest cities")).unwrap_or_default();
    quake.region = described("region name").or_else(|| described("Flinn-Engdahl region")).unwrap_or_default();
}

fn of_origin(quake: &mut Quake, origin: &Origin) {
    quake.preferred_origin_id.clone_from(&origin.id);
    quake.time = time(&origin.time.value);
    quake.time_uncertainty = origin.time.uncertainty;
    (quake.latitude, quake.latitude_uncertainty) = (Some(origin.latitude.value), origin.latitude.uncertainty);
    (quake.longitude, quake.longitude_uncertainty) = (Some(origin.longitude.value), origin.longitude.uncertainty);
    quake.depth = origin.depth.as_ref().map(|d| d.value);
    quake.depth_uncertainty = origin.depth.as_ref().and_then(|d| d.uncertainty);
    quake.depth_type.clone_from(&origin.depth_type);
    quake.method.clone_from(&origin.method);
    quake.earth_model.clone_from(&origin.earth_model);
    quake.evaluation_mode.clone_from(&origin.evaluation_mode);
    quake.evaluation_status.clone_from(&origin.evaluation_status);
    quake.used_phase_count = origin.quality.used_phase_count;
    quake.used_station_count = origin.quality.used_station_count;
    quake.standard_error = origin.quality.standard_error;
    quake.azimuthal_gap = origin.quality.azimuthal_gap;
    quake.secondary_azimuthal_gap = origin.quality.secondary_azimuthal_gap;
    quake.minimum_distance = origin.quality.minimum_distance;
    quake.maximum_distance = origin.quality.maximum_distance;
    quake.median_distance = origin.quality.median_distance;
    quake.horizontal_uncertainty = origin.uncertainty.horizontal_uncertainty;
    quake.min_horizontal_uncertainty = origin.uncertainty.min_horizontal_uncertainty;
    quake.max_horizontal_uncertainty = origin.uncertainty.max_horizontal_uncertainty;
    quake.azimuth_max_horizontal_uncertainty = origin.uncertainty.azimuth_max_horizontal_uncertainty;
    quake.confidence_ellipsoid = origin.uncertainty.confidence_ellipsoid.as_ref().map(|e| ConfidenceEllipsoid {
        semi_major_axis_length: e.semi_major_axis_length,
        semi_minor_axis_length: e.semi_minor_axis_length,
        semi_intermediate_axis_length: e.semi_intermediate_axis_length,
        major_axis_plunge: e.major_axis_plunge,
        major_axis_azimuth: e.major_axis_azimuth,
        major_axis_rotation: e.major_axis_rotation,
    });
    quake.origin_agency.clone_from(&origin.creation_info.agency);
    quake.origin_author.clone_from(&origin.creation_info.author);
}

fn of_magnitude(quake: &mut Quake, magnitude: &Network) {
    quake.preferred_magnitude_id.clone_from(&magnitude.id);
    quake.magnitude = Some(magnitude.magnitude.value);
    quake.magnitude_uncertainty = magnitude.magnitude.uncertainty;
    quake.magnitude_type.clone_from(&magnitude.kind);
    quake.magnitude_station_count = magnitude.station_count;
    quake.magnitude_agency.clone_from(&magnitude.creation_info.agency);
    quake.magnitude_author.clone_from(&magnitude.creation_info.author);
}

fn is_used(arrival: &Arrival) -> bool {
    arrival.time_used != Some(false) && arrival.weight.is_none_or(|w| w > 0.0)
}

fn phase(arrival: &Arrival, picks: &HashMap<&str, &Pick>) -> Phase {
    let mut phase = Phase {
        phase: arrival.phase.clone(),
        residual: arrival.time_residual,
        weight: arrival.weight,
        azimuth: arrival.azimuth,
        distance: arrival.distance,
        ..Phase::default()
    };
    if let Some(pick) = picks.get(arrival.pick.as_str()) {
        phase.network_code.clone_from(&pick.waveform.network);
        phase.station_code.clone_from(&pick.waveform.station);
        phase.location_code.clone_from(&pick.waveform.location);
        phase.channel_code.clone_from(&pick.waveform.channel);
        phase.time = time(&pick.time.value);
        phase.evaluation_mode.clone_from(&pick.evaluation_mode);
        phase.evaluation_status.clone_from(&pick.evaluation_status);
    }
    phase
}

fn magnitude(of: &Network, stations: &HashMap<&str, &Station>, amplitudes: &HashMap<&str, &Amplitude>) -> Magnitude {
    let used = of.station_magnitude_contribution.iter().filter(|c| c.weight.is_none_or(|w| w > 0.0));
    Magnitude {
        station_magnitude: used.map(|c| station_magnitude(c, stations, amplitudes)).collect(),
        magnitude: Some(of.magnitude.value),
        magnitude_uncertainty: of.magnitude.uncertainty,
        magnitude_type: of.kind.clone(),
        magnitude_method: of.method.clone(),
        station_count: of.station_count,
    }
}

fn station_magnitude(
    of: &Contribution,
    stations: &HashMap<&str, &Station>,
    amplitudes: &HashMap<&str, &Amplitude>,
) -> StationMagnitude {
    let mut found = StationMagnitude { residual: of.residual, weight: of.weight, ..StationMagnitude::default() };
    if let Some(station) = stations.get(of.station.as_str()) {
        found.network_code.clone_from(&station.waveform.network);
        found.station_code.clone_from(&station.waveform.station);
        found.location_code.clone_from(&station.waveform.location);
        found.channel_code.clone_from(&station.waveform.channel);
        found.magnitude = Some(station.magnitude.value);
        found.magnitude_type.clone_from(&station.kind);
        found.amplitude = amplitudes.get(station.amplitude.as_str()).map(|a| a.amplitude.value);
    }
    found
}
