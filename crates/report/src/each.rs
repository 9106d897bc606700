//! Every message by itself, as the reports for people show it: the same tables everywhere.

use bantam_weigh::{Column, Lane, MessageFigure, MessageTimes, Packing, Quantile, Weighing};

use crate::figures::{Unit, grouped};
use crate::view::{Labels, best, compressor_label, counted, distinct, needs_codecs, shown_rows};

/// A table of figures of single messages.
pub(crate) struct Table {
    /// What the page calls it.
    pub(crate) id: String,
    /// What it is about: the head of its first column.
    pub(crate) head: String,
    /// The same in a sentence.
    pub(crate) caption: String,
    /// Whether rows are told apart by their codecs.
    pub(crate) by_codec: bool,
    /// The rows, by their index in the weighing.
    pub(crate) rows: Vec<usize>,
    pub(crate) columns: Vec<Figures>,
    /// What the heads leave open, to be said below.
    pub(crate) note: Option<String>,
}

/// A column of such a table.
pub(crate) struct Figures {
    pub(crate) head: String,
    /// The head where the columns before it cannot be seen.
    pub(crate) full: String,
    /// Whether it belongs to the column before.
    pub(crate) joined: bool,
    pub(crate) cells: Vec<Option<Figure>>,
}

/// A figure: what it shows, what it is sorted by, and whether it is the best of its column.
pub(crate) struct Figure {
    pub(crate) text: String,
    pub(crate) value: f64,
    pub(crate) best: bool,
}

/// `81.0`, `1,234.5`.
pub(crate) fn one_decimal(value: f64) -> String {
    let tenths = (value * 10.0).round() as u64;
    format!("{}.{}", grouped(tenths / 10), tenths % 10)
}

/// `zstd:3 + dictionary`, and shorter where there is little room.
fn label(packing: Packing<'_>) -> [String; 2] {
    let name = compressor_label(packing.compressor, packing.level);
    if packing.dictionary { [format!("{name} + dictionary"), format!("{name}+dict")] } else { [name.clone(), name] }
}

/// The tables of a lane; none where messages were not weighed.
pub(crate) fn tables(weighing: &Weighing, lane: Lane) -> Vec<Table> {
    let mut rows = shown_rows(weighing, lane);
    rows.retain(|index| weighing.rows[*index].each.is_some());
    if rows.is_empty() {
        return Vec::new();
    }
    let about = About { weighing, lane, sizes: distinct(weighing, &rows), rows };
    let mut tables = vec![about.messages(), about.compressed()];
    let with_dictionary = weighing.packings().into_iter().filter(|packing| packing.dictionary);
    tables.extend(with_dictionary.map(|packing| about.dictionary(packing)));
    tables.push(about.compression());
    tables.retain(|table| table.columns.iter().any(|column| column.cells.iter().any(Option::is_some)));
    tables
}

/// Why rows have no dictionary: each reason with its rows.
pub(crate) fn without_dictionary(weighing: &Weighing, labels: &Labels, lane: Lane) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    let mut rows = shown_rows(weighing, lane);
    rows.retain(|index| weighing.rows[*index].each.is_some());
    for index in distinct(weighing, &rows) {
        let row = &weighing.rows[index];
        let Some(reason) = row.each.as_ref().and_then(|each| each.no_dictionary.as_deref()) else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(labels.name(row)),
            None => reasons.push((reason, vec![labels.name(row)])),
        }
    }
    reasons.into_iter().map(|(reason, names)| format!("No dictionary for {}: {reason}.", names.join(", "))).collect()
}

struct About<'a> {
    weighing: &'a Weighing,
    lane: Lane,
    /// All rows with messages.
    rows: Vec<usize>,
    /// One for all codecs of a format that write the same.
    sizes: Vec<usize>,
}

impl About<'_> {
    fn messages(&self) -> Table {
        let figures = [("encode", MessageFigure::Encode), ("decode", MessageFigure::Decode)];
        let unit = self.unit(&self.rows, &figures.map(|(_, figure)| figure));
        let mut columns = Vec::from(self.quantiles(&self.rows, ["bytes"; 2], MessageFigure::Bytes, unit));
        for (head, figure) in figures {
            columns.extend(self.quantiles(&self.rows, [head; 2], figure, unit));
        }
        let unit = unit.name;
        Table {
            id: "each-messages".into(),
            head: format!("each message, {unit}"),
            caption: format!(
                "Each message by itself: bytes and times in {unit}, at the median and the 99th percentile"
            ),
            by_codec: true,
            rows: self.rows.clone(),
            columns,
            note: None,
        }
    }

    /// Compressors that are none in name only.
    fn packings(&self) -> impl Iterator<Item = Packing<'_>> {
        self.weighing.packings().into_iter().filter(|packing| packing.compressor != "none")
    }

    fn compressed(&self) -> Table {
        let unit = Unit::for_largest(0.0, true);
        let columns = self.packings().flat_map(|packing| {
            let [name, short] = label(packing);
            self.quantiles(&self.sizes, [&name, &short], MessageFigure::CompressedBytes(packing), unit)
        });
        Table {
            id: "each-compressed".into(),
            head: "compressed message".into(),
            caption: "Test messages, each compressed by itself: bytes at the median and the 99th percentile".into(),
            by_codec: needs_codecs(self.weighing, &self.sizes),
            rows: self.sizes.clone(),
            columns: columns.collect(),
            note: None,
        }
    }

    /// What a dictionary costs and saves; means, as only they add up.
    fn dictionary(&self, packing: Packing<'_>) -> Table {
        let name = compressor_label(packing.compressor, packing.level);
        let each = |index: usize| self.weighing.rows[index].each.as_ref();
        let with = |index: usize| each(index)?.under(packing);
        let cost = |index: usize| with(index)?.dictionary;
        let without = |index: usize| each(index)?.under(Packing { dictionary: false, ..packing })?.bytes.mean();
        let whole = |value: u64| (grouped(value), value as f64);
        let mean = |value: f64| (one_decimal(value), value);
        let columns = vec![
            self.column("plain", &|index| each(index)?.test.mean().map(mean), true),
            self.column(&name, &|index| without(index).map(mean), true),
            self.column("with it", &|index| with(index)?.bytes.mean().map(mean), true),
            self.column("dictionary", &|index| cost(index).map(|cost| whole(cost.bytes)), false),
            self.column("sent once", &|index| cost(index).map(|cost| mean(cost.bytes_per_message)), true),
            self.column("pays from", &|index| cost(index)?.pays_from.map(whole), false),
            self.column("on plain", &|index| cost(index)?.pays_from_uncompressed.map(whole), false),
        ];
        let test = self.sizes.iter().find_map(|index| Some(each(*index)?.test.messages)).unwrap_or(0);
        Table {
            id: format!("each-dictionary-{}", packing.level.unwrap_or(0)),
            head: format!("{name} + dictionary"),
            caption: format!("{name} with a trained dictionary: bytes of a message on average, and when it pays"),
            by_codec: needs_codecs(self.weighing, &self.sizes),
            rows: self.sizes.clone(),
            columns,
            note: Some(format!(
                "Bytes of a message on average over {}: plain, under {name}, with a trained dictionary, and with the \
                 dictionary sent once for them all; then from how many messages on that is smaller than {name} without it, and \
                 than plain messages.",
                counted(test, "test message")
            )),
        }
    }

    fn compression(&self) -> Table {
        let figures = |packing| [MessageFigure::Compress(packing), MessageFigure::Decompress(packing)];
        let all: Vec<MessageFigure<'_>> = self.packings().flat_map(figures).collect();
        let unit = self.unit(&self.sizes, &all);
        let columns = self.packings().flat_map(|packing| {
            let [there, back] = figures(packing);
            let [name, short] = label(packing);
            let mut reading = self.quantiles(&self.sizes, ["back"; 2], back, unit);
            for (column, full) in reading.iter_mut().zip(["back", "back, p99"]) {
                column.joined = true;
                column.full = format!("{name}, {full}");
            }
            self.quantiles(&self.sizes, [&name, &short], there, unit).into_iter().chain(reading)
        });
        let columns = columns.collect();
        let unit = unit.name;
        Table {
            id: "each-compression".into(),
            head: format!("compress message, {unit}"),
            caption: format!("Compressing a message, and back: times in {unit}, at the median and the 99th percentile"),
            by_codec: needs_codecs(self.weighing, &self.sizes),
            rows: self.sizes.clone(),
            columns,
            note: None,
        }
    }

    /// The unit that suits all these times.
    fn unit(&self, rows: &[usize], figures: &[MessageFigure<'_>]) -> Unit {
        let times = rows.iter().flat_map(|index| figures.iter().filter_map(|f| f.times(&self.weighing.rows[*index])));
        Unit::for_largest(times.map(|times| times.p99.ns).fold(0.0, f64::max), true)
    }

    /// The median and the 99th percentile, the best of each marked; with a full and a short head.
    fn quantiles(
        &self,
        rows: &[usize],
        [full, head]: [&str; 2],
        figure: MessageFigure<'_>,
        unit: Unit,
    ) -> [Figures; 2] {
        [(Quantile::Median, head.to_owned()), (Quantile::P99, "p99".to_owned())].map(|(quantile, own)| {
            let winners = best(self.weighing, Column::Message(figure, quantile), self.lane);
            let cell = |index: &usize| {
                let row = &self.weighing.rows[*index];
                let size = figure.sizes(row).map(|sizes| sizes.at(quantile)).map(|size| (grouped(size), size as f64));
                let time = |times: &MessageTimes| (shown(times, quantile, unit), times.at(quantile).ns);
                let (text, value) = size.or_else(|| figure.times(row).map(time))?;
                Some(Figure { text, value, best: winners.contains(index) })
            };
            let joined = quantile == Quantile::P99;
            let full = if joined { format!("{full}, p99") } else { full.to_owned() };
            Figures { head: own, full, joined, cells: rows.iter().map(cell).collect() }
        })
    }

    /// A column of figures that are exact; the smallest of those that are ranked are the best, if that means anything.
    fn column(&self, head: &str, show: &dyn Fn(usize) -> Option<(String, f64)>, ranked: bool) -> Figures {
        let takes_part = |index: &&usize| ranked && self.weighing.rows[**index].is_ranked();
        let values = || self.sizes.iter().filter(takes_part).filter_map(|index| Some(show(*index)?.1));
        let least = values().reduce(f64::min).filter(|_| values().count() > 1);
        let cell = |index: &usize| {
            let (text, value) = show(*index)?;
            Some(Figure { text, value, best: takes_part(&index) && least == Some(value) })
        };
        Figures { head: head.into(), full: head.into(), joined: false, cells: self.sizes.iter().map(cell).collect() }
    }
}

/// The time; below the clock's precision, what it is less than.
fn shown(times: &MessageTimes, quantile: Quantile, unit: Unit) -> String {
    let time = times.at(quantile);
    if times.below_precision { format!("<{}", unit.of(time.high_ns)) } else { unit.of(time.ns) }
}
