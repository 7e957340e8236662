//! Keys that authors know from other programs, each with advice on the replacement.

use front_matter::{Table, Value};

use super::nearest::{folded_key, nearest};
use super::notation::Notation;
use model::{SitePath, Status};

/// Advice for keys of other programs. If several tables contain a key, the first table's advice
/// applies.
pub type KeyAdvice = &'static [&'static [Row]];

/// Keys in lower case without `_` and `-`, separated by spaces, and the advice for them.
type Row = (&'static str, KeyReplacement);

/// Advice on replacing a key.
#[derive(Debug, Clone, Copy)]
pub enum KeyReplacement {
    /// Write the value under this key.
    Key(&'static str),
    /// Write the value under this key. The second string describes the valid values.
    KeyFor(&'static str, &'static str),
    /// Write this key with this value.
    Line(&'static str, &'static str),
    /// Follow this advice, such as to remove the key.
    Words(&'static str),
}
use KeyReplacement::{Key, KeyFor, Line, Words};

impl KeyReplacement {
    /// Returns the advice for `key`.
    pub fn of(key: &str, advice: KeyAdvice) -> Option<Self> {
        let key = folded_key(key);
        let mut rows = advice.iter().flat_map(|table| table.iter());
        let row = rows.find(|(keys, _)| keys.split(' ').any(|known| known == key));
        row.map(|(_, instead)| *instead)
    }

    /// Returns the help message. Keys and values are written in the given notation.
    pub fn remedy(self, notation: Notation) -> String {
        match self {
            Key(key) => format!("write {}", notation.key(key)),
            KeyFor(key, what) => format!("write {}: {what}", notation.key(key)),
            Line(key, value) => format!("write {}", notation.line(key, value)),
            Words(words) => words.to_owned(),
        }
    }

    /// Returns the key to move the value to.
    pub fn key(self) -> Option<&'static str> {
        match self {
            Key(key) | KeyFor(key, _) => Some(key),
            Line(..) | Words(_) => None,
        }
    }

    /// Returns the key to move a value to, if the value is certainly valid under that key.
    pub fn key_for(self, value: &Value) -> Option<&'static str> {
        // A table of another program has different keys.
        let is_table = matches!(value, Value::Table(_));
        self.key().filter(|_| !is_table)
    }
}

/// Returns whether the front matter of a content file has a key, such as `itunes.email`, under
/// another name or in another table. The file's reader reports such a key.
pub fn has_under_other_key(path: &SitePath, front: &Table, key: &str) -> bool {
    let advice = match path.as_str().split('/').nth(1) {
        Some("items") => ITEM,
        Some("pages") => PAGE,
        _ => CHANNEL,
    };
    let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
    // `episode` may be a key of `podcast` or of `itunes`.
    let means = |written: &str, advice| {
        let key = KeyReplacement::of(written, advice).and_then(KeyReplacement::key);
        key.and_then(|key| key.rsplit('.').next()) == Some(name)
    };
    if front.entries.iter().any(|entry| means(&entry.key, advice)) {
        return true;
    }
    let inner = match front.get(table).map(|node| &node.value) {
        Some(Value::Table(inner)) => inner,
        _ => front,
    };
    let is_like = |written: &str| written != name && nearest(written, &[name]).is_some();
    let table_advice = if table == "attachment" { ATTACHMENT } else { &[] };
    let mut inner = inner.entries.iter();
    inner.any(|entry| is_like(&entry.key) || means(&entry.key, table_advice))
}

pub const ITEM: KeyAdvice = &[OF_ITEMS, OF_TEXTS];
pub const PAGE: KeyAdvice = &[OF_PAGES, OF_TEXTS];
pub const CHANNEL: KeyAdvice = &[OF_CHANNEL, BODY];
/// Advice for `site.toml`.
pub const SITE: KeyAdvice = &[OF_SITE];

/// Advice for `show.toml`.
pub const SHOW: KeyAdvice = &[&[
    (
        "theme namespace access timezone languages themeoptions markdown images audio media \
         ai sitefiles warehouse check realtime webhooks",
        Words("move it to site.toml, which all shows share"),
    ),
    (
        "title description icon authors categories language podcast itunes publisher",
        Words("move it to the show's channel.md"),
    ),
]];

/// Advice for `attachment`.
pub const ATTACHMENT: KeyAdvice = &[&[
    ("type mimetype mediatype format", Key("mime_type")),
    ("length size bytes filesize", Key("size_in_bytes")),
    ("duration seconds durationinsecond", Key("duration_in_seconds")),
    ("src href link audio", Key("url")),
]];

/// `status` values of other programs.
const STATUSES: [(&[&str], Status); 2] = [
    (&["draft", "hidden", "pending", "private", "archived", "trash"], Status::Unpublished),
    (&["publish", "public", "live", "scheduled", "future", "active"], Status::Published),
];

/// Returns the status that another program's `status` value means.
pub(super) fn foreign_status_meaning(text: &str) -> Option<Status> {
    let word = text.to_lowercase();
    let found = STATUSES.iter().find(|(words, _)| words.contains(&&*word));
    found.map(|(_, status)| *status)
}

const READ_FROM_FILE: &str =
    "needed only for an external file; feedwright reads it from a file of this site";

const OF_ITEMS: &[Row] = &[
    (
        "audio audiofile audiopath audiosrc audiourl enclosure enclosures enclosureurl \
         episodefile episodeurl file media mediafile mediaurl mp3 mp3url podcastaudio \
         podcastfile podcasturl recording sound video videofile videourl",
        KeyFor("attachment", "a file next to the item, or a full URL"),
    ),
    (
        "transcript transcripts transcriptfile transcriptpath transcripturl \
         subtitles captions vtt srt",
        KeyFor("podcast.transcripts", "one or more files next to the item"),
    ),
    (
        "chapter chapters chapterfile chaptermarks chaptersfile chapterspath chaptersurl \
         podlovechapters",
        KeyFor(
            "podcast.chapters",
            "a file next to the item, or a list; chapters in the audio file are found automatically",
        ),
    ),
    (
        "person persons people guest guests host hosts cohosts cast speaker speakers \
         contributor contributors podlovecontributors",
        Key("podcast.people"),
    ),
    ("episode episodenumber ep number podcastepisode itunesepisode", Key("podcast.episode")),
    ("season seasonnumber podcastseason itunesseason", Key("podcast.season")),
    ("collection seriesname seriestitle", Key("series")),
    (
        "seriesorder seriespart serieposition seriesnumber seriesweight seriesindex",
        Words("write `series = { name = …, part = … }`"),
    ),
    ("license licence", Key("podcast.license")),
    ("soundbite soundbites", Key("podcast.soundbites")),
    ("location", Key("podcast.location")),
    ("funding", Key("podcast.funding")),
    ("value", Key("podcast.value")),
    (
        "episodetype podcasttype itunestype itunesepisodetype",
        KeyFor("itunes.episodeType", "full, trailer or bonus"),
    ),
    (
        "type posttype kind",
        KeyFor(
            "itunes.episodeType",
            "full, trailer or bonus; the folder determines whether a file is an item or a page",
        ),
    ),
    ("bonus", Line("itunes.episodeType", "\"bonus\"")),
    ("trailer", Line("itunes.episodeType", "\"trailer\"")),
    ("explicit itunesexplicit podcastexplicit parentaladvisory", Key("itunes.explicit")),
    ("block itunesblock isblocked", Key("itunes.block")),
    ("itunestitle", Key("itunes.title")),
    (
        "duration durationinseconds itunesduration podcastduration audioduration",
        KeyFor("attachment.duration_in_seconds", READ_FROM_FILE),
    ),
    (
        "bytes sizeinbytes filesize audiosize enclosurelength podcastbytes podcastfilesize",
        KeyFor("attachment.size_in_bytes", READ_FROM_FILE),
    ),
    ("mimetype mediatype filetype enclosuretype", KeyFor("attachment.mime_type", READ_FROM_FILE)),
    (
        "audiolength length size",
        Words(
            "remove it: feedwright reads it from the attached file; for an external file, write size_in_bytes and duration_in_seconds in `attachment`",
        ),
    ),
    (
        "artwork cover coverimage episodeimage featureimage featuredimage hero heroimage \
         itunesimage images leadimage photo picture poster postimage teaserimage thumb \
         thumbnail",
        Key("image"),
    ),
    ("banner headerimage", Key("banner_image")),
    ("ogimage shareimage socialimage twitterimage", Key("seo.social_image")),
    ("metatitle ogtitle seotitle twittertitle titletag", Key("seo.title")),
    ("metadescription ogdescription seodescription twitterdescription", Key("seo.description")),
    ("opengraph og twitter", Words("write title, description and social_image in `seo`")),
    (
        "customexcerpt abstract blurb deck dek intro itunessubtitle itunessummary lead \
         postexcerpt subtitle tagline teaser",
        Key("summary"),
    ),
    ("headline name posttitle episodetitle", Key("title")),
    ("keywords labels topics tag posttag primarytag", Key("tags")),
    (
        "taxonomies",
        Words("move its values to the top level: `tags` or `categories`, and `authors`"),
    ),
    ("byline creator itunesauthor postauthor primaryauthor writer", Key("authors")),
    (
        "canonical canonicalurl externalurl link",
        KeyFor("url", "the external page that this item is about"),
    ),
    ("redirect redirects oldurl oldurls redirectfrom former formerurls", Key("aliases")),
    ("redirectto", Words("write redirects in content/redirects.toml")),
    ("postname basename path", Key("slug")),
    (
        "weight order position priority pin pinned sticky featured sortorder menuorder",
        Words("remove it: items are sorted by date"),
    ),
    (
        "menu menus nav navigation navorder eleventynavigation linktitle parent \
         showinnavigation",
        Words("remove it: only pages, in content/pages/, can be in the navigation"),
    ),
    (
        "copyright rights",
        Words(
            "write the copyright in content/channel.md, or the licence of one episode in `podcast.license`",
        ),
    ),
];

const OF_PAGES: &[Row] = &[
    ("headline name posttitle", Key("title")),
    (
        "description summary excerpt customexcerpt abstract metadescription ogdescription \
         seodescription subtitle",
        Key("meta_description"),
    ),
    ("nav navigation menu menus innavigation", Line("show_in_navigation", "true")),
    (
        "eleventynavigation",
        Words(
            "write `show_in_navigation`, `navigation_label`, `navigation_order` and `navigation_group` at the top",
        ),
    ),
    ("weight order navorder position menuorder sortorder", Key("navigation_order")),
    ("linktitle navtitle menutitle", Key("navigation_label")),
    ("group section category categories navgroup parent", Key("navigation_group")),
    (
        "permalink url path postname",
        Words("write `slug` for the address `/<slug>/`, and former slugs in `aliases`"),
    ),
    ("redirectfrom redirects", KeyFor("aliases", "former slugs of this page")),
    (
        "tags tag keywords author authors image cover coverimage featureimage featuredimage \
         thumbnail banner attachment podcast itunes seo guid",
        Words("remove it: only items, in content/items/, have this key"),
    ),
];

/// Advice for items and pages.
const OF_TEXTS: &[Row] = &[
    ("lang locale", Key("language")),
    (
        "postdate postdategmt pubdate publicationdate publishdate publishdatetime publishat \
         publishedat publisheddate posted releasedate released",
        Key("date_published"),
    ),
    (
        "updatedat datemodified lastmodified lastupdated modifiedat modifieddate postmodified \
         postmodifiedgmt",
        Key("date_modified"),
    ),
    ("createdat datecreated", Key("date_created")),
    (
        "expires expiry expirydate expirationdate unpublishdate unpublishat",
        Words(
            "remove it, and write `unpublished` as the `status` on that date: nothing is unpublished automatically",
        ),
    ),
    (
        "headless hidden isdraft ispublished noindex poststatus private public robots \
         unlisted visibility visible eleventyexcludefromcollections sitemap sitemapexclude \
         emailonly",
        Words("write `status`: published, unlisted (published, but not listed) or unpublished"),
    ),
    (
        "translationkey translationof ref hreflang",
        Words(
            "list each translation in `translations`, by the last part of its address or by its id",
        ),
    ),
    (
        "idpost id postid uuid",
        Words("write `id` for a permanent id, or `guid` to keep the existing guid of an episode"),
    ),
    (
        "layout template pagetemplate templatekey theme view css bodyclass cssclass \
         cssclasses class classes",
        Words("remove it: the theme decides how all pages look"),
    ),
    (
        "codeinjectionfoot codeinjectionhead codeinjectionstyles extrahead header head \
         scripts styles customcss customjs",
        Words(
            "remove it: to add code to every page, set a theme option below [theme_options] in site.toml",
        ),
    ),
    (
        "toc showtoc tocdepth tableofcontents math mathjax katex mermaid comment comments \
         commentstatus commentsid disqus share sharing social showreadingtime hidemeta",
        Words("remove it: such settings are in site.toml, for the whole site"),
    ),
    ("readtime readingtime wordcount", Words("remove it: it is computed from the text")),
    (
        "extra params meta data custom metadata",
        Words("move its values to the top level, under the keys in the documentation"),
    ),
    (
        "build cascade eleventycomputed generatefeeds insearchindex insertanchorlinks \
         iscjklanguage markup outputs paginateby paginate pagination page render resources \
         renderwithliquid sortby transparent",
        Words("remove it: it is a setting of another generator"),
    ),
    (
        "body content contenthtml contentmarkdown html lexical mobiledoc plaintext \
         postcontent shownotes text",
        Words("write the text below the front matter, not in it"),
    ),
];

const OF_CHANNEL: &[Row] = &[
    ("name sitetitle headline", Key("title")),
    ("lang locale", Key("language")),
    ("home homepage link url website siteurl", Key("homepage_url")),
    ("artwork cover logo coverimage itunesimage podcastimage thumbnail avatar", Key("icon")),
    ("summary subtitle tagline about itunessummary bio", Key("description")),
    ("email owner owneremail itunesemail itunesowner contact", Key("itunes.email")),
    ("keywords tags topics category itunescategory podcastcategory", Key("categories")),
    ("explicit itunesexplicit parentaladvisory", Key("itunes.explicit")),
    ("type itunestype podcasttype showtype", KeyFor("itunes.type", "episodic or serial")),
    ("complete", Key("itunes.complete")),
    ("block", Key("itunes.block")),
    ("newfeedurl", Key("itunes.new-feed-url")),
    ("host hosts creator itunesauthor ownername", Key("authors")),
    ("persons person", Key("podcast.people")),
    ("funding", Key("podcast.funding")),
    ("guid", Key("podcast.guid")),
    ("license", Key("podcast.license")),
    ("locked", Key("podcast.locked")),
    ("medium", Key("podcast.medium")),
    ("people", Key("podcast.people")),
    ("value", Key("podcast.value")),
    (
        "access baseurl feed hosting namespace output theme timezone",
        Words("move it to site.toml, which configures the build"),
    ),
];

const BODY: &[Row] = &[(
    "body content contenthtml contentmarkdown html lexical mobiledoc plaintext \
         postcontent shownotes text",
    Words("write the text below the front matter, not in it"),
)];

const OF_SITE: &[Row] = &[
    (
        "author authors categories copyright description expired favicon homepageurl icon \
         image itunes lang language logo name podcast publisher seo subscribemethods title",
        Words(
            "move it to content/channel.md, which describes the site; site.toml configures the build",
        ),
    ),
    ("baseurl domain host siteurl url", Key("base_url")),
    (
        "autolinks galleries definitionlists highlight linenumbers math mediaplayers notes \
         smartpunctuation videocards wikilinks",
        Words("move it below [markdown]"),
    ),
    ("itemsperpage limit order rss sort", Words("move it below [feed]")),
    (
        "archive authors dir embeds itemjson itemrss precompress search seasons subscribe \
         tagfeeds tags",
        Words("move it below [output]"),
    ),
    ("targets", Words("move it below [hosting]")),
];
