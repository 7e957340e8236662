//! Cuts a clip out of a recording: `cut INPUT OUTPUT START END`, in milliseconds.

use std::error::Error;
use std::fs::File;

use recording_tags::{Tags, cut};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [input, output, start, end] = &arguments[..] else {
        return Err("usage: cut INPUT OUTPUT START END".into());
    };
    let extension = input.rsplit('.').next().unwrap_or_default();
    let mut source = File::open(input)?;
    let clip = cut(&mut source, extension, start.parse()?..end.parse()?, &Tags::default())?;
    clip.copy(&mut source, &mut File::create(output)?)?;
    Ok(())
}
