//! Names that become addresses: slugs, ids, paths, URLs.

use feedwright::model::{ItemId, PageSlug, SitePath, Slug, url};
use percent_encoding::percent_decode_str;
use proptest::prelude::*;
use unicode_normalization::is_nfc;

proptest! {
    #[test]
    fn any_title_gives_a_valid_slug(title in "\\PC*") {
        if let Some(slug) = Slug::from_title(&title) {
            prop_assert_eq!(Slug::parse(slug.as_str()).unwrap(), slug.clone());
            prop_assert!(is_nfc(slug.as_str()));
            prop_assert!(!slug.as_str().starts_with('-') && !slug.as_str().ends_with('-') && !slug.as_str().contains("--"));
            prop_assert_eq!(Slug::from_title(slug.as_str()).unwrap(), slug);
        }
    }

    #[test]
    fn a_title_with_a_letter_has_a_slug(before in "[ -/]*", letter in "[a-zA-Z0-9é日ا]", after in ".*") {
        let title = [before, letter, after].concat();
        prop_assert!(Slug::from_title(&title).is_some());
    }

    #[test]
    fn an_invalid_slug_is_refused_without_a_panic(text in ".*") {
        if let Ok(slug) = Slug::parse(&text) {
            prop_assert!(slug.as_str().len() <= Slug::MAX_BYTES);
            prop_assert!(!slug.as_str().contains(['/', '\\', '.', '%', '?', '#', ' ', '<', '&', '"']));
        }
        if let Ok(slug) = PageSlug::parse(&text) {
            prop_assert!(slug.as_str().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        }
        let _ = ItemId::parse(&text);
    }

    #[test]
    fn derived_ids_are_valid(path in ".*") {
        let id = ItemId::derive(&path);
        prop_assert_eq!(ItemId::parse(id.as_str()).unwrap(), id.clone());
        prop_assert_eq!(id.as_str().len(), 11);
    }

    #[test]
    fn no_reference_escapes_the_site(reference in "(\\.\\.?/|[a-z]{1,3}/|/|\\\\|%2e%2e/|\\.){0,12}[a-z]{0,3}") {
        let item = SitePath::parse("content/items/a/index.md").unwrap();
        if let Some(found) = item.resolve(&reference) {
            prop_assert!(found.as_str().split('/').all(|part| !matches!(part, "" | "." | "..")));
            prop_assert!(!found.as_str().contains('\\'));
        }
    }

    #[test]
    fn an_encoded_path_decodes_to_itself(path in "\\PC*") {
        let encoded = url::encode_path(&path);
        prop_assert!(encoded.is_ascii() && !encoded.contains([' ', '"', '<', '>', '?', '#', '\\']));
        prop_assert_eq!(percent_decode_str(&encoded).decode_utf8().unwrap(), path);
    }
}
