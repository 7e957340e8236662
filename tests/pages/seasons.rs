//! The pages of seasons.

use feedwright::builder::{self, Silent};

use crate::content::errors::site_with_theme;
use crate::support::small_site::{SmallSite, site};

const FEED: &str = "|{{#season_page}}{{number}}:{{name}}:{{text}}:{{{url}}};{{/season_page}}\
    {{#items}}{{title}} {{{_service.podcast.season.page_url}}},{{/items}}\
    |{{#seasons}}{{number}}={{count}} {{name}}{{#is_current}}!{{/is_current}};{{/seasons}}|";

fn add_episode(site: SmallSite, name: &str, day: u8, season: &str) -> SmallSite {
    site.with(
        &format!("content/items/{name}.md"),
        format!(
            "+++\ntitle = \"{name}\"\nslug = \"{name}\"\ndate = 2025-01-{day:02}\n{season}\n+++\n"
        ),
    )
}

/// A page of a list: its items, and the seasons that it names.
fn page(site: &SmallSite, path: &str) -> [String; 2] {
    builder::run(&site.options(), &Silent).unwrap();
    let page = site.read(&format!("public/{path}index.html"));
    let mut parts = page.split('|').skip(1).map(str::to_owned);
    std::array::from_fn(|_| parts.next().unwrap())
}

fn sample_show() -> SmallSite {
    let site = site_with_theme().with("themes/mine/feed.html", FEED);
    let site = add_episode(site, "a", 1, "podcast.season = 2");
    let site = add_episode(site, "b", 2, "podcast.season = { number = 2, name = \"The sea\" }");
    let site = add_episode(site, "c", 3, "itunes.season = 10");
    add_episode(site, "d", 4, "")
}

#[test]
fn a_season_has_a_page_that_starts_with_its_first_episode() {
    let site = sample_show();
    let seasons = "2=2 The sea;10=1 ;";
    let home = "d ,c /season/10/,b /season/2/,a /season/2/,";
    assert_eq!(page(&site, ""), [home, seasons]);
    assert_eq!(
        page(&site, "season/2/"),
        ["2:The sea:Season 2:/season/2/;a /season/2/,b /season/2/,", "2=2 The sea!;10=1 ;"]
    );
    let html = site.read("public/season/2/index.html");
    assert!(html.contains("<title>Season 2: The sea"), "{html}");
    let config = site.read("site.toml");
    let site =
        site.with("site.toml", format!("{config}[feed]\norder = \"asc\"\nitems_per_page = 1\n"));
    assert!(page(&site, "season/2/")[0].ends_with(";a /season/2/,"));
    assert!(page(&site, "season/2/page/2/")[0].ends_with(";b /season/2/,"));
    let site = site.with("site.toml", format!("{config}[feed]\nitems_per_page = 1\n"));
    assert!(page(&site, "season/2/")[0].ends_with(";a /season/2/,"));
    assert!(page(&site, "season/2/page/2/")[0].ends_with(";b /season/2/,"));
}

#[test]
fn season_pages_are_added_removed_and_renamed() {
    let site = sample_show();
    page(&site, "");
    let site = add_episode(site, "b", 2, "podcast.season = { number = 2, name = \"Land\" }");
    assert_eq!(page(&site, "season/2/")[1], "2=2 Land!;10=1 ;");
    let site = add_episode(site, "b", 2, "podcast.season = 2");
    assert_eq!(page(&site, "season/2/")[1], "2=2 !;10=1 ;");
    let site = site.without("content/items/c.md");
    assert_eq!(page(&site, "season/2/")[1], "");
    assert!(!site.path("public/season/10").exists());
}

#[test]
fn season_pages_need_a_template_and_can_be_disabled() {
    let site = add_episode(site_with_theme(), "a", 1, "podcast.season = 2");
    builder::run(&site.options(), &Silent).unwrap();
    assert!(!site.path("public/season").exists());
    let site = sample_show();
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}[output]\nseasons = false\n"));
    assert_eq!(page(&site, ""), ["d ,c ,b ,a ,", ""]);
    assert!(!site.path("public/season").exists());
}

#[test]
fn conflicting_season_names_and_episode_numbers_are_warnings() {
    let named = |name: &str, number: u8| {
        format!("podcast.season = {{ number = 2, name = \"{name}\" }}\npodcast.episode = {number}")
    };
    let site = add_episode(site(), "a", 1, &named("The sea", 1));
    let site = add_episode(site, "b", 2, &named("The See", 2));
    let site = add_episode(site, "c", 3, &named("The sea", 2));
    let bonus = format!("{}\nitunes.episodeType = \"bonus\"", named("The sea", 1));
    let site = add_episode(site, "d", 4, &bonus);
    let german = format!("{}\nlanguage = \"de\"", named("Das Meer", 1));
    let site = add_episode(site, "e", 5, &german);
    let found = builder::check(&site.options(), &Silent).report.sorted();
    let told: String = found.iter().map(|one| format!("{one}\n")).collect();
    assert_eq!(told.matches("season 2 ").count(), 2, "{told}");
    assert!(told.contains("season 2 has an episode 2 already"), "{told}");
    assert!(told.contains("\"The See\""), "{told}");
}
