//! When an item or a Page was last changed: one rule for documents, lists and the API.

use jiff::Timestamp;

use super::{Item, Page};

/// When a content file was last changed: the later of the date that it names and of the `file`'s own.
///
/// A build must not depend on when a file was copied or checked out, so its documents pass no `file`: then
/// the date in the front matter counts, or else the date of publication.
fn updated(
    modified: Option<Timestamp>,
    published: Option<Timestamp>,
    file: Option<Timestamp>,
) -> Option<Timestamp> {
    modified.max(file).or(published)
}

impl Item {
    /// When it was last changed. `file` is when its file was; none in documents of a build.
    pub fn updated(&self, file: Option<Timestamp>) -> Option<Timestamp> {
        updated(self.date_modified, self.date_published, file)
    }
}

impl Page {
    /// When it was last changed. `file` is when its file was; none in documents of a build.
    pub fn updated(&self, file: Option<Timestamp>) -> Option<Timestamp> {
        updated(self.date_modified, self.date_published, file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_of_both_dates_counts_and_the_published_one_where_there_is_none() {
        let [early, late, published] =
            [1, 2, 3].map(|second| Some(Timestamp::from_second(second).unwrap()));
        assert_eq!(updated(early, published, late), late);
        assert_eq!(updated(late, published, early), late);
        assert_eq!(updated(None, published, early), early);
        assert_eq!(updated(early, published, None), early);
        assert_eq!(updated(None, published, None), published);
        assert_eq!(updated(None, None, None), None);
    }
}
