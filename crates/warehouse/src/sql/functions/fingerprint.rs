//! Implements `FARM_FINGERPRINT`, the stable 64-bit fingerprint function of FarmHash.
//!
//! All arithmetic is modulo 2⁶⁴, and all words are little-endian. Inputs of up to 64 bytes have
//! separate algorithms. For longer inputs, each block of 64 bytes updates a state of seven words.
//!
//! The crate `farmhash` (1.1.5, of 2016) is not used, because its result is wrong for inputs whose
//! length is a multiple of 64 bytes, from 128 bytes on (its issue 18, whose fix has been open since
//! 2024). For all other lengths from 0 to 2000, both implementations agree.

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;
const SEED: u64 = 81;

pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    match bytes.len() {
        0..=16 => short(bytes),
        17..=32 => medium(bytes),
        33..=64 => longer(bytes),
        _ => long(bytes),
    }
}

/// Returns the word of eight bytes at this offset. Bytes beyond the end would be zero, but no
/// caller reads beyond the end.
fn word(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn half(bytes: &[u8], at: usize) -> u64 {
    word(bytes, at) & 0xffff_ffff
}

fn shift_mix(value: u64) -> u64 {
    value ^ value >> 47
}

fn mix(one: u64, other: u64, factor: u64) -> u64 {
    let first = shift_mix((one ^ other).wrapping_mul(factor));
    shift_mix((other ^ first).wrapping_mul(factor)).wrapping_mul(factor)
}

fn factor(bytes: &[u8]) -> u64 {
    K2.wrapping_add(2 * bytes.len() as u64)
}

fn short(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    match length {
        8.. => {
            let factor = factor(bytes);
            let (a, b) = (word(bytes, 0).wrapping_add(K2), word(bytes, length - 8));
            let c = b.rotate_right(37).wrapping_mul(factor).wrapping_add(a);
            let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(factor);
            mix(c, d, factor)
        }
        4.. => {
            let first = (length as u64).wrapping_add(half(bytes, 0) << 3);
            mix(first, half(bytes, length - 4), factor(bytes))
        }
        1.. => {
            let byte = |at: usize| u64::from(bytes[at]);
            let y = byte(0) + (byte(length >> 1) << 8);
            let z = length as u64 + (byte(length - 1) << 2);
            shift_mix(y.wrapping_mul(K2) ^ z.wrapping_mul(K0)).wrapping_mul(K2)
        }
        0 => K2,
    }
}

/// Mixes the first two and the last two words.
fn ends(bytes: &[u8], first: u64) -> (u64, u64, u64) {
    let (length, factor) = (bytes.len(), factor(bytes));
    let a = word(bytes, 0).wrapping_mul(first);
    let b = word(bytes, 8);
    let c = word(bytes, length - 8).wrapping_mul(factor);
    let d = word(bytes, length - 16).wrapping_mul(K2);
    let one = a.wrapping_add(b).rotate_right(43).wrapping_add(c.rotate_right(30)).wrapping_add(d);
    let other = a.wrapping_add(b.wrapping_add(K2).rotate_right(18)).wrapping_add(c);
    (a, one, other)
}

fn medium(bytes: &[u8]) -> u64 {
    let (_, one, other) = ends(bytes, K1);
    mix(one, other, factor(bytes))
}

fn longer(bytes: &[u8]) -> u64 {
    let (length, factor) = (bytes.len(), factor(bytes));
    let (a, y, other) = ends(bytes, K2);
    let z = mix(y, other, factor);
    let e = word(bytes, 16).wrapping_mul(factor);
    let f = word(bytes, 24);
    let g = y.wrapping_add(word(bytes, length - 32)).wrapping_mul(factor);
    let h = z.wrapping_add(word(bytes, length - 24)).wrapping_mul(factor);
    let one = e.wrapping_add(f).rotate_right(43).wrapping_add(g.rotate_right(30)).wrapping_add(h);
    let other = e.wrapping_add(f.wrapping_add(a).rotate_right(18)).wrapping_add(g);
    mix(one, other, factor)
}

/// The state of the hash of a long input.
struct State {
    x: u64,
    y: u64,
    z: u64,
    v: (u64, u64),
    w: (u64, u64),
}

impl State {
    /// Updates the state with 64 bytes.
    fn take(&mut self, block: &[u8], factor: u64, scale: u64) {
        let Self { x, y, z, v, w } = self;
        let at = |at: usize| word(block, at);
        *x = x
            .wrapping_add(*y)
            .wrapping_add(v.0)
            .wrapping_add(at(8))
            .rotate_right(37)
            .wrapping_mul(factor);
        *y = y.wrapping_add(v.1).wrapping_add(at(48)).rotate_right(42).wrapping_mul(factor);
        *x ^= w.1.wrapping_mul(scale);
        *y = y.wrapping_add(v.0.wrapping_mul(scale)).wrapping_add(at(40));
        *z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(factor);
        *v = pair(&block[..32], v.1.wrapping_mul(factor), x.wrapping_add(w.0));
        *w = pair(&block[32..], z.wrapping_add(w.1), y.wrapping_add(at(16)));
        std::mem::swap(z, x);
    }
}

/// Mixes four words into a pair of words.
fn pair(bytes: &[u8], a: u64, b: u64) -> (u64, u64) {
    let first = a.wrapping_add(word(bytes, 0));
    let last = word(bytes, 24);
    let b = b.wrapping_add(first).wrapping_add(last).rotate_right(21);
    let sum = first.wrapping_add(word(bytes, 8)).wrapping_add(word(bytes, 16));
    let b = b.wrapping_add(sum.rotate_right(44));
    (sum.wrapping_add(last), b.wrapping_add(first))
}

fn long(bytes: &[u8]) -> u64 {
    let y = SEED.wrapping_mul(K1).wrapping_add(113);
    let mut state = State {
        x: SEED.wrapping_mul(K2).wrapping_add(word(bytes, 0)),
        y,
        z: shift_mix(y.wrapping_mul(K2).wrapping_add(113)).wrapping_mul(K2),
        v: (0, 0),
        w: (0, 0),
    };
    // The last block can be incomplete, so the final step hashes the last 64 bytes of the input
    // instead.
    let before_last = (bytes.len() - 1) / 64 * 64;
    for block in bytes[..before_last].chunks_exact(64) {
        state.take(block, K1, 1);
    }
    let factor = K1.wrapping_add((state.z & 0xff) << 1);
    state.w.0 = state.w.0.wrapping_add((bytes.len() as u64 - 1) & 63);
    state.v.0 = state.v.0.wrapping_add(state.w.0);
    state.w.0 = state.w.0.wrapping_add(state.v.0);
    state.take(&bytes[bytes.len() - 64..], factor, 9);
    let State { x, y, z, v, w } = state;
    let one = mix(v.0, w.0, factor).wrapping_add(shift_mix(y).wrapping_mul(K0)).wrapping_add(z);
    mix(one, mix(v.1, w.1, factor).wrapping_add(x), factor)
}
