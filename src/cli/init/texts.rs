//! Translations of the example content of a new site.

/// The English strings in the example files.
const ENGLISH: [&str; 11] = [
    "title = \"My site\"",
    "A few words about this site.",
    "title = \"Hello\"",
    "[\"first\"]",
    "This is the first item. It is written in [Markdown](https://commonmark.org/help/), and its file is\n`content/items/hello.md`.",
    "To keep media next to the text, make the item a folder: `content/items/hello/index.md`.",
    "title = \"About\"",
    "What this site is about.",
    "Write here who you are and what this site is about.",
    "title = \"Nothing here\"",
    "There is no page at this address. The [home page](/) lists everything.",
];

/// The translations of each string of [`ENGLISH`], in the same order.
const TRANSLATIONS: [(&str, [&str; 11]); 6] = [
    (
        "de",
        [
            "title = \"Meine Website\"",
            "Ein paar Worte über diese Website.",
            "title = \"Hallo\"",
            "[\"Anfang\"]",
            "Das ist der erste Eintrag. Er ist in [Markdown](https://commonmark.org/help/) geschrieben, und seine Datei ist\n`content/items/hello.md`.",
            "Um Medien neben den Text zu legen, mach aus dem Eintrag einen Ordner: `content/items/hello/index.md`.",
            "title = \"Über\"",
            "Was diese Website ist.",
            "Schreib hier, wer du bist und was diese Website ist.",
            "title = \"Seite nicht gefunden\"",
            "Unter dieser Adresse gibt es nichts. Alles andere steht auf der [Startseite](/).",
        ],
    ),
    (
        "fr",
        [
            "title = \"Mon site\"",
            "Quelques mots sur ce site.",
            "title = \"Bonjour\"",
            "[\"début\"]",
            "Voici la première publication. Elle est écrite en [Markdown](https://commonmark.org/help/), dans le fichier\n`content/items/hello.md`.",
            "Pour placer des médias à côté du texte, faites-en un dossier\u{a0}: `content/items/hello/index.md`.",
            "title = \"À propos\"",
            "Présentation de ce site.",
            "Dites ici qui vous êtes et de quoi parle ce site.",
            "title = \"Page introuvable\"",
            "Il n’y a rien à cette adresse. La [page d’accueil](/) présente tout le reste.",
        ],
    ),
    (
        "es",
        [
            "title = \"Mi sitio\"",
            "Unas palabras sobre este sitio.",
            "title = \"Hola\"",
            "[\"inicio\"]",
            "Esta es la primera entrada. Está escrita en [Markdown](https://commonmark.org/help/) y su archivo es\n`content/items/hello.md`.",
            "Para poner fotos o audio junto al texto, convierte la entrada en una carpeta: `content/items/hello/index.md`.",
            "title = \"Acerca de\"",
            "De qué trata este sitio.",
            "Cuenta aquí quién eres y de qué trata este sitio.",
            "title = \"Página no encontrada\"",
            "No hay nada en esta dirección. En la [página de inicio](/) está todo lo demás.",
        ],
    ),
    (
        "it",
        [
            "title = \"Il mio sito\"",
            "Due parole su questo sito.",
            "title = \"Ciao\"",
            "[\"inizio\"]",
            "Questo è il primo contenuto. È scritto in [Markdown](https://commonmark.org/help/) e il suo file è\n`content/items/hello.md`.",
            "Per mettere foto o audio accanto al testo, trasforma il contenuto in una cartella: `content/items/hello/index.md`.",
            "title = \"Informazioni\"",
            "Di cosa parla questo sito.",
            "Scrivi qui chi sei e di cosa parla questo sito.",
            "title = \"Pagina non trovata\"",
            "A questo indirizzo non c’è nulla. Tutto il resto è sulla [pagina iniziale](/).",
        ],
    ),
    (
        "nl",
        [
            "title = \"Mijn site\"",
            "Een paar woorden over deze site.",
            "title = \"Hallo\"",
            "[\"begin\"]",
            "Dit is het eerste bericht. Het is geschreven in [Markdown](https://commonmark.org/help/) en staat in het bestand\n`content/items/hello.md`.",
            "Wil je media naast de tekst zetten, maak dan een map van het bericht: `content/items/hello/index.md`.",
            "title = \"Over\"",
            "Waar deze site over gaat.",
            "Schrijf hier wie je bent en waar deze site over gaat.",
            "title = \"Pagina niet gevonden\"",
            "Op dit adres is niets te vinden. Al het andere staat op de [startpagina](/).",
        ],
    ),
    (
        "pt",
        [
            "title = \"Meu site\"",
            "Algumas palavras sobre este site.",
            "title = \"Olá\"",
            "[\"início\"]",
            "Esta é a primeira publicação. Ela está escrita em [Markdown](https://commonmark.org/help/), no arquivo\n`content/items/hello.md`.",
            "Para colocar mídia ao lado do texto, transforme a publicação em uma pasta: `content/items/hello/index.md`.",
            "title = \"Sobre\"",
            "O que é este site.",
            "Conte aqui quem você é e o que é este site.",
            "title = \"Página não encontrada\"",
            "Não há nada neste endereço. A [página inicial](/) mostra todo o resto.",
        ],
    ),
];

/// Returns the translations for a language tag such as `de-AT`.
fn translations(language: &str) -> Option<&'static [&'static str; 11]> {
    let chain = words::chain(language);
    let of = |name: &String| TRANSLATIONS.iter().find(|(language, _)| language == name);
    chain.iter().find_map(of).map(|(_, texts)| texts)
}

/// Returns whether the example content is available in a language.
pub fn has(language: &str) -> bool {
    words::chain(language).iter().any(|name| name == words::ENGLISH)
        || translations(language).is_some()
}

/// Returns an example file in a language. If the language has no translation, the content is
/// English.
pub fn translated(file: &str, language: &str) -> String {
    let file = with_texts(file, translations(language).unwrap_or(&ENGLISH));
    let tag = words::chain(language).into_iter().next();
    file.replace(
        "language = \"en\"",
        &format!("language = {}", edit::quoted(&tag.unwrap_or_default())),
    )
}

fn with_texts(file: &str, texts: &[&str; 11]) -> String {
    let pairs = ENGLISH.iter().zip(texts);
    pairs.fold(file.to_owned(), |file, (english, text)| file.replace(english, text))
}

/// Returns all translations of an example file. The language tag in all of them is `en`.
#[cfg(feature = "import")]
pub fn versions(file: &str) -> impl Iterator<Item = String> + '_ {
    let texts = TRANSLATIONS.iter().map(|(_, texts)| texts).chain([&ENGLISH]);
    texts.map(|texts| with_texts(file, texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_text_is_in_a_file() {
        let files: String = crate::init::FILES.map(|(_, text)| text).concat();
        for text in ENGLISH {
            assert!(files.contains(text), "{text}");
        }
    }
}
