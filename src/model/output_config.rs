//! The settings of `site.toml` about the documents to write: `access`, `[feed]`, `[output]` and
//! `[hosting]`.

use super::declare::settings;
use super::named::words;
use super::{Category, Channel, Item, SortKey, SortOrder};

settings! {
    /// `[feed]`: feeds, and pages that list items.
    #[derive(Copy)]
    FeedConfig {
        /// number of items per page, on the home page and pages of tags, seasons, authors and series
        items_per_page: usize = "items_per_page", Between(1, 300) => 20;
        /// date to sort items by; items without this date are sorted by `date_published`
        sort: SortKey = "sort", Word(SortKey::NAMES) => SortKey::Published;
        /// order of items: newest first (`desc`) or oldest first (`asc`)
        order: SortOrder = "order", Word(SortOrder::NAMES) => SortOrder::Desc;
        /// maximum number of items in a feed document; older items follow in `/feed/2.json` and
        /// `/rss/2.xml`
        limit: usize = "limit", Between(1, 10_000) => 300;
        /// false limits feeds to the newest `limit` items
        archive: bool = "archive", Flag => true;
        /// false omits RSS and the chapter files
        rss: bool = "rss", Flag => true;
        /// items with [chapter times](podcasting.md#chapters) in the text of RSS; `shows` means the
        /// items of a channel with `[itunes]` or `podcast.medium`
        chapter_times: ChapterTimes = "chapter_times", Word(ChapterTimes::NAMES) => ChapterTimes::Shows;
    }

    /// `[output]`: kinds of document to write.
    OutputConfig {
        /// output folder; not in `content`, `site-files`, `themes`, `.feedwright` or `.git`
        dir: String = "dir", Own("folder", &[Plain]) => "public".to_owned();
        /// each item as JSON Feed, `/i/<id>/json/`
        item_json: bool = "item_json", Flag => true;
        /// each item as RSS, `/i/<id>/rss/`; requires `[feed] rss`
        item_rss: bool = "item_rss", Flag => true;
        /// each item and page as Markdown for [machine readers](site-files.md#machine-readers),
        /// `/i/<segment>/index.md` and `/<slug>/index.md`
        markdown: bool = "markdown", Flag => false;
        /// a page for each tag, `/tags/<tag>/`, and an index of all tags, `/tags/`
        tags: bool = "tags", Flag => true;
        /// feeds of each tag's newest 10 items, `/tags/<tag>/rss.xml` and `/tags/<tag>/feed.json`;
        /// requires `tags`
        tag_feeds: bool = "tag_feeds", Flag => true;
        /// a page for each season, `/season/<number>/`, with the first episode on top, if the theme
        /// supports season pages
        seasons: bool = "seasons", Flag => true;
        /// a page for each author, `/author/<name>/`, if the site has several authors and the theme
        /// supports author pages. Names that differ only in case or punctuation count as one author
        authors: bool = "authors", Flag => true;
        /// a page for each album, `/albums/<slug>/`, and an index of all albums, `/albums/`, if the
        /// theme supports album pages
        albums: bool = "albums", Flag => true;
        /// a page for each series, `/series/<name>/`, if the theme supports series pages
        series: bool = "series", Flag => true;
        /// archive by year, `/archive/`; with more than 1,000 items, each year has a separate page.
        /// A page with the slug `archive` replaces the archive
        archive: bool = "archive", Flag => true;
        /// page with ways to follow the site, `/subscribe/`. A page with the slug `subscribe`
        /// replaces this page
        subscribe: bool = "subscribe", Flag => true;
        /// items that other sites can embed in a frame, `/i/<segment>/embed/`, or through oEmbed;
        /// `media` means items with audio or video
        embeds: Embeds = "embeds", Word(Embeds::NAMES) => Embeds::Media;
        /// [search](site-search.md) in the browser: index, page `/search/` and dialog
        search: bool = "search", Flag => true;
        /// gzip copies of text files, for [your own server](hosting.md#compressed-copies)
        precompress: bool = "precompress", Flag => false;
    }
}

words! {
    /// Documents of a site that are public.
    #[derive(Default)]
    Access {
        /// Everything is public.
        #[default]
        Public = "public",
        /// No HTML and no sitemap; feeds, chapters and media remain public.
        Headless = "headless",
        /// Only a `robots.txt` that disallows everything.
        Offline = "offline",
    }

    /// Items with chapter times below their text in RSS.
    #[derive(Default)]
    ChapterTimes {
        /// Items of a show.
        #[default]
        Shows = "shows",
        /// All items.
        All = "all",
        /// No items.
        None = "none",
    }

    /// Items with a page that other sites can embed in a frame.
    #[derive(Default)]
    Embeds {
        /// All items.
        All = "all",
        /// Items with audio or video.
        #[default]
        Media = "media",
        /// No items.
        None = "none",
    }

    /// A static host for which the build writes redirects and headers.
    #[derive(PartialOrd, Ord)]
    HostingTarget {
        /// Writes `_redirects` and `_headers`.
        Netlify = "netlify",
        /// Writes `_redirects` and `_headers`, within the limits of Cloudflare Pages.
        CloudflarePages = "cloudflare-pages",
        /// Writes HTML redirect pages and `.nojekyll`.
        GithubPages = "github-pages",
        /// Writes `vercel.json`.
        Vercel = "vercel",
        /// Writes a file to include in a `server` block.
        Nginx = "nginx",
        /// Writes a snippet to import in the configuration of Caddy.
        Caddy = "caddy",
        /// Writes `.htaccess`.
        Apache = "apache",
    }
}

impl ChapterTimes {
    /// Returns whether items of the channel have chapter times in RSS.
    pub fn has(self, channel: &Channel) -> bool {
        match self {
            Self::Shows => channel.is_show(),
            Self::All => true,
            Self::None => false,
        }
    }
}

impl Embeds {
    /// Returns whether an item has a page that can be embedded.
    pub fn has(self, item: &Item) -> bool {
        let category = item.attachment.as_ref().map(|one| one.category);
        match self {
            Self::None => false,
            Self::Media => matches!(category, Some(Category::Audio | Category::Video)),
            Self::All => true,
        }
    }
}
