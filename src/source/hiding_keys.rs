//! Keys with which other generators hide an item, page or other content. feedwright does not
//! support these keys. They are errors, because with a mere warning the hidden content would be
//! published.

use front_matter::{Entry, Node, Table, Value};
use jiff::tz::TimeZone;

use super::dates;
use super::key_advice;
use super::nearest::{folded_key, nearest};
use super::notation::Notation;
use model::calendar::Calendar;
use model::{ContentFolder, SitePath, Status};

/// The kind of file that has the key. It determines which key to write instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// An item or a page.
    Text,
    Channel,
    Event,
    /// `calendar.toml`.
    Calendar,
}

impl Subject {
    /// Returns the kind of the file at a path, or `None` for all other files.
    pub fn of(path: &SitePath) -> Option<Self> {
        let (_, inner) = ContentFolder::split(path.as_str())?;
        match inner.split_once('/') {
            Some(("items" | "pages", _)) => Some(Self::Text),
            Some(("calendars", rest)) if rest.ends_with(Calendar::FILE) => Some(Self::Calendar),
            Some(("calendars", _)) => Some(Self::Event),
            None if inner.starts_with("channel.") => Some(Self::Channel),
            _ => None,
        }
    }

    /// Returns the noun that messages use for this kind of file.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Text => "content",
            Self::Channel => "channel",
            Self::Event => "event",
            Self::Calendar => "calendar",
        }
    }

    /// Returns the help, which suggests what to write instead of a key with this meaning.
    pub fn remedy(self, meaning: Meaning, notation: Notation) -> String {
        let line = |key, value| notation.line(key, value);
        match (self, meaning) {
            (Self::Text, Meaning::Date) => format!(
                "write {}: content with a future date is published on that date",
                notation.key("date_published")
            ),
            (Self::Text, Meaning::Expiry) => format!(
                "remove the key, and write {} on that date: nothing is unpublished automatically",
                line("status", "\"unpublished\"")
            ),
            (Self::Text, Meaning::Hidden) => format!(
                "write {} (not published) or {} (published, but not listed), or remove the key",
                line("status", "\"unpublished\""),
                line("status", "\"unlisted\"")
            ),
            (Self::Text, Meaning::Draft) => format!("write {}", line("draft", "true")),
            (Self::Event, Meaning::Date) => format!(
                "write {} until you announce the event: events are public immediately",
                line("visibility", "\"private\"")
            ),
            (Self::Event, _) => {
                format!("write {}, or remove the key", line("visibility", "\"private\""))
            }
            (Self::Calendar, _) => format!("write {}, or remove the key", line("public", "false")),
            (Self::Channel, _) => {
                "write `access = \"offline\"` in site.toml to publish nothing, or remove the key"
                    .into()
            }
        }
    }

    /// Returns whether keys with this meaning never hide this kind of file in other generators.
    fn never_hides(self, meaning: Meaning) -> bool {
        self == Self::Channel && matches!(meaning, Meaning::Date | Meaning::Expiry)
    }
}

/// The meaning of a key in other generators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The content is public from a date on.
    Date,
    /// The content is public until a date.
    Expiry,
    /// The content is not public, or is left out of lists.
    Hidden,
    /// A mistyped `draft`.
    Draft,
}

/// A key that hides content in other generators.
pub struct HidingKey<'t> {
    /// The key itself, which may be in a table inside the entry that was checked.
    pub entry: &'t Entry,
    /// The key's name, preceded by the names of the tables that contain it.
    pub path: String,
    pub meaning: Meaning,
}

/// Keys that hide content until a date. All lists of keys are in lower case, without `_`, `-` and
/// spaces.
const DATES: &str = "availablefrom availableat visiblefrom activefrom onlinefrom validfrom showfrom embargo \
    embargountil embargoeduntil golive goliveat goliveon golivedate postdate postdategmt pubdate pubdatetime \
    publicationdate publicationtime publishdate publisheddate publishtime publishdatetime publishat publishedat \
    publishon publishedon publishfrom datepublish datepublished posted releasedate released releaseat \
    scheduled scheduledat scheduledfor scheduledate scheduleddate scheduledtime startpublishing";
const EXPIRIES: &str = "activeuntil archiveat archivedate archiveon availableto availableuntil endpublishing expire \
    expires expiresat expireson expiration expirationdate expirationtime expiry expirydate expirytime hideafter \
    publishto publishuntil removalat removaldate removeat removeon showuntil unpublishat unpublishdate \
    unpublisheddate unpublishon validthrough validuntil visibleto visibleuntil";
/// Keys that hide content unless their value is negative, such as `false` or `no`.
const FLAGS: &str = "archived confidential deleted disable disabled donotpublish dontpublish draft drafts \
    eleventyexcludefromcollections emailonly embargoed exclude excluded expired headless hidden hide ignore ignored \
    inactive internal isdraft ishidden isprivate isunlisted memberonly membersonly nobuild noindex noindexing nofeed \
    nolist nopublish norender norss paidonly password passwordhash passwordprotected paywall pending postpassword \
    private protected publishdisabled robotsnoindex secret skip skippublish sitemapexclude sitemapignore \
    subscriberonly subscribersonly trash trashed unlist unlisted unpublish unpublished";
/// Keys that hide content if their value is negative, such as `false` or `no`.
const CONSENTS: &str = "active approved display displayed enabled feed indexable indexed isactive islisted ispublic \
    ispublished isvisible list listed live online output permalink public publicly publish published ready render \
    rss searchindexed show showinlist shown sitemap visible build";
/// Keys whose value specifies the audience of the content.
const AUDIENCES: &str = "access accesslevel contentstatus pagestatus postaccess poststatus privacy \
    publicationstatus publishingstatus publishstatus status visibility wpstatus";
/// Keys that hide content only if their value is a word of [`RESTRICTED`].
const STATES: &str = "audience role roles stage state tier tiers workflow workflowstate";
const RESTRICTED: &str = "archived draft hidden inreview internal member members paid pending premium private review \
    subscriber subscribers trash unlisted unpublished";
/// Values of [`AUDIENCES`] that hide nothing.
const PUBLIC: &str = "public publish published everyone everybody all any anyone open live active visible free \
    default production final done complete completed approved none listed";
/// Tables of other generators whose keys apply to the whole file. A key such as `hidden` in any
/// other table, for example `cover` or `toc`, does not hide the file.
const TABLES: &str = "access build cascade config custom data eleventycomputed extra frontmatter ghost meta metadata \
    options page params post publication publish publishing robots seo settings sitemap visibility wordpress";
/// Lists, feeds and other outputs from which a key can exclude content.
const HIDEABLE_PLACES: [&str; 17] = [
    "all", "archive", "archives", "blog", "collection", "collections", "feed", "feeds", "home",
    "homepage", "index", "list", "listing", "lists", "posts", "rss", "sitemap",
];

fn is_one_of(key: &str, keys: &str) -> bool {
    keys.split_ascii_whitespace().any(|known| known == key)
}

impl<'t> HidingKey<'t> {
    fn of(entry: &'t Entry, meaning: Meaning) -> Self {
        Self { entry, path: entry.key.clone(), meaning }
    }

    /// Returns whether the key is a feedwright key in the wrong table.
    pub fn is_misplaced(&self) -> bool {
        let own = ["date", "date_published", "draft", "published", "status"];
        own.contains(&&*self.entry.key)
    }
}

/// Returns the first key in an unknown entry with which other generators hide this kind of file.
/// `known` contains the valid keys of the entry's table. `table` is the table's prefix, which is
/// empty at the top level.
pub fn find<'t>(
    subject: Subject,
    entry: &'t Entry,
    known: &[&str],
    table: &str,
) -> Option<HidingKey<'t>> {
    let own = |meaning| HidingKey::of(entry, meaning);
    let found = match table {
        "" => {
            let meaning = meaning(&entry.key, &entry.node.value);
            meaning.or_else(|| mistyped(entry, known)).map(own)
        }
        // In TOML, a table continues until the next header.
        "podcast." | "itunes." | "seo." | "attachment." => misplaced(entry).map(own),
        _ => return None,
    };
    let found = found.or_else(|| find_below(entry, &entry.node, 0));
    found.filter(|found| !subject.never_hides(found.meaning))
}

/// Returns the meaning of a top-level key that was written in an inner table.
fn misplaced(entry: &Entry) -> Option<Meaning> {
    let value = &entry.node.value;
    match &*folded_key(&entry.key) {
        "date" if is_date(value) => Some(Meaning::Date),
        _ => meaning(&entry.key, value),
    }
}

/// Returns the first hiding key in a table of another generator, such as `params` or `cascade`.
fn find_below<'t>(entry: &'t Entry, node: &'t Node, depth: usize) -> Option<HidingKey<'t>> {
    const MAX_DEPTH: usize = 8;
    if depth > MAX_DEPTH || !is_one_of(&folded_key(&entry.key), TABLES) {
        return None;
    }
    let found = match &node.value {
        Value::Table(Table { entries }) => entries.iter().find_map(|inner| {
            let meaning = meaning(&inner.key, &inner.node.value);
            let own = meaning.map(|meaning| HidingKey::of(inner, meaning));
            own.or_else(|| find_below(inner, &inner.node, depth + 1))
        }),
        Value::List(list) => {
            return list.iter().find_map(|node| find_below(entry, node, depth + 1));
        }
        _ => None,
    }?;
    let path = format!("{}.{}", entry.key, found.path);
    Some(HidingKey { path, ..found })
}

/// Returns the meaning of a key if its value hides the content.
fn meaning(key: &str, value: &Value) -> Option<Meaning> {
    let folded = folded_key(key);
    let is = |keys| is_one_of(&folded, keys);
    let hidden = |is_hidden: bool| is_hidden.then_some(Meaning::Hidden);
    let set = is_set(value);
    match &*folded {
        "robots" => return hidden(names_noindex(value)),
        "outputs" => return hidden(lacks_pages(value)),
        // Keys of Hugo's `build` table. `find_below` searches the table itself.
        "list" | "render" if matches!(text(value), Some("never" | "local" | "link")) => {
            return Some(Meaning::Hidden);
        }
        "permalink" if text(value).is_some_and(|text| text.contains("false")) => {
            return Some(Meaning::Hidden);
        }
        _ => {}
    }
    // `find_below` searches tables and lists of tables.
    if matches!(value, Value::Table(_)) {
        return None;
    }
    if is(DATES) {
        // `scheduled: true` delays publication. `released: true` does not.
        let waits = !matches!(value.bare(), Value::Bool(_)) || is("scheduled embargo");
        return (set && waits).then_some(Meaning::Date);
    }
    if is(EXPIRIES) {
        return set.then_some(Meaning::Expiry);
    }
    if is(FLAGS) {
        return hidden(is_true(value));
    }
    if is(CONSENTS) {
        return hidden(is_false(value));
    }
    if is(AUDIENCES) {
        return hidden(names_audience(value));
    }
    if is(STATES) {
        return hidden(names_restriction(value));
    }
    meaning_by_words(key, value)
}

/// Returns the meaning of a key, derived from the words of its name: `my_publish_time` or
/// `hideFromHomePage`, for example.
fn meaning_by_words(key: &str, value: &Value) -> Option<Meaning> {
    let words = words(key);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&&**word));
    let (yes, no) = (is_true(value), is_false(value));
    let flag =
        matches!(value.bare(), Value::Bool(_)) || no || text(value).is_some_and(is_true_word);
    if has(&["publish", "published", "publication", "release", "scheduled", "embargo"])
        && is_date(value)
    {
        return Some(Meaning::Date);
    }
    if has(&["expiry", "expiration", "expires", "expire", "unpublish"]) && is_date(value) {
        return Some(Meaning::Expiry);
    }
    let is_hidden = yes
        && flag
        && (has(&["draft", "noindex", "private", "unlisted", "unpublished"])
            || has(&["exclude", "excluded", "hidden", "hide", "omit", "skip"])
                && has(&HIDEABLE_PLACES))
        || no
            && (has(&["listed", "public", "publicly", "published", "visible"])
                || has(&["include", "included", "show", "shown"]) && has(&HIDEABLE_PLACES));
    is_hidden.then_some(Meaning::Hidden)
}

/// Returns the meaning of a mistyped feedwright key, if its value would hide the content.
fn mistyped(entry: &Entry, known: &[&str]) -> Option<Meaning> {
    let value = &entry.node.value;
    let folded = folded_key(&entry.key);
    let lists = [DATES, EXPIRIES, FLAGS, CONSENTS, AUDIENCES, STATES];
    if lists.iter().any(|keys| is_one_of(&folded, keys)) && !known.contains(&&*folded) {
        // This is a known key of another generator, whose value hides nothing.
        return None;
    }
    if matches!(&*folded, "date" | "dates") && is_date(value) {
        return Some(Meaning::Date);
    }
    match nearest(&entry.key, known)? {
        "date_published" if is_date(value) => Some(Meaning::Date),
        "draft" if is_true(value) => Some(Meaning::Draft),
        "published" | "public" if is_false(value) => Some(Meaning::Hidden),
        "visibility" if names_audience(value) => Some(Meaning::Hidden),
        "status" => {
            let word = text(value)?.to_lowercase();
            let status = Status::parse(&word).or_else(|| key_advice::foreign_status_meaning(&word));
            status.is_some_and(|status| status != Status::Published).then_some(Meaning::Hidden)
        }
        _ => None,
    }
}

/// Returns the words of a key in lower case. The key is in snake case, kebab case or camel case.
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in key.chars() {
        let is_end = matches!(c, '_' | '-' | ' ' | '.' | ':');
        if is_end || was_lower && c.is_uppercase() {
            words.push(String::new());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if let Some(word) = words.last_mut().filter(|_| !is_end) {
            word.extend(c.to_lowercase());
        }
    }
    words
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) | Value::Plain(_, text) => Some(text.trim()),
        _ => None,
    }
}

fn is_set(value: &Value) -> bool {
    match value.bare() {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::List(list) => !list.is_empty(),
        Value::Table(table) => !table.entries.is_empty(),
        _ => true,
    }
}

fn is_false_word(text: &str) -> bool {
    let word = text.trim().to_lowercase();
    is_one_of(&word, "false no off 0 none never null n f")
}

fn is_true_word(text: &str) -> bool {
    let word = text.trim().to_lowercase();
    is_one_of(&word, "true yes on 1 always y t")
}

fn is_false(value: &Value) -> bool {
    match value.bare() {
        Value::Bool(flag) => !flag,
        Value::Integer(number) => *number == 0,
        Value::String(text) => is_false_word(text),
        _ => false,
    }
}

fn is_true(value: &Value) -> bool {
    is_set(value) && !is_false(value)
}

fn is_date(value: &Value) -> bool {
    text(value).is_some_and(|text| dates::parse(text, &TimeZone::UTC).is_ok())
}

/// Returns whether a value specifies an audience other than everyone.
fn names_audience(value: &Value) -> bool {
    match value.bare() {
        Value::Bool(flag) => !flag,
        Value::String(text) => {
            let word = folded_key(text.trim());
            !word.is_empty() && !is_one_of(&word, PUBLIC) && !is_true_word(text)
        }
        Value::List(list) => {
            !list.is_empty() && list.iter().all(|node| names_audience(&node.value))
        }
        _ => false,
    }
}

fn names_restriction(value: &Value) -> bool {
    match value.bare() {
        Value::String(text) => is_one_of(&folded_key(text.trim()), RESTRICTED),
        Value::List(list) => {
            !list.is_empty() && list.iter().all(|node| names_restriction(&node.value))
        }
        _ => false,
    }
}

fn names_noindex(value: &Value) -> bool {
    let hides = |text: &str| {
        let text = text.to_lowercase();
        text.contains("noindex") || text.trim() == "none" || is_false_word(&text)
    };
    match value.bare() {
        Value::Bool(flag) => !flag,
        Value::String(text) => hides(text),
        Value::List(list) => list.iter().any(|node| text(&node.value).is_some_and(hides)),
        Value::Table(table) => table.get("index").is_some_and(|node| is_false(&node.value)),
        _ => false,
    }
}

/// Returns whether a list of Hugo's output formats lacks HTML.
fn lacks_pages(value: &Value) -> bool {
    let Value::List(list) = value else {
        return false;
    };
    let is_page =
        |node: &Node| text(&node.value).is_some_and(|text| text.eq_ignore_ascii_case("html"));
    !list.iter().any(is_page)
}
