//! Drawing: SVG that stands in the page itself, scales by its view box, and says what it shows.
//!
//! Every chart is drawn twice, for wide pages and for phones: text would be too small on a phone if one drawing were
//! only scaled. The style sheet shows one of them, and a screen reader sees only that one.

use super::text::escaped;

/// How wide a drawing is, in units of its view box, which are about pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    Wide,
    Narrow,
}

impl View {
    pub(super) const fn width(self) -> f64 {
        match self {
            Self::Wide => 900.0,
            Self::Narrow => 350.0,
        }
    }

    /// The class that the style sheet knows, also the end of ids.
    const fn name(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }

    pub(super) const fn is_wide(self) -> bool {
        matches!(self, Self::Wide)
    }
}

/// Which side of its place a text lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// What a series' marks look like, so that colour is never needed to tell them apart.
const SHAPES: usize = 7;

/// The class of a series' colour.
pub(super) fn series_class(series: usize) -> String {
    format!("s{}", series % super::palette::SERIES)
}

/// One drawing on its way.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) height: f64,
    body: String,
}

impl Drawing {
    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        self.body += &format!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
        self.body.push('\n');
    }

    pub(super) fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64)) {
        let [x, y, width, height] = [corner.0, corner.1, size.0.max(0.0), size.1.max(0.0)].map(number);
        self.body += &format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#);
        self.body.push('\n');
    }

    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        let (x, y) = (number(at.0), number(at.1));
        self.body += &format!(r#"<text{class} x="{x}" y="{y}"{anchor}>{}</text>"#, escaped(text));
        self.body.push('\n');
    }

    /// A line through all points.
    pub(super) fn through(&mut self, class: &str, points: &[(f64, f64)], dashes: &str) {
        if points.len() < 2 {
            return;
        }
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
        let dashes = if dashes.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dashes}""#) };
        self.body += &format!(r#"<polyline class="{class}"{dashes} points="{}"/>"#, points.join(" "));
        self.body.push('\n');
    }

    /// The mark of a series: circle, square, triangle, diamond, triangle on its head, plus, cross.
    pub(super) fn shape(&mut self, class: &str, series: usize, at: (f64, f64), radius: f64) {
        let (x, y) = (number(at.0), number(at.1));
        if series.is_multiple_of(SHAPES) {
            self.body += &format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{}"/>"#, number(radius));
            self.body.push('\n');
            return;
        }
        let outline: &[(f64, f64)] = match series % SHAPES {
            1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            2 => &[(0.0, -1.2), (1.15, 0.85), (-1.15, 0.85)],
            3 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
            4 => &[(0.0, 1.2), (1.15, -0.85), (-1.15, -0.85)],
            5 => PLUS,
            _ => CROSS,
        };
        let path: Vec<String> =
            outline.iter().map(|(dx, dy)| format!("{},{}", number(dx * radius), number(dy * radius))).collect();
        self.body +=
            &format!(r#"<polygon class="{class}" transform="translate({x} {y})" points="{}"/>"#, path.join(" "));
        self.body.push('\n');
    }

    /// A mark that stands for something: the tip says what for.
    pub(super) fn mark(&mut self, series: usize, tip: &str, draw: impl FnOnce(&mut Self)) {
        self.body += &format!("<g class=\"mark {}\"><title>{}</title>\n", series_class(series), escaped(tip));
        draw(self);
        self.body += "</g>\n";
    }

    /// Things in a series' colour that stand for nothing by themselves.
    pub(super) fn coloured(&mut self, series: usize, draw: impl FnOnce(&mut Self)) {
        self.body += &format!("<g class=\"{}\">\n", series_class(series));
        draw(self);
        self.body += "</g>\n";
    }
}

/// The arms of a plus; turned by 45° they are a cross.
const PLUS: &[(f64, f64)] = &[
    (-0.4, -1.2),
    (0.4, -1.2),
    (0.4, -0.4),
    (1.2, -0.4),
    (1.2, 0.4),
    (0.4, 0.4),
    (0.4, 1.2),
    (-0.4, 1.2),
    (-0.4, 0.4),
    (-1.2, 0.4),
    (-1.2, -0.4),
    (-0.4, -0.4),
];
const CROSS: &[(f64, f64)] = &[
    (-1.13, -0.57),
    (-0.57, -1.13),
    (0.0, -0.57),
    (0.57, -1.13),
    (1.13, -0.57),
    (0.57, 0.0),
    (1.13, 0.57),
    (0.57, 1.13),
    (0.0, 0.57),
    (-0.57, 1.13),
    (-1.13, 0.57),
    (-0.57, 0.0),
];

/// A coordinate to a tenth. What is no number lies at the edge: it must not break the drawing.
fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".into();
    }
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}

/// The mean width of a character in the drawings' font, a little more than most systems' fonts take.
const GLYPH: f64 = 7.1;

/// About how wide a text is in a drawing: digits and small letters of the system's fonts at the drawings' size.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * GLYPH
}

/// The room that texts need at the right of a plot, up to the larger half of the drawing.
pub(super) fn room_for<'a>(texts: impl Iterator<Item = &'a str>, view: View) -> f64 {
    let widest = texts.map(text_width).fold(40.0, f64::max) + 14.0;
    widest.min(view.width() * 0.6)
}

/// Text cut to a width, with an ellipsis where something is missing.
pub(super) fn fitted(text: &str, width: f64) -> String {
    let most = ((width / GLYPH) as usize).max(4);
    if text.chars().count() <= most {
        return text.into();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}

/// What the marks of a chart mean, in lines as long as the drawing is wide; returns where what follows may start.
pub(super) fn legend(drawing: &mut Drawing, entries: &[(usize, String)], left: f64, top: f64, width: f64) -> f64 {
    let (mut x, mut y) = (left, top + 12.0);
    for (series, name) in entries {
        let name = fitted(name, width - left - 24.0);
        let length = text_width(&name) + 34.0;
        if x > left && x + length > width + 16.0 {
            (x, y) = (left, y + 20.0);
        }
        drawing.coloured(*series, |drawing| drawing.shape("k", *series, (x + 6.0, y - 4.0), 5.0));
        drawing.text("", (x + 17.0, y), Anchor::Start, &name);
        x += length;
    }
    y + 14.0
}

/// A chart, drawn for both widths: `title` and `about` are read out in place of the drawing.
pub(super) fn chart(id: &str, title: &str, about: &str, draw: &dyn Fn(View) -> Drawing) -> String {
    let (title, about) = (escaped(title), escaped(about));
    let mut html = format!("<div class=\"chart\" data-label=\"{title}\">\n");
    for view in [View::Wide, View::Narrow] {
        let (name, drawing) = (view.name(), draw(view));
        html += &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{name}\" viewBox=\"0 0 {} {}\" role=\"img\" \
             aria-labelledby=\"{id}-{name}-title {id}-{name}-about\">\n\
             <title id=\"{id}-{name}-title\">{title}</title>\n<desc id=\"{id}-{name}-about\">{about}</desc>\n{}</svg>\n",
            number(view.width()),
            number(drawing.height),
            drawing.body,
        );
    }
    html + "</div>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_always_numbers() {
        for (value, shown) in [(1.0, "1"), (1.25, "1.2"), (-0.01, "0"), (f64::NAN, "0"), (f64::INFINITY, "0")] {
            assert_eq!(number(value), shown);
        }
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(fitted("protobuf", 100.0), "protobuf");
        assert_eq!(fitted("a name that is far too long", 72.0), "a name th…");
    }
}
