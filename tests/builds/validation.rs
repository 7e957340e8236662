//! What any site's output has to be, checked by parsers that are not ours: HTML without parse
//! errors, feeds that readers understand, and links that lead somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use quick_xml::events::Event;
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

use crate::support::{Output, REPOSITORY_SITE, SHOW, SMALL_SITE, Site};

static WITH_BASE_PATH: LazyLock<Output> = LazyLock::new(|| {
    Site::fixture("small-site")
        .replace("site.toml", "https://example.com", "https://example.com/blog")
        .config("namespace = \"microfeed\"")
        .build()
});

static MINIMAL: LazyLock<Output> = LazyLock::new(|| {
    Site::fixture("small-site")
        .config("feed.rss = false\noutput = { item_json = false, item_rss = false, tags = false, search = false }")
        .replace("site.toml", "[feed]\n", "")
        .replace("site.toml", "items_per_page", "feed.items_per_page")
        .replace("site.toml", "limit =", "feed.limit =")
        .build()
});

/// An empty site: no item, no Page.
static EMPTY: LazyLock<Output> = LazyLock::new(|| Site::empty().build());

/// The built sites with the address each is built for.
fn sites() -> [(&'static str, &'static Output, &'static str); 6] {
    [
        ("repository", &REPOSITORY_SITE, "https://feedwright.example"),
        ("example-show", &SHOW, "https://made-from-text.example"),
        ("small-site", &SMALL_SITE, "https://example.com"),
        ("below-a-path", &WITH_BASE_PATH, "https://example.com/blog"),
        ("least", &MINIMAL, "https://example.com"),
        ("empty", &EMPTY, "https://example.com"),
    ]
}

/// Reports everything that is wrong at once.
fn assert_no_complaints(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

fn documents(output: &Output) -> Vec<(String, Html)> {
    output
        .files()
        .into_iter()
        .filter(|file| kind(output, file) == Kind::Html)
        .map(|file| {
            let html = Html::parse_document(&output.text(&file));
            (file, html)
        })
        .collect()
}

fn select<'h>(html: &'h Html, selector: &str) -> Vec<ElementRef<'h>> {
    html.select(&Selector::parse(selector).unwrap()).collect()
}

/// One test: the sites are built once.
#[test]
fn built_files_conform_to_their_formats() {
    html_parses_without_errors();
    html_has_one_heading_a_language_alternative_texts_and_unique_ids();
    every_link_has_a_target();
    rss_is_well_formed_and_parsed_by_readers();
    json_feeds_follow_version_1_1();
    a_sitemap_lists_only_indexable_documents();
    unchecked_file_kinds_are_listed();
}

fn html_parses_without_errors() {
    let broken = Html::parse_document("<!doctype html><p><table><b></p></table>");
    assert!(!broken.errors.is_empty(), "the parser reports nothing");
    let mut complaints = Vec::new();
    for (site, output, _) in sites() {
        for (file, html) in documents(output) {
            let errors: BTreeSet<String> = html.errors.iter().map(ToString::to_string).collect();
            complaints.extend(errors.iter().map(|error| format!("{site} {file}: {error}")));
        }
    }
    assert_no_complaints(complaints);
}

fn html_has_one_heading_a_language_alternative_texts_and_unique_ids() {
    let mut complaints = Vec::new();
    for (site, output, _) in sites() {
        for (file, html) in documents(output) {
            let mut complain = |what: String| complaints.push(format!("{site} {file}: {what}"));
            let is_redirect = !select(&html, "meta[http-equiv=refresh]").is_empty();
            let headings = select(&html, "h1").len();
            if headings != 1 && !is_redirect {
                complain(format!("{headings} h1"));
            }
            if select(&html, "html[lang]:not([lang=''])").is_empty() {
                complain("no language".into());
            }
            if select(&html, "title").len() != 1 {
                complain("not one title".into());
            }
            for image in select(&html, "img:not([alt])") {
                complain(format!("no alt: {}", image.html()));
            }
            for empty in select(&html, "[href=''], [src=''], [id=''], [poster='']") {
                complain(format!("an empty attribute: {}", empty.html()));
            }
            let mut ids = BTreeSet::new();
            for element in select(&html, "[id]") {
                let id = element.attr("id").unwrap();
                if !ids.insert(id) {
                    complain(format!("the id {id} twice"));
                }
            }
            for (attribute, selector) in [
                ("for", "label[for]"),
                ("aria-labelledby", "[aria-labelledby]"),
                ("aria-describedby", "[aria-describedby]"),
            ] {
                for element in select(&html, selector) {
                    let id = element.attr(attribute).unwrap();
                    if !ids.contains(id) {
                        complain(format!("{attribute} names {id}, which is not there"));
                    }
                }
            }
        }
    }
    assert_no_complaints(complaints);
}

/// Where the references of a site may lead.
struct Targets<'o> {
    base: &'o str,
    files: BTreeSet<String>,
    ids: BTreeMap<String, BTreeSet<String>>,
}

impl<'o> Targets<'o> {
    fn new(output: &'o Output, base: &'o str) -> Self {
        let ids = documents(output)
            .into_iter()
            .map(|(file, html)| {
                let ids = select(&html, "[id]")
                    .iter()
                    .map(|element| element.attr("id").unwrap().to_owned())
                    .collect();
                (file, ids)
            })
            .collect();
        Self { files: output.files().into_iter().collect(), base, ids }
    }

    /// The path that the site lies under: pages refer to their own site by path.
    fn base_path(&self) -> &str {
        let host = self.base.find("://").unwrap() + 3;
        let end = self.base[host..].find('/');
        end.map_or("", |end| &self.base[host + end..])
    }

    /// Why a reference in a file leads nowhere; none where it leads outside, or to something.
    fn fault(&self, from: &str, reference: &str) -> Option<String> {
        if reference.contains("feedwright-content:") || reference.contains("{{") {
            return Some("a placeholder".into());
        }
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let path = path.split('?').next().unwrap_or_default();
        let file = if path.is_empty() {
            from.to_owned()
        } else if path.starts_with("/examples/") {
            // `examples/build` writes these below the site.
            return None;
        } else if let Some(path) = path.strip_prefix(self.base) {
            if !(path.is_empty() || path.starts_with('/')) {
                return None;
            }
            output_file(path)
        } else if path.contains(':') {
            return None;
        } else if from.ends_with(".html") && path.starts_with(&format!("{}/", self.base_path())) {
            output_file(&path[self.base_path().len()..])
        } else {
            return Some("it is not absolute".into());
        };
        if !self.files.contains(&file) {
            return Some(format!("there is no {file}"));
        }
        let ids = self.ids.get(&file)?;
        let wanted = percent_decode_str(fragment).decode_utf8_lossy();
        // The player of a page goes to a moment of the recording, as in `#t=35.2`.
        let is_moment = wanted.strip_prefix("t=").is_some_and(|time| time.parse::<f64>().is_ok());
        (!wanted.is_empty() && !is_moment && !ids.contains(wanted.as_ref()))
            .then(|| format!("{file} has no id {wanted}"))
    }

    fn broken_references<'r>(
        &self,
        from: &str,
        references: impl IntoIterator<Item = &'r str>,
    ) -> Vec<String> {
        let references: BTreeSet<&str> = references.into_iter().collect();
        references
            .into_iter()
            .filter_map(|reference| {
                let fault = self.fault(from, reference.trim())?;
                Some(format!("{}/{from}: {reference}: {fault}", self.base))
            })
            .collect()
    }
}

fn output_file(path: &str) -> String {
    let path = percent_decode_str(path.trim_start_matches('/')).decode_utf8_lossy();
    if path.is_empty() || path.ends_with('/') {
        format!("{path}index.html")
    } else {
        path.into_owned()
    }
}

/// Every address that a document's elements hold.
fn references(html: &Html) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in ["href", "src", "poster", "action", "cite", "data", "data-copy"] {
        for element in select(html, &format!("[{attribute}]")) {
            found.push(element.attr(attribute).unwrap().to_owned());
        }
    }
    for element in select(html, "[srcset]") {
        let candidates = element.attr("srcset").unwrap().split(", ");
        found.extend(
            candidates
                .filter_map(|candidate| candidate.split_whitespace().next())
                .map(str::to_owned),
        );
    }
    for element in select(
        html,
        "meta[property='og:url'], meta[property='og:image'], meta[property='og:audio'], meta[property='og:video']",
    ) {
        found.push(element.attr("content").unwrap().to_owned());
    }
    for element in select(html, "meta[http-equiv=refresh]") {
        let content = element.attr("content").unwrap();
        found.push(content.split_once("url=").unwrap().1.to_owned());
    }
    for element in select(html, "script[type='application/ld+json']") {
        let value: Value = serde_json::from_str(&element.text().collect::<String>()).unwrap();
        collect_urls(&value, &mut found);
    }
    found
}

/// Every text of a JSON value that is an address, and those in the HTML that it holds.
fn collect_urls(value: &Value, found: &mut Vec<String>) {
    match value {
        // Ids of JSON-LD are names, not addresses.
        Value::String(text) if text.ends_with("#website") || text.ends_with("#podcast") => {}
        Value::String(text)
            if text.starts_with("https://") && !text.contains(char::is_whitespace) =>
        {
            found.push(text.clone());
        }
        Value::String(text) if text.starts_with('<') => {
            found.extend(references(&Html::parse_fragment(text)));
        }
        Value::Array(list) => list.iter().for_each(|value| collect_urls(value, found)),
        Value::Object(object) => object
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "base_url" | "content_text" | "summary"))
            .for_each(|(_, value)| collect_urls(value, found)),
        _ => {}
    }
}

/// A reference to a part of the text itself: in a feed, the text stands elsewhere.
fn is_fragment(reference: &str) -> bool {
    reference.starts_with('#')
}

fn every_link_has_a_target() {
    let mut complaints = Vec::new();
    for (_, output, base) in sites() {
        let targets = Targets::new(output, base);
        for (file, html) in documents(output) {
            let found = references(&html);
            complaints.extend(targets.broken_references(&file, found.iter().map(String::as_str)));
        }
        for file in output.files() {
            let found = match kind(output, &file) {
                Kind::JsonFeed | Kind::Chapters => {
                    let mut found = Vec::new();
                    collect_urls(&output.json(&file), &mut found);
                    found
                }
                Kind::Rss | Kind::Sitemap => xml_urls(&output.text(&file)),
                Kind::Html | Kind::Unchecked => continue,
            };
            let outward = found.iter().map(String::as_str).filter(|text| !is_fragment(text));
            complaints.extend(targets.broken_references(&file, outward));
        }
    }
    assert_no_complaints(complaints);
}

/// The kinds of files that the rules of this file know.
#[derive(PartialEq)]
enum Kind {
    Html,
    JsonFeed,
    Chapters,
    Rss,
    Sitemap,
    Unchecked,
}

/// Recognises a file by its content, so that no feed escapes the rules by its address.
fn kind(output: &Output, file: &str) -> Kind {
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        _ if file.starts_with("media/") => Kind::Unchecked,
        "html" if output.text(file).starts_with("<!") => Kind::Html,
        // A copy at a former path is a folder's `index.html`.
        "html" | "json" if output.text(file).contains("https://jsonfeed.org/version/") => {
            Kind::JsonFeed
        }
        "json" if file.ends_with("/chapters.json") => Kind::Chapters,
        "html" | "xml" | "rss" if output.text(file).contains("<rss ") => Kind::Rss,
        "xml" if output.text(file).contains("<urlset ") => Kind::Sitemap,
        _ => Kind::Unchecked,
    }
}

fn files_of_kind<'o>(
    output: &'o Output,
    wanted: &'o Kind,
) -> impl Iterator<Item = String> + use<'o> {
    let files = output.files().into_iter();
    files.filter(move |file| kind(output, file) == *wanted)
}

/// A new kind of file changes this snapshot: add a rule for it, or accept that nothing judges it.
fn unchecked_file_kinds_are_listed() {
    let mut unjudged = BTreeMap::<&str, BTreeSet<String>>::new();
    for (site, output, _) in sites() {
        for file in files_of_kind(output, &Kind::Unchecked) {
            let pattern = match (file.rsplit_once('.'), file.split_once('/')) {
                // The Markdown versions of all pages are one kind.
                _ if file.ends_with("/index.md") => "**/index.md".to_owned(),
                (Some((_, extension)), Some((folder, _))) => format!("{folder}/**/*.{extension}"),
                _ => file,
            };
            unjudged.entry(site).or_default().insert(pattern);
        }
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&unjudged).unwrap());
}

/// The addresses that attributes, texts and the HTML of an XML document hold.
fn xml_urls(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut reader = quick_xml::Reader::from_str(text);
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) | Event::Empty(start) => {
                for attribute in start.attributes() {
                    let attribute = attribute.unwrap();
                    let value =
                        attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap();
                    if value.starts_with("https://") && !attribute.key.as_ref().starts_with("xmlns")
                    {
                        found.push(value.into_owned());
                    }
                }
            }
            Event::Text(content) => {
                let content = content.trim();
                if content.starts_with("https://") && !content.contains(char::is_whitespace) {
                    found.push(content.to_owned());
                }
            }
            Event::CData(content) => {
                let content: &str = content.as_ref();
                found.extend(references(&Html::parse_fragment(content)));
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

fn rss_is_well_formed_and_parsed_by_readers() {
    for (site, output, _) in sites() {
        for file in files_of_kind(output, &Kind::Rss) {
            let text = output.text(&file);
            let mut reader = quick_xml::Reader::from_str(&text);
            reader.config_mut().check_end_names = true;
            reader.config_mut().check_comments = true;
            while !matches!(
                reader.read_event().unwrap_or_else(|error| panic!("{site} {file}: {error}")),
                Event::Eof
            ) {}
            let feed = feed_rs::parser::parse(text.as_bytes())
                .unwrap_or_else(|error| panic!("{site} {file}: {error}"));
            assert!(feed.title.is_some(), "{site} {file}");
            let Some(folder) = file.strip_suffix("rss.xml") else {
                continue;
            };
            let beside = format!("{folder}feed.json");
            if !output.has(&beside) {
                continue;
            }
            let json = output.json(&beside);
            // Both feeds tell readers the same.
            let items = json["items"].as_array().unwrap();
            assert_eq!(feed.entries.len(), items.len(), "{site}");
            for (entry, item) in feed.entries.iter().zip(items) {
                let title = entry.title.as_ref().map_or("", |title| &title.content);
                assert_eq!(title, item["title"].as_str().unwrap());
                assert_eq!(entry.id, extension(item)["guid"].as_str().unwrap());
                assert_eq!(entry.links[0].href, item["url"].as_str().unwrap());
                let published = entry.published.map(|date| date.timestamp_millis() / 1000);
                let wanted = extension(item)["date_published_ms"].as_i64();
                assert_eq!(published, wanted.map(|ms| ms.div_euclid(1000)));
                if let Some(body) =
                    entry.content.as_ref().and_then(|content| content.body.as_deref())
                {
                    // Only RSS repeats the chapters in the text.
                    let body = body.split("<p class=\"chapter-times\"").next().unwrap();
                    assert_eq!(body, item["content_html"].as_str().unwrap());
                }
            }
        }
    }
}

fn extension(item: &Value) -> &Value {
    item.get("_service").unwrap_or(&item["_microfeed"])
}

fn json_feeds_follow_version_1_1() {
    let mut complaints = Vec::new();
    for (site, output, _) in sites() {
        for file in files_of_kind(output, &Kind::JsonFeed) {
            let mut found = Vec::new();
            feed_rules(&output.json(&file), &mut found);
            let found = found.into_iter();
            complaints.extend(found.map(|fault| format!("{site} {file}: {fault}")));
        }
    }
    assert_no_complaints(complaints);
}

type Rule = fn(&Value) -> bool;

fn is_text(value: &Value) -> bool {
    value.is_string()
}

fn is_filled(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

fn is_url(value: &Value) -> bool {
    value.as_str().is_some_and(|text| {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
            && text.is_ascii()
            && !text.contains([' ', '"', '<', '>'])
    })
}

/// RFC 3339.
fn is_date(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.parse::<jiff::Timestamp>().is_ok())
}

fn is_count(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number >= 0.0)
}

fn is_list(value: &Value) -> bool {
    value.is_array()
}

/// An object's keys are known ones that pass their rule, or extensions; the required ones are there.
fn object_rules(
    at: &str,
    value: &Value,
    known: &[(&str, Rule)],
    required: &[&str],
    found: &mut Vec<String>,
) {
    let Some(object) = value.as_object() else {
        found.push(format!("{at} is no object"));
        return;
    };
    for key in required {
        if !object.contains_key(*key) {
            found.push(format!("{at} has no {key}"));
        }
    }
    for (key, value) in object {
        match known.iter().find(|(name, _)| name == key) {
            Some((_, rule)) if !rule(value) => found.push(format!("{at}.{key} is {value}")),
            None if !key.starts_with('_') || key.len() < 2 || key.contains('.') => {
                found.push(format!("{at}.{key} is not of JSON Feed, and extensions start with _"));
            }
            None if !value.is_object() => {
                found.push(format!("{at}.{key}: an extension is an object"))
            }
            _ => {}
        }
    }
}

/// The rules of <https://www.jsonfeed.org/version/1.1/>.
fn feed_rules(feed: &Value, found: &mut Vec<String>) {
    let known: [(&str, Rule); 15] = [
        ("version", |value| value == "https://jsonfeed.org/version/1.1"),
        ("title", is_filled),
        ("home_page_url", is_url),
        ("feed_url", is_url),
        ("description", is_text),
        ("user_comment", is_text),
        ("next_url", is_url),
        ("icon", is_url),
        ("favicon", is_url),
        ("authors", is_list),
        ("language", is_filled),
        ("expired", Value::is_boolean),
        ("hubs", is_list),
        ("items", is_list),
        ("author", |_| false),
    ];
    object_rules("feed", feed, &known, &["version", "title", "items"], found);
    if feed.get("next_url").is_some_and(|next| *next == feed["feed_url"]) {
        found.push("next_url is feed_url".into());
    }
    author_rules("feed", feed, found);
    let mut ids = BTreeSet::new();
    for item in feed["items"].as_array().into_iter().flatten() {
        let id = item["id"].as_str().unwrap_or_default();
        if !ids.insert(id) {
            found.push(format!("the id {id} twice"));
        }
        item_rules(&format!("item {id}"), item, found);
    }
}

fn author_rules(at: &str, owner: &Value, found: &mut Vec<String>) {
    for author in owner["authors"].as_array().into_iter().flatten() {
        let known: [(&str, Rule); 3] = [("name", is_filled), ("url", is_url), ("avatar", is_url)];
        object_rules(&format!("{at} author"), author, &known, &[], found);
        if author.as_object().is_some_and(serde_json::Map::is_empty) {
            found.push(format!("{at}: an author has one of name, url and avatar"));
        }
    }
}

fn item_rules(at: &str, item: &Value, found: &mut Vec<String>) {
    let known: [(&str, Rule); 15] = [
        ("id", is_filled),
        ("url", is_url),
        ("external_url", is_url),
        ("title", is_text),
        ("content_html", is_text),
        ("content_text", is_text),
        ("summary", is_filled),
        ("image", is_url),
        ("banner_image", is_url),
        ("date_published", is_date),
        ("date_modified", is_date),
        ("authors", is_list),
        ("tags", |value| value.as_array().is_some_and(|tags| tags.iter().all(is_filled))),
        ("language", is_filled),
        ("attachments", is_list),
    ];
    object_rules(at, item, &known, &["id"], found);
    if item.get("content_html").or(item.get("content_text")).is_none() {
        found.push(format!("{at} has neither content_html nor content_text"));
    }
    author_rules(at, item, found);
    for attachment in item["attachments"].as_array().into_iter().flatten() {
        let known: [(&str, Rule); 5] = [
            ("url", is_url),
            ("mime_type", |value| {
                value.as_str().is_some_and(|text| {
                    text.split('/').filter(|part| !part.is_empty()).count() == 2
                })
            }),
            ("title", is_filled),
            ("size_in_bytes", is_count),
            ("duration_in_seconds", is_count),
        ];
        object_rules(&format!("{at} attachment"), attachment, &known, &["url", "mime_type"], found);
    }
}

#[test]
fn the_feed_rules_find_violations() {
    let mut found = Vec::new();
    feed_rules(
        &serde_json::json!({ "version": "1", "items": [{ "id": 1, "extra": 1, "date_published": "today", "attachments": [{ "url": "/a" }] }] }),
        &mut found,
    );
    assert_eq!(found.len(), 8, "{found:#?}");
}

fn a_sitemap_lists_only_indexable_documents() {
    let mut complaints = Vec::new();
    for (site, output, base) in sites() {
        let text = output.text("sitemap.xml");
        for part in text.split("<loc>").skip(1) {
            let url = part.split("</loc>").next().unwrap();
            let file = output_file(url.strip_prefix(base).unwrap());
            if !output.has(&file) {
                complaints.push(format!("{site}: {url}"));
            } else if !select(&Html::parse_document(&output.text(&file)), "meta[name=robots]")
                .is_empty()
            {
                complaints.push(format!("{site}: {url} is not to be indexed"));
            }
        }
    }
    assert_no_complaints(complaints);
}
