//! Showing a weigh-in: terminal, JSON, CSV.
