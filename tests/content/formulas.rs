//! The fonts of formulas, which a site has only while a text of it has a formula.

use crate::support::served::serve;
use crate::support::small_site::{SmallSite, site};
use crate::support::wait;

const FORMULA: &str = "+++\nid = \"a\"\ntitle = \"a\"\n+++\nBy $e^{i\\pi} = -1$.\n";
const PLAIN: &str = "+++\nid = \"a\"\ntitle = \"a\"\n+++\nFor $5 or US$6.\n";

/// The files of formulas in the output, and whether the home page loads their style sheet.
fn formula_fonts(site: &SmallSite) -> (usize, bool) {
    site.built();
    let output = site.output();
    let names = output.keys().filter(|path| path.starts_with("assets/"));
    let of_formulas =
        names.filter(|path| path.contains("/math") || path.ends_with("/formulas.css"));
    let home = String::from_utf8_lossy(&output["index.html"]).into_owned();
    (of_formulas.count(), home.contains("formulas.css"))
}

#[test]
fn formula_fonts_are_published_only_with_formulas() {
    let site = site().item(PLAIN);
    assert_eq!(formula_fonts(&site), (0, false));
    site.write("content/items/a.md", FORMULA);
    assert_eq!(formula_fonts(&site), (4, true));
    site.write("content/items/a.md", PLAIN);
    assert_eq!(formula_fonts(&site), (0, false));
    for (path, text) in [
        ("content/pages/p.md", "+++\ntitle = \"p\"\n+++\n$$\\frac{a}{b}$$\n"),
        ("content/pages/p.html", "---\ntitle: p\n---\n<p><math><mi>x</mi></math></p>\n"),
        ("content/channel.md", "+++\ntitle = \"c\"\n+++\nAbout $x^2$.\n"),
        ("content/items/b.md", "+++\ntitle = \"b\"\n+++\n<math><mi>x</mi></math>\n"),
    ] {
        let before = site.exists(path).then(|| site.read(path));
        site.write(path, text);
        assert_eq!(formula_fonts(&site), (4, true), "{path}");
        match before {
            Some(before) => site.write(path, before),
            None => site.remove(path),
        }
        assert_eq!(formula_fonts(&site), (0, false), "{path}");
    }
}

/// Nothing public has the formula of a draft, and where formulas are off there is none.
#[test]
fn an_unpublished_formula_adds_no_font() {
    let draft = FORMULA.replace("title", "status = \"unpublished\"\ntitle");
    assert_eq!(formula_fonts(&site().item(draft)), (0, false));
    let off = "base_url = \"https://example.com\"\n[markdown]\nmath = false\n";
    assert_eq!(formula_fonts(&site().with("site.toml", off).item(FORMULA)), (0, false));
    let code = "+++\ntitle = \"a\"\n+++\n```\n$x^2$ <math>\n```\n";
    assert_eq!(formula_fonts(&site().item(code)), (0, false));
}

#[test]
fn a_formula_at_the_end_of_a_long_text_adds_fonts() {
    let long =
        format!("+++\ntitle = \"a\"\n+++\n{}\n\n$x^2$\n", "Words and words.\n\n".repeat(20_000));
    assert_eq!(formula_fonts(&site().item(long)), (4, true));
}

#[test]
fn a_preview_has_formula_fonts_while_a_formula_exists() {
    let served = serve(site().item(PLAIN));
    let home = served.get("/").text();
    let style = home.split("/assets/style.css").next().unwrap();
    let folder = style.rsplit("href=\"").next().unwrap().replace("&#x2F;", "/");
    let folder = folder.split_once("/assets/").unwrap().1;
    let font = format!("/assets/{folder}/assets/math.woff2");
    assert_eq!(served.get(&font).status, 404);
    served.site.write("content/items/a.md", FORMULA);
    // The server may hear of the write after the request.
    wait::until(|| served.get("/").text().contains("formulas.css"));
    assert_eq!(served.get(&font).status, 200);
    served.site.write("content/items/a.md", PLAIN);
    wait::until(|| !served.get("/").text().contains("formulas.css"));
    assert_eq!(served.get(&font).status, 404);
}
