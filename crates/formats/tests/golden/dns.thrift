// One DNS exchange: who asked whom.
struct Dns {
  // Source address, IPv4 as a number.
  1: required i64 sip,
  // Destination address, IPv4 as a number.
  2: required i64 dip,
  // Source port.
  3: required i32 sport,
  // Destination port.
  4: required i32 dport
}
