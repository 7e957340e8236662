//! Whatever happens to a site between builds: what is built on top of the earlier output is what a first build
//! of a copy gives.

mod changes;
pub mod site;
mod sources;

use proptest::prelude::*;

use changes::changes;
use site::ChangingSite;

/// How many sites are changed: many more where `FEEDWRIGHT_CASES` says so.
fn cases() -> u32 {
    let chosen = std::env::var("FEEDWRIGHT_CASES").ok();
    chosen.and_then(|text| text.parse().ok()).unwrap_or(24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn incremental_builds_equal_clean_builds(
        has_languages in any::<bool>(),
        steps in proptest::collection::vec(changes(), 1..40),
    ) {
        let mut site = ChangingSite::new(has_languages);
        for changes in steps {
            site.step(&changes);
        }
    }
}
