// One DNS answer, and when it was seen, as text.
struct DnsText {
  // The name that was asked for.
  1: required string key,
  // The answer.
  2: required string value,
  // The record type, A or CNAME.
  3: optional string type = "A",
  // How long the answer may be kept, in seconds.
  4: optional i32 ttl = 86400,
  // When it was seen first.
  5: required string first,
  // When it was seen last.
  6: required string last
}
