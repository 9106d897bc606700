//! Work on numbered items by several threads, its results taken in the order of the items.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Readers and codecs walk nested records by recursion; the default of a thread is a fourth of the main one's.
const STACK: usize = 16 << 20;

/// Lets `jobs` threads work on the items `0..items`, each with a worker of its own, and takes the results in order.
///
/// No thread runs further ahead of the result that is taken next than `ahead` items, so that no more than `ahead`
/// results are held. Work ends early when a result is refused.
///
/// # Errors
/// What `take` gives; that a thread cannot be started.
pub(super) fn in_order<T: Send, W: FnMut(usize) -> T, E: From<std::io::Error>>(
    items: usize,
    jobs: usize,
    ahead: usize,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let gate = Gate { items, ahead: ahead.max(1), state: Mutex::default(), moved: Condvar::new() };
    let (gate, worker) = (&gate, &worker);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        // Also when `take` fails or panics, the threads have to end.
        let _closing = Closing(gate);
        for _ in 0..jobs.clamp(1, items.max(1)) {
            let sender = sender.clone();
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                // A worker that panics would else leave the others waiting for its result to be taken.
                let _closing = Closing(gate);
                let mut work = worker();
                while let Some(item) = gate.next() {
                    if sender.send((item, work(item))).is_err() {
                        return;
                    }
                }
            })?;
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (item, result) in results {
            early.insert(item, result);
            while let Some(result) = early.remove(&due) {
                take(due, result)?;
                due += 1;
                gate.passed();
            }
        }
        Ok(())
    })
}

/// Hands out the items.
struct Gate {
    items: usize,
    ahead: usize,
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Default)]
struct State {
    next: usize,
    taken: usize,
    closed: bool,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic cannot leave the numbers half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next item, as soon as it is not too far ahead; none when all are handed out.
    fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        while !state.closed && state.next < self.items && state.next >= state.taken + self.ahead {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        (!state.closed && state.next < self.items).then(|| {
            state.next += 1;
            state.next - 1
        })
    }

    fn passed(&self) {
        self.lock().taken += 1;
        self.moved.notify_all();
    }
}

/// Closes a gate when it goes away, unless all items were handed out anyway.
struct Closing<'g>(&'g Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed |= state.next < self.0.items || thread::panicking();
        drop(state);
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_come_in_order_and_no_thread_runs_far_ahead() {
        for (items, jobs, ahead) in [(0, 2, 4), (1, 8, 1), (500, 1, 1), (500, 4, 5), (500, 8, 64)] {
            let (started, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut seen = Vec::new();
            let worker = || {
                |item: usize| {
                    let at = started.fetch_add(1, Ordering::SeqCst);
                    assert!(at < taken.load(Ordering::SeqCst) + ahead);
                    // Uneven work, so that results come out of order.
                    (0..item % 7 * 100).for_each(|n| assert!(std::hint::black_box(n) < 1000));
                    item * 2
                }
            };
            in_order(items, jobs, ahead, worker, |item, result| {
                assert_eq!(result, item * 2);
                seen.push(item);
                taken.fetch_add(1, Ordering::SeqCst);
                Ok::<_, std::io::Error>(())
            })
            .unwrap();
            assert_eq!(seen, (0..items).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_refused_result_ends_the_work() {
        let started = AtomicUsize::new(0);
        let worker = || |_| started.fetch_add(1, Ordering::SeqCst);
        let refuse = |item: usize, _| if item == 3 { Err(std::io::Error::other("full")) } else { Ok(()) };
        assert_eq!(in_order(1000, 4, 8, worker, refuse).unwrap_err().to_string(), "full");
        assert!(started.load(Ordering::SeqCst) <= 3 + 8 + 1);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_worker_that_panics_ends_the_others() {
        let worker = || |item: usize| assert_ne!(item, 5, "as wanted");
        let _ = in_order(100, 3, 4, worker, |_, ()| Ok::<_, std::io::Error>(()));
    }
}
