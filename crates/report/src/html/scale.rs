//! From figures to places: axes from zero, and logarithmic ones.

use super::svg::{Anchor, Drawing, text_width};

/// From which range on an axis is logarithmic, where it need not start at zero.
const WIDE_RANGE: f64 = 20.0;

/// An axis between two places of a drawing.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) logarithmic: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// From zero to the largest value: for bars, whose length has to mean something.
    pub(super) fn from_zero(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Self {
        let largest = values.into_iter().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let high = if largest > 0.0 { largest } else { 1.0 };
        Self { logarithmic: false, low: 0.0, high, from, to }
    }

    /// Logarithmic where the values' range asks for it, else from zero.
    pub(super) fn for_range(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite() && *value > 0.0).collect();
        let (low, high) = ends(&values);
        if values.is_empty() || high / low <= WIDE_RANGE {
            return Self::from_zero(values.into_iter().map(|value| value * 1.05), from, to);
        }
        let room = (high / low).powf(0.06);
        Self { logarithmic: true, low: low / room, high: high * room, from, to }
    }

    /// Logarithmic, from the smallest to the largest of the values above zero.
    pub(super) fn logarithmic(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite() && *value > 0.0).collect();
        let (low, high) = if values.is_empty() { (1.0, 10.0) } else { ends(&values) };
        let (low, high) = if high / low < 1.5 { (low / 1.5, high * 1.5) } else { (low, high) };
        Self { logarithmic: true, low, high, from, to }
    }

    /// The place of a value; beyond the ends, the end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = if self.logarithmic {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        self.from + (self.to - self.from) * part
    }

    /// The word that a label has to have.
    pub(super) fn kind(&self) -> &'static str {
        if self.logarithmic { ", logarithmic" } else { "" }
    }

    /// Round values along the axis, about as many as asked for, and at least one.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        if self.logarithmic { self.powers(most) } else { self.steps(most) }
    }

    fn steps(&self, most: usize) -> Vec<f64> {
        let rough = self.high / most.max(1) as f64;
        let unit = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|s| s * unit).find(|s| *s >= rough * 0.999).unwrap_or(rough);
        let count = (self.high / step + 1e-9).floor().min(50.0) as usize;
        (0..=count).map(|at| at as f64 * step).collect()
    }

    /// Powers of ten; with few of them, also their double and fivefold; with many, not every one.
    fn powers(&self, most: usize) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let inside = |value: &f64| (self.low * 0.999..=self.high * 1.001).contains(value);
        let of = |digits: &[f64], every: i32| -> Vec<f64> {
            let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0);
            powers.flat_map(|power| digits.iter().map(move |d| d * 10_f64.powi(power))).filter(inside).collect()
        };
        let mut choices = vec![of(&[1.0, 2.0, 5.0], 1), of(&[1.0, 3.0], 1), of(&[1.0], 1)];
        choices.extend([2, 3, 6, 12].map(|every| of(&[1.0], every)));
        choices.into_iter().find(|ticks| ticks.len() <= most).unwrap_or_default()
    }

    /// Ticks and their labels below a plot that reaches from `top` to `bottom`.
    pub(super) fn draw_below(
        &self,
        drawing: &mut Drawing,
        (top, bottom): (f64, f64),
        most: usize,
        show: &dyn Fn(f64) -> String,
    ) {
        for tick in self.ticks(most) {
            let x = self.at(tick);
            drawing.line("g", (x, top), (x, bottom));
            let label = show(tick);
            // Near the left edge it moves inwards, or it would be cut off.
            let middle = x.max(text_width(&label) / 2.0);
            drawing.text("m", (middle, bottom + 16.0), Anchor::Middle, &label);
        }
        drawing.line("a", (self.from, bottom), (self.to, bottom));
    }

    /// The room that its labels need at the left of a plot.
    pub(super) fn room(&self, most: usize, show: &dyn Fn(f64) -> String) -> f64 {
        self.ticks(most).into_iter().map(|tick| text_width(&show(tick))).fold(40.0, f64::max) + 12.0
    }

    /// Ticks and their labels left of a plot that reaches from `left` to `right`.
    pub(super) fn draw_left(
        &self,
        drawing: &mut Drawing,
        (left, right): (f64, f64),
        most: usize,
        show: &dyn Fn(f64) -> String,
    ) {
        for tick in self.ticks(most) {
            let y = self.at(tick);
            drawing.line("g", (left, y), (right, y));
            drawing.text("m", (left - 7.0, y + 4.0), Anchor::End, &show(tick));
        }
        drawing.line("a", (left, self.from), (left, self.to));
    }
}

fn ends(values: &[f64]) -> (f64, f64) {
    let ends = values.iter().fold((f64::INFINITY, 0.0), |(low, high), value| (low.min(*value), f64::max(high, *value)));
    let (low, high): (f64, f64) = ends;
    // Nothing that is measured is further apart, and quotients stay finite.
    let high = high.min(1e100);
    (low.min(high).max(high / 1e30), high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_start_at_zero() {
        let axis = Axis::from_zero([3.0, 40.0], 100.0, 500.0);
        assert_eq!((axis.at(0.0), axis.at(20.0), axis.at(40.0)), (100.0, 300.0, 500.0));
        assert_eq!(axis.ticks(5), [0.0, 10.0, 20.0, 30.0, 40.0]);
        assert_eq!(axis.kind(), "");
    }

    #[test]
    fn a_wide_range_is_logarithmic_and_says_so() {
        let axis = Axis::for_range([1.0, 19.0], 0.0, 100.0);
        assert!(!axis.logarithmic);
        let axis = Axis::for_range([1.0, 10_000.0], 0.0, 100.0);
        assert_eq!((axis.kind(), axis.ticks(6)), (", logarithmic", vec![1.0, 10.0, 100.0, 1_000.0, 10_000.0]));
        assert!((axis.at(100.0) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_is_no_reason_to_divide_by_it() {
        for axis in [
            Axis::from_zero([], 0.0, 9.0),
            Axis::from_zero([0.0], 0.0, 9.0),
            Axis::for_range([f64::NAN, 0.0], 0.0, 9.0),
            Axis::logarithmic([], 0.0, 9.0),
            Axis::logarithmic([5.0], 0.0, 9.0),
            Axis::for_range([1e-300, 1e300], 0.0, 9.0),
        ] {
            for value in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
                assert!((0.0..=9.0).contains(&axis.at(value)), "{axis:?} {value}");
            }
            assert!(axis.ticks(5).iter().all(|tick| tick.is_finite()), "{axis:?}");
        }
    }

    #[test]
    fn there_are_no_more_ticks_than_asked_for() {
        for high in [2.0, 30.0, 700.0, 1e5, 1e9, 1e14] {
            for most in [3, 5, 8] {
                let axis = Axis::logarithmic([1.0, high], 0.0, 1.0);
                assert!(axis.ticks(most).len() <= most, "{high} {most}");
            }
        }
    }
}
