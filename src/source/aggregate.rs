//! Reader of `[[aggregate]]` in `site.toml`.

use front_matter::Node;

use super::fields::Fields;
use super::realtime::tables;
use model::Aggregate;

const KEY: &str = "aggregate";

/// Reads the feeds of the planet. Two entries cannot have the same feed.
pub fn read(fields: &Fields<'_, '_>) -> Vec<Aggregate> {
    let mut files = Vec::new();
    tables(fields, KEY, |fields, node| {
        let aggregate = aggregate(fields, node)?;
        if files.contains(&aggregate.file) {
            let place = fields.node("feed").unwrap_or(node);
            let message = format!("`{KEY}` lists the feed {} twice", aggregate.feed);
            fields.reader.error(&place.span, message, "remove one of the two entries");
            return None;
        }
        files.push(aggregate.file.clone());
        Some(aggregate)
    })
}

fn aggregate(fields: &Fields<'_, '_>, place: &Node) -> Option<Aggregate> {
    let (title, limit) = (fields.text("title"), fields.integer("limit"));
    let Some(node) = fields.node("feed") else {
        fields.missing("feed", &place.span, "add `feed`, the address of a feed");
        return None;
    };
    let feed = fields.http_url("feed")?;
    let file = Aggregate::file_of(&feed).filter(|_| !feed.contains(char::is_whitespace));
    let Some(file) = file else {
        let message = format!("`{}` is not a URL: {feed:?}", fields.name("feed"));
        fields.reader.error(&node.span, message, "write the full URL of the feed");
        return None;
    };
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    Some(Aggregate { feed, title, limit: limit.unwrap_or(Aggregate::LIMIT), file })
}
