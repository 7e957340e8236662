//! Finds recordings that are too quiet or too loud, that have defects, or that directories reject.
//!
//! These checks decode every recording completely. Therefore only `check` runs them.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use sound::{DecodeError, Measurement, Places};

use super::Site;
use super::measurements::{Recording, remove_old_measurements};
use model::{Access, Attachment, Category, Diagnostic, MediaFile, Rule, is_playlist};
use render::text::clock;

/// Target loudness of recordings with two or more channels, and of mono, in LUFS.
const TARGETS: (f64, f64) = (-16.0, -19.0);

/// Maximum difference from the target loudness, in LU.
const TOLERANCE: f64 = 1.0;

/// Maximum true peak, in dBTP.
const MAX_PEAK: f64 = -1.0;

/// Lowest sample rate of MP3 that Apple accepts, in Hz.
const MIN_RATE: u32 = 44_100;

/// Bit rates of MP3 that Spotify accepts, in kbit/s.
const BIT_RATES: std::ops::RangeInclusive<f64> = 96.0..=320.0;

/// Decodes the recordings of all items, on all cores, and returns warnings about them. `begin`
/// receives the number of recordings, and `tick` is called after each, from any thread.
pub fn recording_faults(
    root: &Path,
    site: &Site,
    begin: impl FnOnce(usize),
    tick: &(dyn Fn() + Sync),
) -> Vec<Diagnostic> {
    let snapshot = &site.snapshot;
    if snapshot.config.access == Access::Offline {
        return Vec::new();
    }
    let attachments = snapshot.entries.iter().filter_map(|entry| entry.item.attachment.as_ref());
    let heard = attachments.filter(|one| matches!(one.category, Category::Audio | Category::Video));
    let heard = heard.filter(|one| !is_playlist(&one.mime_type));
    let local = heard.filter_map(|one| {
        let file = snapshot.config.medium(&snapshot.media, &one.url)?;
        Some((&file.source, (file, one)))
    });
    let local: Vec<(&MediaFile, &Attachment)> =
        local.collect::<BTreeMap<_, _>>().into_values().collect();
    if local.is_empty() {
        return Vec::new();
    }
    begin(local.len());
    let measure = |(file, attachment): &(&MediaFile, &Attachment)| {
        let recording = Recording::of(root, &file.source).ok();
        let found = recording.as_ref().map(Recording::measure);
        tick();
        let (faults, is_unmeasured) = match found {
            Some(Ok(found)) => (Faults { file, found: &found }.all(), false),
            // The facts about a damaged file are reported elsewhere.
            Some(Err(DecodeError::Unsupported)) => (Vec::new(), true),
            _ => (Vec::new(), attachment.duration_in_seconds.is_some()),
        };
        (recording, faults, is_unmeasured)
    };
    let measured: Vec<_> = local.par_iter().map(measure).collect();
    let mut unmeasured = Vec::new();
    let (mut recordings, mut faults) = (Vec::new(), Vec::new());
    for ((file, _), (recording, own, is_unmeasured)) in local.iter().zip(measured) {
        recordings.extend(recording);
        faults.extend(own);
        unmeasured.extend(is_unmeasured.then_some(*file));
    }
    remove_old_measurements(root, &recordings);
    faults.extend(warn_unmeasured(&unmeasured));
    faults
}

/// Returns a single warning about all files that cannot be decoded.
fn warn_unmeasured(files: &[&MediaFile]) -> Option<Diagnostic> {
    let (first, others) = files.split_first()?;
    let others = match others.len() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    let message = format!(
        "the loudness of this recording{others} is not measured, because feedwright cannot decode it"
    );
    let warning = Diagnostic::warning(Rule::Loudness, message).file(first.source.as_str());
    Some(warning.help(format!(
        "measure it with `ffmpeg -i {} -af ebur128=peak=true -f null -`: feedwright decodes MP3, AAC-LC, FLAC, Vorbis and WAV",
        quoted(first.source.as_str())
    )))
}

/// The faults of a measured recording.
struct Faults<'a> {
    file: &'a MediaFile,
    found: &'a Measurement,
}

impl Faults<'_> {
    fn all(&self) -> Vec<Diagnostic> {
        let faults = [
            self.loudness(),
            self.true_peak(),
            self.clipping(),
            self.silence(),
            self.dead_channel(),
            self.dual_mono(),
            self.rates(),
        ];
        faults.into_iter().flatten().collect()
    }

    fn warn(&self, rule: Rule, message: String, help: String) -> Option<Diagnostic> {
        let warning = Diagnostic::warning(rule, message).file(self.file.source.as_str());
        Some(warning.help(help))
    }

    /// Returns the target loudness and the word for the number of channels.
    fn target(&self) -> (f64, &'static str) {
        match self.found.channels {
            1 => (TARGETS.1, "mono"),
            _ => (TARGETS.0, "stereo"),
        }
    }

    fn loudness(&self) -> Option<Diagnostic> {
        let (target, channels) = self.target();
        let found = self.found.loudness?;
        // Rounded as shown, so that a warning never shows a value that is allowed.
        let found = (found * 10.0).round() / 10.0;
        if (found - target).abs() <= TOLERANCE {
            return None;
        }
        let word = if found < target { "quiet" } else { "loud" };
        let message = format!(
            "this recording is too {word}: its loudness is {found:.1} LUFS, and should be {target} LUFS ±1 for {channels}"
        );
        self.warn(Rule::Loudness, message, self.normalize())
    }

    fn true_peak(&self) -> Option<Diagnostic> {
        let (peak, at) = self.found.true_peak?;
        let peak = (peak * 10.0).round() / 10.0;
        if peak <= MAX_PEAK {
            return None;
        }
        let message = format!(
            "the true peak of this recording is {peak:+.1} dBTP at {}, and should be at most {MAX_PEAK} dBTP",
            clock(at)
        );
        self.warn(Rule::Loudness, message, self.normalize())
    }

    /// Returns how to reach the target loudness: a gain, and a limiter for the samples that it makes
    /// too loud. The limit is 1.5 dB below the maximum, because true peaks exceed samples.
    fn normalize(&self) -> String {
        let (target, _) = self.target();
        let gain = self.found.loudness.map_or(0.0, |loudness| target - loudness);
        let filter = format!("-af volume={gain:.1}dB,alimiter=limit=0.75:level=false");
        format!("export it again at {target} LUFS, or run `{}`", self.ffmpeg(&filter))
    }

    fn clipping(&self) -> Option<Diagnostic> {
        let times = times(&self.found.clipped, |(start, _)| clock(start))?;
        let message = format!("this recording is clipped at {times}");
        let repair = self.ffmpeg("-af adeclip,volume=-2dB");
        let help = format!(
            "lower the gain and export the original recording again; without it, repair the file with `{repair}`"
        );
        self.warn(Rule::RecordingDefect, message, help)
    }

    fn silence(&self) -> Option<Diagnostic> {
        let span = |(start, length)| format!("{} ({length:.1} s)", clock(start));
        let times = times(&self.found.silences, span)?;
        let message = format!("this recording is silent (below -60 dBFS) at {times}");
        let help = "cut the silence in an audio editor, such as with `Truncate Silence` in Audacity, and move later chapters and cues";
        self.warn(Rule::RecordingDefect, message, help.to_owned())
    }

    fn dead_channel(&self) -> Option<Diagnostic> {
        let dead = *self.found.dead_channels.first()?;
        let is_stereo = self.found.channels == 2;
        let name = match dead {
            0 if is_stereo => "the left channel".to_owned(),
            1 if is_stereo => "the right channel".to_owned(),
            _ => format!("channel {}", dead + 1),
        };
        let live = (0..self.found.channels).find(|one| !self.found.dead_channels.contains(one))?;
        let repair = self.ffmpeg(&format!("-af 'pan=mono|c0=c{live}'"));
        let message = format!("{name} of this recording is silent from 0:00 to its end");
        let help = format!("export it again in mono, or run `{repair}`");
        self.warn(Rule::RecordingDefect, message, help)
    }

    fn dual_mono(&self) -> Option<Diagnostic> {
        if !self.found.is_dual_mono {
            return None;
        }
        let message = "both channels of this recording are the same from 0:00 to its end: mono has half the size";
        let help = format!("export it again in mono, or run `{}`", self.ffmpeg("-ac 1"));
        self.warn(Rule::RecordingFormat, message.to_owned(), help)
    }

    /// Warns about rates of MP3 that directories reject.
    fn rates(&self) -> Option<Diagnostic> {
        let (rate, kilobits) = (self.found.rate, (self.found.bit_rate / 1000.0).round());
        if !self.is_mp3() {
            return None;
        }
        let message = if rate < MIN_RATE {
            format!(
                "the sample rate of this recording is {rate} Hz, and Apple requires 44100 Hz or more"
            )
        } else if !BIT_RATES.contains(&kilobits) {
            format!(
                "the bit rate of this recording is {kilobits} kbit/s, and Spotify requires 96 to 320 kbit/s"
            )
        } else {
            return None;
        };
        let help = format!(
            "export it again with 44100 Hz and 96 kbit/s or more, or run `{}`",
            self.ffmpeg("-ar 44100")
        );
        self.warn(Rule::RecordingFormat, message, help)
    }

    fn is_mp3(&self) -> bool {
        self.file.source.extension() == "mp3"
    }

    /// Returns a command that writes an improved copy next to the recording. The command keeps
    /// tags, chapters, the cover, and about the same bit rate.
    fn ffmpeg(&self, filter: &str) -> String {
        let source = self.file.source.as_str();
        let extension = self.file.source.extension();
        let copy = format!(
            "{}-new.{extension}",
            source.strip_suffix(&format!(".{extension}")).unwrap_or(source)
        );
        let is_lossless = matches!(extension.as_str(), "wav" | "flac");
        let kilobits = self.found.bit_rate / 1000.0;
        let rates = [96, 128, 160, 192, 256];
        let rate = rates.into_iter().find(|rate| kilobits <= f64::from(*rate) + 2.0).unwrap_or(320);
        let rate = if is_lossless { String::new() } else { format!(" -b:a {rate}k") };
        format!("ffmpeg -i {} -c:v copy {filter}{rate} {}", quoted(source), quoted(&copy))
    }
}

/// Returns a list of times such as `0:12, 3:40 and 7 more`. Returns None if there are none.
fn times(places: &Places, shown: impl Fn((f64, f64)) -> String) -> Option<String> {
    let mut listed: Vec<String> = places.first.iter().map(|place| shown(*place)).collect();
    let more = places.count.saturating_sub(listed.len() as u64);
    if more > 0 {
        listed.push(format!("{more} more"));
    }
    let last = listed.pop()?;
    Some(if listed.is_empty() { last } else { format!("{} and {last}", listed.join(", ")) })
}

/// Quotes a path for a shell, if necessary.
fn quoted(path: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    match path.chars().all(is_plain) {
        true => path.to_owned(),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}
