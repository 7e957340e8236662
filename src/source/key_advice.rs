//! Keys that authors write out of habit from other programs, and what to write in place of each.

use super::fields::KeyAdvice;

pub(super) const ITEM: KeyAdvice = &[
    (
        &[
            "audio",
            "audio_file",
            "audio_url",
            "audioUrl",
            "enclosure",
            "enclosures",
            "file",
            "media",
            "media_url",
            "mp3",
            "mp3_url",
            "podcast_file",
            "video",
        ],
        "what an item plays or offers is its `attachment`: a file beside it, or a whole address",
    ),
    (
        &["transcript", "transcripts", "galleries", "subtitles"],
        "write `podcast.transcripts`: a file beside the item, or several",
    ),
    (
        &["chapter", "chapters"],
        "write `podcast.chapters`: a file beside the item, or a list; those in the audio file are found without it",
    ),
    (
        &[
            "person", "persons", "people", "guest", "guests", "host", "hosts",
        ],
        "write `podcast.people`",
    ),
    (
        &["episode", "episode_number", "number"],
        "write `podcast.episode`",
    ),
    (&["season", "season_number"], "write `podcast.season`"),
    (&["license", "licence"], "write `podcast.license`"),
    (
        &["episodeType", "episode_type", "itunes_type"],
        "write `itunes.episodeType`: full, trailer or bonus",
    ),
    (&["explicit"], "write `itunes.explicit`"),
    (
        &[
            "duration",
            "duration_in_seconds",
            "file_size",
            "filesize",
            "length",
            "size",
            "size_in_bytes",
            "mime_type",
        ],
        "this is read from the attached file; of one elsewhere, say it in `attachment`: url, mime_type, size_in_bytes, duration_in_seconds",
    ),
    (
        &[
            "cover",
            "cover_image",
            "featured_image",
            "hero",
            "photo",
            "picture",
            "thumbnail",
        ],
        "write `image`",
    ),
    (&["keywords", "labels", "topics"], "write `tags`"),
    (&["lang", "locale"], "write `language`"),
    (
        &["canonical", "canonical_url", "external_url", "link"],
        "the page elsewhere that an item is about is its `url`",
    ),
    (BODY, BELOW),
    (
        &[
            "pub_date",
            "pubDate",
            "pubdate",
            "publishDate",
            "publish_date",
            "published_at",
        ],
        "write `date_published`",
    ),
];

pub(super) const PAGE: KeyAdvice = &[
    (
        &["description", "summary", "excerpt"],
        "write `meta_description`",
    ),
    (
        &["nav", "navigation", "menu", "in_navigation"],
        "write `show_in_navigation = true`",
    ),
    (
        &["weight", "order", "nav_order"],
        "write `navigation_order`",
    ),
    (
        &["group", "section", "category", "nav_group"],
        "write `navigation_group`",
    ),
    (&["lang", "locale"], "write `language`"),
    (BODY, BELOW),
];

pub(super) const CHANNEL: KeyAdvice = &[
    (&["name", "site_title"], "write `title`"),
    (&["lang", "locale"], "write `language`"),
    (&["home", "homepage", "link", "url"], "write `homepage_url`"),
    (&["artwork", "cover", "logo"], "write `icon`"),
    (&["email", "owner"], "write `itunes.email`"),
    (&["keywords", "tags", "topics"], "write `categories`"),
    (&["explicit"], "write `itunes.explicit`"),
    (
        &[
            "funding", "guid", "license", "locked", "medium", "people", "value",
        ],
        "it is a key of `podcast`, in a [podcast] table at the end",
    ),
    (
        &[
            "access",
            "base_url",
            "feed",
            "hosting",
            "namespace",
            "output",
            "theme",
            "timezone",
        ],
        "it belongs into site.toml, which says how the site is built",
    ),
    (BODY, BELOW),
];

/// Of `site.toml`.
pub(super) const SITE: KeyAdvice = &[
    (
        &[
            "author",
            "authors",
            "categories",
            "copyright",
            "description",
            "expired",
            "favicon",
            "homepage_url",
            "icon",
            "image",
            "itunes",
            "lang",
            "language",
            "logo",
            "name",
            "podcast",
            "publisher",
            "seo",
            "subscribe_methods",
            "title",
        ],
        "what the site is about belongs into content/channel.md; site.toml says how it is built",
    ),
    (
        &[
            "baseURL", "baseUrl", "baseurl", "domain", "host", "site_url", "url",
        ],
        "write `base_url`",
    ),
    (
        &[
            "autolinks",
            "galleries",
            "definition_lists",
            "highlight",
            "line_numbers",
            "math",
            "media_players",
            "notes",
            "smart_punctuation",
            "video_cards",
            "wiki_links",
        ],
        "it is a key of [markdown]",
    ),
    (
        &["items_per_page", "limit", "order", "rss", "sort"],
        "it is a key of [feed], below that line",
    ),
    (
        &[
            "archive",
            "authors",
            "dir",
            "embeds",
            "item_json",
            "item_rss",
            "search",
            "seasons",
            "subscribe",
            "tag_feeds",
            "tags",
        ],
        "it is a key of [output], below that line",
    ),
    (&["targets"], "it is a key of [hosting], below that line"),
];

const BODY: &[&str] = &[
    "body",
    "content",
    "content_html",
    "content_markdown",
    "show_notes",
    "shownotes",
    "text",
];
const BELOW: &str = "the text stands below the front matter, not in it";
