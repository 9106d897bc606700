include "nowhere.thrift"

struct Lost {
  1: nowhere.Thing thing
}
