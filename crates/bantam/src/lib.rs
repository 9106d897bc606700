//! Makes structured data smaller and faster, and proves it on your own data.
