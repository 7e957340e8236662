use pictures::{Format, Picture};
use std::time::Instant;
fn main() {
    let b = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let t = Instant::now();
    let p = Picture::decode(&b).unwrap();
    println!("decode {:?}", t.elapsed());
    for w in [240u32, 480, 960, 1600] {
        let t = Instant::now();
        let r = p.resized(w).unwrap();
        print!("{w}: resize {:?}", t.elapsed());
        let t = Instant::now();
        let j = r.encode(Format::Jpeg { quality: 78 }).unwrap();
        print!(" jpeg {:?} {}", t.elapsed(), j.len());
        let t = Instant::now();
        let j = r
            .encode(Format::WebP {
                quality: 75,
                is_graphic: false,
            })
            .unwrap();
        println!(" webp {:?} {}", t.elapsed(), j.len());
    }
    let t = Instant::now();
    let s = p.stand_in().unwrap();
    println!("stand-in {:?} {}", t.elapsed(), s.len());
    let t = Instant::now();
    let s = pictures::without_metadata(&b).unwrap();
    println!("strip {:?} {} of {}", t.elapsed(), s.len(), b.len());
    let t = Instant::now();
    let s = pictures::Facts::of(&b).unwrap();
    println!("facts {:?} {:?}", t.elapsed(), s);
}
