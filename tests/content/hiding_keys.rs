//! Keys by which other generators hide a text are errors: a warning would come when the text is public already.

use crate::support::small_site::{SmallSite, feedwright, site};

/// A site with one text at this path.
fn with(path: &str, front: &str) -> SmallSite {
    site().with(path, format!("---\n{front}\n---\nSecret.\n"))
}

fn item(front: &str) -> SmallSite {
    with("content/items/a.md", front)
}

/// Whether the site is not built because of one error about this key, with this remedy.
fn assert_refused(site: &SmallSite, key: &str, remedy: &str) {
    let report = site.report();
    assert!(report.starts_with("not built\nerror: "), "{key}: {report}");
    assert_eq!(report.matches("error: ").count(), 1, "{key}: {report}");
    assert!(report.contains(&format!("`{key}`")), "{key}: {report}");
    assert!(report.contains(remedy), "{key}, {remedy}: {report}");
    assert!(!site.exists("public/feed.json"), "{key}");
}

#[test]
fn a_publication_date_under_another_key_is_an_error() {
    for line in [
        "publishDate: 2038-01-01", "publishDate: 2020-01-01", "publishdate: 2038-01-01",
        "publish_date: 2038-01-01T09:00:00Z", "publish-date: 2038-01-01",
        "PublishDate: 2038-01-01", "pubDate: Fri, 01 Jan 2038 09:00:00 GMT",
        "pub_date: 2038-01-01", "published_at: 2038-01-01", "publishedAt: 2038-01-01",
        "datePublished: 2038-01-01", "date_publised: 2038-01-01", "Date: 2038-01-01",
        "scheduled: 2038-01-01", "scheduled: true", "scheduledPublishTime: 2038-01-01",
        "embargo: 2038-01-01", "releaseDate: 2038-01-01", "goLiveAt: 2038-01-01",
        "visible_from: 2038-01-01",
    ] {
        let key = line.split(':').next().unwrap();
        assert_refused(&item(line), key, "write `date_published`: content with a future date");
    }
    assert_refused(&item("published: 2038-01-01"), "published", "write `date_published`");
    assert_refused(
        &with("content/pages/a.md", "title: A\npublishDate: 2038-01-01"),
        "publishDate",
        "write `date_published`",
    );
    let toml = site().item("+++\npublishDate = 2038-01-01\n+++\nSecret.\n");
    assert_refused(&toml, "publishDate", "write `date_published`");
    let json = site().item("{\"publishDate\": \"2038-01-01\"}\nSecret.\n");
    assert_refused(&json, "publishDate", "write `date_published`");
}

#[test]
fn an_expiry_date_is_an_error() {
    for line in [
        "expiryDate: 2020-01-01", "expiryDate: 2038-01-01", "expiry_date: 2020-01-01",
        "expires: 2020-01-01", "expirationDate: 2020-01-01", "unpublishdate: 2020-01-01",
        "unpublish_at: 2020-01-01", "validUntil: 2020-01-01", "page_expiry: 2020-01-01",
    ] {
        let key = line.split(':').next().unwrap();
        assert_refused(&item(line), key, "nothing is unpublished automatically");
    }
}

#[test]
fn a_hiding_flag_of_another_generator_is_an_error() {
    for line in [
        "Draft: true", "DRAFT: yes", "isDraft: true", "hidden: true", "hidden: 1", "hide: \"yes\"",
        "private: true", "isPrivate: true", "unlist: true", "unlisted: true", "noindex: true",
        "no_index: true", "headless: true", "password: sesame", "password: 1234",
        "passwordProtected: true", "members_only: true", "emailOnly: true", "archived: true",
        "exclude: true", "exclude_from_feed: true", "excludeFromCollections: true",
        "eleventyExcludeFromCollections: true", "hiddenInHomeList: true",
        "hide_from_home_page: true", "sitemap_exclude: true", "my_private_post: true",
        "public: false", "visible: false", "isPublished: false", "publish: false",
        "Published: \"no\"", "listed: false", "show_in_list: false", "include_in_feed: false",
        "render: false", "output: false", "sitemap: false", "outputs: []", "outputs: [json]",
        "visibility: private", "visibility: members", "post_status: pending", "postStatus: future",
        "access: paid", "robots: \"noindex, nofollow\"", "robots: {index: false}",
        "tiers: [members]", "stauts: draft", "Status: private", "workflow_state: draft",
    ] {
        let key = line.split(':').next().unwrap();
        assert_refused(&item(line), key, "`status: \"unpublished\"`");
    }
    assert_refused(&item("permalink: false"), "permalink", "`status: \"unpublished\"`");
    assert_refused(
        &with("content/pages/a.md", "title: A\npermalink: false"),
        "permalink",
        "`status: \"unpublished\"`",
    );
    assert_refused(&item("drafts: true"), "drafts", "`status: \"unpublished\"`");
    assert_refused(&item("darft: true"), "darft", "write `draft: true`");
}

#[test]
fn a_hiding_key_in_another_generators_table_is_an_error() {
    for (lines, key) in [
        ("_build:\n  list: never\n  render: never", "_build.list"),
        ("build:\n  render: false", "build.render"),
        ("build:\n  list: local", "build.list"),
        ("params:\n  private: true", "params.private"),
        ("extra:\n  draft: true", "extra.draft"),
        ("params:\n  seo:\n    noindex: true", "params.seo.noindex"),
        ("cascade:\n  - draft: true", "cascade.draft"),
        ("cascade:\n  build: {list: never}", "cascade.build.list"),
        ("sitemap:\n  disable: true", "sitemap.disable"),
        ("eleventyComputed:\n  permalink: \"{{ false }}\"", "eleventyComputed.permalink"),
        ("seo:\n  noindex: true", "seo.noindex"),
    ] {
        assert_refused(&item(lines), key, "`status: \"unpublished\"`");
    }
    // In TOML a table goes on up to the next header.
    for (line, key) in [
        ("draft = true", "podcast.draft"),
        ("status = \"unpublished\"", "podcast.status"),
        ("published = false", "podcast.published"),
        ("date = 2038-01-01", "podcast.date"),
        ("date_published = 2038-01-01", "podcast.date_published"),
    ] {
        let text = format!("+++\n[podcast]\nseason = 1\n{line}\n+++\nSecret.\n");
        assert_refused(&site().item(text), key, "above the first line in brackets");
    }
}

#[test]
fn a_non_boolean_or_contradictory_status_is_an_error() {
    for (line, help) in [
        ("draft: \"true\"", "write true or false, without quotes"),
        ("draft: yes", "write true or false, without quotes"),
        ("draft: 1", "write true or false, without quotes"),
        ("published: \"false\"", "write true or false, without quotes"),
        ("status: draft", "write \"unpublished\""),
        ("status: members", "write one of published, unlisted, unpublished"),
        ("status: published\ndraft: true", "remove `draft` or `published`"),
        ("status: unlisted\npublished: false", "remove `draft` or `published`"),
    ] {
        let key = line.split(':').next().unwrap();
        assert_refused(&item(line), key, help);
    }
    // These are read.
    for line in [
        "draft: true", "published: false", "status: unpublished\ndraft: true",
        "status: unpublished", "draft: true\npublished: false",
    ] {
        let site = item(&format!("id: a\n{line}"));
        site.built();
        assert!(!site.read("public/feed.json").contains("Secret"), "{line}");
    }
    for line in ["draft: false", "published: true", "status: published\ndraft: false"] {
        let site = item(&format!("id: a\n{line}"));
        site.built();
        assert!(site.read("public/feed.json").contains("Secret"), "{line}");
    }
}

#[test]
fn hiding_keys_in_events_calendars_and_the_channel_are_reported() {
    let event = |line: &str| {
        with("content/calendars/club/a.md", &format!("summary: A\nstart: 2026-07-01\n{line}"))
    };
    for line in
        ["draft: true", "hidden: true", "private: true", "published: false", "publish: false"]
    {
        let key = line.split(':').next().unwrap();
        assert_refused(&event(line), key, "write `visibility: \"private\"`");
    }
    assert_refused(&event("publishDate: 2038-01-01"), "publishDate", "`visibility: \"private\"`");
    assert_refused(&event("status: draft"), "status", "confirmed");
    let calendar = site()
        .with("content/calendars/club/calendar.toml", "summary = \"Club\"\nprivate = true\n")
        .with("content/calendars/club/a.md", "+++\nsummary = \"A\"\nstart = 2026-07-01\n+++\n");
    assert_refused(&calendar, "private", "write `public = false`");
    for line in
        ["draft: true", "private: true", "password: x", "noindex: true", "visibility: private"]
    {
        let key = line.split(':').next().unwrap();
        let channel = with("content/channel.md", &format!("title: T\n{line}"));
        assert_refused(&channel, key, "`access = \"offline\"`");
    }
}

#[test]
fn an_ineffective_hiding_key_is_a_warning() {
    for line in [
        "hidden: false", "private: false", "unlisted: no", "publishDate:", "expiryDate: \"\"",
        "password: \"\"", "public: true", "visibility: public", "postStatus: publish",
        "robots: \"index, follow\"", "outputs: [HTML, RSS]", "params:\n  color: blue",
        "cover:\n  hidden: true", "comments:\n  enabled: false",
        "params:\n  toc:\n    hidden: true", "sitemap:\n  priority: 0.5", "layout: post",
        "hideMeta: true", "hide_title: true", "comments: false", "state: California",
        "audience: everyone who sails", "weight: 3",
    ] {
        let site = item(&format!("id: a\n{line}"));
        let report = site.report();
        assert!(report.starts_with("built\nwarning[unknown-key]"), "{line}: {report}");
    }
    // A channel from a feed may say when that was published.
    let channel = with("content/channel.md", "title: T\npubDate: 2020-01-01");
    assert!(channel.report().starts_with("built\nwarning"), "{}", channel.report());
}

#[test]
fn check_fixes_convertible_keys() {
    let site = item("id: a\nslug: a\ntitle: A\npublishDate: 2038-01-01");
    let (_, _, said) = feedwright(&site, &["check", "--fix"]);
    assert!(said.contains("content/items/a.md: moved `publishDate` to `date_published`"), "{said}");
    let text = site.read("content/items/a.md");
    assert!(text.contains("date_published: \"2038-01-01\""), "{text}");
    site.built();
    assert!(!site.read("public/feed.json").contains("Secret"));
}
