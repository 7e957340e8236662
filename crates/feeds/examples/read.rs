//! Reads the feeds given on the command line, and prints a summary of each feed as one line of
//! JSON.

use serde_json::{Value, json};

fn main() {
    for name in std::env::args().skip(1) {
        let bytes = std::fs::read(&name).unwrap_or_default();
        let line = match feeds::read(&bytes, None) {
            Ok(feed) => summary(&feed),
            Err(error) => json!({ "error": error.message }),
        };
        println!("{}", json!([name, line]));
    }
}

fn summary(feed: &feeds::Feed) -> Value {
    let text = |text: &Option<feeds::Text>| text.clone().map(feeds::Text::into_plain);
    let items = feed.items.iter().map(|item| {
        json!({
            "id": item.guid, "title": text(&item.title), "link": item.link,
            "published": item.published.map(|it| it.to_string()), "updated": item.updated.map(|it| it.to_string()),
            "summary": text(&item.summary), "content": text(&item.content),
            "authors": item.authors.iter().map(|it| &it.name).collect::<Vec<_>>(),
            "tags": item.tags, "image": item.image,
            "enclosures": item.enclosures.iter().map(|it| json!([it.url, it.media_type, it.length, it.duration])).collect::<Vec<_>>(),
            "itunes": item.itunes, "podcast": item.podcast,
        })
    });
    json!({
        "format": feed.format, "title": feed.channel.title, "link": feed.channel.link, "image": feed.channel.image,
        "description": text(&feed.channel.description), "podcast": feed.channel.podcast, "itunes": feed.channel.itunes,
        "items": items.collect::<Vec<_>>(),
        "faults": feed.faults.iter().map(|it| format!("{}: {}", it.line, it.message)).collect::<Vec<_>>(),
        "left": feed.skipped.iter().map(|it| format!("{} x{}", it.name, it.count)).collect::<Vec<_>>(),
    })
}
