// Every type of Thrift.
enum Colour { RED = 1, GREEN = 2, BLUE = 70000 }

struct Leaf {
  1: required string id,
  2: optional i32 weight,
}

union Choice {
  1: string name,
  2: i64 number,
  3: Leaf leaf,
}

struct Everything {
  1: required bool flag,
  2: optional bool other,
  3: optional i8 small,
  4: optional i16 short,
  5: optional i32 whole,
  6: optional i64 long,
  7: optional double real,
  8: optional string text,
  9: optional binary data,
  10: optional Colour colour,
  11: optional Leaf leaf,
  12: optional Choice choice,
  13: optional list<bool> flags,
  14: optional list<i16> shorts,
  15: optional list<Leaf> leaves,
  16: optional set<string> names,
  17: optional map<string, i32> by_text,
  18: optional map<i64, Leaf> by_number,
  19: optional list<list<i32>> rows,
  20: optional map<string, list<set<i8>>> deep,
  100: optional list<map<i32, string>> maps,
  101: optional list<double> doubles,
  32767: optional i32 far,
}
