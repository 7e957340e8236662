//! The values to write into a recording.

use std::ops::Range;

use borsh::BorshSerialize;

/// The values to write. A recording keeps its own value of every field that is empty here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, BorshSerialize)]
pub struct Tags {
    pub title: Option<String>,
    /// Name of the show or other series, which players call the album.
    pub show: Option<String>,
    /// The people to show as artists, in this order.
    pub people: Vec<Person>,
    /// Number of the episode.
    pub number: Option<u32>,
    pub season: Option<u32>,
    /// Date of publication in UTC, such as `2026-08-01` or `2026-08-01T10:00:00Z` (ISO 8601).
    pub date: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// Address of the recording's page.
    pub address: Option<String>,
    /// Language tag, such as `de` or `pt-BR` (BCP 47).
    pub language: Option<String>,
    pub publisher: Option<String>,
    pub copyright: Option<String>,
    /// Such as `Podcast`.
    pub genre: Option<String>,
    /// Words of the recording, as plain text.
    pub lyrics: Option<String>,
    pub cover: Option<Picture>,
    /// Chapters in playing order.
    pub chapters: Vec<Chapter>,
    /// Whether the recording loses its own chapters even if `chapters` is empty.
    pub removes_chapters: bool,
}

/// A person who is heard in a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, BorshSerialize)]
pub struct Person {
    pub name: String,
    /// Such as `host` or `guest`.
    pub role: Option<String>,
}

/// A JPEG or PNG file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, BorshSerialize)]
pub struct Picture {
    pub bytes: Vec<u8>,
    /// `image/jpeg` or `image/png`.
    pub media_type: String,
}

/// A part of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, BorshSerialize)]
pub struct Chapter {
    /// Start in milliseconds.
    pub start_ms: u64,
    /// End in milliseconds.
    pub end_ms: u64,
    pub title: String,
    pub url: Option<String>,
    pub image: Option<Picture>,
    /// Whether players should leave the chapter out of their list. Formats other than MP3 omit
    /// hidden chapters.
    pub is_hidden: bool,
}

impl Tags {
    /// Returns the names of all people as one text.
    pub(crate) fn artists(&self) -> Option<String> {
        let names: Vec<_> = self.people.iter().map(|person| &*person.name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Returns the language as a code of three letters (ISO 639-2), such as `deu` for `de-AT`.
    pub(crate) fn language_code(&self) -> Option<&str> {
        let tag = self.language.as_deref()?;
        let language = tag.split(['-', '_']).next()?;
        let is_code = language.bytes().all(|byte| byte.is_ascii_lowercase());
        match language.len() {
            2 => CODES.split_ascii_whitespace().find_map(|pair| pair.strip_prefix(language)),
            3 => Some(language).filter(|_| is_code),
            _ => None,
        }
    }

    /// Returns whether a new value replaces an existing one with this key, in Vorbis comments and
    /// APE tags.
    pub(crate) fn replaces(&self, key: &str) -> bool {
        match &*key.to_ascii_lowercase() {
            "title" => self.title.is_some(),
            "album" => self.show.is_some(),
            "artist" | "performer" => !self.people.is_empty(),
            "tracknumber" | "track" => self.number.is_some(),
            "discnumber" | "disc" => self.season.is_some(),
            "date" | "year" => self.date.is_some(),
            "description" | "comment" => self.description.is_some(),
            "url" => self.address.is_some(),
            "language" => self.language.is_some(),
            "organization" | "publisher" => self.publisher.is_some(),
            "copyright" => self.copyright.is_some(),
            "genre" => self.genre.is_some(),
            "lyrics" => self.lyrics.is_some(),
            "metadata_block_picture" | "coverart" | "coverartmime" | "cover art (front)" => {
                self.cover.is_some()
            }
            key => key.starts_with("chapter") && self.replaces_chapters(),
        }
    }

    /// Returns whether the recording loses its own chapters.
    pub(crate) fn replaces_chapters(&self) -> bool {
        self.removes_chapters || !self.chapters.is_empty()
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let own = [
            &self.title, &self.show, &self.date, &self.description, &self.address, &self.language,
            &self.publisher, &self.copyright, &self.genre, &self.lyrics,
        ];
        let people = self.people.iter().flat_map(|one| [Some(&one.name), one.role.as_ref()]);
        let chapters = self.chapters.iter().flat_map(|one| [Some(&one.title), one.url.as_ref()]);
        let types = self.pictures().map(|picture| Some(&picture.media_type));
        let optional = own.map(Option::as_ref).into_iter().chain(people).chain(chapters);
        optional.chain(types).flatten().map(String::as_str)
    }

    fn pictures(&self) -> impl Iterator<Item = &Picture> {
        let images = self.chapters.iter().filter_map(|chapter| chapter.image.as_ref());
        self.cover.iter().chain(images)
    }

    /// Returns the number of bytes of all texts and pictures.
    pub fn size(&self) -> u64 {
        let texts = self.texts().map(str::len).sum::<usize>();
        let pictures = self.pictures().map(|picture| picture.bytes.len()).sum::<usize>();
        (texts + pictures) as u64
    }
}

impl Chapter {
    /// Returns the chapter's time in milliseconds. An end before the start is ignored.
    pub(crate) fn span(&self) -> Range<u64> {
        self.start_ms..self.end_ms.max(self.start_ms)
    }
}

/// The languages with a code of two letters (ISO 639-1), each followed by its code of three
/// letters (ISO 639-2/T).
const CODES: &str = "
aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul
bibis bmbam bnben bobod brbre bsbos cacat ceche chcha cocos crcre csces cuchu cvchv cycym
dadan dedeu dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus fafas ffful fifin fjfij
fofao frfra fyfry gagle gdgla glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat
huhun hyhye hzher iaina idind ieile igibo iiiii ikipk ioido isisl itita iuiku jajpn jvjav
kakat kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor krkau kskas kukur kvkom kwcor kykir
lalat lbltz lglug lilim lnlin lolao ltlit lulub lvlav mgmlg mhmah mimri mkmkd mlmal mnmon
mrmar msmsa mtmlt mymya nanau nbnob ndnde nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya
ococi ojoji omorm orori ososs papan pipli plpol pspus ptpor quque rmroh rnrun roron rurus
rwkin sasan scsrd sdsnd sesme sgsag shhbs sisin skslk slslv smsmo snsna sosom sqsqi srsrp
ssssw stsot susun svswe swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur
tstso tttat twtwi tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid
yoyor zazha zhzho zuzul";

#[cfg(test)]
mod tests {
    use super::Tags;

    #[test]
    fn a_language_has_a_code_of_three_letters() {
        for (tag, code) in [
            ("de", Some("deu")),
            ("pt-BR", Some("por")),
            ("gsw-CH", Some("gsw")),
            ("ss", Some("ssw")),
            ("zz", None),
            ("x-own", None),
            ("", None),
        ] {
            let tags = Tags { language: Some(tag.to_owned()), ..Tags::default() };
            assert_eq!(tags.language_code(), code, "{tag}");
        }
    }
}
