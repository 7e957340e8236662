//! The `feedwright` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    feedwright::cli::main()
}
