//! The `feedwright` program.

use std::process::ExitCode;

/// Documents are rendered in parallel, and one thread frees memory that another thread allocated.
/// The system's allocator would make these threads wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    feedwright::main()
}
