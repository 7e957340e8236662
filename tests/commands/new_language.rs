//! `feedwright new` in a site with several languages.

use crate::support::small_site::{SmallSite, feedwright, site};

fn in_languages() -> SmallSite {
    let config = "base_url = \"https://example.org\"\n\n[languages]\ndefault = \"en\"\nothers = [\"de\", \"fr\"]\n";
    site().with("site.toml", config).with(
        "content/items/walk.md",
        "+++\nid = \"walk\"\nslug = \"walk\"\ntitle = \"Walk\"\ndate = 2026-01-02\n+++\nText.\n",
    )
}

fn new(site: &SmallSite, arguments: &[&str]) -> String {
    let (status, out, err) = feedwright(site, &[&["new"], arguments].concat());
    assert_eq!(status, 0, "{err}");
    out.trim().to_owned()
}

fn refused(site: &SmallSite, arguments: &[&str]) -> String {
    let (status, _, err) = feedwright(site, &[&["new"], arguments].concat());
    assert_ne!(status, 0);
    err
}

#[test]
fn a_new_text_is_next_to_others_or_in_the_folder_of_its_language() {
    let site = in_languages();
    assert_eq!(new(&site, &["item", "Ebbe", "--language", "de"]), "content/items/ebbe.de.md");
    assert!(site.read("content/items/ebbe.de.md").contains("slug = \"ebbe\"\ntitle = \"Ebbe\""));
    let folder = ["item", "Flut", "--language", "de-AT", "--folder", "--into", "2026"];
    assert_eq!(new(&site, &folder), "content/items/2026/flut/index.de.md");
    assert!(site.read("content/items/2026/flut/index.de.md").contains("language = \"de-AT\""));
    // The same slug is free in another language, but the same name would be a translation.
    let clash = refused(&site, &["item", "Ebbe", "--language", "fr"]);
    assert!(clash.contains("a translation of content/items/ebbe.de.md"), "{clash}");
    site.write("content/items/fr/a.md", "+++\ntitle = \"A\"\n+++\n");
    assert_eq!(new(&site, &["item", "Marée", "--language", "fr"]), "content/items/fr/marée.md");
    assert_eq!(new(&site, &["page", "Wir", "--language", "de"]), "content/pages/wir.de.md");
    let unknown = refused(&site, &["item", "Onda", "--language", "it"]);
    assert!(unknown.contains("the site has the languages en, de, fr, not \"it\""), "{unknown}");
    site.built();
}

#[test]
fn a_translation_starts_as_a_draft_with_the_original_text() {
    let site = in_languages();
    let translate = ["item", "Gang", "--language", "de", "--translate", "content/items/walk.md"];
    assert_eq!(new(&site, &translate), "content/items/walk.de.md");
    let text = site.read("content/items/walk.de.md");
    let rest = "slug = \"walk\"\ntitle = \"Gang\"\ndate = 2026-01-02\nstatus = \"unpublished\"\n+++\nText.\n";
    assert!(text.ends_with(rest) && !text.contains("id = \"walk\""), "{text}");
    let again = refused(&site, &translate);
    assert!(again.contains("content/items/walk.de.md already has this text in \"de\""), "{again}");
    let other = ["item", "--language", "fr", "--translate", "content/items/none.md"];
    assert!(refused(&site, &other).contains("content/items/none.md is not a file of the site"));
    assert!(
        refused(&site, &["item", "--translate", "content/items/walk.md"]).contains("--language")
    );
}

#[test]
fn a_site_with_one_language_states_another_in_the_front_matter() {
    let site = site();
    assert_eq!(new(&site, &["item", "Ebbe", "--language", "de"]), "content/items/ebbe.md");
    assert!(site.read("content/items/ebbe.md").contains("language = \"de\"\n"));
    let one = ["item", "x", "--language", "de", "--translate", "content/items/ebbe.md"];
    assert!(refused(&site, &one).contains("the site has one language"));
}
