//! The build and the machine that a weigh-in takes place on.

use bantam::quake::Time;
use bantam::weigh::{Clock, Environment, MonotonicClock, Picos};
use std::time::{Instant, SystemTime};

/// Watches what else the machine does while times are taken.
pub(super) struct Watch {
    started: Instant,
    /// Jiffies that others had spent at the start.
    others: Option<u64>,
}

/// The unit of `/proc/stat`: `USER_HZ`, which is 100 on every architecture that Linux runs on today (time(7)).
const JIFFIES_A_SECOND: f64 = 100.0;

/// Below this, a jiffy more or less would look like load.
const LEAST_SECONDS: f64 = 0.5;

impl Watch {
    /// Starts to watch.
    pub(super) fn start() -> Self {
        Self { started: Instant::now(), others: others() }
    }

    /// How many cores all other processes kept busy since the start; nothing where the system does not tell, or if
    /// that was too short a while ago.
    fn busy_cores(&self) -> Option<f64> {
        let spent = others()?.saturating_sub(self.others?) as f64 / JIFFIES_A_SECOND;
        let seconds = self.started.elapsed().as_secs_f64();
        (seconds >= LEAST_SECONDS).then(|| (spent / seconds * 100.0).round() / 100.0)
    }

    /// The build and the machine, and what it did since the start.
    pub(super) fn environment(&self, clock: &MonotonicClock) -> Environment {
        Environment {
            bantam: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: option_env!("BANTAM_RUSTC").map(str::to_owned),
            target: option_env!("BANTAM_TARGET").map(str::to_owned),
            profile: Some(if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned()),
            os: Some(std::env::consts::OS.to_owned()),
            cpu: cpu(),
            cores: std::thread::available_parallelism().ok().map(|n| n.get() as u32),
            allocator: Some("system".to_owned()),
            clock_precision_ns: Some(clock.precision().0 as f64 / Picos::NANOSECOND.0 as f64),
            date: today(),
            busy_cores: self.busy_cores(),
        }
    }
}

/// The jiffies of all processes but this one, where Linux tells (proc(5)).
fn others() -> Option<u64> {
    let all = std::fs::read_to_string("/proc/stat").ok()?;
    let own = std::fs::read_to_string("/proc/self/stat").ok()?;
    Some(busy(&all)?.saturating_sub(spent(&own)?))
}

/// From `/proc/stat`: user, nice and system time, and that of interrupts. What a hypervisor took counts too: it was
/// somebody else's.
fn busy(stat: &str) -> Option<u64> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let fields: Vec<u64> = line.split_whitespace().map_while(|field| field.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal
    (fields.len() >= 4).then(|| [0, 1, 2, 5, 6, 7].iter().filter_map(|&at| fields.get(at)).sum())
}

/// From `/proc/self/stat`: user and system time. The name before them may hold blanks and brackets.
fn spent(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

/// The processor's model, where the system tells.
fn cpu() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|l| l.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The day in UTC.
fn today() -> Option<String> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let text = Time { secs: i64::try_from(now.as_secs()).ok()?, nanos: 0 }.to_string();
    Some(text.split_once('T')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jiffies_are_read_from_proc() {
        let stat = "cpu  10 20 30 1000 500 1 2 3 400 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(busy(stat), Some(66));
        assert_eq!(busy("cpu  10 20 30 1000\n"), Some(60));
        assert_eq!(busy("intr 5\n"), None);
        assert_eq!(spent("7 (a) b) R 1 2 3 4 5 6 7 8 9 10 40 2 0 0 20 0"), Some(42));
        assert_eq!(spent("7"), None);
    }

    #[test]
    fn a_day_is_a_day() {
        let day = today().unwrap();
        assert_eq!((day.len(), &day[..2]), (10, "20"), "{day}");
    }
}
