//! Schemas, row layouts and record batches of Bantam.
