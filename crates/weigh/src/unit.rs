//! What a figure counts.

use crate::Picos;

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes, exactly.
    Bytes,
    /// Allocations, exactly.
    Allocations,
    /// Nanoseconds, known to an interval.
    Nanos,
}

impl Unit {
    /// Whether it is a time, which is known to an interval; all else is exact.
    pub fn is_time(self) -> bool {
        self == Self::Nanos
    }

    /// A figure with its unit, for people: `14181 bytes`, `3 allocations`, `1.25 ms`.
    pub fn shown(self, figure: f64) -> String {
        let counted = |noun: &str| format!("{figure:.0} {noun}{}", if figure.round() as i64 == 1 { "" } else { "s" });
        match self {
            Self::Bytes => counted("byte"),
            Self::Allocations => counted("allocation"),
            Self::Nanos => Picos((figure * 1_000.0) as u64).to_string(),
        }
    }
}
