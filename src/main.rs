//! The `feedwright` program.

use std::process::ExitCode;

/// Documents are made in parallel, and what one thread allocated another one frees: the system's allocator makes
/// them wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    feedwright::main()
}
