//! The formats that Bantam reads and writes, one table.
