//! Tests of Ghost's exports, documents and cards.

use feeds::{Feed, Item, Text};
use proptest::prelude::*;
use serde_json::{Value, json};

fn export(post: Value) -> Feed {
    let whole = json!({ "db": [{ "meta": {}, "data": { "posts": [post] } }] });
    feeds::ghost::export(whole.to_string().as_bytes(), Some("https://tides.example/")).unwrap()
}

fn item(post: Value) -> Item {
    export(post).items.into_iter().next().unwrap()
}

fn text(post: Value) -> String {
    match item(post).content {
        Some(Text::Html(html)) => html,
        other => panic!("{other:?}"),
    }
}

fn html(html: &str) -> String {
    text(json!({ "id": "a1", "status": "published", "html": html }))
}

fn lexical(children: Value) -> String {
    let document = json!({ "root": { "children": children } });
    text(json!({ "id": "a1", "status": "published", "lexical": document.to_string() }))
}

#[test]
fn rendered_cards_are_converted_to_plain_html() {
    for (card, plain) in [
        (
            "<div class=\"kg-card kg-callout-card\"><div class=\"kg-callout-emoji\">🌊</div><div class=\"kg-callout-text\">Mind &lt;it&gt;</div></div>",
            "<blockquote><p>🌊</p><p>Mind &lt;it&gt;</p></blockquote>",
        ),
        (
            "<div class=\"kg-card kg-toggle-card\"><div class=\"kg-toggle-heading\"><h4 class=\"kg-toggle-heading-text\">How</h4><button class=\"kg-toggle-card-icon\"><svg></svg></button></div><div class=\"kg-toggle-content\"><p>So</p></div></div>",
            "<details><summary>How</summary><p>So</p></details>",
        ),
        (
            "<figure class=\"kg-card kg-bookmark-card\"><a class=\"kg-bookmark-container\" href=\"https://a.example/?b=1&amp;c=2\"><div class=\"kg-bookmark-title\">A</div><span class=\"kg-bookmark-author\">Ann</span></a><figcaption>There</figcaption></figure>",
            "<p><a href=\"https://a.example/?b=1&amp;c=2\">A</a></p><p>Ann</p><p>There</p>",
        ),
        (
            "<div class=\"kg-card kg-audio-card\"><div class=\"kg-audio-player-container\"><audio src=\"__GHOST_URL__/a.mp3\" preload=\"metadata\"></audio><div class=\"kg-audio-title\">Horn</div><div class=\"kg-audio-player\">0:00<input type=\"range\"></div></div></div>",
            "<div class=\"kg-card kg-audio-card\"><div class=\"kg-audio-player-container\"><audio preload=\"metadata\" src=\"https://tides.example/a.mp3\" controls></audio><p>Horn</p></div></div>",
        ),
        ("<p>No cards, <b>as is</b></p>", "<p>No cards, <b>as is</b></p>"),
    ] {
        assert_eq!(html(card), plain);
    }
}

#[test]
fn editor_documents_are_converted_to_html() {
    let text_node = |text: &str, format: u64| json!({ "type": "extended-text", "text": text, "format": format });
    assert_eq!(
        lexical(json!([
            { "type": "paragraph", "children": [text_node("a < b", 0), text_node("both", 3), { "type": "linebreak" }, text_node("code", 16)] },
            { "type": "extended-heading", "tag": "h3", "children": [text_node("Head", 0)] },
            { "type": "list", "listType": "number", "children": [{ "type": "listitem", "children": [text_node("one", 0)] }] },
            { "type": "image", "src": "a.jpg", "alt": "A \"b\"", "caption": "<i>c</i>" },
            { "type": "something-new", "heading": "New", "text": "Words" },
            { "type": "a-box", "children": [{ "type": "paragraph", "children": [text_node("In it", 0)] }] },
        ])),
        "<p>a &lt; b<em><strong>both</strong></em><br><code>code</code></p><h3>Head</h3><ol><li>one</li></ol>\
         <figure><img src=\"a.jpg\" alt=\"A &quot;b&quot;\"><figcaption><i>c</i></figcaption></figure><h2>New</h2><p>Words</p><p>In it</p>"
    );
    let mobiledoc = json!({ "version": "0.3.1", "markups": [["strong"], ["a", ["href", "https://a.example/"]]], "atoms": [["soft-return", "", {}]],
        "cards": [["markdown", { "markdown": "*m*" }]], "sections": [[1, "h2", [[0, [0, 1], 1, "both"], [0, [], 1, "link"], [1, [], 0, 0], [0, [], 0, "rest"]]], [10, 0]] });
    assert_eq!(
        text(
            json!({ "id": "a1", "status": "draft", "html": null, "mobiledoc": mobiledoc.to_string() })
        ),
        "<h2><strong><a href=\"https://a.example/\">both</a>link</strong><br>rest</h2><p><em>m</em></p>\n"
    );
}

#[test]
fn posts_that_are_not_public_become_drafts() {
    for (post, is_draft) in [
        (json!({ "status": "published", "visibility": "public" }), false),
        (json!({ "status": "scheduled" }), true),
        (json!({ "status": "something new" }), true),
        (json!({ "status": "draft" }), true),
        (json!({ "status": "published", "visibility": "members" }), true),
        (json!({ "status": "sent" }), true),
        (json!({ "status": "published", "email_only": 1 }), true),
    ] {
        let stored = item(post.clone()).stored.unwrap();
        assert_eq!(stored.hidden.is_some(), is_draft, "{post}");
    }
}

#[test]
fn members_only_content_is_removed() {
    let gated = "<p>all</p><!--kg-gated-block:begin nonMember:false memberSegment:\"status:free\" --><p>paid</p><!--kg-gated-block:end-->\
        <!--kg-gated-block:begin nonMember:false memberSegment:\"label:nonMember:true\" --><p>some</p><!--kg-gated-block:end-->\
        <!--kg-gated-block:begin nonMember:true memberSegment:\"\" --><p>seen</p><!--kg-gated-block:end--><p>end</p><!--members-only--><p>rest</p>";
    assert_eq!(
        text(json!({ "id": "a1", "status": "published", "html": gated })),
        "<p>all</p><p>seen</p><p>end</p>"
    );
    let hidden = json!([
        { "type": "email", "html": "<p>letter</p>" },
        { "type": "html", "html": "<p>paid</p>", "visibility": { "web": { "nonMember": false } } },
        { "type": "html", "html": "<p>all</p>", "visibility": { "web": { "nonMember": true } } },
    ]);
    assert_eq!(lexical(hidden), "<p>all</p>");
}

#[test]
fn email_only_cards_are_removed() {
    for visibility in [
        json!({ "web": { "nonMember": false, "memberSegment": "status:free" } }),
        json!({ "showOnWeb": false, "showOnEmail": true, "segment": "" }),
        json!({ "emailOnly": true, "segment": "" }),
    ] {
        let card = json!([{ "type": "html", "html": "<p>secret</p>", "visibility": visibility }]);
        assert!(!lexical(card).contains("secret"), "{visibility}");
    }
    for visibility in [json!({ "showOnWeb": true }), json!({ "emailOnly": false })] {
        let shown = json!([{ "type": "html", "html": "<p>seen</p>", "visibility": visibility }]);
        assert!(lexical(shown).contains("seen"));
    }
}

/// Returns every card of Ghost's editors: its name, its fields, and whether visitors who are not
/// members see it.
fn cards() -> Vec<(&'static str, Value, bool)> {
    let secret = "<p>secret</p>";
    vec![
        ("audio", json!({ "src": "seen.mp3", "title": "Horn" }), true),
        ("bookmark", json!({ "url": "https://a.example/", "metadata": { "title": "seen" } }), true),
        ("button", json!({ "buttonText": "seen", "buttonUrl": "/b/" }), true),
        (
            "call-to-action",
            json!({ "textValue": "<p>seen</p>", "hasSponsorLabel": true, "sponsorLabel": "<p>seen</p>" }),
            true,
        ),
        ("callout", json!({ "calloutText": "seen", "calloutEmoji": "!" }), true),
        ("codeblock", json!({ "code": "seen" }), true),
        ("email", json!({ "html": secret }), false),
        ("email-cta", json!({ "html": secret, "segment": "status:free" }), false),
        ("embed", json!({ "url": "https://a.example/seen", "html": "" }), true),
        ("file", json!({ "src": "seen.pdf", "fileName": "seen.pdf" }), true),
        ("gallery", json!({ "images": [{ "src": "seen.jpg", "href": "/b/" }] }), true),
        ("header", json!({ "header": "seen", "subheader": "more" }), true),
        ("horizontalrule", json!({}), true),
        ("html", json!({ "html": "<p>seen</p>" }), true),
        ("image", json!({ "src": "seen.jpg" }), true),
        ("markdown", json!({ "markdown": "seen" }), true),
        (
            "product",
            json!({ "productTitle": "seen", "productRatingEnabled": true, "productStarRating": 4 }),
            true,
        ),
        ("signup", json!({ "header": "seen", "buttonText": "Subscribe" }), true),
        ("toggle", json!({ "heading": "seen", "content": "<p>seen</p>" }), true),
        ("transistor", json!({ "accentColor": "#fff" }), false),
        ("video", json!({ "src": "seen.mp4" }), true),
        ("polls", json!({ "options": ["one", "two"] }), false),
    ]
}

#[test]
fn every_card_is_converted_or_reported() {
    for (name, fields, is_seen) in cards() {
        let mut node = fields.clone();
        node["type"] = name.into();
        let document = json!({ "root": { "children": [node] } });
        let mobile =
            json!({ "version": "0.3.1", "cards": [[name, fields]], "sections": [[10, 0]] });
        for (key, document) in [("lexical", document), ("mobiledoc", mobile)] {
            let item =
                item(json!({ "id": "a1", "status": "published", key: document.to_string() }));
            let messages = item.invalid_values.messages().join("\n");
            let Some(Text::Html(html)) = item.content else { panic!("{name}") };
            assert!(!html.contains("secret"), "{name}");
            assert_eq!(html.is_empty(), !is_seen, "{name}: {html}");
            assert_eq!(messages.contains(&format!("`{name}`")), !is_seen, "{name}: {messages}");
        }
    }
}

#[test]
fn card_details_are_preserved() {
    let of = |name: &str| {
        let (name, mut fields, _) = cards().into_iter().find(|card| card.0 == name).unwrap();
        fields["type"] = name.into();
        lexical(json!([fields]))
    };
    assert!(of("gallery").contains("<a href=\"/b/\"><img"));
    assert!(of("product").contains("4/5"));
    assert_eq!(of("call-to-action"), "<p>seen</p><p>seen</p>");
    assert_eq!(of("signup"), "<h2>seen</h2>");
    let off = json!([{ "type": "header", "header": "seen", "buttonEnabled": false, "buttonText": "Old", "buttonUrl": "/b/" }]);
    assert_eq!(lexical(off), "<h2>seen</h2>");
    let list = json!([{ "type": "list", "listType": "number", "start": 4, "children": [] }]);
    assert_eq!(lexical(list), "<ol start=\"4\"></ol>");
}

#[test]
fn text_behind_a_paywall_is_removed_and_reported() {
    let document = json!({ "root": { "children": [
        { "type": "paragraph", "children": [{ "type": "text", "text": "seen" }] },
        { "type": "paywall" },
        { "type": "html", "html": "<p>secret</p>" },
        { "type": "paragraph", "children": [{ "type": "text", "text": "secret" }] },
    ] } });
    let mobiledoc = json!({ "version": "0.3.1", "cards": [["paywall", {}]],
        "sections": [[1, "p", [[0, [], 0, "seen"]]], [10, 0], [1, "p", [[0, [], 0, "secret"]]]] });
    for (key, document) in [("lexical", document), ("mobiledoc", mobiledoc)] {
        let of =
            |status: &str| item(json!({ "id": "a1", "status": status, key: document.to_string() }));
        let public = of("published");
        assert_eq!(public.content, Some(Text::Html("<p>seen</p>".to_owned())));
        assert!(public.invalid_values.messages()[0].contains("paywall"));
        // A draft keeps its parts for members, because it is not public.
        let draft = format!("{:?}", of("draft").content);
        assert!(draft.contains("secret"), "{draft}");
    }
}

#[test]
fn every_entry_keeps_its_own_message() {
    let card = json!({ "root": { "children": [{ "type": "email", "html": "<p>letter</p>" }] } });
    let posts: Vec<Value> = (0..150)
        .map(|at| json!({ "id": format!("a{at}"), "status": "published", "lexical": card.to_string() }))
        .collect();
    let whole = json!({ "db": [{ "data": { "posts": posts } }] });
    let feed = feeds::ghost::export(whole.to_string().as_bytes(), None).unwrap();
    assert!(feed.items.iter().all(|item| !item.invalid_values.messages().is_empty()));
}

#[test]
fn an_invalid_export_is_an_error() {
    for text in ["", "[]", "{}", "{\"db\": []}", "{\"data\": {}}", "<rss/>"] {
        let error = feeds::ghost::export(text.as_bytes(), None).unwrap_err();
        assert!(error.message.contains("not a Ghost export"), "{text}: {error}");
    }
    let odd = item(json!({ "id": "a1", "title": "Odd", "lexical": "no JSON" }));
    assert!(odd.invalid_values.messages()[0].contains("cannot be read"));
}

/// Generates a random node of a document.
fn node() -> impl Strategy<Value = Value> {
    let word = "[a-z<&\"]{3,12}";
    let leaf = prop_oneof![
        (word, 0_u64..256).prop_map(|(text, format)| json!({ "type": "text", "text": text, "format": format })),
        (word, word).prop_map(|(a, b)| json!({ "type": "toggle", "heading": a.replace(['<', '&'], ""), "content": b.replace(['<', '&'], "") })),
        (word, word).prop_map(|(a, b)| json!({ "type": "codeblock", "code": a, "caption": b.replace(['<', '&'], "") })),
        (word, word).prop_map(|(a, b)| json!({ "type": "bookmark", "url": "u", "metadata": { "title": a, "description": b } })),
        (word, word).prop_map(|(a, b)| json!({ "type": "button", "buttonUrl": a, "buttonText": b })),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        (
            prop::sample::select(vec![
                "paragraph", "list", "listitem", "quote", "link", "heading", "new-box",
            ]),
            prop::collection::vec(inner, 0..5),
        )
            .prop_map(|(kind, children)| json!({ "type": kind, "url": "u", "children": children }))
    })
}

/// Collects all strings that an author wrote.
fn collect_words(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(keys) => {
            for (key, value) in keys {
                if key != "type" && key != "url" && key != "buttonUrl" {
                    collect_words(value, found);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect_words(value, found)),
        Value::String(text) => found.push(text.clone()),
        _ => {}
    }
}

proptest! {
    #[test]
    fn conversion_keeps_every_word_of_a_document(nodes in prop::collection::vec(node(), 0..6)) {
        let mut all = Vec::new();
        collect_words(&Value::from(nodes.clone()), &mut all);
        let html = lexical(nodes.into());
        for word in all.iter().map(|word| word.trim().replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")) {
            let plain = word.replace("&quot;", "\"");
            prop_assert!(html.contains(&word) || html.contains(&plain), "{} in {}", word, html);
        }
    }

    #[test]
    fn conversion_keeps_every_word_of_rendered_html(parts in prop::collection::vec(
        ("[a-z]{3,9}", prop::sample::select(vec!["kg-callout-text", "kg-toggle-heading-text", "kg-bookmark-title", "kg-file-card-caption", "kg-header-card", "my-own"]),
            prop::sample::select(vec!["p", "div", "span", "figure", "button", "a"])), 0..20),
        ends in prop::collection::vec(any::<bool>(), 20)) {
        let mut html = String::from("<div class=\"kg-card\">");
        let mut open = Vec::new();
        for ((word, class, tag), is_end) in parts.iter().zip(ends) {
            html += &format!("<{tag} class=\"{class}\">{word}&amp;");
            open.push(*tag);
            if is_end && let Some(tag) = open.pop() {
                html += &format!("</{tag}>");
            }
        }
        let plain = self::html(&html);
        for (word, _, _) in &parts {
            prop_assert!(plain.contains(&format!("{word}&amp;")), "{} in {}", word, plain);
        }
    }

    #[test]
    fn any_api_response_is_read_without_a_panic(text in "\\PC{0,60}", html in "(<[a-z/]{1,4}( class=\"kg-[a-z-]{1,9}\")?>|[a-z&;]{0,4}){0,12}") {
        let _ = feeds::ghost::export(text.as_bytes(), None);
        let _ = self::html(&html);
        let value: Value = json!({ "id": 1, "podcast_id": 2, "results": text.clone(), "chapters": [text.clone(), { "start": text.clone() }],
            "transcript": [{ "start": text }], "type": "post" });
        let mut item = Item::default();
        let _ = feeds::castopod::episode(value.clone());
        let _ = feeds::microfeed::page(value.clone());
        let _ = feeds::podlove::post(value.clone());
        let _ = feeds::podlove::chapters(value.clone(), &mut item);
        let _ = feeds::podlove::transcript(value.clone(), &mut item);
        let _ = feeds::podlove::episode(value, &mut item);
    }
}
