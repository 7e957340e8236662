//! What was said, in the pages of items.

use crate::support::Site;

const PAGE: &str = "i/talk/index.html";

/// A site whose item `talk` has these transcripts, as front matter lists them.
fn site(files: &[(&str, &str)], listed: &str) -> Site {
    let item = format!(
        "+++\nid = \"talk00000001\"\ntitle = \"Talk\"\nslug = \"talk\"\ndate_published = \"2026-03-01T10:00:00Z\"\nlanguage = \"de\"\n\n\
         [podcast]\ntranscripts = [{listed}]\n+++\nNotes.\n"
    );
    let site = Site::fixture("small-site").write("content/items/talk/index.md", &item);
    files
        .iter()
        .fold(site, |site, (name, text)| site.write(&format!("content/items/talk/{name}"), text))
}

fn transcript_html(page: &str) -> &str {
    let start = page.find("<section class=\"part said\"");
    start.map_or("", |start| &page[start..start + page[start..].find("</section>").unwrap()])
}

#[test]
fn the_cues_of_each_format_are_shown_with_their_times() {
    let line = "<b class=\"speaker\"><bdi>Ana</bdi></b><a class=\"at\" href=\"#t=83\">1:23</a> <span data-start=\"83.5\">Harbour &lt;b&gt; lights.</span>";
    for (name, text) in [
        ("a.vtt", "WEBVTT\n\n01:23.500 --> 01:25.000\n<v Ana>Harbour &lt;b&gt; lights.\n"),
        ("a.srt", "1\n00:01:23,500 --> 00:01:25,000\nAna: Harbour &lt;b&gt; lights.\n"),
        (
            "a.json",
            r#"{"segments":[{"speaker":"Ana","startTime":83.5,"endTime":85,"body":"Harbour <b> lights."}]}"#,
        ),
    ] {
        let output = site(&[(name, text)], &format!("\"{name}\"")).build();
        let page = output.text(PAGE);
        assert!(transcript_html(&page).contains(line), "{name}: {}", transcript_html(&page));
        assert!(transcript_html(&page).contains("<details open>"));
        assert!(transcript_html(&page).contains(" lang=\"de\""));
    }
    let plain = site(&[("a.txt", "One.\n\nTwo <script>.")], "\"a.txt\"").build();
    let page = plain.text(PAGE);
    assert!(transcript_html(&page).contains("<p dir=\"auto\">One.</p>"));
    assert!(transcript_html(&page).contains("<p dir=\"auto\">Two &lt;script&gt;.</p>"));
}

#[test]
fn the_transcript_in_the_language_of_the_item_is_shown() {
    let files = [("en.txt", "English."), ("de.txt", "Deutsch.")];
    let listed = r#"{ url = "en.txt", language = "en" }, { url = "de.txt", language = "de" }"#;
    let page = site(&files, listed).build().text(PAGE);
    assert!(
        transcript_html(&page).contains("Deutsch.") && !transcript_html(&page).contains("English.")
    );
}

#[test]
fn long_transcripts_are_collapsed_and_huge_ones_only_linked() {
    let cues = |count: usize| {
        let cue = |n: usize| {
            let clock = format!("{:02}:{:02}:{:02}.000", n / 1200, n / 20 % 60, n % 20 * 3);
            format!(
                "{clock} --> {clock}\nTen words that are said in about three seconds, no more.\n\n"
            )
        };
        "WEBVTT\n\n".to_owned() + &(0..count).map(cue).collect::<String>()
    };
    let ten_hours = site(&[("a.vtt", &cues(12_000))], "\"a.vtt\"").build().text(PAGE);
    assert!(transcript_html(&ten_hours).contains("<details>"));
    assert_eq!(transcript_html(&ten_hours).matches("<span data-start").count(), 12_000);
    assert!(ten_hours.len() < 2_000_000, "{}", ten_hours.len());
    let longer = site(&[("a.vtt", &cues(40_000))], "\"a.vtt\"").build().text(PAGE);
    assert_eq!(transcript_html(&longer), "");
    assert!(longer.contains("a.vtt"));
}

#[test]
fn time_links_target_the_first_paragraph_of_a_second() {
    let cues = ["1:05.100", "1:05.900", "1:02.000", "1:07.000"];
    let cues = cues.map(|at| format!("0{at} --> 0{at}\n<v {at}>Said.\n\n"));
    let file = format!("WEBVTT\n\n{}", cues.concat());
    let output = site(&[("a.vtt", &file)], "\"a.vtt\"").build();
    let ids = output.html(PAGE).all(".said-text p[id]", "id");
    assert_eq!(ids, ["t=65", "t=67"]);
    let links = output.html(PAGE).all(".said-text a", "href");
    assert_eq!(links, ["#t=65", "#t=65", "#t=62", "#t=67"]);
}

#[test]
fn an_empty_transcript_is_not_shown() {
    let none = site(&[("a.vtt", "WEBVTT\n\nno cue\n")], "\"a.vtt\"").build().text(PAGE);
    assert_eq!(transcript_html(&none), "");
    let elsewhere = site(&[], "\"https://elsewhere.example/a.vtt\"").build().text(PAGE);
    assert_eq!(transcript_html(&elsewhere), "");
}

#[test]
fn a_page_is_rendered_again_when_its_transcript_changes() {
    let site = site(&[("a.txt", "Before.")], "\"a.txt\"");
    assert!(transcript_html(&site.build().text(PAGE)).contains("Before."));
    let site = site.write("content/items/talk/a.txt", "After it.");
    assert!(transcript_html(&site.build().text(PAGE)).contains("After it."));
}

#[test]
fn readers_learn_that_a_machine_made_the_transcript_until_it_is_reviewed() {
    let note = "NOTE ai-content\nwhisper made this transcript.\n\n";
    let sentence = "Dieses Transkript wurde maschinell erstellt und kann Fehler enthalten.";
    for (note, is_told) in [(note, true), ("NOTE by hand\n\n", false)] {
        let text = format!("WEBVTT\n\n{note}00:01.000 --> 00:02.000\nGuten Tag.\n");
        let output = site(&[("a.vtt", &text)], "\"a.vtt\"")
            .write("site.toml", "base_url = \"https://talk.example\"\n[output]\nmarkdown = true\n")
            .write("content/channel.md", "+++\ntitle = \"Show\"\nlanguage = \"de\"\n+++\n")
            .build();
        let page = output.text(PAGE);
        assert_eq!(transcript_html(&page).contains(&format!(">{sentence}</p>")), is_told);
        let markdown = output.text("i/talk/index.md");
        assert_eq!(
            markdown.contains(&format!("## Transkript\n\n{sentence}\n\n")),
            is_told,
            "{markdown}"
        );
    }
}
