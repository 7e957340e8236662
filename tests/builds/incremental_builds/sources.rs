//! The files of a small site, and what each may say.
//!
//! A file's text is put together of parts, and each part is one of a few texts; the first is that of the site as
//! it begins. Of two texts of a part some are as long as one another, and some say the same in another way.

/// A file of the site.
pub struct Source {
    /// What stands for `NAME` in its texts.
    pub name: &'static str,
    /// Where it may lie; an empty path is nowhere.
    pub paths: &'static [&'static str],
    /// `UP` in a text is the way from the file's folder up to `content/`.
    pub parts: &'static [Part],
    /// Which text of the last part it begins with.
    pub body: usize,
}

/// The texts of which one stands in the file.
pub type Part = &'static [&'static str];

const fn source(
    name: &'static str,
    paths: &'static [&'static str],
    parts: &'static [Part],
) -> Source {
    Source { name, paths, parts, body: 0 }
}

/// A source that begins with links to others.
const fn with_links(source: Source) -> Source {
    Source { body: 3, ..source }
}

const OPEN: Part = &["+++\n"];
const CLOSE: Part = &["+++\n"];
const TITLES: Part = &[
    "title = \"One\"\n", "title = \"Two\"\n", "title = \"Ünï & <b>\"\n", "title = 'Say \"it\"'\n",
    "",
];
const BODIES: Part = &[
    "Some words.\n",
    "Some wards.\n",
    "",
    "A [walk](UPitems/walk.md), a [talk](UPitems/talk/index.md#part) and [us](UPpages/about.md).\n",
    "To [tag](/tags/x/), [page](/about/), [nowhere](/none/) and [notes](UP../assets/n).\n",
    "The [[One]], [[two|x]], [[talk#Part]], [[walk]], [[run]] and [[about]], [[Deep]], [[NAME-own]], [[nobody]], [a folder](UPitems/talk/).\n\n[A tone](/media/tone.wav)\n",
    "By [[old-NAME]], [[items/swim]], [[2026-03-03-walk]], [[us]], [[former]], [home](UPchannel.md#so).\n\nhttps://youtu.be/aqz-KE-bpKQ\n",
    "![m](/media/m.svg) \"quoted\" -- *so*\n\n## Part\n\n```rust\nfn main() {}\n```\n",
    "Long words that go on and on until no excerpt can hold all of them. Long words that go on and on until no excerpt can hold all of them. \
     Long words that go on and on until no excerpt can hold all of them. Long words that go on and on until no excerpt can hold all of them. End.\n",
];

const ITEM: &[Part] = &[
    OPEN,
    &["id = \"NAME\"\n", "", "id = \"NAME2\"\n"],
    TITLES,
    &["", "slug = \"NAME-own\"\n", "slug = \"shared\"\n"],
    &[
        "date = 2026-01-01\n", "", "date = 2026-02-02\n", "date = 2026-06-01T12:10:00Z\n",
        "date = \"2026-06-02 23:00\"\n", "date = 2027-01-01\n",
    ],
    &[
        "", "date_modified = 2026-05-06\n", "date_modified = 2026-06-01T12:20:00Z\n",
        "date_modified = 2026-12-01\n",
    ],
    &["", "date_created = 2025-05-05\n"],
    &["", "status = \"unlisted\"\n", "status = \"unpublished\"\n", "draft = true\n"],
    &[
        "tags = [\"x\"]\n", "tags = [\"X\"]\n", "tags = [\"only\", \"x\"]\n",
        "tags = [\"only\"]\n", "tags = [\"Z z\", \"!\"]\n", "",
    ],
    &[
        "",
        "aliases = [\"old-NAME\"]\n",
        "aliases = [\"former\", \"/2024/NAME/\"]\n",
        "permalink = \"/2024/NAME/\"\n",
    ],
    &["", "summary = \"In short\"\n", "summary = \"On shart\"\n"],
    &[
        "",
        "language = \"de\"\n",
        "authors = [\"Ann\", { name = \"Bob\", url = \"https://bob.example\" }]\n",
        "guid = \"g-NAME\"\n",
        "url = \"https://elsewhere.example/NAME\"\n",
        "seo = { title = \"T\", description = \"D\" }\n",
        "itunes = { season = 1, episode = 2, episodeType = \"bonus\" }\n",
    ],
    &["", "image = \"/media/m.svg\"\n", "banner_image = { url = \"/media/m.svg\", alt = \"M\" }\n"],
    &[
        "",
        "attachment = \"/media/tone.wav\"\n",
        "attachment = \"https://cdn.example/a.mp3\"\n",
        "attachment = \"/media/m.svg\"\n",
    ],
    &[
        "",
        "podcast = { people = [{ name = \"P\" }], season = 3 }\n",
        "podcast = { people = [{ name = \"P\" }], season = { number = 3, name = \"Sea\" } }\n",
        "podcast = { chapters = [{ startTime = 0, title = \"A\" }, { startTime = 9, title = \"B\" }] }\n",
    ],
    CLOSE,
    BODIES,
];

const PAGE: &[Part] = &[
    OPEN,
    &["id = \"NAME\"\n", ""],
    &["title = \"One\"\n", "title = \"Two\"\n", "title = \"Ünï & <b>\"\n"],
    &["", "slug = \"NAME-own\"\n", "slug = \"shared\"\n"],
    &[
        "show_in_navigation = true\n",
        "",
        "show_in_navigation = true\nnavigation_label = \"L\"\n",
        "show_in_navigation = true\nnavigation_label = \"M\"\nnavigation_order = 1\n",
        "show_in_navigation = true\nnavigation_order = 2\n",
        "navigation_group = \"G\"\n",
        "navigation_group = \"H\"\nnavigation_order = 1\n",
    ],
    &["", "status = \"unlisted\"\n", "status = \"unpublished\"\n", "draft = true\n"],
    &[
        "", "date = 2026-06-01T12:05:00Z\n", "date_modified = 2026-05-20\n",
        "date_modified = 2026-06-10\n",
    ],
    &["", "aliases = [\"was-NAME\"]\n", "aliases = [\"former\"]\n"],
    &["", "meta_description = \"Meta\"\n", "language = \"fr\"\n"],
    CLOSE,
    BODIES,
];

const EVENT: &[Part] = &[
    OPEN,
    &["id = \"NAME\"\n"],
    &[
        "start = \"2026-05-01T10:00\"\nrecurrence = [\"RRULE:FREQ=DAILY\"]\n",
        "start = 2026-06-02\n",
        "start = \"2026-06-01T11:30\"\nend = \"2026-06-01T12:30\"\n",
        "start = 2026-06-09\nrecurrence = [\"RRULE:FREQ=WEEKLY;COUNT=3\"]\n",
        "start = \"2026-06-01T14:10:00\"\ntimeZone = \"Europe/Berlin\"\n",
    ],
    &["", "summary = \"E\"\n", "summary = \"F\"\n"],
    &[
        "", "visibility = \"private\"\n", "status = \"cancelled\"\n", "location = \"Here\"\n",
        "updated = 2026-03-03T00:00:00Z\n",
    ],
    &[
        "live = true\n",
        "",
        "live = { link = \"https://example.com/l\", enclosure = \"https://example.com/l.mp3\" }\n",
        "live = { image = \"/media/m.svg\", status = \"live\" }\n",
    ],
    CLOSE,
    BODIES,
];

const CHANNEL: &[Part] = &[
    OPEN,
    &["title = \"A site\"\n", "title = \"B site\"\n", ""],
    &["", "icon = \"/media/m.svg\"\n", "favicon = \"/media/m.svg\"\n"],
    &["", "language = \"de\"\n", "language = \"ar\"\n"],
    &["", "authors = [\"Me\"]\n", "publisher = \"Us\"\n", "copyright = \"(c) {{current_year}}\"\n"],
    &[
        "",
        "seo = { title = \"S\", social_image = \"/media/m.svg\" }\n",
        "categories = [\"Arts\"]\n",
        "homepage_url = \"https://home.example/\"\n",
        "expired = true\n",
    ],
    &[
        "",
        "itunes = { type = \"serial\", explicit = true }\n",
        "podcast = { people = [{ name = \"Host\" }], medium = \"podcast\" }\n",
        "podcast = { locked = \"yes\", license = \"cc-by-4.0\" }\n",
    ],
    CLOSE,
    BODIES,
];

pub const LANGUAGES: Part = &[
    "",
    "[languages]\ndefault = \"en\"\nothers = [\"de\", \"fr\"]\nuntranslated = \"show\"\n",
    "[languages]\ndefault = \"en\"\nothers = [\"de\", \"fr\"]\n",
    "[languages]\ndefault = \"en\"\nothers = [\"de\"]\nuntranslated = \"show\"\n",
    "[languages]\ndefault = \"de\"\nothers = [\"en\"]\n",
];

const SITE: &[Part] = &[
    &["base_url = \"https://example.com\"\n", "base_url = \"https://example.com/blog\"\n"],
    &["theme = \"mine\"\n", ""],
    &["", "access = \"headless\"\n", "access = \"offline\"\n", "access = \"public\"\n"],
    &["", "timezone = \"Asia/Tokyo\"\n"],
    &["", "namespace = \"other\"\n"],
    &["[feed]\n"],
    &["items_per_page = 2\n", "items_per_page = 1\n", ""],
    &["limit = 3\n", "limit = 1\n", ""],
    &["", "rss = false\n"],
    &["", "sort = \"updated_at\"\n", "sort = \"created_at\"\n"],
    &["", "order = \"asc\"\n"],
    &["[output]\n"],
    &["", "item_json = false\n"],
    &["", "item_rss = false\n"],
    &["", "tags = false\n"],
    &["", "search = false\n"],
    &[
        "[markdown]\n",
        "[markdown]\nsmart_punctuation = true\n",
        "[markdown]\nhighlight = false\n",
        "[markdown]\nwiki_links = false\nmedia_players = false\nvideo_cards = false\n",
    ],
    &["", "[media]\nbase_url = \"https://media.example/m\"\n"],
    &[
        "[hosting]\ntargets = [\"netlify\"]\n",
        "[hosting]\ntargets = [\"github-pages\"]\n",
        "[hosting]\ntargets = [\"vercel\", \"nginx\"]\n",
        "[hosting]\ntargets = [\"apache\", \"caddy\", \"cloudflare-pages\"]\n",
        "",
    ],
    &[
        "",
        "[addresses]\nitems = \"/posts/{slug}/\"\nnested_pages = true\n",
        "[addresses]\nitems = \"/{year}/{slug}/\"\n",
        "[addresses]\nitems = \"/{section}/{slug}/\"\n",
        "[addresses]\nitems = \"/{language}/{slug}/\"\n",
    ],
    LANGUAGES,
    &[
        "",
        "[defaults.talk]\nlanguage = \"de\"\ntags = [\"x\", \"y\"]\n",
        "[defaults.\"content/items\"]\nimage = \"/media/m.svg\"\nitunes = { season = 2 }\n",
        "[defaults.\"content/pages\"]\nnavigation_group = \"G\"\n",
    ],
    &[
        "",
        "[[aggregate]]\nfeed = \"https://a.example/feed\"\n",
        "[[aggregate]]\nfeed = \"https://a.example/feed\"\ntitle = \"A\"\nlimit = 1\n",
    ],
    &[
        "",
        "[site_files.\"robots.txt\"]\nenabled = false\n",
        "[site_files.\"data.json\"]\nenabled = false\n",
    ],
    &[
        "",
        "[theme_options]\nmotto = \"One\"\n",
        "[theme_options]\nmotto = \"Two\"\ncss = \"brand/own.css\"\n",
        "[theme_options]\ncss = \"content/media/own.css\"\n",
    ],
];

/// The templates of a slot: what of the data they show is a part each.
const SLOT: &[Part] = &[
    &["<p>{{title}} {{current_year}} {{_theme.version}} {{description}} {{language}}</p>\n"],
    &[
        "{{#navigation_pages}}{{id}} {{title}} {{navigation_label}} {{navigation_order}} {{url}} {{is_current}}\n{{/navigation_pages}}",
        "",
    ],
    &[
        "{{#items}}{{id}} {{title}} {{url}} {{image}} {{{content_html}}} {{date_published}} {{#_service}}{{#tags}}{{name}} {{url}} {{/tags}}{{/_service}}\n{{/items}}",
        "{{{items}}}",
        "{{#items}}{{#_service}}{{excerpt_text}} {{external_host}} {{date_updated_short}} {{status}} {{{podcast}}} {{{attachment}}}{{/_service}}{{content_text}}\n{{/items}}",
        "",
    ],
    &[
        "{{#_service}}{{prev_url}} {{next_url}} {{page_number}} {{page_count}} {{rss_url}} {{search_url}} {{copyright}} {{calendar_url}}{{/_service}}\n",
        "{{{_service}}}\n",
        "",
    ],
    &[
        "{{#_service}}{{#podcast}}{{#liveItems}}{{guid}} {{status}} {{title}}{{/liveItems}}{{/podcast}}{{/_service}}\n",
        "",
    ],
    &[
        "",
        "{{#upcoming_events}}{{id}} {{summary}} {{live_status}} {{start}} {{{description_html}}}{{/upcoming_events}}\n",
        "{{#upcoming_events.0}}{{{.}}}{{/upcoming_events.0}}\n",
    ],
    &["", "{{> part}}\n"],
    &["", "{{{.}}} {{{page}}} {{{tag}}} {{{item}}}\n"],
    &[
        "",
        "{{#section_page}}{{name}} {{{content_html}}} {{rss_url}}{{/section_page}}{{#breadcrumbs}}{{url}} {{name}}{{/breadcrumbs}}\n",
    ],
];

/// What stands around every page.
const LAYOUT: &[Part] = &[
    &["<!-- NAME -->\n", "<!-- EMAN -->\n"],
    &[
        "{{#languages}}{{language}} {{url}} {{is_current}}\n{{/languages}}{{untranslated.language_name}}\n",
        "",
    ],
    &["", "{{#items}}{{id}}{{/items}}\n", "{{#upcoming_events}}{{summary}}{{/upcoming_events}}\n"],
    &[
        "",
        "{{#navigation_pages}}{{title}}{{/navigation_pages}}\n",
        "{{#page_tree}}{{name}} {{lang}} {{url}} {{is_open}} {{#below}}{{name}} {{is_current}} {{#below}}{{name}}{{/below}}{{/below}}{{/page_tree}} {{previous_page.name}} {{next_page.url}}\n",
        "{{_service.podcast.liveItems.0.title}}\n",
    ],
    &["", "{{{_theme.options}}} {{_theme.asset_base_url}}\n"],
];

/// The sound of so many bytes.
macro_rules! wave {
    ($length:literal, $sound:literal) => {
        concat!(
            "RIFF",
            $length,
            "\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data",
            $sound
        )
    };
}

const MEDIUM: &[Part] = &[&[
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"1\"/>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"1\"/>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
]];

/// The address of a show that is published as a separate site.
pub const OWN_ADDRESS: &str = "base_url = \"https://feet.example\"\n";

/// The settings of a show.
const SHOW: &[Part] = &[
    &["", "path = \"/on-foot/\"\n", "path = \"/about/\"\n", OWN_ADDRESS],
    &["[feed]\n"],
    &["", "items_per_page = 1\n", "rss = false\n"],
];

/// All files of the site.
pub const SOURCES: &[Source] = &[
    source("site", &["site.toml"], SITE),
    source("channel", &["content/channel.md", "content/channel.html"], CHANNEL),
    source(
        "walk",
        &[
            "content/items/walk.md", "content/items/2026-03-03-walk.md",
            "content/items/2026-03-04-walk.md", "content/items/deep/walk.html", "",
        ],
        ITEM,
    ),
    // Texts in other languages, if the site has them.
    source(
        "wald",
        &["", "content/items/walk.de.md", "content/items/de/walk.md", "content/items/swim.fr.md"],
        ITEM,
    ),
    source("about-de", &["", "content/pages/about.de.md", "content/pages/de/us.md"], PAGE),
    source(
        "section-de",
        &["", "content/items/de/swim/section.md", "content/items/deep/section.de.md"],
        PAGE,
    ),
    source("channel-de", &["", "content/channel.de.md", "content/channel.fr.md"], CHANNEL),
    with_links(source("run", &["content/items/run.md", "content/items/walk.html", ""], ITEM)),
    source("swim", &["content/items/swim/index.md", "content/items/swim.md", ""], ITEM),
    source("fly", &["", "content/items/fly.html"], ITEM),
    source(
        "talk",
        &["content/items/talk/index.md", "content/items/talk/new.md", ""],
        &[
            OPEN,
            &["id = \"talk\"\ntitle = \"Talk\"\n", "id = \"talk\"\ntitle = \"Take\"\n"],
            &["date = 2026-03-01\n", "date = 2026-06-01T12:30:00Z\n"],
            &[
                "status = \"unlisted\"\ntags = [\"only\", \"X\"]\n",
                "tags = [\"only\"]\n",
                "draft = true\n",
                "",
            ],
            &["attachment = \"tone.wav\"\n", ""],
            &[
                "podcast = { chapters = \"c.json\", transcripts = [\"t.vtt\"] }\n",
                "podcast = { chapters = \"c.json\" }\n",
                "",
            ],
            CLOSE,
            &["## Part\n\n[tone](tone.wav) [note](note.html)\n", "![m](../../media/m.svg)\n"],
        ],
    ),
    source(
        "tone",
        &["content/items/talk/tone.wav", ""],
        &[&[
            wave!("\x28", "\x04\0\0\0aaaa"),
            wave!("\x28", "\x04\0\0\0bbbb"),
            wave!("\x2c", "\x08\0\0\0aaaabbbb"),
            "no sound",
        ]],
    ),
    source(
        "chapters",
        &["content/items/talk/c.json", ""],
        &[&[
            "{\"version\": \"1.2.0\", \"chapters\": [{\"startTime\": 0, \"title\": \"A\"}]}",
            "{\"version\": \"1.2.0\", \"chapters\": [{\"startTime\": 0, \"title\": \"B\"}]}",
            "{\"version\": \"1.2.0\", \"chapters\": []}",
        ]],
    ),
    source(
        "transcript",
        &["content/items/talk/t.vtt", ""],
        &[&["WEBVTT\n\n00:00.000 --> 00:01.000\nOne\n", "WEBVTT\n"]],
    ),
    source(
        "planet",
        &["", "content/planet/a-example-feed.toml"],
        &[
            &["feed = \"https://a.example/feed\"\n", ""],
            &["", "title = \"Feed\"\n", "limit = 3\n"],
            &[
                "[[items]]\nid = \"1\"\nurl = \"https://a.example/1\"\ndate = 2026-01-01T00:00:00Z\ntitle = \"One\"\n",
                "[[items]]\nid = \"1\"\nurl = \"https://a.example/1\"\ndate = 2026-01-01T00:00:00Z\ntitle = \"Two\"\n",
                "[[items]]\nid = \"1\"\n",
                "",
            ],
            &[
                "",
                "[[items]]\nid = \"2\"\nurl = \"https://a.example/2\"\ndate = 2026-02-01T00:00:00Z\n",
            ],
        ],
    ),
    source("note", &["content/items/talk/note.html", ""], &[&["<p>1</p>", "<p>2</p>"]]),
    with_links(source("about", &["content/pages/about.md", "content/pages/us.md", ""], PAGE)),
    with_links(source(
        "section",
        &[
            "", "content/items/deep/section.md", "content/items/talk/section.md",
            "content/items/swim/section.md",
        ],
        PAGE,
    )),
    source("deep", &["content/pages/deep/index.md", "content/pages/deep.md", ""], PAGE),
    source(
        "lost",
        &["", "content/pages/404.md", "content/pages/404.de.md"],
        &[OPEN, &["title = \"Lost\"\n", "title = \"Last\"\n"], CLOSE, BODIES],
    ),
    source(
        "calendar",
        &["content/calendars/c/calendar.toml", ""],
        &[
            &["summary = \"C\"\n", "summary = \"D\"\n", ""],
            &["", "timeZone = \"Asia/Tokyo\"\n"],
            &["", "public = false\n"],
        ],
    ),
    with_links(source(
        "meet",
        &["content/calendars/c/meet.md", "content/calendars/d/meet.md", ""],
        EVENT,
    )),
    source("show", &["content/calendars/c/show.md", "content/calendars/c/show.de.md", ""], EVENT),
    source(
        "moved",
        &["", "content/calendars/c/moved.md"],
        &[
            OPEN,
            &["recurringEventId = \"show\"\noriginalStartTime = \"2026-06-03T10:00\"\n"],
            &[
                "start = \"2026-06-03T11:00\"\n", "status = \"cancelled\"\n",
                "live = { status = \"ended\" }\n",
            ],
            CLOSE,
            BODIES,
        ],
    ),
    source("show-settings", &["", "shows/feet/show.toml"], SHOW),
    source("show-channel", &["", "shows/feet/channel.md", "shows/sea/channel.md"], CHANNEL),
    with_links(source("hike", &["", "shows/feet/items/hike.md", "content/items/hike.md"], ITEM)),
    source("sail", &["", "shows/sea/items/sail/index.md", "shows/feet/items/walk.md"], ITEM),
    with_links(source("crew", &["", "shows/sea/pages/crew.md", "shows/feet/pages/about.md"], PAGE)),
    source("image", &["content/media/m.svg", ""], MEDIUM),
    source(
        "sound",
        &["content/media/tone.wav", ""],
        &[&[wave!("\x28", "\x04\0\0\0cccc"), wave!("\x2c", "\x08\0\0\0ccccdddd")]],
    ),
    source("file", &["", "content/media/f", "content/media/f/g"], &[&["one", "two", "three"]]),
    source("notes", &["assets/n", ""], &[&["n", "m", "nn"]]),
    source(
        "redirects",
        &["content/redirects.toml", ""],
        &[
            &["\"/gone/\" = \"/about/\"\n", "\"/gone/\" = \"/\"\n", ""],
            &["", "\"/i/was/\" = \"/i/walk/\"\n", "\"/about-own/\" = \"/deep/\"\n"],
        ],
    ),
    source(
        "robots",
        &["", "site-files/robots.txt"],
        &[
            &["User-agent: *\n", "{{_site.generated_at}} {{{_site.json_feed}}}\n"],
            &["", "{{#pages}}{{url}} {{title}} {{{content_html}}}\n{{/pages}}"],
        ],
    ),
    source(
        "humans",
        &["site-files/humans.txt", "site-files/people.txt", ""],
        &[
            &[
                "{{#items}}{{title}} {{#_site}}{{web_url}}{{/_site}} {{_loop.index}}\n{{/items}}",
                "{{{items}}}",
                "{{title}}",
            ],
            &["", "{{_site.origin}} {{_site.sitemap_url}} {{_site.filename}} {{{_service}}}\n"],
        ],
    ),
    // Whether this is JSON depends on the titles.
    source(
        "data",
        &["site-files/data.json", ""],
        &[&[
            "{ \"titles\": [{{#items}}\"{{{title}}}\", {{/items}}0] }\n",
            "{ \"title\": \"{{{title}}}\" }\n",
            "{ \"pages\": {{{pages}}} }\n",
        ]],
    ),
    source(
        "theme",
        &["themes/mine/theme.json"],
        &[
            &[
                "{ \"formatVersion\": 2, \"packageId\": \"example.mine\", \"name\": \"Mine\", \"author\": \"A\", \"license\": \"MIT\", ",
            ],
            &["\"version\": \"1.0.0\", ", "\"version\": \"1.0.1\", "],
            &["", "\"searchItemDestination\": \"url\", "],
            &[
                "\"options\": { \"motto\": { \"type\": \"text\", \"description\": \"M\" }, \"css\": { \"type\": \"styles\", \"description\": \"C\" } }, ",
            ],
            &[
                "\"partials\": \"partials\", \"assets\": [\"style.css\"], \"files\": { \"webFeed\": \"feed.html\", \"webItem\": \"item.html\", \
           \"webPage\": \"page.html\", \"webSearch\": \"search.html\", \"webHeader\": \"header.html\", \"webBodyStart\": \"start.html\", \
           \"webBodyEnd\": \"end.html\", \"rssStylesheet\": \"rss.xsl\" } }\n",
            ],
        ],
    ),
    source("feed", &["themes/mine/feed.html"], SLOT),
    source("item", &["themes/mine/item.html"], SLOT),
    source("page", &["themes/mine/page.html"], SLOT),
    source("search", &["themes/mine/search.html"], SLOT),
    source("header", &["themes/mine/header.html"], LAYOUT),
    source("start", &["themes/mine/start.html"], LAYOUT),
    source("end", &["themes/mine/end.html"], LAYOUT),
    source("part", &["themes/mine/partials/part.html"], PARTIAL),
    source("stylesheet", &["themes/mine/rss.xsl"], &[&["<x/>", "<y/>"]]),
    source("style", &["themes/mine/style.css"], &[&["a {}", "b {}", ""]]),
    source("own", &["", "brand/own.css", "content/media/own.css"], &[&["i {}", "u {}", "em {}"]]),
];

/// A partial of both lists and items.
const PARTIAL: &[Part] = &[
    &["part\n", "trap\n"],
    &[
        "",
        "{{#upcoming_events}}{{id}} {{live_status}}{{/upcoming_events}}\n",
        "{{#_service}}{{#podcast}}{{#liveItems}}{{guid}} {{status}}{{/liveItems}}{{/podcast}}{{/_service}}\n",
        "{{#items}}{{#_service}}{{#tags}}{{name}} {{url}}{{/tags}}{{/_service}}{{/items}}\n",
    ],
];
