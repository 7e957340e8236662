//! Items that say the same in other languages lead to each other.

use crate::support::Site;

fn site(more: &[(&str, &str)]) -> Site {
    let site = Site::empty()
        .write("site.toml", "base_url = \"https://walks.example\"\n")
        .write(
            "content/channel.md",
            "+++\ntitle = \"Walks\"\nlanguage = \"en\"\n+++\n",
        );
    more.iter().fold(site, |site, (name, front)| {
        let text = format!(
            "+++\ntitle = {name:?}\nslug = {name:?}\ndate = 2026-01-05\n{front}\n+++\nText.\n"
        );
        site.write(&format!("content/items/{name}.md"), &text)
    })
}

#[test]
fn items_that_name_each_other_or_a_third_lead_to_each_other() {
    let output = site(&[
        ("hello", ""),
        ("hallo", "language = \"de\"\ntranslations = [\"hello\"]"),
        ("salut", "language = \"fr\"\ntranslations = [\"hello\"]"),
        ("alone", "language = \"ja\""),
    ])
    .build();
    let page = output.html("i/hallo/index.html");
    assert_eq!(page.texts(".also-in a"), ["English", "Français"]);
    assert_eq!(page.all(".also-in a", "href"), ["/i/hello/", "/i/salut/"]);
    let head = "link[rel=\"alternate\"][hreflang]";
    assert_eq!(page.all(head, "hreflang"), ["de", "en", "fr"]);
    let address = |name: &str| format!("https://walks.example/i/{name}/");
    assert_eq!(
        page.all(head, "href"),
        ["hallo", "hello", "salut"].map(address)
    );
    assert_eq!(
        output.html("i/hello/index.html").texts(".also-in a"),
        ["Deutsch", "Français"]
    );
    let alone = output.html("i/alone/index.html");
    assert!(alone.all(head, "href").is_empty() && alone.texts(".also-in").is_empty());
}

#[test]
fn a_translation_that_is_not_there_or_in_the_same_language_is_told() {
    let site = site(&[("a", "translations = [\"b\", \"gone\"]"), ("b", "")]);
    let warnings = site.build().outcome.warnings;
    let told: String = warnings.iter().map(|one| format!("{one}\n")).collect();
    assert!(
        told.contains("\"b\" is in the same language as this item"),
        "{told}"
    );
    assert!(told.contains("there is no item \"gone\""), "{told}");
    assert!(told.contains("content/items/a.md:5:"), "{told}");
}
