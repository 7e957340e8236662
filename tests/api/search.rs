//! Search through the API. What the rules mean in every script is tested where the search lies.

use serde_json::{Value, json};

use crate::support::served::{Served, serve};
use crate::support::small_site::{SmallSite, site};

fn site_with_items() -> SmallSite {
    let items = [
        ("harbour", "published", "2026-01-01", "Harbour walk", "The ferry was late."),
        ("ferry", "unlisted", "2026-01-02", "A ferry", "We walk to the harbour, slowly."),
        (
            "draft",
            "unpublished",
            "2026-01-03",
            "Lighthouse",
            "A harbour light. <b>not markup</b> & more",
        ),
        ("tokyo", "published", "2026-01-04", "東京タワー", "夜の東京を歩く。"),
    ];
    let add = |site: SmallSite, (id, status, date, title, text): (&str, &str, &str, &str, &str)| {
        let file = format!(
            "+++\nid = \"{id}\"\ntitle = \"{title}\"\nstatus = \"{status}\"\ndate_published = {date}\n+++\n{text}\n"
        );
        site.with(&format!("content/items/{id}.md"), file)
    };
    items
        .into_iter()
        .fold(site(), add)
        .with("content/pages/about.md", "+++\ntitle = \"About the harbour\"\n+++\nA Page.\n")
}

fn url_encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn find_names(served: &Served, q: &str, more: &str) -> Vec<String> {
    let answer = served.read(&format!("/search/?q={}{more}", url_encode(q))).ok();
    let items = answer["items"].as_array().unwrap();
    let name = |item: &Value| match item["type"].as_str().unwrap() {
        "page" => format!("page {}", item["slug"].as_str().unwrap()),
        _ => item["id"].as_str().unwrap().to_owned(),
    };
    items.iter().map(name).collect()
}

fn sort_list(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

#[test]
fn every_matching_rule_applies() {
    let served = serve(site_with_items());
    for (q, ids) in [
        ("harbour", vec!["draft", "ferry", "harbour"]),
        ("HARBOUR walk", vec!["ferry", "harbour"]),
        ("walk nothing", vec![]),
        ("\"ferry was late\"", vec!["harbour"]),
        ("'ferry was late'", vec!["harbour"]),
        ("\"late ferry\"", vec![]),
        ("harbo", vec!["draft", "ferry", "harbour"]),
        ("harbor walk", vec!["harbour"]),
        ("lighthuose", vec!["draft"]),
        ("東京", vec!["tokyo"]),
        ("京を歩", vec!["tokyo"]),
        ("京タ 夜の", vec!["tokyo"]),
        ("東夜", vec![]),
        ("l", vec!["draft", "harbour"]),
        ("not markup", vec!["draft"]),
    ] {
        let all = sort_list(find_names(&served, q, ""));
        // One letter is the start of a word.
        match q {
            "l" => assert!(ids.iter().all(|id| all.contains(&(*id).to_owned())), "{all:?}"),
            _ => assert_eq!(all, ids, "{q}"),
        }
    }
    assert_eq!(find_names(&served, "harbour", "")[0], "harbour");
}

#[test]
fn each_parameter_filters_results() {
    let served = serve(site_with_items());
    let at = |date: &str| date.parse::<jiff::Timestamp>().unwrap().as_millisecond();
    let (first, second) = (at("2026-01-01T00:00:00Z"), at("2026-01-02T00:00:00Z"));
    for (more, expected) in [
        (String::new(), vec!["draft", "ferry", "harbour"]),
        ("&types=items".into(), vec!["draft", "ferry", "harbour"]),
        ("&types=pages".into(), vec!["page about"]),
        ("&types=items,pages".into(), vec!["draft", "ferry", "harbour", "page about"]),
        ("&types=pages,items".into(), vec!["draft", "ferry", "harbour", "page about"]),
        ("&fields=title".into(), vec!["harbour"]),
        ("&fields=content".into(), vec!["draft", "ferry"]),
        ("&fields=content,title".into(), vec!["draft", "ferry", "harbour"]),
        ("&status=published".into(), vec!["harbour"]),
        ("&status=unlisted,unpublished".into(), vec!["draft", "ferry"]),
        (format!("&date_published_ms_gt={first}"), vec!["draft", "ferry"]),
        (format!("&date_published_ms_gt={}", first - 1), vec!["draft", "ferry", "harbour"]),
        (format!("&date_published_ms_lt={second}"), vec!["harbour"]),
        (
            format!("&date_published_ms_gt={first}&date_published_ms_lt={}", second + 1),
            vec!["ferry"],
        ),
        ("&date_published_ms_gt=9007199254740991".into(), vec![]),
        ("&date_published_ms_lt=0".into(), vec![]),
    ] {
        assert_eq!(sort_list(find_names(&served, "harbour", &more)), expected, "{more}");
    }
}

#[test]
fn results_are_items_or_pages_with_highlights() {
    let served = serve(site_with_items());
    let answer = served.read("/search/?q=harbour&types=items,pages&fields=title,content").ok();
    for result in answer["items"].as_array().unwrap() {
        let mut content = result.clone();
        let object = content.as_object_mut().unwrap();
        let kind = object.remove("type").unwrap();
        let highlights = object.remove("highlights").unwrap();
        assert_eq!(highlights.as_object().unwrap().len(), 2);
        let joined = |field: &str| -> String {
            let segments = highlights[field].as_array().unwrap();
            segments
                .iter()
                .map(|segment| {
                    assert_eq!(segment.as_object().unwrap().len(), 2);
                    assert!(segment["matched"].is_boolean());
                    segment["text"].as_str().unwrap()
                })
                .collect()
        };
        assert_eq!(joined("title"), content["title"].as_str().unwrap());
        let matched: Vec<&str> = ["title", "content_text"]
            .into_iter()
            .flat_map(|field| highlights[field].as_array().unwrap())
            .filter(|segment| segment["matched"] == true)
            .map(|segment| segment["text"].as_str().unwrap())
            .collect();
        assert!(
            !matched.is_empty() && matched.iter().all(|text| text.eq_ignore_ascii_case("harbour")),
            "{matched:?}"
        );
        if kind == "item" {
            let id = content["id"].as_str().unwrap();
            assert_eq!(served.read(&format!("/items/{id}/")).ok()["items"][0], content);
        }
    }
    // Markup in a text is a text.
    let answer = served.read("/search/?q=lighthouse").ok();
    assert_eq!(answer["items"].as_array().unwrap().len(), 1);
}

#[test]
fn an_invalid_parameter_is_named() {
    let served = serve(site_with_items());
    let long = "x".repeat(201);
    let cursor = "x".repeat(2049);
    for (query, name) in [
        ("q=".to_owned(), "q"),
        (format!("q={long}"), "q"),
        ("q=%ff".to_owned(), "q"),
        ("q=a&types=".into(), "types"),
        ("q=a&types=item".into(), "types"),
        ("q=a&types=items,items".into(), "types"),
        ("q=a&types=items,pages,".into(), "types"),
        ("q=a&types=items, pages".replace(' ', "%20"), "types"),
        ("q=a&fields=text".into(), "fields"),
        ("q=a&fields=title,title".into(), "fields"),
        ("q=a&status=deleted".into(), "status"),
        ("q=a&status=published,published".into(), "status"),
        ("q=a&status=".into(), "status"),
        ("q=a&limit=0".into(), "limit"),
        ("q=a&limit=101".into(), "limit"),
        ("q=a&limit=x".into(), "limit"),
        ("q=a&next_cursor=".into(), "next_cursor"),
        ("q=a&next_cursor=x".into(), "next_cursor"),
        (format!("q=a&next_cursor={cursor}"), "next_cursor"),
        ("q=a&date_published_ms_gt=-1".into(), "date_published_ms_gt"),
        ("q=a&date_published_ms_gt=x".into(), "date_published_ms_gt"),
        ("q=a&date_published_ms_gt=9007199254740992".into(), "date_published_ms_gt"),
        ("q=a&date_published_ms_lt=1.5".into(), "date_published_ms_lt"),
        ("q=a&date_published_ms_lt=99999999999999999999".into(), "date_published_ms_lt"),
    ] {
        let error = served.read(&format!("/search/?{query}")).error(400);
        assert!(error.starts_with(&format!("{name}:")), "{query}: {error}");
    }
    for query in ["", "types=items"] {
        let error = served.read(&format!("/search/?{query}")).error(400);
        assert!(error.contains("`q`"), "{error}");
    }
    let longest = url_encode(&"語".repeat(200));
    for good in [
        format!("q={longest}"),
        "q=a&limit=100".into(),
        "q=a&limit=1".into(),
        "q=%20".into(),
        "q=%22".into(),
        "q=a*%28%29:AND%20OR".into(),
    ] {
        served.read(&format!("/search/?{good}")).ok();
    }
}

#[test]
fn results_are_paged_and_foreign_cursors_rejected() {
    let items = (0..45).fold(site(), |site, at| {
        site.with(
            &format!("content/items/i{at}.md"),
            format!("+++\nid = \"i{at}\"\ntitle = \"Common {at}\"\n+++\ncommon\n"),
        )
    });
    let served = serve(items);
    let first = served.read("/search/?q=common").ok();
    assert_eq!(first["items"].as_array().unwrap().len(), 20);
    let mut all = find_names(&served, "common", "");
    let mut cursor = first["next_cursor"].as_str().map(str::to_owned);
    while let Some(at) = cursor {
        let page = served.read(&format!("/search/?q=common&next_cursor={at}")).ok();
        all.extend(find_names(&served, "common", &format!("&next_cursor={at}")));
        cursor = page.get("next_cursor").map(|next| next.as_str().unwrap().to_owned());
    }
    let mut ids = sort_list(all);
    ids.dedup();
    assert_eq!(ids.len(), 45);
    let cursor = first["next_cursor"].as_str().unwrap();
    for other in [
        "q=other", "q=common&types=pages", "q=common&fields=title", "q=common&status=published",
        "q=common&date_published_ms_gt=1",
    ] {
        let error = served.read(&format!("/search/?{other}&next_cursor={cursor}")).error(400);
        assert!(error.starts_with("next_cursor:"), "{error}");
    }
    let of_feed = served.read("/feed/?limit=1").ok()["_service"]["items_next_cursor"].clone();
    served.read(&format!("/search/?q=common&next_cursor={}", of_feed.as_str().unwrap())).error(400);
    served.read(&format!("/search/?q=common&next_cursor={cursor}&limit=100")).ok();
    // It holds across a restart.
    let cursor = cursor.to_owned();
    let served = served.restarted();
    assert_eq!(
        find_names(&served, "common", &format!("&limit=100&next_cursor={cursor}")).len(),
        25
    );
}

#[test]
fn the_next_search_finds_new_items() {
    let served = serve(site_with_items());
    let id = served.post("/items/", &json!({ "title": "Zeppelin" })).ok()["id"].clone();
    let id = id.as_str().unwrap();
    assert_eq!(find_names(&served, "zeppelin", ""), [id]);
    for round in 0..20 {
        let word = format!("word{}", "abcdefghijklmnopqrst".chars().nth(round).unwrap());
        served.put(&format!("/items/{id}/"), &json!({ "content_markdown": word })).ok();
        assert_eq!(find_names(&served, &word, ""), [id]);
    }
    served.put(&format!("/items/{id}/"), &json!({ "status": "unpublished" })).ok();
    assert_eq!(find_names(&served, "zeppelin", "&status=unpublished"), [id]);
    served.delete(&format!("/items/{id}/")).ok();
    assert_eq!(find_names(&served, "zeppelin", ""), [""; 0]);
    // Also what an author saves.
    served
        .site
        .write("content/items/harbour.md", "+++\nid = \"harbour\"\ntitle = \"Airship\"\n+++\n");
    let start = std::time::Instant::now();
    while find_names(&served, "airship", "") != ["harbour"] {
        assert!(start.elapsed().as_secs() < 10);
    }
}

#[test]
fn constant_matches_are_found_once_across_changes() {
    let item = |id: &str, title: &str, text: &str| {
        format!("+++\nid = \"{id}\"\ntitle = \"{title}\"\n+++\n{text}\n")
    };
    let common =
        |at: usize| item(&format!("i{at}"), &format!("Common {at}"), &"common ".repeat(at % 5));
    let items =
        (0..30).fold(site(), |site, at| site.with(&format!("content/items/i{at}.md"), common(at)));
    let served = serve(items);
    let mut all = Vec::new();
    let mut query = "/search/?q=common&limit=7".to_owned();
    for page in 0.. {
        let answer = served.read(&query).ok();
        let ids = answer["items"].as_array().unwrap().iter();
        all.extend(ids.map(|item| item["id"].as_str().unwrap().to_owned()));
        let Some(cursor) = answer.get("next_cursor") else {
            break;
        };
        query = format!("/search/?q=common&limit=7&next_cursor={}", cursor.as_str().unwrap());
        // Another item, a longer text of one that was found and of one that was not, and one that is gone.
        let file = |id: &str| format!("content/items/{id}.md");
        let long = "other words of another kind ".repeat(50);
        served.site.write(&file(&format!("new{page}")), item(&format!("new{page}"), "Else", &long));
        for at in [page, 29 - page] {
            let text = format!("{long} common common");
            served.site.write(&file(&format!("i{at}")), item(&format!("i{at}"), "Common", &text));
        }
        served.site.remove(&file(&format!("i{}", 10 + page)));
    }
    let ids = sort_list(all.clone());
    let mut unique = ids.clone();
    unique.dedup();
    assert_eq!(unique, ids, "none twice");
    let pages = all.len().div_ceil(7);
    for at in (0..10).chain(10 + pages..30) {
        assert!(unique.contains(&format!("i{at}")), "i{at} of {unique:?}");
    }
}
