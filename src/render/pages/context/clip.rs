//! The context of a clip's page.

use mustache::{Data, object};

use super::breadcrumbs::breadcrumbs;
use super::item::ItemData;
use super::item_facts::{ItemFacts, Place};
use super::parts::each;
use crate::inputs::{ClipLink, ClipPage, Said, Shared, ShownClip, ShownItem};
use model::record::seconds_as_json;

/// Returns the context of a clip's page. The clip is available as `item`, in the form of an item,
/// and as `clip`.
pub fn clip_page<'a>(
    shared: &'a Shared<'a>,
    page: &'a ClipPage<'a>,
    shown: &'a ShownItem<'a>,
    said: &'a [Said],
) -> Data<'a> {
    let facts = ItemFacts::listed(shared, shown);
    let clip = &page.shown.clip;
    let item = ItemData::of(facts, Place::Clip(clip.end - clip.start));
    let [previous, next] = &page.neighbours;
    Data::from([
        ("items", [item.clone()].into_iter().collect()),
        ("item", item),
        ("clip", Data::object(ClipData { facts, page, said })),
        ("previous_item", link(facts, previous.as_ref())),
        ("next_item", link(facts, next.as_ref())),
        ("breadcrumbs", breadcrumbs(shared, &page.above)),
    ])
}

/// Returns the address of a clip's item, at the moment where the clip starts.
pub fn episode_url(shared: &Shared<'_>, shown: &ShownClip<'_>) -> String {
    let page = shared.config.url(shown.episode.0);
    format!("{page}#{}", shown.clip.start_fragment())
}

/// Returns a link to another clip, or null.
fn link<'a>(facts: ItemFacts<'a>, link: Option<&'a ClipLink<'a>>) -> Data<'a> {
    let Some(ClipLink { path, clip }) = link else {
        return Data::default();
    };
    let words = facts.shared.words;
    let untitled = || words.labelled(words.text("highlight"), &facts.clock(clip.start)).into();
    let url = facts.shared.config.url(path);
    Data::from([
        ("url", url.into()),
        ("title", clip.title.map_or_else(untitled, Data::from)),
        ("date_published", Data::default()),
        ("lang", Data::default()),
        ("image", Data::default()),
        ("picture", Data::default()),
    ])
}

struct ClipData<'a> {
    facts: ItemFacts<'a>,
    page: &'a ClipPage<'a>,
    said: &'a [Said],
}

object!(impl ClipData<'a>, |this| {
    "url" => this.facts.web_url(),
    "startTime" => seconds_as_json(this.page.shown.clip.start),
    "endTime" => seconds_as_json(this.page.shown.clip.end),
    "start_text" => this.facts.clock(this.page.shown.clip.start),
    "end_text" => this.facts.clock(this.page.shown.clip.end),
    "duration_text" => {
        let clip = &this.page.shown.clip;
        this.facts.shared.words.duration(clip.end - clip.start)
    },
    "paragraphs" => each(this.said, |said| {
        Data::from([("speaker", said.speaker.as_deref().into()), ("text", Data::from(&said.text))])
    }),
    "episode" => {
        let (shared, shown) = (this.facts.shared, &this.page.shown);
        Data::from([
            ("title", Data::from(&*shown.episode.1)),
            ("url", episode_url(shared, shown).into()),
        ])
    },
});
