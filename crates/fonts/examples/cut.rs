//! Writes the parts of a font: `cut FONT FOLDER`.
fn main() {
    let mut args = std::env::args().skip(1);
    let (Some(font), Some(out)) = (args.next(), args.next()) else {
        return;
    };
    let bytes = std::fs::read(&font).unwrap_or_default();
    let start = std::time::Instant::now();
    match fonts::read(&bytes) {
        Ok(font) => {
            eprintln!("{:?} {:?}", start.elapsed(), font.weight);
            for part in font.parts {
                let name = if part.name.is_empty() {
                    "whole"
                } else {
                    &part.name
                };
                println!("{name}\t{}\t{}", part.bytes.len(), part.range.len());
                let _ = std::fs::write(format!("{out}/{name}.woff"), part.bytes);
                let _ = std::fs::write(format!("{out}/{name}.txt"), part.range);
            }
        }
        Err(why) => println!("{why}"),
    }
}
