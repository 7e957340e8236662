//! Measures the peaks of a few moments of a recording, which takes a hundredth of the time of
//! decoding all of it.

use symphonia::core::formats::{SeekMode, SeekTo};
use symphonia::core::units::Time;

use super::DecodeError;
use super::decode::Opened;

/// Number of moments in each part.
const MOMENTS: u32 = 5;

/// Length of a moment, in seconds.
const MOMENT: f64 = 0.1;

/// Number of packets before a moment that are decoded, because packets depend on previous packets.
const LEAD: usize = 2;

/// Maximum number of packets in a moment. A packet of AAC has 20 ms, and of WAV 25 ms.
const MAX_PACKETS: usize = 16;

/// Maximum difference between the length in the file's headers and the actual length, as a part of
/// the length.
const TOLERANCE: f64 = 0.01;

/// The peaks of the parts, and whether their positions are reliable.
struct Sampled {
    peaks: Vec<f32>,
    is_constant: bool,
}

/// Returns the peaks of `count` parts as digits. See [`super::waveform`].
pub fn sample(
    opened: &mut Opened<'_>,
    duration: f64,
    count: u32,
) -> Result<Option<String>, DecodeError> {
    let matches = |found: f64| (found - duration).abs() <= TOLERANCE * duration + 0.1;
    if count == 0 || !opened.duration.is_some_and(matches) {
        return Ok(None);
    }
    let mut sampled = moments(opened, duration, count, SeekMode::Coarse);
    // A position in MP3 is estimated from a constant bit rate.
    if !sampled.is_constant {
        sampled = moments(opened, duration, count, SeekMode::Accurate);
    }
    Ok(digits(&sampled.peaks))
}

/// Returns the peaks of `count` parts of a passage as digits. See [`super::passage_waveform`].
pub fn passage(
    opened: &mut Opened<'_>,
    (start, end): (f64, f64),
    count: u32,
) -> Result<Option<String>, DecodeError> {
    let time = Time::try_from_secs_f64(start).ok_or(DecodeError::Damaged)?;
    let to = SeekTo::Time { time, track_id: Some(opened.track) };
    let Ok(place) = opened.format.seek(SeekMode::Accurate, to) else {
        return Ok(None);
    };
    opened.decoder.reset();
    let track = opened.format.tracks().iter().find(|track| track.id == opened.track);
    let begin = track.and_then(|track| track.time_base?.calc_time(place.actual_ts));
    // The first packet can start before the passage.
    let mut at = begin.map_or(0.0, |begin| begin.as_secs_f64() - start);
    let mut peaks = vec![0.0_f32; count as usize];
    while at < end - start
        && let Some(packet) = opened.next_packet()
    {
        let Some(samples) = opened.decode(&packet) else { continue };
        for frame in samples.interleaved.chunks_exact(samples.channels) {
            let part = (at / (end - start) * f64::from(count)).floor();
            at += 1.0 / f64::from(samples.rate);
            if part < 0.0 {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive")]
            let Some(peak) = peaks.get_mut(part as usize) else { break };
            let finite = frame.iter().map(|sample| sample.abs());
            *peak = finite.filter(|sample| sample.is_finite()).fold(*peak, f32::max);
        }
    }
    Ok(digits(&peaks))
}

/// Returns peaks as digits, relative to the loudest. Returns `None` for silence.
fn digits(peaks: &[f32]) -> Option<String> {
    let loudest = peaks.iter().copied().fold(0.0, f32::max);
    let digits = peaks.iter().map(|peak| digit(peak / loudest.max(f32::MIN_POSITIVE)));
    (loudest > 0.0).then(|| digits.collect())
}

fn moments(opened: &mut Opened<'_>, duration: f64, count: u32, mode: SeekMode) -> Sampled {
    let mut sizes = (usize::MAX, 0);
    let all = count * MOMENTS;
    let mut peaks = vec![0.0_f32; count as usize];
    for moment in 0..all {
        let at = duration * (f64::from(moment) + 0.5) / f64::from(all);
        let peak = peak_at(opened, at, mode, &mut sizes);
        let part = &mut peaks[(moment / MOMENTS) as usize];
        *part = part.max(peak);
    }
    let is_mp3 = opened.format.format_info().short_name == "mp3";
    // A packet of MP3 can have one more byte as padding.
    Sampled { peaks, is_constant: !is_mp3 || sizes.0 + 1 >= sizes.1 }
}

fn peak_at(opened: &mut Opened<'_>, at: f64, mode: SeekMode, sizes: &mut (usize, usize)) -> f32 {
    let Some(time) = Time::try_from_secs_f64(at) else { return 0.0 };
    let to = SeekTo::Time { time, track_id: Some(opened.track) };
    if opened.format.seek(mode, to).is_err() {
        return 0.0;
    }
    opened.decoder.reset();
    let (mut peak, mut seconds) = (0.0_f32, 0.0);
    for number in 0..LEAD + MAX_PACKETS {
        let Some(packet) = opened.next_packet() else { break };
        *sizes = (sizes.0.min(packet.data.len()), sizes.1.max(packet.data.len()));
        let Some(samples) = opened.decode(&packet) else { continue };
        if number < LEAD {
            continue;
        }
        let finite = samples.interleaved.iter().map(|sample| sample.abs());
        peak = finite.filter(|sample| sample.is_finite()).fold(peak, f32::max);
        let frames = u32::try_from(samples.interleaved.len() / samples.channels);
        seconds += f64::from(frames.unwrap_or(u32::MAX)) / f64::from(samples.rate);
        if seconds >= MOMENT {
            break;
        }
    }
    peak
}

/// Returns a level from 0 to 1 as a digit of base 36.
fn digit(level: f32) -> char {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let digit = (level * 35.0).round().clamp(0.0, 35.0) as u32;
    char::from_digit(digit, 36).unwrap_or('0')
}
