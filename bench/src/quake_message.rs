//! What prost generates for `quake.proto`.

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Quake {
    #[prost(message, repeated, tag = "1")]
    pub(crate) phases: Vec<Phase>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) magnitudes: Vec<Magnitude>,
    #[prost(string, tag = "10")]
    pub(crate) public_id: String,
    #[prost(string, tag = "11")]
    pub(crate) quake_type: String,
    #[prost(message, optional, tag = "12")]
    pub(crate) time: Option<Timestamp>,
    #[prost(double, optional, tag = "13")]
    pub(crate) latitude: Option<f64>,
    #[prost(double, optional, tag = "14")]
    pub(crate) latitude_uncertainty: Option<f64>,
    #[prost(double, optional, tag = "15")]
    pub(crate) longitude: Option<f64>,
    #[prost(double, optional, tag = "16")]
    pub(crate) longitude_uncertainty: Option<f64>,
    #[prost(double, optional, tag = "17")]
    pub(crate) depth: Option<f64>,
    #[prost(double, optional, tag = "18")]
    pub(crate) depth_uncertainty: Option<f64>,
    #[prost(string, tag = "19")]
    pub(crate) depth_type: String,
    #[prost(double, optional, tag = "20")]
    pub(crate) magnitude: Option<f64>,
    #[prost(double, optional, tag = "21")]
    pub(crate) magnitude_uncertainty: Option<f64>,
    #[prost(string, tag = "22")]
    pub(crate) magnitude_type: String,
    #[prost(int64, optional, tag = "23")]
    pub(crate) magnitude_station_count: Option<i64>,
    #[prost(string, tag = "24")]
    pub(crate) method: String,
    #[prost(string, tag = "25")]
    pub(crate) earth_model: String,
    #[prost(string, tag = "26")]
    pub(crate) evaluation_mode: String,
    #[prost(string, tag = "27")]
    pub(crate) evaluation_status: String,
    #[prost(int64, optional, tag = "28")]
    pub(crate) used_phase_count: Option<i64>,
    #[prost(int64, optional, tag = "29")]
    pub(crate) used_station_count: Option<i64>,
    #[prost(double, optional, tag = "30")]
    pub(crate) standard_error: Option<f64>,
    #[prost(double, optional, tag = "31")]
    pub(crate) azimuthal_gap: Option<f64>,
    #[prost(double, optional, tag = "32")]
    pub(crate) minimum_distance: Option<f64>,
    #[prost(string, tag = "33")]
    pub(crate) agency: String,
    #[prost(message, optional, tag = "34")]
    pub(crate) modification_time: Option<Timestamp>,
    #[prost(string, tag = "35")]
    pub(crate) place_name: String,
    #[prost(string, tag = "36")]
    pub(crate) region: String,
    #[prost(string, tag = "37")]
    pub(crate) preferred_origin_id: String,
    #[prost(string, tag = "38")]
    pub(crate) preferred_magnitude_id: String,
    #[prost(string, tag = "39")]
    pub(crate) author: String,
    #[prost(message, optional, tag = "40")]
    pub(crate) creation_time: Option<Timestamp>,
    #[prost(string, tag = "41")]
    pub(crate) type_certainty: String,
    #[prost(double, optional, tag = "42")]
    pub(crate) maximum_distance: Option<f64>,
    #[prost(double, optional, tag = "43")]
    pub(crate) median_distance: Option<f64>,
    #[prost(double, optional, tag = "44")]
    pub(crate) secondary_azimuthal_gap: Option<f64>,
    #[prost(double, optional, tag = "45")]
    pub(crate) time_uncertainty: Option<f64>,
    #[prost(double, optional, tag = "46")]
    pub(crate) horizontal_uncertainty: Option<f64>,
    #[prost(double, optional, tag = "47")]
    pub(crate) min_horizontal_uncertainty: Option<f64>,
    #[prost(double, optional, tag = "48")]
    pub(crate) max_horizontal_uncertainty: Option<f64>,
    #[prost(double, optional, tag = "49")]
    pub(crate) azimuth_max_horizontal_uncertainty: Option<f64>,
    #[prost(message, optional, tag = "50")]
    pub(crate) confidence_ellipsoid: Option<ConfidenceEllipsoid>,
    #[prost(string, tag = "51")]
    pub(crate) origin_agency: String,
    #[prost(string, tag = "52")]
    pub(crate) origin_author: String,
    #[prost(string, tag = "53")]
    pub(crate) magnitude_agency: String,
    #[prost(string, tag = "54")]
    pub(crate) magnitude_author: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Phase {
    #[prost(string, tag = "1")]
    pub(crate) network_code: String,
    #[prost(string, tag = "2")]
    pub(crate) station_code: String,
    #[prost(string, tag = "3")]
    pub(crate) location_code: String,
    #[prost(string, tag = "4")]
    pub(crate) channel_code: String,
    #[prost(string, tag = "5")]
    pub(crate) phase: String,
    #[prost(message, optional, tag = "6")]
    pub(crate) time: Option<Timestamp>,
    #[prost(double, optional, tag = "7")]
    pub(crate) residual: Option<f64>,
    #[prost(double, optional, tag = "8")]
    pub(crate) weight: Option<f64>,
    #[prost(double, optional, tag = "9")]
    pub(crate) azimuth: Option<f64>,
    #[prost(double, optional, tag = "10")]
    pub(crate) distance: Option<f64>,
    #[prost(string, tag = "11")]
    pub(crate) evaluation_mode: String,
    #[prost(string, tag = "12")]
    pub(crate) evaluation_status: String,
    #[prost(bool, tag = "13")]
    pub(crate) unused: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Magnitude {
    #[prost(message, repeated, tag = "1")]
    pub(crate) station_magnitude: Vec<StationMagnitude>,
    #[prost(double, optional, tag = "2")]
    pub(crate) magnitude: Option<f64>,
    #[prost(double, optional, tag = "3")]
    pub(crate) magnitude_uncertainty: Option<f64>,
    #[prost(string, tag = "4")]
    pub(crate) magnitude_type: String,
    #[prost(string, tag = "5")]
    pub(crate) magnitude_method: String,
    #[prost(int64, optional, tag = "6")]
    pub(crate) station_count: Option<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct StationMagnitude {
    #[prost(string, tag = "1")]
    pub(crate) network_code: String,
    #[prost(string, tag = "2")]
    pub(crate) station_code: String,
    #[prost(string, tag = "3")]
    pub(crate) location_code: String,
    #[prost(string, tag = "4")]
    pub(crate) channel_code: String,
    #[prost(double, optional, tag = "5")]
    pub(crate) magnitude: Option<f64>,
    #[prost(string, tag = "6")]
    pub(crate) magnitude_type: String,
    #[prost(double, optional, tag = "7")]
    pub(crate) residual: Option<f64>,
    #[prost(double, optional, tag = "8")]
    pub(crate) weight: Option<f64>,
    #[prost(double, optional, tag = "9")]
    pub(crate) amplitude: Option<f64>,
    #[prost(bool, tag = "10")]
    pub(crate) unused: bool,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(crate) struct ConfidenceEllipsoid {
    #[prost(double, optional, tag = "1")]
    pub(crate) semi_major_axis_length: Option<f64>,
    #[prost(double, optional, tag = "2")]
    pub(crate) semi_minor_axis_length: Option<f64>,
    #[prost(double, optional, tag = "3")]
    pub(crate) semi_intermediate_axis_length: Option<f64>,
    #[prost(double, optional, tag = "4")]
    pub(crate) major_axis_plunge: Option<f64>,
    #[prost(double, optional, tag = "5")]
    pub(crate) major_axis_azimuth: Option<f64>,
    #[prost(double, optional, tag = "6")]
    pub(crate) major_axis_rotation: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, PartialOrd, prost::Message)]
pub(crate) struct Timestamp {
    #[prost(int64, tag = "1")]
    pub(crate) secs: i64,
    #[prost(int64, tag = "2")]
    pub(crate) nanos: i64,
}
