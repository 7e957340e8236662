//! Decodes Opus (RFC 6716, RFC 7845), which symphonia only reads from its containers.

use opus_pure::{MAX_PACKET_SAMPLES, OpusDecoder};
use symphonia::core::audio::layouts::{CHANNEL_LAYOUT_MONO, CHANNEL_LAYOUT_STEREO};
use symphonia::core::audio::{
    AsGenericAudioBufferRef, AudioBuffer, AudioMut, AudioSpec, GenericAudioBufferRef,
};
use symphonia::core::codecs::CodecInfo;
use symphonia::core::codecs::audio::well_known::CODEC_ID_OPUS;
use symphonia::core::codecs::audio::{
    AudioCodecParameters, AudioDecoder, AudioDecoderOptions, FinalizeResult,
};
use symphonia::core::codecs::registry::{RegisterableAudioDecoder, SupportedAudioCodec};
use symphonia::core::errors::{Result, decode_error, unsupported_error};
use symphonia::core::packet::PacketRef;

/// Samples per second of the decoded sound, whatever was encoded.
const RATE: u32 = 48_000;

/// Position of the output gain in the header (RFC 7845, section 5.1).
const GAIN: std::ops::Range<usize> = 16..18;

static CODECS: [SupportedAudioCodec; 1] = [SupportedAudioCodec {
    id: CODEC_ID_OPUS,
    info: CodecInfo { short_name: "opus", long_name: "Opus", profiles: &[] },
}];

/// A decoder of mono and stereo.
pub struct Opus {
    decoder: OpusDecoder,
    params: AudioCodecParameters,
    interleaved: Vec<f32>,
    block: AudioBuffer<f32>,
}

impl RegisterableAudioDecoder for Opus {
    fn try_registry_new(
        params: &AudioCodecParameters,
        _: &AudioDecoderOptions,
    ) -> Result<Box<dyn AudioDecoder>> {
        let layout = match params.channels.as_ref().map(|channels| channels.count()) {
            Some(1) => CHANNEL_LAYOUT_MONO,
            Some(2) => CHANNEL_LAYOUT_STEREO,
            _ => return unsupported_error("opus: more than two channels"),
        };
        let channels = layout.count();
        let Ok(mut decoder) = OpusDecoder::new(RATE.cast_signed(), channels) else {
            return unsupported_error("opus: invalid channels");
        };
        let gain = params.extra_data.as_ref().and_then(|header| header.get(GAIN));
        let gain = gain.and_then(|bytes| bytes.try_into().ok()).map_or(0, i16::from_le_bytes);
        decoder.gain_q8 = i32::from(gain);
        Ok(Box::new(Self {
            decoder,
            params: params.clone(),
            interleaved: vec![0.0; MAX_PACKET_SAMPLES * channels],
            block: AudioBuffer::new(AudioSpec::new(RATE, layout), MAX_PACKET_SAMPLES),
        }))
    }

    fn supported_codecs() -> &'static [SupportedAudioCodec] {
        &CODECS
    }
}

impl AudioDecoder for Opus {
    fn reset(&mut self) {
        // A reset fails only for parameters that the decoder was not made with.
        let _ = self.decoder.reset_state();
    }

    fn codec_info(&self) -> &CodecInfo {
        &CODECS[0].info
    }

    fn codec_params(&self) -> &AudioCodecParameters {
        &self.params
    }

    fn decode_ref(&mut self, packet: &PacketRef<'_>) -> Result<GenericAudioBufferRef<'_>> {
        self.block.clear();
        // The decoder would fill in the sound of an empty packet.
        if packet.data.is_empty() {
            return decode_error("opus: empty packet");
        }
        let decoded = self.decoder.decode(packet.data, MAX_PACKET_SAMPLES, &mut self.interleaved);
        let Ok(frames) = decoded else { return decode_error("opus: damaged packet") };
        let channels = self.decoder.channels();
        self.block.render_uninit(Some(frames));
        self.block.copy_from_slice_interleaved(&&self.interleaved[..frames * channels]);
        Ok(self.last_decoded())
    }

    fn finalize(&mut self) -> FinalizeResult {
        FinalizeResult::default()
    }

    fn last_decoded(&self) -> GenericAudioBufferRef<'_> {
        self.block.as_generic_audio_buffer_ref()
    }
}
