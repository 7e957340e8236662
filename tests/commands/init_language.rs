//! `init --language`: a new site in the language of its author.

use crate::support::program::{command, run};
use crate::support::small_site::bare;

#[test]
fn a_new_site_is_in_the_language_of_its_author() {
    let sites = bare();
    for (language, title, is_told) in [
        ("de-AT", "Seite nicht gefunden", false),
        ("fr", "Page introuvable", false),
        ("pt-PT", "Página não encontrada", false),
        ("pl", "Nothing here", true),
    ] {
        let folder = sites.path(language);
        let told = run(command().args(["init", "--language", language]).arg(&folder)).ok();
        let said = told.out + &told.err;
        assert_eq!(said.contains("example content is in English"), is_told, "{said}");
        let read = |name: &str| sites.read(&format!("{language}/{name}"));
        let channel = read("content/channel.md");
        assert!(channel.contains(&format!("language = \"{language}\"")), "{channel}");
        assert!(read("content/pages/404.md").contains(title), "{language}");
        run(command().arg("--site").arg(&folder).arg("check")).ok();
    }
}

#[test]
fn options_of_new_sites_are_refused_for_an_existing_site() {
    let site = bare().with("site.toml", "base_url = \"https://walks.example\"\n");
    for option in [["--template", "show"], ["--language", "de"]] {
        let told = run(command().args(["init", "--ci", "github"]).args(option).arg(site.root()));
        assert_eq!(told.code, Some(2), "{}", told.err);
        assert!(told.err.contains("remove --template and --language"), "{}", told.err);
    }
    assert!(!site.path(".github").exists());
}

#[test]
fn a_language_is_a_tag() {
    let told = run(command().args(["init", "--language", "Deutsch!"]).arg(bare().path("x")));
    assert_eq!(told.code, Some(2));
    assert!(told.err.contains("write a language tag such as de or pt-BR"), "{}", told.err);
}
