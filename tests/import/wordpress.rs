//! Exports of WordPress: what membership plugins hide, and what blocks and links show.

use serde_json::Value;

use crate::import::command::notes;
use crate::import::hidden_entries::{assert_hidden, import_and_publish, post, wordpress};

fn meta(key: &str, value: &str) -> String {
    format!(
        "<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value><![CDATA[{value}]]></wp:meta_value></wp:postmeta>"
    )
}

/// A public entry with a text.
fn entry(id: u32, title: &str, text: &str) -> String {
    post(id, title, "publish", "").replace("seen by all", &format!("seen by all {text}"))
}

fn import_entries(items: &[String]) -> (Value, String) {
    let (report, public, _) = import_and_publish("wordpress", "e.xml", &wordpress(&items.concat()));
    (report, public)
}

#[test]
fn membership_shortcodes_hide_their_content() {
    let codes = [
        "mepr-show rules=\"4\"",
        "mepr-active membership=\"5\"",
        "restrict paid=\"true\"",
        "is_paid",
        "user_has_access",
        "membership level=\"1\"",
        "membership",
        "wcm_restrict plans=\"gold\"",
        "um_loggedin",
        "um_show_content roles=\"member\"",
        "swpm_protected for=\"2\"",
        "wlm_ismember",
        "wlm_private \"Gold\"",
        "s2If current_user_can(access_s2member_level1)",
        "_s2If is_user_logged_in()",
        "patreon_content level=\"5\"",
        "MM_Member_Decision isMember=\"true\"",
        "members_access role=\"editor\"",
        "groups_can capability=\"read\"",
        "ihc-hide-content ihc_mb_who=\"1\"",
        "memb_has_any_tag tagid=\"1\"",
        "passster password=\"x\"",
        "emaillocker",
        "if user=\"admin\"",
        // Plugins that nobody has heard of, by what their attributes say.
        "backstage roles=\"editor\"",
        "lounge capability=\"read\"",
        "vault password=\"sesame\"",
    ];
    let items = codes.iter().enumerate().map(|(at, code)| {
        let name = code.split(' ').next().unwrap();
        entry(at as u32 + 1, &format!("T{at}"), &format!("[{code}]secret of T{at}[/{name}] after"))
    });
    let (report, public) = import_entries(&items.collect::<Vec<_>>());
    let titles: Vec<String> = (0..codes.len()).map(|at| format!("T{at}")).collect();
    let secrets: Vec<(&str, &str)> =
        titles.iter().map(|title| (&**title, "some visitors")).collect();
    assert_hidden(&report, &public, &secrets);
}

#[test]
fn public_shortcodes_and_blocks_are_kept() {
    let seen = [
        "[um_loggedout]seen-a[/um_loggedout]",
        "[wcm_nonmember]seen-b[/wcm_nonmember]",
        "[membership level=\"0\"]seen-c[/membership]",
        "<!-- wp:woocommerce-memberships/non-member-content --><p>seen-d</p><!-- /wp:woocommerce-memberships/non-member-content -->",
        "<!-- wp:acme/team-member {\"memberName\":\"Ida\",\"role\":\"captain\"} --><p>seen-e</p><!-- /wp:acme/team-member -->",
        "<!-- wp:acme/adaptive-gif {\"llms_visibility\":\"all\",\"UAGDisplayConditions\":\"none\"} --><p>seen-f</p><!-- /wp:acme/adaptive-gif -->",
        "<!-- wp:paragraph {\"metadata\":{\"blockVisibility\":{\"viewport\":{\"mobile\":false}}}} --><p>seen-g</p><!-- /wp:paragraph -->",
        "[[restrict]] seen-h",
        "[is_not_paid]seen-i[/is_not_paid]",
        "[groups_can_not capability=\"x\"]seen-j[/groups_can_not]",
        "[membership level=\"1,-2\"]seen-k[/membership]",
        "[members_access role=\"editor\" operator=\"!\"]seen-l[/members_access]",
        "<!-- wp:pmpro/membership {\"segment\":\"all\",\"invert_restrictions\":\"1\"} --><p>seen-m</p><!-- /wp:pmpro/membership -->",
    ];
    let (report, public) = import_entries(&[entry(1, "Open", &seen.concat())]);
    for letter in 'a'..='m' {
        assert!(public.contains(&format!("seen-{letter}")), "{letter} {report:#}");
    }
    for tag in ["um_loggedout", "membership level", "/membership]", "is_not_paid"] {
        assert!(!public.contains(tag), "{tag}");
    }
}

#[test]
fn conditional_blocks_are_not_imported() {
    let conditions = [
        "{\"metadata\":{\"blockVisibility\":false}}",
        "{\"metadata\":{\"blockVisibility\":{\"viewport\":{\"mobile\":false,\"tablet\":false,\"desktop\":false}}}}",
        "{\"blockVisibility\":{\"hideBlock\":true}}",
        "{\"llms_visibility\":\"enrolled\"}",
        "{\"um_is_restrict\":true,\"um_who_access\":1}",
        "{\"UAGDisplayConditions\":\"userstate\",\"UAGLoggedIn\":true}",
        "{\"conditionalBlocks\":[{\"type\":\"lockdown\"}]}",
    ];
    let items = conditions.iter().enumerate().map(|(at, values)| {
        let inner = format!("<!-- wp:paragraph --><p>secret of T{at}</p><!-- /wp:paragraph -->");
        let text = format!("<!-- wp:group {values} --><div>{inner}</div><!-- /wp:group -->");
        entry(at as u32 + 1, &format!("T{at}"), &text)
    });
    let (report, public) = import_entries(&items.collect::<Vec<_>>());
    let titles: Vec<String> = (0..conditions.len()).map(|at| format!("T{at}")).collect();
    let secrets: Vec<(&str, &str)> =
        titles.iter().map(|title| (&**title, "some visitors")).collect();
    assert_hidden(&report, &public, &secrets);
}

#[test]
fn a_membership_shortcode_hides_all_enclosed_blocks() {
    let block = |name: &str, inner: &str| format!("<!-- wp:{name} -->{inner}<!-- /wp:{name} -->");
    let secret = |title: &str| block("paragraph", &format!("<p>secret of {title}</p>"));
    let text = [
        // Tags in blocks of their own.
        block("shortcode", "[restrict]") + &secret("Between") + &block("shortcode", "[/restrict]"),
        // Tags in paragraphs; the part has a block that WordPress renders.
        block("paragraph", "<p>[restrict]</p>") + "<!-- wp:latest-posts /-->" + &secret("Between")
            + &block("paragraph", "<p>[/restrict]</p>"),
        // A tag in a group that goes on.
        block("group", &(block("paragraph", "<p>[restrict]</p>") + &secret("Between")))
            + &block("paragraph", "<p>[/restrict] seen behind</p>"),
        // A restricted block that goes on behind the tags.
        "[restrict]<!-- wp:acme/members-only -->[/restrict]<p>secret of Between</p><!-- /wp:acme/members-only -->"
            .to_owned(),
        block("paragraph", "<p>seen last</p>"),
    ];
    let (report, public) = import_entries(&[entry(1, "Between", &text.concat())]);
    assert_hidden(&report, &public, &[("Between", "some visitors")]);
    assert!(public.contains("seen behind") && public.contains("seen last"));
}

#[test]
fn entries_restricted_by_plugins_are_unpublished() {
    let fields = [
        ("_members_access_role", "editor"),
        ("rcp_user_level", "Subscriber"),
        ("rcp_access_level", "2"),
        ("_is_paid", "1"),
        ("_jetpack_newsletter_access", "paid_subscribers"),
        ("patreon-level", "5"),
        ("patreon-active-patrons-only", "1"),
        ("_llms_is_restricted", "yes"),
        ("arm_access_plan", "3"),
        ("groups-groups_read_post", "2"),
        ("groups-read", "4"),
        ("_acme_members_only", "on"),
    ];
    let mut items: Vec<String> = fields
        .iter()
        .enumerate()
        .map(|(at, (key, value))| {
            post(at as u32 + 10, &format!("F{at}"), "publish", &meta(key, value))
        })
        .collect();
    let open = [
        ("rcp_user_level", "All"),
        ("rcp_user_level", "a:1:{i:0;s:3:\"All\";}"),
        (
            "um_content_restriction",
            "a:2:{s:26:\"_um_custom_access_settings\";s:1:\"1\";s:14:\"_um_accessible\";s:1:\"1\";}",
        ),
        ("rcp_access_level", "None"),
        ("patreon-level", "0"),
        ("_jetpack_newsletter_access", "everybody"),
        ("_jetpack_memberships_contains_paywalled_content", "1"),
    ];
    let open: String = open.iter().map(|(key, value)| meta(key, value)).collect();
    items.push(post(1, "Open", "publish", &open).replace("secret of Open", "seen by all, open"));
    // A rule of MemberPress for one entry, and one for the children of another.
    let rule = |id, kind: &str, content: &str| {
        let values = meta("_mepr_rules_type", kind) + &meta("_mepr_rules_content", content);
        post(id, "Rule", "publish", &values)
            .replace("<wp:post_type>post<", "<wp:post_type>memberpressrule<")
    };
    items.push(rule(2, "single_post", "5"));
    items.push(rule(3, "parent_page", "6"));
    items.push(rule(4, "partial", "any"));
    items.push(post(5, "Single", "publish", " "));
    items.push(post(7, "Child", "publish", "<wp:post_parent>6</wp:post_parent>"));
    let (report, public) = import_entries(&items);
    let titles: Vec<String> = (0..fields.len()).map(|at| format!("F{at}")).collect();
    let mut secrets: Vec<(&str, &str)> =
        titles.iter().map(|title| (&**title, "for members")).collect();
    secrets.extend([("Single", "for members"), ("Child", "for members")]);
    assert_hidden(&report, &public, &secrets);
    assert!(public.contains("seen by all, open"));
}

#[test]
fn entries_with_unknown_plugin_rules_are_unpublished() {
    let of_kind = |kind: &str, values: &str| {
        post(9, "Plan", "publish", values)
            .replace("<wp:post_type>post<", &format!("<wp:post_type>{kind}<"))
    };
    let every = meta("_mepr_rules_type", "all");
    for (plugin, trace) in [
        ("WooCommerce Memberships", of_kind("wc_membership_plan", " ")),
        ("MemberPress", of_kind("memberpressrule", &every)),
        ("Paid Memberships Pro", entry(9, "Account", "[pmpro_account]")),
        ("Paid Memberships Pro", entry(9, "Account", "<!-- wp:pmpro/account-page /-->")),
        ("Simple Membership", entry(9, "Login", "[swpm_login_form]")),
        ("s2Member", entry(9, "Pay", "[s2Member-PayPal-Button level=\"1\" /]")),
        ("WishList Member", entry(9, "Hello", "[wlm_register level=\"1\"]")),
    ] {
        let public_here = meta("_wc_memberships_force_public", "yes");
        let free =
            post(2, "Free", "publish", &public_here).replace("secret of Free", "seen by all");
        let (report, public) = import_entries(&[entry(1, "Post", "secret of Post"), free, trace]);
        assert_hidden(&report, &public, &[("Post", plugin)]);
    }
}

#[test]
fn blocks_show_the_values_of_their_context() {
    let reusable = "<!-- wp:paragraph {\"metadata\":{\"name\":\"Para\",\"bindings\":{\"content\":{\"source\":\"core/pattern-overrides\"}}}} --><p class=\"x\">the default</p><!-- /wp:paragraph -->";
    let reusable = entry(3, "Reusable", reusable)
        .replace("seen by all ", "")
        .replace("<wp:post_type>post<", "<wp:post_type>wp_block<");
    let uses = |values: &str| format!("<!-- wp:block {{\"ref\":3{values}}} /-->");
    let own = uses(",\"content\":{\"Para\":{\"content\":\"the <em>own</em> text\",\"id\":\"x\"}}");
    let bound = "<!-- wp:paragraph {\"metadata\":{\"bindings\":{\"content\":{\"source\":\"core/post-meta\",\"args\":{\"key\":\"a\"}}}}} --><p>placeholder</p><!-- /wp:paragraph -->";
    let items =
        [reusable, entry(1, "Own", &own), entry(2, "Default", &uses("")), entry(4, "Bound", bound)];
    let (report, public, folder) =
        import_and_publish("wordpress", "e.xml", &wordpress(&items.concat()));
    let page = |name: &str| folder.read(&format!("new/content/items/{name}.md"));
    assert!(
        page("p1").contains("the *own* text") && !page("p1").contains("the default"),
        "{}",
        page("p1")
    );
    assert!(page("p2").contains("the default"));
    assert!(public.contains("placeholder"));
    let notes = notes(&report).join("\n");
    assert!(notes.contains("“Bound”: a block uses text from `core/post-meta`"), "{notes}");
    assert!(notes.contains("“Own”: this entry overrides `id`"), "{notes}");
}

#[test]
fn links_by_post_id_resolve_to_the_entry() {
    let links = "<a href=\"/?p=2\">one</a> <a href=\"https://tides.example/?page_id=2\">two</a> <a href=\"https://else.example/?p=2\">three</a> <a href=\"/?p=9\">four</a>";
    let items = [entry(1, "From", links), entry(2, "To", "")];
    let (_, _, folder) = import_and_publish("wordpress", "e.xml", &wordpress(&items.concat()));
    let page = folder.read("new/content/items/p1.md");
    assert!(page.contains("[one](p2.md) [two](p2.md)"), "{page}");
    assert!(page.contains("https://else.example/?p=2") && page.contains("?p=9"), "{page}");
}

#[test]
fn block_editor_footnotes_become_footnotes() {
    let text = "<!-- wp:paragraph --><p>One<sup data-fn=\"a-1\" class=\"fn\"><a href=\"#a-1\" id=\"a-1-link\">1</a></sup> two<sup data-fn=\"b-2\" class=\"fn\"><a id=\"b-2-link\" href=\"#b-2\">2</a></sup></p><!-- /wp:paragraph --><!-- wp:footnotes /--><!-- wp:paragraph --><p>After</p><!-- /wp:paragraph -->";
    let notes = "[{\"content\":\"First <em>note<\\/em>\",\"id\":\"a-1\"},{\"content\":\"Second\",\"id\":\"b-2\"}]";
    let item = entry(1, "Notes", text).replace("</item>", &(meta("footnotes", notes) + "</item>"));
    let (_, public, folder) =
        import_and_publish("wordpress", "e.xml", &wordpress(&[item].concat()));
    let page = folder.read("new/content/items/p1.md");
    let (_, body) = page.split_once("+++\n\n").unwrap();
    assert_eq!(
        body.trim(),
        "seen by all\n\nOne[^1] two[^2]\n\nAfter\n\n[^1]: First *note*\n\n[^2]: Second"
    );
    assert!(public.contains("<p>One<sup") && !public.contains("<p>One[^1]"));
}

#[test]
fn an_entry_without_a_type_follows_its_status() {
    let without_type = |item: String| item.replace("<wp:post_type>post</wp:post_type>", "");
    let items = [entry(1, "Seen", ""), without_type(post(2, "Draft", "draft", ""))];
    let (report, public) = import_entries(&items);
    assert_hidden(&report, &public, &[("Draft", "is a draft")]);
}

#[test]
fn category_and_tag_pages_and_feeds_redirect() {
    let category = |name: &str, parent: &str| {
        format!(
            "<wp:category><wp:category_nicename>{name}</wp:category_nicename><wp:category_parent>{parent}</wp:category_parent></wp:category>"
        )
    };
    let term = |domain: &str, slug: &str, name: &str| {
        format!("<category domain=\"{domain}\" nicename=\"{slug}\"><![CDATA[{name}]]></category>")
    };
    let terms = [
        term("category", "boats", "Boats"),
        term("category", "tugs", "Tugs"),
        term("post_tag", "%d0%bc%d0%be%d1%80%d0%b5", "Море"),
        term("series", "walks", "Walks"),
        // A category above itself.
        term("category", "loop", "Loop"),
    ];
    let with_terms =
        |item: String, terms: &str| item.replace("</item>", &format!("{terms}</item>"));
    let items = [
        with_terms(entry(1, "Seen", ""), &terms.concat()),
        with_terms(post(2, "Draft", "draft", ""), &term("category", "plans", "Plans")),
    ];
    let categories = [category("boats", ""), category("tugs", "boats"), category("loop", "loop")];
    let source = wordpress(&(categories.concat() + &items.concat()));
    let (report, public, folder) = import_and_publish("wordpress", "e.xml", &source);
    assert_hidden(&report, &public, &[("Draft", "is a draft")]);
    let redirects = folder.read("new/content/redirects.toml");
    for (from, to) in
        [("/category/boats/", "boats"), ("/category/boats/tugs/", "tugs"), ("/tag/море/", "море")]
    {
        let line = format!("\"{from}\" = \"/tags/{to}/\"");
        let feed = format!("\"{from}feed/\" = \"/tags/{to}/rss.xml\"");
        assert!(redirects.contains(&line) && redirects.contains(&feed), "{line}: {redirects}");
    }
    assert!(!redirects.contains("plans") && !redirects.contains("walks"), "{redirects}");
}
