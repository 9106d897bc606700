struct Broken {
  1: string name
  2: i32 count = "three"
}
