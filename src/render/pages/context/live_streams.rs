//! The channel's own live items, trailers and recommended podcasts in template contexts.

use mustache::{Data, object};

use super::links::{self, host};
use super::podcast_tags::optional_list;
use super::record_data::RecordObject;
use crate::inputs::Shared;
use crate::text;
use model::Category;
use model::podcast::{Enclosure, ItemPodcast, LiveItem, LiveStatus, RemoteItem, Trailer};

/// Returns the live items that have not ended.
pub fn streams<'a>(shared: &'a Shared<'a>, all: &'a [LiveItem]) -> Option<Data<'a>> {
    let coming = all.iter().filter(|item| item.status != LiveStatus::Ended);
    let mut coming: Vec<&LiveItem> = coming.collect();
    coming.sort_by_key(|item| (item.status != LiveStatus::Live, item.start));
    let views = coming.iter().map(|item| Data::object(StreamData { shared, item }));
    (!coming.is_empty()).then(|| views.collect())
}

struct StreamData<'a> {
    shared: &'a Shared<'a>,
    item: &'a LiveItem,
}

/// Returns the address at which people listen to a live show: the stream, or else the first content
/// link.
pub fn listen_url<'a>(
    enclosure: Option<&'a Enclosure>,
    podcast: &'a ItemPodcast,
) -> Option<&'a str> {
    let stream = enclosure.map(|stream| stream.url.as_str());
    stream.or_else(|| podcast.content_links.first().map(|link| link.href.as_str()))
}

object!(impl StreamData<'a>, |this| {
    "is_live" => this.item.status == LiveStatus::Live,
    "link" => this.item.link.as_deref(),
    "description" => this.item.description.as_deref().map(|text| text::excerpt(text, 280)),
    "image" => this.item.image.as_ref().map(|image| image.url.as_str()),
    "start_ms" => this.item.start.as_millisecond(),
    "end_ms" => this.item.end.map(|end| end.as_millisecond()),
    "start_text" => {
        let zone = this.shared.config.timezone.clone();
        let start = this.item.start.to_zoned(zone);
        let words = this.shared.words;
        let (day, time) = (words.day_date(start.date()), words.time(start.time()));
        words.joined(&day, &format!("{time} {}", start.strftime("%Z")))
    },
    "listen_url" => listen_url(this.item.enclosure.as_ref(), &this.item.podcast),
    "contentLinks" => optional_list(&this.item.podcast.content_links, links::alternate_link),
} else RecordObject(this.item));

/// Returns the trailer of the whole show: the newest one without a season, or else the newest.
pub fn show_trailer<'a>(shared: &'a Shared<'a>, all: &'a [Trailer]) -> Option<Data<'a>> {
    let newest = all.iter().max_by_key(|one| (one.season.is_none(), one.pubdate));
    newest.map(|trailer| Data::object(TrailerData { shared, trailer }))
}

/// Returns the trailers of the season with this number.
pub fn season_trailers<'a>(shared: &'a Shared<'a>, number: &str) -> Option<Data<'a>> {
    let all = shared.channel.podcast.trailers.iter();
    let mut season_trailers = all
        .filter(|one| one.season.is_some_and(|season| season.to_string() == number))
        .map(|trailer| Data::object(TrailerData { shared, trailer }))
        .peekable();
    season_trailers.peek()?;
    Some(season_trailers.collect())
}

struct TrailerData<'a> {
    shared: &'a Shared<'a>,
    trailer: &'a Trailer,
}

object!(impl TrailerData<'a>, |this| {
    "is_video" => {
        let kind = this.trailer.media_type.as_deref().unwrap_or_default();
        Category::of_media_type(kind) == Category::Video
    },
    "date_text" => {
        let zone = &this.shared.config.timezone;
        this.shared.words.date(zone.to_datetime(this.trailer.pubdate).date())
    },
} else RecordObject(this.trailer));

/// Returns the podcasts that the author recommends. Podcasts with neither a title nor a host are
/// left out.
pub fn recommended_podcasts<'a>(shared: &Shared<'_>, all: &'a [RemoteItem]) -> Option<Data<'a>> {
    let mut named = all.iter().filter_map(|feed| named(shared, feed)).peekable();
    named.peek()?;
    Some(named.collect())
}

/// Returns a link to another feed, named after the feed's title or else its host. A link to the feed
/// of a show or to the publisher of the same network is a link to its home page.
pub fn named<'a>(shared: &Shared<'_>, feed: &'a RemoteItem) -> Option<Data<'a>> {
    let url = feed.feed_url.as_deref();
    let show = shared.shows.iter().find(|show| url.is_some() && show.rss_url.as_deref() == url);
    let network = shared.network.filter(|home| url == Some(&home.publisher_url));
    let home = show.map(|show| show.url.clone()).or_else(|| network.map(|home| home.url.clone()));
    let title = feed.title.as_deref().filter(|title| !title.is_empty());
    let name = title.or_else(|| url.and_then(host))?;
    let url = home.map_or_else(|| url.into(), Data::shared);
    Some(Data::from([("name", name.into()), ("url", url)]))
}
