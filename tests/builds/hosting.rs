//! What the build writes for static hosts. `tests/independent/hosts.sh` asks real servers.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use feedwright::builder::{Outcome, Silent, run};
use feedwright::model::{Config, HostingTarget, Languages, Redirect};
use feedwright::project::Options;
use feedwright::render::hosting::redirects_in_files;
use tempfile::TempDir;

/// A site of one item, one Page and the aliases of each.
struct Fixture(TempDir);

impl Fixture {
    fn new(base_url: &str, targets: &[&str], aliases: &[String]) -> Self {
        let folder = TempDir::new().unwrap();
        let write = |name: &str, text: String| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let hosting = format!("base_url = {base_url:?}\n[hosting]\ntargets = {targets:?}\n");
        write("site.toml", hosting);
        write("content/channel.md", "+++\ntitle = \"Walks\"\n+++\n".into());
        let item = format!(
            "+++\nid = \"walk1\"\ntitle = \"散歩\"\nslug = \"日本語の散歩\"\ndate_published = 2026-01-01T00:00:00Z\naliases = {aliases:?}\n+++\nA walk.\n"
        );
        write("content/items/walk.md", item);
        let page = "+++\ntitle = \"About\"\nslug = \"about\"\naliases = [\"who\"]\n+++\nMe.\n";
        write("content/pages/about.md", page.into());
        Self(folder)
    }

    fn unicode(base_url: &str, targets: &[&str]) -> Self {
        let aliases = [
            "first-name", "مرحبا-بالعالم", "/old post/été (1).html", "/2019/%E6%97%A5 a+b/",
            "/archive/no-slash", "/say \"hi\":*{1}/",
        ];
        Self::new(base_url, targets, &aliases.map(str::to_owned))
    }

    fn build(&self) -> Outcome {
        run(&Options::new(self.0.path()), &Silent).unwrap()
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join("public").join(name)).unwrap()
    }

    fn has(&self, name: &str) -> bool {
        Path::new(&self.0.path().join("public").join(name)).exists()
    }
}

const FILES: [(&str, &[&str]); 8] = [
    ("netlify", &["_redirects", "_headers"]),
    ("cloudflare-pages", &["_redirects", "_headers"]),
    ("github-pages", &[".nojekyll", "i/walk1/index.html"]),
    ("vercel", &["vercel.json"]),
    ("nginx", &["feedwright.nginx.conf"]),
    ("caddy", &["feedwright.caddy"]),
    ("apache", &[".htaccess"]),
    ("", &[]),
];

#[test]
fn each_host_has_its_own_file_format() {
    for (target, files) in FILES.into_iter().filter(|(target, _)| !target.is_empty()) {
        assert!(HostingTarget::parse(target).is_some());
        for (place, base_url) in [("", "https://a.example"), ("_below", "https://a.example/blog")] {
            let site = Fixture::unicode(base_url, &[target]);
            site.build();
            for file in files {
                let name = file.replace(['/', '.'], "_");
                insta::assert_snapshot!(format!("{target}{place}_{name}"), site.file(file));
            }
        }
    }
}

#[test]
fn a_former_path_no_host_can_match_is_reported() {
    let aliases = ["/?p=12", "/about", "/feed.json", "/rss/", "/a/../b", "/fine/"];
    let site = Fixture::new("https://a.example", &["nginx"], &aliases.map(str::to_owned));
    let outcome = site.build();
    let messages: Vec<String> = outcome
        .warnings
        .iter()
        .map(|warning| warning.message.clone())
        .filter(|message| message.contains("former path"))
        .collect();
    assert_eq!(messages.len(), 5, "{messages:?}");
    let nginx = site.file("feedwright.nginx.conf");
    assert!(nginx.contains("location = \"/fine/\""));
    assert!(!nginx.contains("location = \"/\"") && !nginx.contains("location = \"/about\""));
}

fn many_former_paths() -> Vec<String> {
    (1..=10_000).map(|n| format!("/was/{n:05}/")).collect()
}

#[test]
fn redirects_beyond_a_host_s_limit_become_pages() {
    let redirects: Vec<Redirect> = many_former_paths()
        .into_iter()
        .map(|from| Redirect { from, to: "/i/walk/".into() })
        .collect();
    let in_files = |targets: &[HostingTarget], others: &[&str]| {
        let others = others.iter().map(|tag| (*tag).to_owned()).collect();
        let languages = Languages { default: Some("en".into()), others, ..Languages::default() };
        let config = Config { hosting: targets.to_vec(), languages, ..Config::default() };
        redirects_in_files(&config, &redirects).into_iter().cloned().collect::<Vec<_>>()
    };
    for (target, read) in [
        (HostingTarget::Netlify, 10_000),
        (HostingTarget::CloudflarePages, 1_998),
        (HostingTarget::Vercel, 2_000),
        (HostingTarget::Apache, 1_000),
        (HostingTarget::Nginx, 10_000),
        (HostingTarget::Caddy, 10_000),
        (HostingTarget::GithubPages, 0),
    ] {
        let pages = in_files(&[target], &[]);
        assert_eq!(pages.len(), 10_000 - read, "{target:?}");
        assert_eq!(pages.first(), redirects.get(read), "{target:?}");
    }
    assert_eq!(in_files(&[], &[]).len(), 10_000);
    // Both hosts read one file, in which each redirect has a line for either.
    let both = [HostingTarget::Netlify, HostingTarget::CloudflarePages];
    assert_eq!(in_files(&both, &[]).len(), 10_000 - 998);
    // Each language has two alternative paths of feeds.
    assert_eq!(in_files(&[HostingTarget::CloudflarePages], &["de", "fr"]).len(), 10_000 - 1_994);
}

#[test]
fn cloudflare_accepts_every_written_redirect() {
    let long = "あ".repeat(80);
    let mut aliases = many_former_paths();
    aliases.extend([format!("/{long}/"), long]);
    let site = Fixture::new("https://a.example", &["cloudflare-pages"], &aliases);
    site.build();
    let rules = site.file("_redirects");
    let dynamic = |line: &&str| line.split(' ').next().unwrap().contains(':');
    let first_dynamic = rules.lines().position(|line| dynamic(&line)).unwrap();
    assert!(first_dynamic <= 2_000);
    assert!(rules.lines().skip(first_dynamic).count() <= 100);
    assert!(rules.lines().all(|line| line.len() <= 1_000));
    assert!(site.file("_headers").lines().filter(|line| line.starts_with('/')).count() <= 100);
}

#[test]
fn redirects_override_pages_on_netlify() {
    let alone = Fixture::unicode("https://a.example", &["netlify"]);
    alone.build();
    assert!(!alone.file("_redirects").contains('!'));
    let beside = Fixture::unicode("https://a.example", &["netlify", "github-pages"]);
    beside.build();
    assert!(beside.file("_redirects").lines().all(|line| line.ends_with('!')));
    assert!(beside.has("i/walk1/json/index.html"));
}
