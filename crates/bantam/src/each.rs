//! Every record by itself, as messages on a queue: their bytes and times, one by one compressed, and with a trained dictionary.

use crate::compress::{Choice, Dictionary, DictionaryError, Error, Prepared, Session};
use crate::contest::{parts, spare};
use crate::formats::Engine;
use crate::model::Batch;
use crate::weigh::{
    Clock, CompressedEach, DictionaryCost, Each, MessageSizes, MessageTask, MessageTimes, Picos, Plan, Progress,
    measure_messages, shuffled,
};

/// How messages are weighed each by itself.
///
/// The records are shuffled by a fixed seed. The first half of them, rounded up, are test messages: all that is said of compressors is
/// said of these. The other half are training messages, of which the dictionaries are made. The numbers below cut both, so that
/// a weigh-in ends in time; they are the same for all formats, which are thus held to the same records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EachOptions {
    /// Test messages at most.
    pub test_messages: usize,
    /// Training messages at most.
    pub training_messages: usize,
    /// Bytes of the test messages at most, and of the training messages, by the mean size of the largest format's. One message is
    /// taken, whatever its size.
    pub most_bytes: usize,
    /// Messages at most that are timed, of the test messages where compressors are timed.
    pub timed_messages: usize,
    /// The size of the dictionaries in bytes; else [`Dictionary::usual_size`].
    pub dictionary: Option<usize>,
}

impl Default for EachOptions {
    /// 1,000 messages to test, 10,000 to train on, 4 MB of each at most, and 500 to time.
    fn default() -> Self {
        Self {
            test_messages: 1_000,
            training_messages: 10_000,
            most_bytes: 4_000_000,
            timed_messages: 500,
            dictionary: None,
        }
    }
}

impl EachOptions {
    /// For a first look: 200 messages to test, 1,000 to train on, 500 kB of each at most, and 100 to time.
    pub fn quick() -> Self {
        Self {
            test_messages: 200,
            training_messages: 1_000,
            most_bytes: 500_000,
            timed_messages: 100,
            ..Self::default()
        }
    }
}

/// What the figures of messages include, for `Weighing::includes`.
pub(crate) const INCLUDES: [&str; 4] = [
    "A message's time is the median of its rounds, in each of which it is written or read several times in a row: caches and \
     branch predictors know it, which they do not when a message is met for the first time. Median and 99th percentile are taken \
     over the messages.",
    "Records are shuffled by a fixed seed; one half are test messages, the other half train the dictionary, both cut to a number \
     that ends in time. All figures of compressed messages are of the same test messages, with and without a dictionary.",
    "A message is compressed to a whole file of its format; with a dictionary of zstd, that names the dictionary in up to four \
     bytes. Message by message, zstd keeps its state, and zlib and gzip that for compressing; a dictionary is prepared once: none \
     of that is in a message's time.",
    "A dictionary is charged once for all test messages; from how many messages on it pays is computed from their sizes.",
];

/// A row's messages: each lies between two ends in the bytes.
pub(crate) struct Queue<'e> {
    pub(crate) name: String,
    pub(crate) engine: &'static Engine,
    pub(crate) batch: &'e Batch<'e>,
    pub(crate) bytes: &'e [u8],
    pub(crate) ends: &'e [usize],
}

impl<'e> Queue<'e> {
    fn messages(&self) -> Vec<&'e [u8]> {
        parts(self.ends).map(|part| &self.bytes[part]).collect()
    }
}

/// The plan for whole batches and the one for messages: two fifths of the budget go to the messages, if they are asked for.
///
/// There are hundreds of messages for each task, so a sample is shorter than one of a batch: 100 times the precision of the clock, of
/// which its reading is one part, and 50 times for a first look.
pub(crate) fn plans(plan: &Plan, options: Option<&EachOptions>) -> (Plan, Plan) {
    let budget = if options.is_some() { plan.budget / 5 * 2 } else { Picos::ZERO };
    let messages = Plan {
        budget,
        min_rounds: 3,
        max_rounds: 11,
        precision_multiple: (plan.precision_multiple / 100).max(50),
        ..plan.clone()
    };
    (Plan { budget: plan.budget - budget, ..plan.clone() }, messages)
}

/// Which messages are for what, by their numbers.
#[derive(Debug, PartialEq, Eq)]
struct Split {
    /// Drawn from all.
    timed: Vec<usize>,
    test: Vec<usize>,
    training: Vec<usize>,
}

impl Split {
    /// `mean` is the mean size of a message in the largest format.
    fn of(messages: usize, mean: usize, options: &EachOptions) -> Self {
        let order = shuffled(messages, 0);
        let (test, training) = order.split_at(messages.div_ceil(2));
        let fitting = (options.most_bytes / mean.max(1)).max(1);
        let first = |of: &[usize], most: usize| of[..of.len().min(most).min(fitting)].to_vec();
        Self {
            timed: first(&order, options.timed_messages),
            test: first(test, options.test_messages),
            training: first(training, options.training_messages),
        }
    }
}

/// Weighs the messages of each row that has any.
pub(crate) fn weigh(
    queues: &[Option<Queue<'_>>],
    options: &EachOptions,
    choices: &[Choice],
    plan: &Plan,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Vec<Option<Each>> {
    let there = || queues.iter().enumerate().filter_map(|(row, queue)| Some((row, queue.as_ref()?)));
    let messages = there().map(|(_, queue)| queue.ends.len()).max().unwrap_or(0);
    let bytes = there().map(|(_, queue)| queue.bytes.len()).max().unwrap_or(0);
    let split = Split::of(messages, bytes / messages.max(1), options);
    let start = clock.now();
    let mut found: Vec<Option<Each>> = queues.iter().map(|_| None).collect();
    let mut packs: Vec<Pack<'_>> = Vec::new();
    let of = there().count();
    for (done, (row, queue)) in there().enumerate() {
        progress(Progress::Check { task: &queue.name, done, of });
        let sizes = parts(queue.ends).map(|part| part.len() as u64).collect();
        found[row] = Some(Each { bytes: MessageSizes::of(sizes), ..Each::default() });
        match packs.iter_mut().find(|pack| pack.bytes == queue.bytes && pack.ends == queue.ends) {
            Some(same) => same.rows.push(row),
            None => packs.push(Pack::of(row, queue, &split, options, choices)),
        }
    }
    // Training and compressing take their part of the time, but never more than half of it from the timing.
    let spent = (clock.now() - start).min(plan.budget / 2);
    let plan = &Plan { budget: plan.budget - spent, ..plan.clone() };
    let times = time(queues, &packs, &split, options, plan, clock, progress);
    let mut times = times.into_iter();
    for (row, _) in there() {
        let each = found[row].as_mut().expect("a row with messages was given its figures above");
        [each.encode, each.decode] = [times.next().flatten(), times.next().flatten()];
    }
    for pack in packs {
        let figures = pack.figures(&split, &mut times);
        for row in pack.rows {
            let each = found[row].as_mut().expect("a row with messages was given its figures above");
            *each = Each { bytes: each.bytes, encode: each.encode, decode: each.decode, ..figures.clone() };
        }
    }
    found
}

/// The messages of one or several rows, under all compressors.
struct Pack<'e> {
    /// The rows whose messages these are: codecs of a format mostly write the same.
    rows: Vec<usize>,
    bytes: &'e [u8],
    ends: &'e [usize],
    messages: Vec<&'e [u8]>,
    packed: Vec<Packed>,
    no_dictionary: Option<String>,
}

/// The test messages under one compressor.
struct Packed {
    packer: Packer,
    sizes: MessageSizes,
    /// Those that are timed.
    kept: Vec<Vec<u8>>,
}

/// A compressor, with the dictionary that it has been given.
struct Packer {
    choice: Choice,
    dictionary: Option<(u64, Prepared)>,
}

impl Packer {
    fn session(&self) -> Result<Session<'_>, Error> {
        match &self.dictionary {
            Some((_, prepared)) => Ok(prepared.session()),
            None => self.choice.session(),
        }
    }

    /// Compresses the test messages, and keeps so many of them. A compressor that does not give a message back has no figure.
    fn packed(self, messages: &[&[u8]], test: &[usize], keep: usize) -> Option<Packed> {
        let (mut out, mut back) = (Vec::new(), Vec::new());
        let (mut sizes, mut kept) = (Vec::with_capacity(test.len()), Vec::new());
        let mut session = self.session().ok()?;
        for message in test.iter().map(|&at| messages[at]) {
            session.compress(message, &mut out).ok()?;
            session.decompress(&out, message.len(), &mut back).ok()?;
            if back != message {
                return None;
            }
            sizes.push(out.len() as u64);
            if kept.len() < keep {
                kept.push(out.clone());
            }
        }
        drop(session);
        Some(Packed { packer: self, sizes: MessageSizes::of(sizes), kept })
    }
}

impl<'e> Pack<'e> {
    fn of(row: usize, queue: &Queue<'e>, split: &Split, options: &EachOptions, choices: &[Choice]) -> Self {
        let messages = queue.messages();
        let dictionary = trained(&messages, split, options, choices);
        let mut packed = Vec::new();
        for &choice in choices {
            let with = dictionary.as_ref().ok().filter(|_| Dictionary::suits(choice)).and_then(|dictionary| {
                let prepared = dictionary.prepare(choice.level?).ok()?;
                Some((dictionary.bytes().len() as u64, prepared))
            });
            for dictionary in std::iter::once(None).chain(with.map(Some)) {
                packed.extend(Packer { choice, dictionary }.packed(&messages, &split.test, options.timed_messages));
            }
        }
        let (bytes, ends) = (queue.bytes, queue.ends);
        Self { rows: vec![row], bytes, ends, messages, packed, no_dictionary: dictionary.err() }
    }

    /// All but what is of the codec; takes the times of each compressor from the front of `times`.
    fn figures(&self, split: &Split, times: &mut impl Iterator<Item = Option<MessageTimes>>) -> Each {
        let sizes = |of: &[usize]| MessageSizes::of(of.iter().map(|&at| self.messages[at].len() as u64).collect());
        let (test, training) = (sizes(&split.test), sizes(&split.training));
        let compressed = self.packed.iter().map(|packed| {
            let choice = packed.packer.choice;
            let without = self.packed.iter().find(|p| p.packer.choice == choice && p.packer.dictionary.is_none());
            let dictionary = packed.packer.dictionary.as_ref().map(|(bytes, _)| {
                DictionaryCost::of(*bytes, &packed.sizes, without.map(|without| &without.sizes), &test)
            });
            CompressedEach {
                compressor: choice.compressor.name.to_owned(),
                level: choice.level,
                dictionary,
                bytes: packed.sizes,
                compress: times.next().flatten(),
                decompress: times.next().flatten(),
            }
        });
        Each {
            compressed: compressed.collect(),
            training_messages: training.messages,
            training_bytes: training.total,
            test,
            no_dictionary: self.no_dictionary.clone(),
            ..Each::default()
        }
    }
}

/// The dictionary of the training messages, or why there is none.
fn trained(messages: &[&[u8]], split: &Split, options: &EachOptions, choices: &[Choice]) -> Result<Dictionary, String> {
    if !choices.iter().any(|choice| Dictionary::suits(*choice)) {
        return Err("zstd, which has dictionaries, does not take part".to_owned());
    }
    let training: Vec<&[u8]> = split.training.iter().map(|&at| messages[at]).collect();
    let bytes = training.iter().map(|message| message.len()).sum();
    let size = options.dictionary.unwrap_or_else(|| Dictionary::usual_size(bytes));
    Dictionary::train(&training, size).map_err(|error: DictionaryError| error.to_string())
}

/// The times of all tasks: of each row with messages both ways, then of each compressor both ways.
fn time(
    queues: &[Option<Queue<'_>>],
    packs: &[Pack<'_>],
    split: &Split,
    options: &EachOptions,
    plan: &Plan,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Vec<Option<MessageTimes>> {
    let mut tasks = Vec::new();
    for queue in queues.iter().flatten() {
        let count = split.timed.len();
        tasks.push(MessageTask::new(format!("{} encode", queue.name), count, encode_task(queue, &split.timed)));
        tasks.push(MessageTask::new(format!("{} decode", queue.name), count, decode_task(queue, &split.timed)));
    }
    for pack in packs {
        let timed: Vec<&[u8]> = split.test.iter().take(options.timed_messages).map(|&at| pack.messages[at]).collect();
        for Packed { packer, kept, .. } in &pack.packed {
            let session = || packer.session().expect("its state was set up before");
            let (mut there, mut back_again) = (session(), session());
            let (messages, mut out) = (timed.clone(), Vec::new());
            let compress = move |at: usize| drop(there.compress(messages[at], &mut out));
            tasks.push(MessageTask::new(format!("{} compress", packer.choice), kept.len(), compress));
            let (messages, mut back) = (timed.clone(), Vec::new());
            let decompress = move |at: usize| drop(back_again.decompress(&kept[at], messages[at].len(), &mut back));
            tasks.push(MessageTask::new(format!("{} decompress", packer.choice), kept.len(), decompress));
        }
    }
    measure_messages(tasks, plan, clock, progress)
}

// What a task does succeeded before, when the row was prepared; its result is not looked at again, so that checking costs no
// time.

fn encode_task<'t>(queue: &'t Queue<'_>, timed: &[usize]) -> impl FnMut(usize) + 't {
    let mut codec = (queue.engine.build)(queue.batch.layout()).expect("the codec was built for this layout before");
    let all: Vec<_> = queue.batch.rows().collect();
    let rows: Vec<_> = timed.iter().map(|&at| all[at]).collect();
    let mut out = Vec::new();
    move |at| {
        out.clear();
        let _ = codec.encode_each(rows[at], &mut out);
    }
}

/// Each message is read from a slice of its own, as it would come from a queue: nothing lies behind it.
fn decode_task<'t>(queue: &'t Queue<'_>, timed: &[usize]) -> impl FnMut(usize) + 't {
    let mut codec = (queue.engine.build)(queue.batch.layout()).expect("the codec was built for this layout before");
    let all = queue.messages();
    let messages: Vec<&[u8]> = timed.iter().map(|&at| all[at]).collect();
    let mut batch = spare(queue.batch);
    move |at| {
        let message = messages[at];
        let _ = batch.reset(message);
        let _ = codec.decode_each(message, 0..message.len(), &mut batch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn training_and_test_have_no_message_in_common() {
        for messages in [0, 1, 2, 3, 7, 1_000, 50_000] {
            let split = Split::of(messages, 60, &EachOptions::default());
            let test: BTreeSet<_> = split.test.iter().collect();
            let training: BTreeSet<_> = split.training.iter().collect();
            assert!(test.is_disjoint(&training), "{messages}");
            assert_eq!((test.len(), training.len()), (split.test.len(), split.training.len()), "none twice");
            assert_eq!(test.len(), messages.div_ceil(2).min(1_000));
            assert_eq!(training.len(), (messages / 2).min(10_000));
            assert_eq!(split.timed.len(), messages.min(500));
            assert_eq!(split, Split::of(messages, 60, &EachOptions::default()), "the same every time");
        }
    }

    #[test]
    fn large_messages_are_fewer_and_one_remains() {
        let of = |mean| Split::of(1_000, mean, &EachOptions::default());
        assert_eq!((of(40_000).test.len(), of(40_000).training.len()), (100, 100));
        assert_eq!((of(usize::MAX).test.len(), of(usize::MAX).timed.len()), (1, 1));
        assert_eq!(of(0).test.len(), 500);
    }

    #[test]
    fn the_budget_is_that_of_the_plan() {
        let plan = Plan::default();
        let (batches, messages) = plans(&plan, Some(&EachOptions::default()));
        assert_eq!(batches.budget + messages.budget, plan.budget);
        assert_eq!(plans(&plan, None).0, plan);
    }
}
