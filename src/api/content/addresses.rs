//! Rejects addresses of texts that the site already uses.

use api_shared::ApiError;
use model::{ItemId, Untranslated, is_reserved};
use render::PathAnswer;
use server::Moment;
use site::ItemEntry;

/// The address that a text will have, also if it is a draft.
pub struct NewAddress<'a> {
    /// The id of the text, unless it is new.
    pub id: Option<&'a ItemId>,
    /// The field that determines the address.
    pub field: &'a str,
    /// The path below the path of the text's language.
    pub path: &'a str,
    pub language: Option<&'a str>,
    /// The path of the text's file without its language. Translations have the same path.
    pub text_path: &'a str,
}

impl<'a> NewAddress<'a> {
    pub fn of_item(entry: &'a ItemEntry) -> Self {
        let item = &entry.item;
        let path = entry.path.strip_prefix(&*entry.mount).unwrap_or(&entry.path);
        let (language, text_path) = (item.language.as_deref(), item.text_path());
        Self { id: Some(&item.id), field: "_service.slug", path, language, text_path }
    }

    /// Rejects the address if another text or document has it: in the language of the text, or in a
    /// language that shows the text untranslated.
    pub fn check_free(&self, moment: &Moment) -> Result<(), ApiError> {
        let languages = &moment.site.snapshot.config.languages;
        let own = languages.index(self.language);
        let is_shown = |language: &usize| {
            let shows_originals = own == 0 && languages.untranslated == Untranslated::Show;
            *language == own || shows_originals && !self.is_translated(moment, *language)
        };
        // Items without a pattern are below the reserved path /i/.
        let has_own_path = !self.path.starts_with("/i/");
        for language in (0..=languages.others.len()).filter(is_shown) {
            let mount = languages.mount(language);
            let path = [&*mount, self.path].concat();
            let why = match moment.site.find(&path) {
                _ if mount.is_empty() && is_reserved(&path[1..]) && has_own_path => "is reserved",
                Some(PathAnswer::Document(document)) if !self.is_at(moment, &document) => {
                    "is already a path of this site"
                }
                _ => continue,
            };
            return Err(ApiError::conflict(format!("{}: {path} {why}", self.field)));
        }
        Ok(())
    }

    /// Returns whether a document is the text itself, or another language's version of it.
    fn is_at(&self, moment: &Moment, document: &render::Document) -> bool {
        let snapshot = &moment.site.snapshot;
        let is_same =
            |id: &ItemId, text_path| self.id == Some(id) || text_path == Some(self.text_path);
        match (document.item(snapshot), document.page(snapshot)) {
            (Some(entry), _) => is_same(&entry.item.id, Some(entry.item.text_path())),
            (None, Some(entry)) => is_same(&entry.page.id, entry.page.text_path()),
            (None, None) => false,
        }
    }

    /// Returns whether the site has the text in a language.
    fn is_translated(&self, moment: &Moment, language: usize) -> bool {
        let snapshot = &moment.site.snapshot;
        let languages = &snapshot.config.languages;
        let is_in = |own: Option<&str>| languages.index(own) == language;
        let mut items = snapshot.entries.iter().map(|entry| &entry.item);
        let mut pages = snapshot.pages.iter().map(|entry| &entry.page);
        items.any(|item| item.text_path() == self.text_path && is_in(item.language.as_deref()))
            || pages.any(|page| {
                page.text_path() == Some(self.text_path) && is_in(page.language.as_deref())
            })
    }
}
