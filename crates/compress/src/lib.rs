//! The compressors that Bantam knows, one table.
