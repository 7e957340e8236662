//! The `feedwright` program.

fn main() {}
