//! What hooks told of a show until now.
//!
//! Hooks come late, twice and in any order. So what they tell is only ever added to what is known, and
//! where two tell different things the same of the two wins whichever came first: the same hooks make the
//! same [`Known`], and all that is written follows from it.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::payload::{Fact, Hook};
use crate::model::podcast::LiveStatus;

/// The media type of what nothing is known of.
const UNKNOWN_TYPE: &str = "application/octet-stream";

/// Everything that hooks told of one show.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Known {
    /// The sessions that were the show, by their ids.
    sessions: BTreeMap<String, Course>,
    /// The streams of the show, by their ids.
    streams: BTreeMap<String, Course>,
    /// The recording that was stored last.
    recording: Option<Recording>,
    /// The transcript of each session.
    transcripts: BTreeMap<String, Transcript>,
    /// The summary of each session.
    summaries: BTreeMap<String, Summary>,
}

/// Where a session or stream stands. What is over never goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Course {
    /// It goes on.
    Running,
    /// It is over.
    Over,
}

/// A recording. The greater of two is the later one, or has the address that is valid for longer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Recording {
    /// When it ended.
    pub stopped: Option<Timestamp>,
    /// Its id.
    pub id: String,
    /// Until when its addresses are valid.
    pub expires: Option<Timestamp>,
    /// The address of the recording.
    pub main: Option<String>,
    /// The address of its sound alone.
    pub audio: Option<String>,
    /// The name of the recording's file.
    pub name: Option<String>,
    /// The size of the recording, in bytes.
    pub bytes: Option<u64>,
    /// How long it takes.
    pub milliseconds: Option<u64>,
}

/// A transcript. The greater of two has the address that is valid for longer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Transcript {
    /// Until when its address is valid.
    pub expires: Option<Timestamp>,
    /// Its address.
    pub url: String,
    /// When the session started.
    pub started: Option<Timestamp>,
}

/// A summary. The greater of two has a text, or the address that is valid for longer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Summary {
    /// The text.
    pub text: Option<String>,
    /// Until when its address is valid.
    pub expires: Option<Timestamp>,
    /// Its address.
    pub url: Option<String>,
    /// When the session started.
    pub started: Option<Timestamp>,
}

/// What is left for the author in a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaving {
    /// `attachment`.
    pub attachment: Option<Value>,
    /// `podcast.transcripts`.
    pub transcripts: Option<Value>,
    /// The body, in Markdown.
    pub body: String,
}

impl Leaving {
    /// Nothing: there is no draft.
    pub fn nothing() -> Self {
        Known::default().leaving(false)
    }
}

impl Known {
    /// The same with what a hook tells.
    #[must_use]
    pub fn with(&self, hook: &Hook) -> Self {
        let mut known = self.clone();
        // A meeting without sessions is one session.
        let session = hook.meeting.session.as_ref().unwrap_or(&hook.meeting.id);
        match hook.fact.clone() {
            Fact::Nothing => {}
            Fact::Session(course) => keep_greater(&mut known.sessions, session, course),
            Fact::Stream(id, course) => keep_greater(&mut known.streams, &id, course),
            Fact::Recording(recording) => known.recording = known.recording.max(Some(recording)),
            Fact::Transcript(transcript) => {
                keep_greater(&mut known.transcripts, session, transcript);
            }
            Fact::Summary(summary) => keep_greater(&mut known.summaries, session, summary),
        }
        known
    }

    /// Where the show stands. It is on while a session goes on and, where it is streamed, a stream does:
    /// whoever follows it hears no more when the stream has ended. None where nobody told.
    pub fn status(&self) -> Option<LiveStatus> {
        let goes_on = |all: &BTreeMap<String, Course>| {
            all.is_empty() || all.values().any(|course| *course == Course::Running)
        };
        if self.sessions.is_empty() && self.streams.is_empty() {
            return None;
        }
        Some(match goes_on(&self.sessions) && goes_on(&self.streams) {
            true => LiveStatus::Live,
            false => LiveStatus::Ended,
        })
    }

    /// What is left for the author; `sound` where the show is one to listen to.
    pub fn leaving(&self, sound: bool) -> Leaving {
        let transcripts: Vec<Value> = in_order(&self.transcripts, |transcript| transcript.started)
            .map(|transcript| {
                let found = type_of(&transcript.url);
                let found = found.unwrap_or_else(|| "text/plain".to_owned());
                json!({ "url": transcript.url, "type": found })
            })
            .collect();
        let summaries: Vec<String> = in_order(&self.summaries, |summary| summary.started)
            .map(Summary::markdown)
            .collect();
        Leaving {
            attachment: self
                .recording
                .as_ref()
                .and_then(|recording| recording.attachment(sound)),
            transcripts: (!transcripts.is_empty()).then(|| transcripts.into()),
            body: summaries.join("\n\n"),
        }
    }
}

fn keep_greater<T: Ord>(all: &mut BTreeMap<String, T>, key: &str, new: T) {
    if all.get(key).is_none_or(|held| new > *held) {
        all.insert(key.to_owned(), new);
    }
}

/// What is known of sessions, in the order of their starts.
fn in_order<T>(
    all: &BTreeMap<String, T>,
    started: impl Fn(&T) -> Option<Timestamp>,
) -> impl Iterator<Item = &T> {
    let mut list: Vec<&T> = all.values().collect();
    list.sort_by_key(|one| started(one));
    list.into_iter()
}

impl Recording {
    fn attachment(&self, sound: bool) -> Option<Value> {
        let audio = self.audio.as_ref().filter(|_| sound || self.main.is_none());
        let mut attachment = match (audio, &self.main) {
            (Some(audio), _) => json!({
                "url": audio,
                "mime_type": type_of(audio).unwrap_or_else(|| "audio/mpeg".to_owned()),
            }),
            (None, Some(main)) => {
                let named = self.name.as_deref().and_then(type_of);
                let found = type_of(main).or(named);
                json!({
                    "url": main,
                    "mime_type": found.unwrap_or_else(|| "video/mp4".to_owned()),
                    "size_in_bytes": self.bytes,
                })
            }
            (None, None) => return None,
        };
        if let Some(milliseconds) = self.milliseconds {
            attachment["duration_in_seconds"] = match milliseconds % 1000 {
                0 => (milliseconds / 1000).into(),
                #[allow(clippy::cast_precision_loss)]
                _ => (milliseconds as f64 / 1000.0).into(),
            };
        }
        Some(attachment)
    }
}

impl Summary {
    /// The text as Markdown, in which it can be no HTML; or where it lies.
    fn markdown(&self) -> String {
        match (&self.text, &self.url) {
            (Some(text), _) => text.replace("\r\n", "\n").replace('<', "&lt;"),
            (None, Some(url)) => format!("[Summary](<{url}>)"),
            (None, None) => String::new(),
        }
    }
}

/// The media type that the end of an address or of a name stands for.
fn type_of(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    Some(media_facts::media_type(Path::new(name))).filter(|found| found != UNKNOWN_TYPE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hooks::payload::Meeting;
    use crate::model::RealtimeEvent;

    fn few() -> impl Strategy<Value = String> {
        "[a-c]"
    }

    fn time() -> impl Strategy<Value = Option<Timestamp>> {
        prop::option::of((0..3_i64).prop_map(|day| Timestamp::constant(day * 86_400, 0)))
    }

    fn course() -> impl Strategy<Value = Course> {
        prop_oneof![Just(Course::Running), Just(Course::Over)]
    }

    fn fact() -> impl Strategy<Value = Fact> {
        let url = || few().prop_map(|name| format!("https://a.example/{name}.txt"));
        prop_oneof![
            course().prop_map(Fact::Session),
            (few(), course()).prop_map(|(id, course)| Fact::Stream(id, course)),
            (time(), few(), time(), prop::option::of(url())).prop_map(
                |(stopped, id, expires, main)| {
                    Fact::Recording(Recording {
                        stopped,
                        id,
                        expires,
                        audio: Some("https://a.example/a.mp3".into()),
                        main,
                        name: None,
                        bytes: Some(7),
                        milliseconds: Some(1500),
                    })
                }
            ),
            (time(), url(), time()).prop_map(|(expires, url, started)| {
                Fact::Transcript(Transcript {
                    expires,
                    url,
                    started,
                })
            }),
            (prop::option::of(few()), time(), url(), time()).prop_map(
                |(text, expires, url, started)| {
                    Fact::Summary(Summary {
                        text,
                        expires,
                        url: Some(url),
                        started,
                    })
                }
            ),
        ]
    }

    fn hook() -> impl Strategy<Value = Hook> {
        (fact(), prop::option::of(few())).prop_map(|(fact, session)| Hook {
            event: RealtimeEvent::MeetingStarted,
            meeting: Meeting {
                id: "room".into(),
                session,
                started: None,
                ended: None,
            },
            fact,
        })
    }

    fn all(hooks: &[Hook]) -> Known {
        hooks
            .iter()
            .fold(Known::default(), |known, hook| known.with(hook))
    }

    proptest! {
        #[test]
        fn order_and_repetition_do_not_matter(
            (hooks, mixed) in prop::collection::vec(hook(), 0..12).prop_flat_map(|hooks| {
                let twice = [hooks.clone(), hooks.clone()].concat();
                (Just(hooks), Just(twice).prop_shuffle())
            }),
        ) {
            let (once, mixed) = (all(&hooks), all(&mixed));
            prop_assert_eq!(&once, &mixed);
            prop_assert_eq!(once.leaving(true), mixed.leaving(true));
        }

        #[test]
        fn what_is_kept_is_read_again(hooks in prop::collection::vec(hook(), 0..12)) {
            let known = all(&hooks);
            let kept = serde_json::to_string(&known).unwrap();
            prop_assert_eq!(serde_json::from_str::<Known>(&kept).unwrap(), known);
        }

        #[test]
        fn all_that_began_and_ended_is_over(hooks in prop::collection::vec(hook(), 0..12)) {
            let over = all(&hooks);
            let ends = hooks.iter().map(|hook| match &hook.fact {
                Fact::Session(_) => Hook { fact: Fact::Session(Course::Over), ..hook.clone() },
                Fact::Stream(id, _) => Hook { fact: Fact::Stream(id.clone(), Course::Over), ..hook.clone() },
                _ => hook.clone(),
            });
            let over = ends.fold(over, |known, end| known.with(&end));
            prop_assert_ne!(over.status(), Some(LiveStatus::Live));
        }
    }
}
