//! What a mistyped name was meant to be.

/// The known name that is nearest to a mistyped one.
pub(crate) fn nearest<'n>(text: &str, names: &[&'n str]) -> Option<&'n str> {
    // A much longer text is near no name, and comparing takes memory for each pair of characters.
    const LONGEST: usize = 200;
    if text.len() > LONGEST {
        return None;
    }
    names
        .iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&text.to_lowercase(), &name.to_lowercase()),
                *name,
            )
        })
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4)
        .min()
        .map(|(_, name)| name)
}
