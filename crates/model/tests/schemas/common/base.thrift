namespace go example.base

typedef i64 Timestamp

const i32 HTTP = 80
const i32 HTTPS = 443
const list<i32> PORTS = [HTTP, HTTPS]

/** How sure one is. */
enum Level {
  LOW = 1,
  HIGH = 10
}

struct Span {
  1: required Timestamp from;
  2: optional Timestamp until;
}

struct Unused {
  1: Span span
}
