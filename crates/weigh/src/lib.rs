//! Measuring: clocks, rounds, statistics and the figures of a weigh-in.
