//! Measures a whole recording: its loudness, its peaks, and its defects.

use borsh::{BorshDeserialize, BorshSerialize};
use ebur128::{EbuR128, Mode};

use super::Samples;
use super::defects::{Defects, Places};
use super::peaks::{Meter, Peaks};

/// The measurements of a recording. Times are seconds from its start.
#[derive(BorshDeserialize, BorshSerialize, Clone, Debug, PartialEq)]
pub struct Measurement {
    pub peaks: Peaks,
    /// Number of channels at the start.
    pub channels: u32,
    /// Number of samples per second at the start.
    pub rate: u32,
    /// Average number of bits per second of the encoded sound, without tags and pictures.
    pub bit_rate: f64,
    /// Integrated loudness in LUFS (ITU-R BS.1770). None for silence, and for less than 0.4 s.
    pub loudness: Option<f64>,
    /// The largest true peak in dBTP, and its time. None for silence.
    pub true_peak: Option<(f64, f64)>,
    /// Times at which the sound is clipped. Times within a second count once.
    pub clipped: Places,
    /// Starts and lengths of silences.
    pub silences: Places,
    /// Numbers of the channels that are silent while others are not, from 0.
    pub dead_channels: Vec<u32>,
    /// Whether both channels of a stereo recording have the same sound.
    pub is_dual_mono: bool,
}

/// Measures the blocks of a recording in sequence.
pub struct Measuring {
    meter: Meter,
    loudness: Option<EbuR128>,
    /// The largest true peak as a factor of full scale, and its time.
    peak: (f64, f64),
    defects: Defects,
    channels: usize,
    rate: u32,
    encoded: u64,
    /// The samples of a block that has numbers that are not finite.
    repaired: Vec<f32>,
}

impl Measuring {
    pub fn new(count: usize) -> Self {
        Self {
            meter: Meter::new(count),
            loudness: None,
            peak: (0.0, 0.0),
            defects: Defects::default(),
            channels: 0,
            rate: 0,
            encoded: 0,
            repaired: Vec::new(),
        }
    }

    pub fn add(&mut self, samples: Samples<'_>) {
        if samples.interleaved.iter().all(|sample| sample.is_finite()) {
            return self.add_finite(samples);
        }
        let mut repaired = std::mem::take(&mut self.repaired);
        repaired.clear();
        let finite = |sample: &f32| if sample.is_finite() { *sample } else { 0.0 };
        repaired.extend(samples.interleaved.iter().map(finite));
        self.add_finite(Samples { interleaved: &repaired, ..samples });
        self.repaired = repaired;
    }

    fn add_finite(&mut self, samples: Samples<'_>) {
        if self.channels == 0 {
            (self.channels, self.rate) = (samples.channels, samples.rate);
        }
        self.encoded += samples.encoded as u64;
        self.add_loudness(samples);
        self.meter.add(samples);
        self.defects.add(samples);
    }

    /// A format that the library refuses, such as 100 channels, has no loudness.
    fn add_loudness(&mut self, samples: Samples<'_>) {
        let Ok(channels) = u32::try_from(samples.channels) else { return };
        match &mut self.loudness {
            // The histogram keeps the memory constant. It has steps of 0.1 LU, within which the
            // library adds exact energies.
            None => {
                let mode = Mode::I | Mode::TRUE_PEAK | Mode::HISTOGRAM;
                self.loudness = EbuR128::new(channels, samples.rate, mode).ok();
            }
            Some(meter) if (meter.channels(), meter.rate()) != (channels, samples.rate) => {
                if meter.change_parameters(channels, samples.rate).is_err() {
                    return;
                }
            }
            Some(_) => {}
        }
        let Some(meter) = &mut self.loudness else { return };
        if meter.add_frames_f32(samples.interleaved).is_err() {
            return;
        }
        let peaks = (0..channels).filter_map(|channel| meter.prev_true_peak(channel).ok());
        let peak = peaks.fold(0.0, f64::max);
        if peak > self.peak.0 {
            self.peak = (peak, self.defects.elapsed());
        }
    }

    pub fn finish(self) -> Measurement {
        let peaks = self.meter.finish();
        let loudness = self.loudness.and_then(|meter| meter.loudness_global().ok());
        let (peak, at) = self.peak;
        let found = self.defects.finish();
        #[expect(clippy::cast_precision_loss, reason = "a file has fewer than 2^49 bytes")]
        let bits = self.encoded as f64 * 8.0;
        Measurement {
            bit_rate: bits / peaks.duration.max(f64::MIN_POSITIVE),
            peaks,
            channels: u32::try_from(self.channels).unwrap_or(u32::MAX),
            rate: self.rate,
            loudness: loudness.filter(|loudness| loudness.is_finite()),
            true_peak: (peak > 0.0).then(|| (20.0 * peak.log10(), at)),
            clipped: found.clipped,
            silences: found.silences,
            dead_channels: found.dead_channels,
            is_dual_mono: found.is_dual_mono,
        }
    }
}
