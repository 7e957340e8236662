//! All data that hooks have reported about a show so far.
//!
//! Hooks can arrive late, twice and in any order. Each hook therefore only adds to the history. If
//! two hooks contradict each other, their order does not affect which of them is used. The same
//! hooks always result in the same [`ShowHistory`], and the written files depend only on the
//! history.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::facts::{Progress, Recording, Summary, Transcript, type_of};
use super::payload::{Fact, Hook};
use model::podcast::LiveStatus;

/// All data that hooks have reported about one show.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShowHistory {
    /// The sessions of the show, by id.
    sessions: BTreeMap<String, Progress>,
    /// The streams of the show, by id.
    streams: BTreeMap<String, Progress>,
    /// The recording that stopped last.
    recording: Option<Recording>,
    /// The transcript of each session.
    transcripts: BTreeMap<String, Transcript>,
    /// The summary of each session.
    summaries: BTreeMap<String, Summary>,
}

/// The content of the draft item for the author.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftContent {
    /// The value of `attachment`.
    pub attachment: Option<Value>,
    /// The value of `podcast.transcripts`.
    pub transcripts: Option<Value>,
    /// The Markdown body.
    pub body: String,
}

impl DraftContent {
    /// Returns the content of a draft without any fields. No draft is created for this content.
    pub fn empty() -> Self {
        ShowHistory::default().draft_content(false)
    }
}

impl ShowHistory {
    /// Returns this history with another hook added.
    #[must_use]
    pub fn with(&self, hook: &Hook) -> Self {
        let mut known = self.clone();
        // A meeting without sessions counts as one session.
        let session = hook.meeting.session.as_ref().unwrap_or(&hook.meeting.id);
        match hook.fact.clone() {
            Fact::Nothing => {}
            Fact::Session(progress) => keep_greater(&mut known.sessions, session, progress),
            Fact::Stream(id, progress) => keep_greater(&mut known.streams, &id, progress),
            Fact::Recording(recording) => known.recording = known.recording.max(Some(recording)),
            Fact::Transcript(transcript) => {
                keep_greater(&mut known.transcripts, session, transcript);
            }
            Fact::Summary(summary) => keep_greater(&mut known.summaries, session, summary),
        }
        known
    }

    /// Returns the show's status, or None if no hook reported a status. The show is live while a
    /// session is running. If the show is streamed, a stream must also be running, because
    /// listeners hear nothing after the stream ends.
    pub fn status(&self) -> Option<LiveStatus> {
        let goes_on = |all: &BTreeMap<String, Progress>| {
            all.is_empty() || all.values().any(|progress| *progress == Progress::Running)
        };
        if self.sessions.is_empty() && self.streams.is_empty() {
            return None;
        }
        Some(if goes_on(&self.sessions) && goes_on(&self.streams) {
            LiveStatus::Live
        } else {
            LiveStatus::Ended
        })
    }

    /// Returns the content of the draft. `is_audio` is true for an audio-only show.
    pub fn draft_content(&self, is_audio: bool) -> DraftContent {
        let transcripts: Vec<Value> =
            sorted_by_start(&self.transcripts, |transcript| transcript.started)
                .map(|transcript| {
                    let found = type_of(&transcript.url);
                    let found = found.unwrap_or_else(|| "text/plain".to_owned());
                    json!({ "url": transcript.url, "type": found })
                })
                .collect();
        let summaries: Vec<String> = sorted_by_start(&self.summaries, |summary| summary.started)
            .map(Summary::markdown)
            .collect();
        DraftContent {
            attachment: self
                .recording
                .as_ref()
                .and_then(|recording| recording.attachment(is_audio)),
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

/// Returns the values of all sessions, ordered by their start times.
fn sorted_by_start<T>(
    all: &BTreeMap<String, T>,
    started: impl Fn(&T) -> Option<Timestamp>,
) -> impl Iterator<Item = &T> {
    let mut list: Vec<&T> = all.values().collect();
    list.sort_by_key(|one| started(one));
    list.into_iter()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::payload::Meeting;
    use model::RealtimeEvent;

    fn short_id() -> impl Strategy<Value = String> {
        "[a-c]"
    }

    fn time() -> impl Strategy<Value = Option<Timestamp>> {
        prop::option::of((0..3_i64).prop_map(|day| Timestamp::constant(day * 86_400, 0)))
    }

    fn progress() -> impl Strategy<Value = Progress> {
        prop_oneof![Just(Progress::Running), Just(Progress::Over)]
    }

    fn fact() -> impl Strategy<Value = Fact> {
        let url = || short_id().prop_map(|name| format!("https://a.example/{name}.txt"));
        prop_oneof![
            progress().prop_map(Fact::Session),
            (short_id(), progress()).prop_map(|(id, progress)| Fact::Stream(id, progress)),
            (time(), short_id(), time(), prop::option::of(url())).prop_map(
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
                Fact::Transcript(Transcript { expires, url, started })
            }),
            (prop::option::of(short_id()), time(), url(), time()).prop_map(
                |(text, expires, url, started)| {
                    Fact::Summary(Summary { text, expires, url: Some(url), started })
                }
            ),
        ]
    }

    fn hook() -> impl Strategy<Value = Hook> {
        (fact(), prop::option::of(short_id())).prop_map(|(fact, session)| Hook {
            event: RealtimeEvent::MeetingStarted,
            meeting: Meeting { id: "room".into(), session, started: None, ended: None },
            fact,
        })
    }

    fn all(hooks: &[Hook]) -> ShowHistory {
        hooks.iter().fold(ShowHistory::default(), |known, hook| known.with(hook))
    }

    proptest! {
        #[test]
        fn hook_order_and_repeats_do_not_matter(
            (hooks, mixed) in prop::collection::vec(hook(), 0..12).prop_flat_map(|hooks| {
                let twice = [hooks.clone(), hooks.clone()].concat();
                (Just(hooks), Just(twice).prop_shuffle())
            }),
        ) {
            let (once, mixed) = (all(&hooks), all(&mixed));
            prop_assert_eq!(&once, &mixed);
            prop_assert_eq!(once.draft_content(true), mixed.draft_content(true));
        }

        #[test]
        fn a_stored_history_can_be_read_back(hooks in prop::collection::vec(hook(), 0..12)) {
            let known = all(&hooks);
            let kept = serde_json::to_string(&known).unwrap();
            prop_assert_eq!(serde_json::from_str::<ShowHistory>(&kept).unwrap(), known);
        }

        #[test]
        fn ended_sessions_are_over(hooks in prop::collection::vec(hook(), 0..12)) {
            let over = all(&hooks);
            let ends = hooks.iter().map(|hook| match &hook.fact {
                Fact::Session(_) => Hook { fact: Fact::Session(Progress::Over), ..hook.clone() },
                Fact::Stream(id, _) => Hook { fact: Fact::Stream(id.clone(), Progress::Over), ..hook.clone() },
                _ => hook.clone(),
            });
            let over = ends.fold(over, |known, end| known.with(&end));
            prop_assert_ne!(over.status(), Some(LiveStatus::Live));
        }
    }
}
