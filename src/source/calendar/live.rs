//! The key `live`: `true`, or a table with the settings of a live show.

use front_matter::Value;

use super::super::fields::Fields;
use super::super::{podcast, shared_fields};
use model::calendar::Live;
use model::podcast::LiveStatus;
use model::{IdentityError, ItemId, Rule};

/// Reads `live`. Returns `None` if the event is not a live show.
pub fn read(fields: &Fields<'_, '_>) -> Option<Live> {
    let node = fields.node("live")?;
    let live = match &node.value {
        Value::Table(table) => fields.read_table("live", table, live),
        _ => fields.bool("live")?.then(Live::default)?,
    };
    let is_instance = fields.node("recurringEventId").is_some();
    if live.podcast.content_links.is_empty() && !is_instance {
        fields.reader.warning(Rule::LiveShow,
            &node.span,
            "this live show has no `contentLinks`",
            "add `contentLinks` to `live`: a page where people can watch or listen, for apps that cannot play the stream",
        );
    }
    if live.status.is_some() && fields.node("recurrence").is_some() {
        fields.reader.warning(
            Rule::LiveShow,
            &node.span,
            "`live.status` has no effect on a series: each show starts and ends separately",
            "remove it, or write it in the file of one show, which has a `recurringEventId`",
        );
    }
    Some(live)
}

/// Returns whether the event has `live = false`, which excludes an instance from a series of live
/// shows.
pub fn is_off(fields: &Fields<'_, '_>) -> bool {
    let node = fields.node("live");
    node.is_some_and(|node| *node.value.bare() == Value::Bool(false))
}

fn live(fields: &Fields<'_, '_>) -> Live {
    let name = |key| fields.text(key);
    let (link, enclosure, podcast) = podcast::live_show(fields);
    Live {
        status: fields.choice("status", LiveStatus::NAMES, LiveStatus::parse),
        app: name("app"),
        meeting: name("meeting"),
        item: item(fields),
        link,
        image: shared_fields::image(fields, "image"),
        authors: shared_fields::authors(fields),
        explicit: fields.bool("explicit"),
        enclosure,
        podcast,
    }
}

/// Reads `item`: the id of the draft item for the recording.
fn item(fields: &Fields<'_, '_>) -> Option<ItemId> {
    let text = fields.text("item")?;
    let place = fields.node("item").map_or(0..0, |node| node.span.clone());
    let report_error = |error: IdentityError| {
        let help = "write the `id` of the item, or remove `item`";
        fields.reader.error(&place, error.to_string(), help);
    };
    ItemId::parse(&text).map_err(report_error).ok()
}
