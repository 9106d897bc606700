//! Text in the page: nothing that comes from data can be taken for a mark.

use crate::figures::printable;

/// Text as itself, in content and in attributes; control characters go.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            _ => safe.push(c),
        }
    }
    safe
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        assert_eq!(escaped("<b a='1' c=\"2\">&\u{7}"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;?");
    }
}
