//! JSON-LD with schema.org types: WebSite, BlogPosting, PodcastSeries, PodcastEpisode, WebPage,
//! Event, Clip, BreadcrumbList.

use std::collections::HashSet;

use super::head::{Head, Subject, authors};
use super::json_writer::ObjectWriter;
use crate::inputs::{Shared, ShownClip, Upcoming, UpcomingEvent};
use crate::pages::context::{crumb_name, crumb_url, series_url};
use crate::text;
use model::calendar::{Event, EventSpan, EventTime};
use model::{Attachment, Author, Category};
use site::{ItemEntry, PageEntry, paths};

const CONTEXT: &str = "https://schema.org";

const SCRIPT: &str = "<script type=\"application/ld+json\">";

/// Writes the script elements: one for the subject and one for the breadcrumbs, if they exist.
pub fn write(shared: &Shared<'_>, head: &Head<'_>, out: &mut String) {
    subject(shared, head, out);
    if !head.above.is_empty() {
        breadcrumbs(shared, head, out);
    }
}

fn breadcrumbs(shared: &Shared<'_>, head: &Head<'_>, out: &mut String) {
    let above = head.above.iter();
    let above = above.map(|crumb| (crumb_name(shared, crumb), crumb_url(shared, crumb)));
    let all = above.chain([(head.name().into(), head.url(shared))]);
    out.push_str(SCRIPT);
    ObjectWriter::write(out, |object| {
        object.text("@context", CONTEXT);
        object.text("@type", "BreadcrumbList");
        let numbered = (1..).zip(all);
        object.list("itemListElement", numbered, |(number, (name, url)), one| {
            one.text("@type", "ListItem");
            one.text("item", &url);
            one.text("name", &name);
            one.number("position", number);
        });
    });
    out.push_str("</script>\n");
}

fn subject(shared: &Shared<'_>, head: &Head<'_>, out: &mut String) {
    if let Subject::Other | Subject::Facet(_) | Subject::Planet = head.subject {
        return;
    }
    if let Subject::Page(entry) = head.subject
        && entry.page.is_not_found_page()
    {
        return;
    }
    out.push_str(SCRIPT);
    ObjectWriter::write(out, |object| match head.subject {
        Subject::Home(events) => home(object, shared, head, events),
        Subject::Item(entry) => item(object, shared, head, entry),
        Subject::Clip(shown, entry) => clip(object, shared, head, shown, entry),
        Subject::Page(entry) => page(object, shared, head, entry),
        Subject::Other | Subject::Facet(_) | Subject::Planet => {}
    });
    out.push_str("</script>\n");
}

fn site_id(shared: &Shared<'_>) -> String {
    format!("{}#website", shared.config.url("/"))
}

fn series_id(shared: &Shared<'_>) -> String {
    format!("{}#podcast", shared.config.url("/"))
}

fn is_episode(attachment: &Attachment) -> bool {
    attachment.category == Category::Audio
}

fn page(object: &mut ObjectWriter<'_>, shared: &Shared<'_>, head: &Head<'_>, entry: &PageEntry) {
    object.text("@context", CONTEXT);
    object.text("@type", "WebPage");
    object.text("description", &head.description);
    object.object("isPartOf", |site| site.text("@id", &site_id(shared)));
    object.text("name", &entry.page.title);
    object.text("url", &head.canonical);
}

/// The nodes of the home page's graph.
enum Node<'a> {
    Site,
    Series,
    Event(&'a UpcomingEvent),
}

fn home(
    object: &mut ObjectWriter<'_>,
    shared: &Shared<'_>,
    head: &Head<'_>,
    upcoming: Option<&Upcoming>,
) {
    // The shows of a network are podcasts. The network is none.
    let is_series = shared.is_podcast && (shared.shows.is_empty() || shared.network.is_some());
    let series = is_series.then_some(Node::Series);
    let mut told = HashSet::new();
    // Only the next occurrence of each event or series is included.
    let next = upcoming
        .into_iter()
        .flat_map(|upcoming| &upcoming.events)
        .filter(|one| told.insert((&one.calendar.id, &one.occurrence.series.id)));
    let nodes = [Node::Site].into_iter().chain(series).chain(next.map(Node::Event));
    object.text("@context", CONTEXT);
    object.list("@graph", nodes, |node, object| match node {
        Node::Site => site(object, shared, head),
        Node::Series => series_of(object, shared),
        Node::Event(next) => event(object, shared, next),
    });
}

fn site(object: &mut ObjectWriter<'_>, shared: &Shared<'_>, head: &Head<'_>) {
    object.text("@id", &site_id(shared));
    object.text("@type", "WebSite");
    object.text("description", &head.description);
    object.text("inLanguage", head.language(shared));
    object.text("name", shared.title());
    if let Some(publisher) = &shared.channel.publisher {
        object.object("publisher", |object| author(publisher, object));
    }
    object.text("url", &shared.config.url("/"));
}

fn series_of(object: &mut ObjectWriter<'_>, shared: &Shared<'_>) {
    let channel = shared.channel;
    object.text("@id", &series_id(shared));
    object.text("@type", "PodcastSeries");
    write_authors(object, &channel.authors);
    object.text("description", &channel.description_text);
    let icon = channel.icon.as_ref();
    object.optional("image", icon.map(|icon| icon.url.as_str()));
    object.text("name", shared.title());
    object.text("url", &shared.config.url("/"));
    object.text("webFeed", &shared.config.url(&paths::rss(1)));
}

/// Writes an event of a calendar. Only live shows are marked as online events.
fn event(object: &mut ObjectWriter<'_>, shared: &Shared<'_>, next: &UpcomingEvent) {
    let (calendar, occurrence) = (&next.calendar, &next.occurrence);
    let event = &occurrence.event;
    let place = event.location.as_deref();
    let online = event.live.as_ref().map(|live| {
        let link = live.podcast.content_links.first();
        let url = live.link.as_ref().or(link.map(|link| &link.href));
        url.cloned().unwrap_or_else(|| shared.config.url("/"))
    });
    let mode = match (place, &online) {
        (Some(_), Some(_)) => Some("https://schema.org/MixedEventAttendanceMode"),
        (None, Some(_)) => Some("https://schema.org/OnlineEventAttendanceMode"),
        (Some(_), None) => Some("https://schema.org/OfflineEventAttendanceMode"),
        (None, None) => None,
    };
    object.text("@type", "Event");
    object.text("description", &event.content.excerpt(300));
    object.text("endDate", &text::iso_8601(&last(&occurrence.span)));
    object.optional("eventAttendanceMode", mode);
    object.text("eventStatus", "https://schema.org/EventScheduled");
    let image = event.live.as_ref().and_then(|live| live.image.as_ref());
    let image = image.or(shared.channel.icon.as_ref());
    object.optional("image", image.map(|image| image.url.as_str()));
    if mode.is_some() {
        let place = place.map(Location::Place);
        let places = place.into_iter().chain(online.map(Location::Online));
        object.list("location", places, location);
    }
    object.text("name", event.summary.as_deref().unwrap_or(&calendar.summary));
    object.object("organizer", |object| organizer(object, shared, event));
    object.text("startDate", &text::iso_8601(&occurrence.span.start));
    object.optional("url", event.url());
}

/// The location of an event.
enum Location<'a> {
    Place(&'a str),
    Online(String),
}

fn location(location: Location<'_>, object: &mut ObjectWriter<'_>) {
    match location {
        Location::Place(place) => {
            object.text("@type", "Place");
            object.text("address", place);
            object.text("name", place);
        }
        Location::Online(url) => {
            object.text("@type", "VirtualLocation");
            object.text("url", &url);
        }
    }
}

/// Returns the end of an event in the sense of schema.org: the last day of the event, not the day
/// after.
fn last(span: &EventSpan) -> EventTime {
    match span.closed() {
        EventTime::Day(after) => EventTime::Day(after.yesterday().unwrap_or(after)),
        moment => moment,
    }
}

/// Writes the organizer of an event. If the event has no named organizer, the site is the
/// organizer.
fn organizer(object: &mut ObjectWriter<'_>, shared: &Shared<'_>, event: &Event) {
    let named = event.organizer.as_ref();
    let named = named.and_then(|person| person.display_name.as_ref());
    let channel = shared.channel;
    let owner = channel.publisher.as_ref().or(channel.authors.first());
    match (named, owner) {
        (Some(name), _) => {
            object.text("@type", "Person");
            object.text("name", name);
        }
        (None, Some(owner)) => author(owner, object),
        (None, None) => {
            object.text("@type", "Organization");
            object.text("name", shared.title());
            object.text("url", &shared.config.url("/"));
        }
    }
}

fn item(object: &mut ObjectWriter<'_>, shared: &Shared<'_>, head: &Head<'_>, entry: &ItemEntry) {
    let item = &entry.item;
    let attachment = item.attachment.as_ref();
    let episode = attachment.filter(|attachment| is_episode(attachment));
    let video = attachment.filter(|attachment| attachment.category == Category::Video);
    let url = shared.config.url(&entry.path);
    object.text("@context", CONTEXT);
    let kind = episode.map_or("BlogPosting", |_| "PodcastEpisode");
    object.text("@type", kind);
    if let Some(attachment) = episode {
        object.object("associatedMedia", |object| {
            write_audio(object, attachment, size(shared, entry))
        });
    }
    write_authors(object, authors(shared, entry));
    let date = item.date_modified.map(text::rfc3339);
    object.optional("dateModified", date.as_deref());
    let date = item.date_published.map(text::rfc3339);
    object.optional("datePublished", date.as_deref());
    object.text("description", &head.description);
    if let Some(attachment) = episode {
        object.optional("duration", iso_duration(attachment).as_deref());
        if let Some(number) = item.itunes.episode {
            object.number("episodeNumber", number);
        }
        write_clips(object, shared, entry);
    } else {
        object.text("headline", &head.title);
    }
    object.optional("image", head.image.as_ref().map(|image| image.url.as_str()));
    object.text("inLanguage", head.language(shared));
    if let Some(place) = head.series {
        object.object("isPartOf", |object| {
            object.text("@type", "CreativeWorkSeries");
            object.text("name", place.name);
            object.optional("url", series_url(shared, place).as_deref());
        });
    }
    object.text("keywords", &item.tags.join(", "));
    if episode.is_none() {
        object.text("mainEntityOfPage", &url);
    } else {
        object.text("name", &head.title);
        object.object("partOfSeries", |object| part_of_series(object, shared));
    }
    if let Some(place) = head.series {
        object.number("position", u32::try_from(place.at + 1).unwrap_or(u32::MAX));
    }
    object.text("url", &url);
    if let Some(attachment) = video {
        object.object("video", |object| write_video(object, shared, attachment, head, entry));
    }
}

/// Writes the clips of an item, which search engines show as key moments.
fn write_clips(object: &mut ObjectWriter<'_>, shared: &Shared<'_>, entry: &ItemEntry) {
    let clips: Vec<_> = match shared.config.audio.clips {
        true => entry.clips().collect(),
        false => Vec::new(),
    };
    if clips.is_empty() {
        return;
    }
    let page = shared.config.url(&entry.path);
    let highlight = shared.words.text("highlight");
    object.list("hasPart", clips, |(_, clip), object| {
        object.text("@type", "Clip");
        object.seconds("endOffset", clip.end);
        object.text("name", clip.title.unwrap_or(highlight));
        object.seconds("startOffset", clip.start);
        // Google accepts only a query in the address of a moment, and the player reads it too.
        object.text("url", &format!("{page}?{}", clip.start_fragment()));
    });
}

fn part_of_series(object: &mut ObjectWriter<'_>, shared: &Shared<'_>) {
    object.text("@id", &series_id(shared));
    object.text("@type", "PodcastSeries");
    object.text("name", shared.title());
    object.text("url", &shared.config.url("/"));
}

fn clip(
    object: &mut ObjectWriter<'_>,
    shared: &Shared<'_>,
    head: &Head<'_>,
    shown: &ShownClip<'_>,
    entry: &ItemEntry,
) {
    let attachment = entry.item.attachment.as_ref();
    object.text("@context", CONTEXT);
    object.text("@type", "Clip");
    if let Some(attachment) = attachment {
        object.object("associatedMedia", |object| {
            object
                .text("@type", if is_episode(attachment) { "AudioObject" } else { "VideoObject" });
            object.text("contentUrl", &attachment.url);
            object.text("encodingFormat", &attachment.mime_type);
        });
    }
    write_authors(object, authors(shared, entry));
    let date = entry.item.date_published.map(text::rfc3339);
    object.optional("datePublished", date.as_deref());
    object.text("description", &head.description);
    object.seconds("endOffset", shown.clip.end);
    let image = head.card.as_ref().or(head.image.as_deref());
    object.optional("image", image.map(|image| image.url.as_str()));
    object.text("inLanguage", head.language(shared));
    object.text("name", &head.title);
    if attachment.is_some_and(is_episode) {
        object.object("partOfEpisode", |object| {
            object.text("@type", "PodcastEpisode");
            object.text("name", &shown.episode.1);
            object.text("url", &shared.config.url(shown.episode.0));
        });
        object.object("partOfSeries", |object| part_of_series(object, shared));
    }
    object.seconds("startOffset", shown.clip.start);
    object.text("url", &head.canonical);
}

fn write_audio(object: &mut ObjectWriter<'_>, attachment: &Attachment, size: Option<String>) {
    object.text("@type", "AudioObject");
    object.optional("contentSize", size.as_deref());
    object.text("contentUrl", &attachment.url);
    object.optional("duration", iso_duration(attachment).as_deref());
    object.text("encodingFormat", &attachment.mime_type);
}

fn write_video(
    object: &mut ObjectWriter<'_>,
    shared: &Shared<'_>,
    attachment: &Attachment,
    head: &Head<'_>,
    entry: &ItemEntry,
) {
    object.text("@type", "VideoObject");
    let size = attachment.size_in_bytes.map(|bytes| bytes.to_string());
    object.optional("contentSize", size.as_deref());
    object.text("contentUrl", &attachment.url);
    object.text("description", &head.description);
    object.optional("duration", iso_duration(attachment).as_deref());
    let embed = shared.has_embed(entry).then(|| shared.config.url(&paths::embed(entry)));
    object.optional("embedUrl", embed.as_deref());
    object.text("encodingFormat", &attachment.mime_type);
    write_clips(object, shared, entry);
    object.text("name", &head.title);
    object.optional("thumbnailUrl", head.image.as_ref().map(|image| image.url.as_str()));
    let date = entry.item.date_published.map(text::rfc3339);
    object.optional("uploadDate", date.as_deref());
}

fn size(shared: &Shared<'_>, entry: &ItemEntry) -> Option<String> {
    shared.recordings.size_in_bytes(entry).map(|bytes| bytes.to_string())
}

/// Formats a duration as ISO 8601: `PT21M2S`.
#[allow(clippy::cast_possible_truncation)]
fn iso_duration(attachment: &Attachment) -> Option<String> {
    let whole = attachment.duration_in_seconds?.max(0.0).round() as i64;
    Some(match (whole / 60, whole % 60) {
        (0, seconds) => format!("PT{seconds}S"),
        (minutes, seconds) => format!("PT{minutes}M{seconds}S"),
    })
}

fn write_authors(object: &mut ObjectWriter<'_>, authors: &[Author]) {
    if !authors.is_empty() {
        object.list("author", authors, author);
    }
}

fn author(author: &Author, object: &mut ObjectWriter<'_>) {
    object.text("@type", author.kind.as_str());
    object.text("name", &author.name);
    object.optional("url", author.url.as_deref());
}
