//! Entries that visitors of a service do not see are not published by an import, and the report names each with the reason.

use serde_json::{Value, json};

use crate::import::command::{files, import, notes, ok, rss, run};
use crate::support::fixtures;
use crate::support::small_site::{SmallSite, bare};

/// Imports a text with a command, builds the site, and gives the report with all that was published.
pub fn import_and_publish(kind: &str, name: &str, text: &str) -> (Value, String, SmallSite) {
    let folder = bare();
    folder.write(name, text);
    let (source, site) = (folder.path(name), folder.path("new"));
    let said = ok(&[
        "import",
        kind,
        source.to_str().unwrap(),
        "--json",
        "--base-url",
        "https://tides.example",
        "--site",
        site.to_str().unwrap(),
    ]);
    let report = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"));
    ok(&["build", "--site", site.to_str().unwrap()]);
    let public = crate::support::small_site::tree(&folder.path("new/public"));
    let public: String =
        public.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    (report, public, folder)
}

/// Asserts that the secrets are in no published file and that the report names each with its reason.
pub fn assert_hidden(report: &Value, public: &str, secrets: &[(&str, &str)]) {
    let notes = notes(report);
    for (name, why) in secrets {
        assert!(!public.contains(&format!("secret of {name}")), "{name} is published");
        let is_told = |note: &&str| note.contains(&format!("“{name}”")) && note.contains(why);
        assert!(notes.iter().any(is_told), "{name}, {why}: {notes:#?}");
    }
    assert!(public.contains("seen by all"));
}

pub fn wordpress(items: &str) -> String {
    rss("<wp:wxr_version>1.2</wp:wxr_version>", items)
        .replace("xmlns:content", "xmlns:wp='http://wordpress.org/export/1.2/' xmlns:content")
}

pub fn post(id: u32, title: &str, status: &str, more: &str) -> String {
    let text = if status == "publish" && more.is_empty() {
        "seen by all".to_owned()
    } else {
        format!("secret of {title}")
    };
    format!(
        "<item><title>{title}</title><link>https://tides.example/p{id}/</link><guid isPermaLink='false'>g{id}</guid><content:encoded><![CDATA[{text}]]></content:encoded>\
         <wp:post_id>{id}</wp:post_id><wp:post_date_gmt>2020-09-11 16:55:05</wp:post_date_gmt><wp:post_name>p{id}</wp:post_name><wp:status>{status}</wp:status>\
         <wp:post_type>post</wp:post_type>{more}</item>"
    )
}

#[test]
fn entries_hidden_by_wordpress_are_not_published() {
    let meta = |key: &str| {
        format!(
            "<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value>1</wp:meta_value></wp:postmeta>"
        )
    };
    let of_kind = |id, kind: &str| {
        post(id, kind, "publish", " ")
            .replace("<wp:post_type>post<", &format!("<wp:post_type>{kind}<"))
    };
    let paywall = "<!-- wp:paragraph --><p>seen too</p><!-- /wp:paragraph --><!-- wp:premium-content/container --><!-- wp:premium-content/subscriber-view -->\
        <p>secret of Premium</p><!-- /wp:premium-content/subscriber-view --><!-- /wp:premium-content/container --><!-- wp:jetpack/paywall /--><p>secret of Paywall</p>";
    let items = [
        post(1, "Seen", "publish", ""),
        post(2, "Draft", "draft", ""),
        post(3, "Pending", "pending", ""),
        post(4, "Private", "private", ""),
        post(5, "Later", "future", ""),
        post(6, "Trashed", "trash", ""),
        post(7, "Begun", "auto-draft", ""),
        post(8, "Locked", "publish", "<wp:post_password>sesame</wp:post_password>"),
        post(9, "Members", "publish", &meta("_members_access_role")),
        post(10, "Letter", "publish", &meta("_jetpack_newsletter_access")),
        post(11, "Strange", "acf-disabled", ""),
        of_kind(12, "revision"),
        of_kind(13, "wp_block"),
        of_kind(14, "nav_menu_item"),
        post(15, "Partly", "publish", "").replace("seen by all", paywall),
    ];
    let (report, public, _) = import_and_publish("wordpress", "e.xml", &wordpress(&items.concat()));
    assert_hidden(
        &report,
        &public,
        &[
            ("Draft", "is a draft"),
            ("Pending", "is pending review"),
            ("Private", "is private"),
            ("Later", "scheduled for later"),
            ("Trashed", "in the trash"),
            ("Begun", "in the trash"),
            ("Locked", "password"),
            ("Members", "for members"),
            ("Letter", "for members"),
            ("Strange", "acf-disabled"),
            ("Partly", "subscribers"),
            ("Partly", "paywall"),
        ],
    );
    assert!(!public.contains("secret of") && public.contains("seen too"));
}

#[test]
fn wordpress_blocks_for_some_visitors_are_not_imported() {
    let block = |name: &str, values: &str, text: &str| {
        format!(
            "<!-- wp:{name} {values} --><p>{text}</p><!-- /wp:{} -->",
            name.trim_start_matches("core/")
        )
    };
    let shown = "<p>seen by all</p>";
    let of = |id, title: &str, text: String| {
        post(id, title, "publish", "").replace("seen by all", &format!("{shown}{text}"))
    };
    let rule = |access: &str| {
        format!(
            "<wp:postmeta><wp:meta_key>um_content_restriction</wp:meta_key><wp:meta_value>a:2:{{s:26:\"_um_custom_access_settings\";s:1:\"1\";s:14:\"_um_accessible\";s:1:\"{access}\";}}</wp:meta_value></wp:postmeta>"
        )
    };
    let condition = "{\"blockVisibility\":{\"controlSets\":[{\"id\":1}]}}";
    let items = [
        of(
            1,
            "Hidden",
            block("paragraph", "{\"metadata\":{\"blockVisibility\":false}}", "secret of Hidden"),
        ),
        of(2, "Conditional", block("core/paragraph", condition, "secret of Conditional")),
        of(3, "Nested", block("group", condition, &block("paragraph", "", "secret of Nested"))),
        of(4, "Protected", block("memberpress/protected-content", "", "secret of Protected")),
        of(5, "Private", "[private]secret of Private[/private]".to_owned()),
        of(6, "Restricted", "[restrict level=\"1\"]secret of Restricted[/restrict]".to_owned()),
        of(7, "Shortcode", block("shortcode", "", "[s2If current_user_can(x)]")),
        of(8, "Visible", "[um_loggedout]seen one[/um_loggedout] [private] seen two".to_owned()),
        of(
            9,
            "Viewport",
            block(
                "paragraph",
                "{\"metadata\":{\"blockVisibility\":{\"viewport\":{\"mobile\":false}}}}",
                "seen three",
            ),
        ),
        post(10, "Ultimate", "publish", &rule("2")),
        post(11, "Open", "publish", &rule("0")).replace("secret of Open", "seen four"),
    ];
    let (report, public, _) = import_and_publish("wordpress", "e.xml", &wordpress(&items.concat()));
    assert_hidden(
        &report,
        &public,
        &[
            ("Hidden", "some visitors"),
            ("Conditional", "some visitors"),
            ("Nested", "some visitors"),
            ("Protected", "some visitors"),
            ("Private", "some visitors"),
            ("Restricted", "some visitors"),
            ("Ultimate", "for members"),
        ],
    );
    assert!(!public.contains("secret of"));
    for seen in ["seen one", "seen two", "seen three", "seen four"] {
        assert!(public.contains(seen), "{seen}");
    }
}

#[test]
fn former_wordpress_slugs_redirect_to_the_new_ones() {
    let former = |name: &str| {
        format!(
            "<wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>{name}</wp:meta_value></wp:postmeta>"
        )
    };
    let seen =
        |id, more: String| post(id, "A", "publish", &more).replace("secret of A", "seen by all");
    let items = [
        seen(1, former("first") + &former("%d0%bc%d0%be%d1%80%d0%b5")),
        // Names that another entry has, or had before, lead there.
        seen(2, former("p1") + &former("first")),
    ];
    let (_, _, folder) = import_and_publish("wordpress", "e.xml", &wordpress(&items.concat()));
    assert!(folder.exists("new/public/first/index.html"));
    assert!(folder.exists("new/public/море/index.html"));
    let page = folder.read("new/public/p1/index.html");
    assert!(page.contains("seen by all"), "{page}");
}

#[test]
fn entries_hidden_by_blogger_are_not_published() {
    let text = std::fs::read_to_string(fixtures().join("import/cases/blogger.xml")).unwrap();
    let folder = bare();
    folder.write("in.xml", text);
    let site = folder.path("new");
    let report = import(folder.path("in.xml").to_str().unwrap(), &site, &[]);
    assert_eq!((&report["items"], &report["pages"]), (&3.into(), &1.into()), "{report:#}");
    let written: String = files(&site).into_values().collect();
    assert!(!written.contains("schemas.google.com"), "{written}");
    assert!(!written.contains("Nice post") && !written.contains("b:skin"), "{written}");
    ok(&["build", "--site", site.to_str().unwrap()]);
    let public = crate::support::small_site::tree(&folder.path("new/public"));
    for bytes in public.values() {
        assert!(!String::from_utf8_lossy(bytes).contains("not for readers"));
    }
    let notes = notes(&report).join("\n");
    for title in ["Secret draft", "Secret draft RFC 5023"] {
        assert!(notes.contains(&format!("“{title}” is a draft")), "{notes}");
    }
    assert!(
        notes.contains("comments") && notes.contains("templates") && notes.contains("settings"),
        "{notes}"
    );
}

#[test]
fn entries_hidden_by_ghost_are_not_published() {
    let post = |name: &str, values: Value| {
        let mut post = json!({ "id": format!("id-{name}"), "title": name, "slug": name.to_lowercase(), "html": format!("<p>secret of {name}</p>"),
            "status": "published", "visibility": "public", "published_at": "2020-01-01T00:00:00.000Z" });
        post.as_object_mut().unwrap().extend(values.as_object().unwrap().clone());
        post
    };
    let posts = json!([
        post("Seen", json!({ "html": "<p>seen by all</p>" })),
        post("Draft", json!({ "status": "draft" })),
        post("Later", json!({ "status": "scheduled", "published_at": "2020-01-01T00:00:00.000Z" })),
        post("Sent", json!({ "status": "sent" })),
        post("Members", json!({ "visibility": "members" })),
        post("Paid", json!({ "visibility": "paid" })),
        post("Tiers", json!({ "visibility": "tiers" })),
        post("Labelled", json!({ "visibility": "label:vip" })),
        post("Page", json!({ "visibility": "paid", "type": "page" })),
    ]);
    let export = json!({ "db": [{ "data": { "posts": posts, "settings": [{ "key": "title", "value": "Tides" }] } }] });
    let (report, public, _) = import_and_publish("ghost", "g.json", &export.to_string());
    assert_hidden(
        &report,
        &public,
        &[
            ("Draft", "is a draft"),
            ("Later", "scheduled for later"),
            ("Sent", "e-mail"),
            ("Members", "for members"),
            ("Paid", "for members"),
            ("Tiers", "for members"),
            ("Labelled", "for members"),
            ("Page", "for members"),
        ],
    );
}

#[test]
fn a_scheduled_entry_stays_scheduled_and_is_reported() {
    let items = "<item><title>Now</title><guid>a</guid><pubDate>Mon, 02 Mar 2020 09:00:00 GMT</pubDate><description>seen by all</description></item>\
        <item><title>Later</title><guid>b</guid><pubDate>Mon, 02 Mar 2099 09:00:00 GMT</pubDate><description>secret of Later</description></item>";
    let (report, public, _) = import_and_publish("rss", "in.xml", &rss("", items));
    assert_hidden(&report, &public, &[("Later", "2099-03-02")]);
}

#[test]
fn paywalled_text_of_a_feed_is_not_published() {
    let item = |name: &str, text: &str| {
        format!(
            "<item><title>{name}</title><guid>{name}</guid><content:encoded><![CDATA[{text}]]></content:encoded></item>"
        )
    };
    let paid = "<p>seen by all</p><div class=\"paywall-jump\" data-component-name=\"PaywallToDOM\"></div><p>secret of Paid</p>";
    let about =
        "<p>What a paywall-jump is: <code>&lt;div class=\"paywall-jump\"&gt;</code> seen too</p>";
    let items = item("Paid", paid) + &item("About", about);
    let (report, public, _) = import_and_publish("rss", "in.xml", &rss("", &items));
    assert_hidden(&report, &public, &[("Paid", "paywall")]);
    assert!(public.contains("seen too"));
}

#[test]
fn entries_hidden_by_microfeed_are_not_published() {
    let item = |id: &str, status: &str, text: &str| json!({ "id": id, "title": id, "content_html": text, "_microfeed": { "status": status, "web_url": "https://tides.example/i/x/" } });
    let feed = json!({ "version": "https://jsonfeed.org/version/1.1", "title": "Tides", "items": [
        item("Seen", "published", "seen by all"), item("Hidden", "unpublished", "secret of Hidden"), item("Strange", "something-new", "secret of Strange"),
    ] });
    let (report, public, _) = import_and_publish("microfeed", "feed.json", &feed.to_string());
    assert_hidden(&report, &public, &[("Hidden", "is unpublished"), ("Strange", "something-new")]);
}

#[test]
fn script_links_in_a_feed_are_not_links() {
    let items = "<item><title>One</title><guid>a</guid><link>javascript:alert(1)</link><description>seen by all</description><itunes:image href='javascript:alert(2)'/>\
        <podcast:person href='javascript:alert(3)' img='javascript:alert(4)'>Ida</podcast:person><enclosure url='javascript:alert(5)' type='audio/mpeg'/></item>";
    let folder = bare();
    folder.write("in.xml", rss("", items));
    let site = folder.path("new");
    import(folder.path("in.xml").to_str().unwrap(), &site, &[]);
    let output = run(&["build", "--site", site.to_str().unwrap()]);
    output.ok();
    for (path, bytes) in crate::support::small_site::tree(&folder.path("new/public")) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("javascript:alert"), "{path}");
    }
}
