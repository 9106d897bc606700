/*
 * Network flows: includes, typedefs, constants as defaults, nested containers, unions, exceptions.
 */
include "base.thrift"

namespace * example.flows
namespace py example.flows

# An address, as a number.
typedef i64 Address

typedef list<list<double>> Matrix

const string UNKNOWN = "unknown"

/** What happened to the packets. */
enum Verdict {
  /** They went through. */
  PASSED,
  DROPPED = 0x10,
  REJECTED
}

/**
 * One flow.
 *   Indented.
 */
struct Flow {
  1: required Address source (go.tag = "json:\"source\""),
  2: required Address target,
  3: i16 sourcePort,
  4: i32 targetPort = base.HTTPS,
  5: byte protocol = 6;
  /** When it was seen. */
  6: optional base.Span seen
  7: Verdict verdict = Verdict.DROPPED
  8: base.Level level = base.Level.HIGH,
  9: list<i32> ports = base.PORTS,
  10: set<string> tags
  11: map<string, list<binary>> payloads
  12: map<base.Level, Flow> related
  13: map<i16, map<i32, string>> matches
  14: Matrix matrix
  15: Endpoint endpoint = {"name": UNKNOWN}
  16: double weight = 1e-3
  17: bool sampled = 0
  string note = 'it\'s "free"'
}

union Endpoint {
  1: string name
  2: list<Address> addresses
  3: Flow via
}

exception NotFound {
  1: string why
}

service Flows extends base.Base {
  oneway void add(1: Flow flow),
  list<Flow> find(1: Address source, 2: base.Span span) throws (1: NotFound missing) (deprecated = "yes")
}
