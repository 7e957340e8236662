//! Searches a string for bytes that must be replaced, such as `<` in HTML.

/// Returns the index of the first special byte. Most bytes of a string are not special, so a whole
/// block is tested in a few vector instructions. The compiler can use vector instructions only if
/// `is_special` does not branch: combine its conditions with `|` and `&`.
#[inline]
pub fn first_special_byte(bytes: &[u8], is_special: impl Fn(u8) -> bool) -> Option<usize> {
    const BLOCK: usize = 32;
    let mut clean = 0;
    for block in bytes.as_chunks::<BLOCK>().0 {
        // Combines the results in a loop, since the compiler does not vectorize a fold of `bool`.
        let mut hits = 0;
        for &byte in block {
            hits |= u8::from(is_special(byte));
        }
        if hits != 0 {
            break;
        }
        clean += BLOCK;
    }
    let rest = bytes[clean..].iter().position(|byte| is_special(*byte));
    rest.map(|at| clean + at)
}
