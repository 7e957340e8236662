//! Parses the body of a hook. Reads only the fields that are relevant to a show, and ignores
//! unknown fields.

use jiff::Timestamp;
use serde_json::Value;

use super::facts::{Progress, Recording, Summary, Transcript};
use api_shared::ApiError;
use model::url::is_http;
use model::{RealtimeEvent, rfc3339};

/// Maximum length of a meeting, session or stream id and of a file name, in bytes.
const MAX_NAME_LENGTH: usize = 255;

/// Maximum length of a URL, in bytes.
const MAX_URL_LENGTH: usize = 8192;

#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    pub event: RealtimeEvent,
    /// The meeting that the hook is about.
    pub meeting: Meeting,
    /// The reported information about the meeting.
    pub fact: Fact,
}

/// A meeting: a room that can be used several times. Each use of the room is a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    pub id: String,
    pub session: Option<String>,
    pub started: Option<Timestamp>,
    pub ended: Option<Timestamp>,
}

/// Information that a hook reports about a meeting.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// Nothing relevant to a show.
    Nothing,
    /// The session started or ended.
    Session(Progress),
    /// The meeting's live stream with this id started or ended.
    Stream(String, Progress),
    Recording(Recording),
    Transcript(Transcript),
    Summary(Summary),
}

impl Hook {
    /// Parses a body. The error names the invalid field.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        let value: Value = serde_json::from_slice(body)
            .map_err(|error| ApiError::bad(format!("the body is not valid JSON: {error}")))?;
        let fields = PayloadFields(&value);
        let event = fields.required("event")?;
        let event = RealtimeEvent::parse(&event).ok_or_else(|| {
            let known = RealtimeEvent::NAMES.join(", ");
            ApiError::bad(format!("event: must be one of {known}, not {event:?}"))
        })?;
        let meeting = fields.meeting()?;
        let fact = fields.fact(event, &meeting)?;
        Ok(Self { event, meeting, fact })
    }

    /// Returns a name for the session or stream that the hook is about. The name is unique within
    /// the app.
    pub fn session(&self) -> Option<String> {
        match (&self.fact, &self.meeting.session) {
            (Fact::Stream(id, _), _) => Some(format!("stream/{id}")),
            (_, Some(session)) => Some(format!("session/{session}")),
            (_, None) => None,
        }
    }
}

/// The fields of a body, accessed by paths such as `meeting.id`.
struct PayloadFields<'a>(&'a Value);

impl PayloadFields<'_> {
    fn meeting(&self) -> Result<Meeting, ApiError> {
        let id = self.first(&["meeting.id", "meetingId", "recording.meetingId"])?;
        Ok(Meeting {
            id: id.ok_or_else(|| missing("meeting.id"))?,
            session: self.first(&["meeting.sessionId", "sessionId", "recording.roomUUID"])?,
            started: self.time(&["meeting.startedAt", "startedAt", "recording.startedTime"]),
            ended: self.time(&["meeting.endedAt", "endedAt", "recording.stoppedTime"]),
        })
    }

    fn fact(&self, event: RealtimeEvent, meeting: &Meeting) -> Result<Fact, ApiError> {
        Ok(match event {
            RealtimeEvent::MeetingStarted => Fact::Session(Progress::Running),
            RealtimeEvent::MeetingEnded => Fact::Session(Progress::Over),
            RealtimeEvent::LivestreamingStatus => self.stream(meeting)?,
            RealtimeEvent::RecordingStatus => self.recording()?,
            RealtimeEvent::Transcript => {
                let url = self.url("transcriptDownloadUrl")?;
                Fact::Transcript(Transcript {
                    expires: self.time(&["transcriptDownloadUrlExpiry"]),
                    url: url.ok_or_else(|| missing("transcriptDownloadUrl"))?,
                    started: meeting.started,
                })
            }
            RealtimeEvent::Summary => self.summary(meeting)?,
            RealtimeEvent::ParticipantJoined
            | RealtimeEvent::ParticipantLeft
            | RealtimeEvent::ChatSynced => Fact::Nothing,
        })
    }

    /// Reads the state of a stream. Ignores `IDLE` (a stream without listeners) and unknown states.
    fn stream(&self, meeting: &Meeting) -> Result<Fact, ApiError> {
        let course = match self.required("status")?.to_ascii_uppercase().as_str() {
            "LIVE" => Progress::Running,
            "OFFLINE" | "ENDED" | "STOPPED" => Progress::Over,
            _ => return Ok(Fact::Nothing),
        };
        let id = self.first(&["streamId"])?;
        Ok(Fact::Stream(id.unwrap_or_else(|| meeting.id.clone()), course))
    }

    /// Reads a recording. Ignores a recording that is not uploaded yet or has no URLs. Only
    /// recordings that are stored by the sender of the hook have URLs.
    fn recording(&self) -> Result<Fact, ApiError> {
        let status = self.required("recording.status")?;
        let main = self.url("recording.downloadUrl")?;
        let audio = self.url("recording.audioDownloadUrl")?;
        if !status.eq_ignore_ascii_case("UPLOADED") || (main.is_none() && audio.is_none()) {
            return Ok(Fact::Nothing);
        }
        let seconds = self.number("recording.recordingDuration");
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Ok(Fact::Recording(Recording {
            stopped: self.time(&["recording.stoppedTime", "recording.startedTime"]),
            id: self.first(&["recording.id", "recording.recordingId"])?.unwrap_or_default(),
            expires: self.time(&["recording.downloadUrlExpiry"]),
            main,
            audio,
            name: self.first(&["recording.outputFileName"])?,
            bytes: self.number("recording.fileSize").map(|size| size as u64),
            milliseconds: seconds.map(|seconds| (seconds * 1000.0).round() as u64),
        }))
    }

    fn summary(&self, meeting: &Meeting) -> Result<Fact, ApiError> {
        let text = ["summary", "summaryText", "summary.text", "summary.content"]
            .into_iter()
            .find_map(|path| self.get(path)?.as_str())
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty());
        let url = self.url("summaryDownloadUrl")?;
        if text.is_none() && url.is_none() {
            return Err(missing("summaryDownloadUrl"));
        }
        Ok(Fact::Summary(Summary {
            text,
            expires: self.time(&["summaryDownloadUrlExpiry"]),
            url,
            started: meeting.started,
        }))
    }

    fn get(&self, path: &str) -> Option<&Value> {
        let found = path.split('.').try_fold(self.0, |value, key| value.get(key));
        found.filter(|value| !value.is_null())
    }

    /// Reads a short string. A number is converted to a string. An empty string counts as missing.
    fn text(&self, path: &str, max_length: usize) -> Result<Option<String>, ApiError> {
        let text = match self.get(path) {
            None => return Ok(None),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Number(number)) => number.to_string(),
            Some(_) => return Err(ApiError::bad(format!("{path}: must be a string"))),
        };
        if text.len() > max_length || text.chars().any(char::is_control) {
            let why = format!("{path}: must be a single line of at most {max_length} bytes");
            return Err(ApiError::bad(why));
        }
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    fn required(&self, path: &str) -> Result<String, ApiError> {
        self.text(path, MAX_NAME_LENGTH)?.ok_or_else(|| missing(path))
    }

    fn first(&self, paths: &[&str]) -> Result<Option<String>, ApiError> {
        for path in paths {
            if let Some(text) = self.text(path, MAX_NAME_LENGTH)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    fn url(&self, path: &str) -> Result<Option<String>, ApiError> {
        let url = self.text(path, MAX_URL_LENGTH)?;
        match url {
            Some(url) if !is_http(&url) || url.contains(['<', '>', '"', '\\']) => {
                Err(ApiError::bad(format!("{path}: {url:?} is not an https:// or http:// URL")))
            }
            url => Ok(url),
        }
    }

    /// Returns the first RFC 3339 time in the fields at these paths.
    fn time(&self, paths: &[&str]) -> Option<Timestamp> {
        let mut found = paths.iter().filter_map(|path| rfc3339::instant(self.get(path)?.as_str()?));
        found.next()
    }

    /// Reads a non-negative number, which may be written as a string.
    fn number(&self, path: &str) -> Option<f64> {
        let number = match self.get(path)? {
            Value::String(text) => text.trim().parse().ok()?,
            value => value.as_f64()?,
        };
        (0.0..1e15).contains(&number).then_some(number)
    }
}

fn missing(path: &str) -> ApiError {
    ApiError::bad(format!("{path}: is required"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,20}".prop_map(Value::from),
            Just(json!("https://a.example/x")),
            Just(json!("UPLOADED")),
            Just(json!("2026-11-20T19:00:00Z")),
        ];
        let key = prop::sample::select(
            &[
                "id", "sessionId", "startedAt", "status", "downloadUrl", "fileSize",
                "recordingDuration", "meeting", "recording", "summary", "text", "streamId",
                "transcriptDownloadUrl", "summaryDownloadUrl", "stoppedTime",
            ][..],
        );
        leaf.prop_recursive(3, 40, 8, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..8)
                    .prop_map(|map| map.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_json_body_gets_an_answer(
            mut body in any_value(),
            event in prop::sample::select(RealtimeEvent::NAMES),
        ) {
            if let Some(object) = body.as_object_mut() {
                object.insert("event".into(), event.into());
            }
            match Hook::parse(body.to_string().as_bytes()) {
                Ok(hook) => prop_assert!(!hook.meeting.id.is_empty()),
                Err(error) => prop_assert_eq!(error.status.as_u16(), 400),
            }
        }

        #[test]
        fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Hook::parse(&bytes);
        }
    }

    #[test]
    fn numbers_and_times_are_read_in_every_format() {
        let parse = |size: Value, duration: Value, stopped: Value| {
            let body = json!({
                "event": "recording.statusUpdate", "meetingId": 7,
                "recording": {
                    "status": "uploaded", "downloadUrl": "https://a.example/a", "fileSize": size,
                    "recordingDuration": duration, "stoppedTime": stopped,
                },
            });
            let hook = Hook::parse(body.to_string().as_bytes()).unwrap();
            assert_eq!(hook.meeting.id, "7");
            match hook.fact {
                Fact::Recording(found) => {
                    (found.bytes, found.milliseconds, found.stopped.is_some())
                }
                other => panic!("{other:?}"),
            }
        };
        let time = json!("2026-11-20T19:00:00Z");
        assert_eq!(parse(json!("12"), json!(1.5), time), (Some(12), Some(1500), true));
        assert_eq!(parse(json!(12), json!("90"), json!("soon")), (Some(12), Some(90_000), false));
        assert_eq!(parse(json!(-1), json!("NaN"), json!(null)), (None, None, false));
        assert_eq!(parse(json!("a"), json!([]), json!({})), (None, None, false));
    }
}
