//! The `feedwright` program.

use std::process::ExitCode;

/// Documents are rendered in parallel, and one thread frees memory that another allocated. With the
/// system's allocator, these threads wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    feedwright::main()
}
