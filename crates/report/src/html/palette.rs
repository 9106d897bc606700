//! The page's colours, in the light and in the dark theme.
//!
//! The series' colours are told apart with the common kinds of colour blindness (after Okabe & Ito, darkened or lightened
//! until they stand out from the ground), and every mark has a shape or a label besides.

/// A CSS variable, its value in the light theme, and in the dark one.
const COLOURS: [(&str, &str, &str); 17] = [
    ("ground", "#f6f7f8", "#13161a"),
    ("surface", "#ffffff", "#1b1f25"),
    ("text", "#1b1f24", "#e7eaee"),
    ("muted", "#535c66", "#a6afb9"),
    ("line", "#d5dae0", "#343b45"),
    ("axis", "#7b8591", "#7d8793"),
    ("link", "#0b5cad", "#7cb9ff"),
    ("best", "#0a6840", "#62d49a"),
    ("best-ground", "#e3f4ea", "#14352a"),
    ("warning", "#5c3c00", "#ffd98a"),
    ("warning-ground", "#fff1cc", "#3a2e10"),
    ("s0", "#0b62a8", "#6cb4f5"),
    ("s1", "#c24a00", "#ff9e5e"),
    ("s2", "#00795a", "#46c79b"),
    ("s3", "#8f3b8f", "#dd9be0"),
    ("s4", "#806000", "#e0c04f"),
    ("s5", "#5f6670", "#aeb6c0"),
];

/// How many colours a series may have.
pub(super) const SERIES: usize = 6;

/// The variables of both themes: the reader's system chooses, the page's switch overrules it.
pub(super) fn css() -> String {
    let theme = |value: fn(&(&str, &str, &str)) -> String| COLOURS.iter().map(value).collect::<String>();
    let light = theme(|(name, light, _)| format!("--{name}:{light};"));
    let dark = theme(|(name, _, dark)| format!("--{name}:{dark};"));
    let series: Vec<String> = (0..SERIES).map(|at| format!(".s{at}{{--own:var(--s{at})}}\n")).collect();
    let series = series.concat();
    format!(
        ":root{{color-scheme:light;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n\
         @media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n{series}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of `#rrggbb` (WCAG 2.2).
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn find(name: &str) -> (&'static str, &'static str) {
        COLOURS.iter().find(|row| row.0 == name).map(|row| (row.1, row.2)).unwrap()
    }

    #[track_caller]
    fn check(over: &str, ground: &str, least: f64) {
        let (over_pair, ground_pair) = (find(over), find(ground));
        for (a, b) in [(over_pair.0, ground_pair.0), (over_pair.1, ground_pair.1)] {
            assert!(contrast(a, b) >= least, "{over} {a} on {ground} {b}: {:.2}", contrast(a, b));
        }
    }

    #[test]
    fn text_and_marks_stand_out_as_wcag_aa_asks() {
        for ground in ["ground", "surface"] {
            for text in ["text", "muted", "link", "best"] {
                check(text, ground, 4.5);
            }
            check("axis", ground, 3.0);
            (0..SERIES).for_each(|at| check(&format!("s{at}"), ground, 3.0));
        }
        check("text", "best-ground", 4.5);
        check("best", "best-ground", 4.5);
        check("warning", "warning-ground", 4.5);
    }
}
