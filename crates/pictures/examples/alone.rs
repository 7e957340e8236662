//! Measures how long it takes to resize pictures, without building a site. Decodes each file in a
//! folder, resizes it to all widths, and encodes it as WebP and JPEG, on all cores. The results are
//! discarded.
//!
//! `cargo run --release -p feedwright-pictures --example alone -- FOLDER [WIDTH …]`

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use pictures::{Fault, Format, Picture};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder of pictures")?;
    let mut widths: Vec<u32> = arguments.filter_map(|width| width.parse().ok()).collect();
    if widths.is_empty() {
        widths = vec![1600, 960, 480, 240];
    }
    let entries = fs::read_dir(folder)?.flatten();
    let files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let (next, bytes) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let made = fs::read(file).map_or(Ok(0), |file| make(&file, &widths));
                    match made {
                        Ok(made) => drop(bytes.fetch_add(made, Ordering::Relaxed)),
                        Err(fault) => eprintln!("{}: {fault}", file.display()),
                    }
                }
            });
        }
    });
    println!(
        "{} pictures, {} KB of sizes, {:.2} s",
        files.len(),
        bytes.into_inner() / 1000,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Returns the total size in bytes of all resized versions of a picture. Each version is made from
/// the original.
fn make(file: &[u8], widths: &[u32]) -> Result<usize, Fault> {
    let picture = Picture::decode(file)?;
    let mut bytes = 0;
    for width in widths {
        let resized = picture.resized(*width)?;
        let webp = Format::WebP { quality: 80, is_graphic: false };
        for format in [webp, Format::Jpeg { quality: 80 }] {
            bytes += resized.encode(format)?.len();
        }
    }
    Ok(bytes)
}
