//! Tests of transcripts in HTML.

use transcripts::Format;

use super::{SAMPLES, cues};

#[test]
fn speakers_and_times_of_podcasting_2_html_are_read() {
    assert_eq!(
        cues(SAMPLES[3].1, Format::Html),
        [
            "- Episode 12",
            "0 Kevin: We have an update planned, The Guardian wrote – & more on the bridge.",
            "3729000 Alban: You're triggering Tom right now.",
            "3732000 And so on and on.",
        ]
    );
}

#[test]
fn speaker_and_time_are_optional_and_may_be_inside_paragraphs() {
    let file = "<p><cite>Ana:</cite> One</p><cite>Bo</cite><p>Two</p><time>0:07</time><cite>Cy</cite><br>Three<time>0:09</time>";
    assert_eq!(cues(file, Format::Html), ["- Ana: One", "- Bo: Two", "7000 Cy: Three0:09"]);
}

#[test]
fn other_html_has_one_cue_per_block() {
    let file = "<h1>A talk</h1><p>One\n <a href='x'>two</a> three<p>On <time datetime=2026-11-22>22 November</time><ul><li>a<li>b</ul>\
        <template><p>no</p></template><!-- no --><noscript>no</noscript><textarea>no</textarea><table><tr><td>c<td>d</table>";
    assert_eq!(
        cues(file, Format::Html),
        ["- A talk", "- One two three", "- On 22 November", "- a", "- b", "- c", "- d"]
    );
}

#[test]
fn unclosed_elements_are_read_as_text() {
    assert_eq!(cues("<cite>Ana <p>said", Format::Html), ["- Ana", "- said"]);
    assert_eq!(cues("<p>a<script>no", Format::Html), ["- a"]);
    assert_eq!(cues("a < b &lt; c &notanything; <", Format::Html).len(), 1);
}

#[test]
fn long_speech_is_split_into_cues() {
    let paragraph = format!("<p>{}</p>", "word ".repeat(150));
    let file = format!("<cite>Ana:</cite><time>0:01</time>{}", paragraph.repeat(4));
    let all = cues(&file, Format::Html);
    assert_eq!(all.len(), 3);
    assert!(all[0].starts_with("1000 Ana: word"));
    assert!(all[1].starts_with("- word"));
}
