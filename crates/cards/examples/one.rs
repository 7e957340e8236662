use cards::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let fonts =
        Fonts::new(&args.get(6).map(|f| std::fs::read(f).unwrap()).into_iter().collect::<Vec<_>>())
            .unwrap();
    let artwork = args.get(5).filter(|a| !a.is_empty()).map(|a| {
        Artwork::of(&pictures::Picture::decode(&std::fs::read(a).unwrap()).unwrap()).unwrap()
    });
    let n: u32 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let start = std::time::Instant::now();
    let mut file = Vec::new();
    for _ in 0..n {
        let card = Card {
            title: &args[1],
            name: &args[2],
            language: "en",
            is_rtl: args[4] == "rtl",
            artwork: artwork.as_ref(),
            colours: Colours {
                background: [0xfb, 0xfc, 0xfb],
                title: [0x16, 0x20, 0x1b],
                name: [0x53, 0x61, 0x5a],
                accent: [0, 0x69, 0x4a],
            },
        };
        file = draw(&card, &fonts, Encoding::of(artwork.is_some()));
    }
    println!("{} {} bytes {:?} each", args[3], file.len(), start.elapsed() / n);
    std::fs::write(&args[3], file).unwrap();
}
