//! Month names in the languages that feeds use for dates.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Month names by language, from CLDR, in lower case and without accents. Each row has twelve
/// months, and `|` separates the forms of one month. Abbreviations that are prefixes of another
/// form are omitted.
const NAMES: [(&str, &str); 37] = [
    ("en", "january february march april may june july august september october november december"),
    (
        "de",
        "januar februar marz|mrz april mai juni juli august september oktober november dezember",
    ),
    (
        "fr",
        "janvier fevrier mars avril mai juin juillet|jul aout septembre octobre novembre decembre",
    ),
    (
        "es",
        "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
    ),
    (
        "pt",
        "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    ),
    (
        "it",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    ),
    (
        "nl",
        "januari februari maart|mrt april mei juni juli augustus september oktober november december",
    ),
    (
        "pl",
        "stycznia|styczen lutego|luty marca|marzec kwietnia|kwiecien maja czerwca|czerwiec lipca|lipiec sierpnia|sierpien wrzesnia|wrzesien pazdziernika listopada grudnia|grudzien",
    ),
    (
        "ru",
        "января|январь февраля|февраль марта апреля|апрель мая|маи июня|июнь июля|июль августа сентября|сентябрь октября|октябрь ноября|ноябрь декабря|декабрь",
    ),
    ("sv", "januari februari mars april maj juni juli augusti september oktober november december"),
    ("nb", "januar februar mars april mai juni juli august september oktober november desember"),
    ("da", "januar februar marts april maj juni juli august september oktober november december"),
    (
        "fi",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    ),
    (
        "cs",
        "ledna|leden unora brezna|brezen dubna|duben kvetna|kveten cervna|cvn|cerven cervence|cvc|cervenec srpna|srpen zari rijna|rijen listopadu prosince|prosinec",
    ),
    (
        "sk",
        "januara februara marca|marec aprila maja juna jula augusta septembra|september oktobra|oktober novembra|november decembra|december",
    ),
    (
        "hu",
        "januar februar marcius aprilis majus junius julius augusztus szeptember oktober november december",
    ),
    (
        "ro",
        "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie|nov decembrie",
    ),
    (
        "hr",
        "sijecnja|sijecanj veljace|veljaca ozujka|ozujak travnja|travanj svibnja|svibanj lipnja|lipanj srpnja|srpanj kolovoza rujna|rujan listopada studenoga|studeni prosinca|prosinac",
    ),
    ("sl", "januar februar marec april maj junij julij avgust september oktober november december"),
    ("sr", "јануар фебруар март април мај јун јул август септембар октобар новембар децембар"),
    ("sr", "januar februar mart april maj jun jul avgust septembar oktobar novembar decembar"),
    ("bg", "януари февруари март април маи юни юли август септември октомври ноември декември"),
    (
        "uk",
        "січня|січень лютого|лютии березня|березень квітня|квітень травня|травень червня|червень липня|липень серпня|серпень вересня|вересень жовтня|жовтень листопада грудня|грудень",
    ),
    (
        "el",
        "ιανουαριου|ιανουαριος φεβρουαριου|φεβρουαριος μαρτιου|μαρτιος απριλιου|απριλιος μαιου|μαιος ιουνιου|ιουνιος ιουλιου|ιουλιος αυγουστου|αυγουστος σεπτεμβριου|σεπτεμβριος οκτωβριου|οκτωβριος νοεμβριου|νοεμβριος δεκεμβριου|δεκεμβριος",
    ),
    ("tr", "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik"),
    ("ca", "gener febrer marc abril maig juny juliol agost|ag setembre octubre novembre desembre"),
    (
        "gl",
        "xaneiro febreiro marzo abril maio xuno xullo agosto setembro outubro novembro decembro",
    ),
    (
        "eu",
        "urtarrila otsaila martxoa apirila maiatza ekaina uztaila abuztua iraila urria azaroa abendua",
    ),
    (
        "et",
        "jaanuar veebruar marts aprill mai juuni juuli august september oktoober november detsember",
    ),
    (
        "lv",
        "janvaris februaris marts aprilis maijs junijs julijs augusts septembris oktobris novembris decembris",
    ),
    (
        "lt",
        "sausio|sausis vasario|vasaris kovo|kovas balandzio|balandis geguzes birzelio|birzelis liepos|liepa rugpjucio|rugpjutis rugsejo|rugsejis spalio|spalis lapkricio|lapkritis gruodzio|gruodis",
    ),
    (
        "id",
        "januari februari maret april mei juni juli agustus|agt september oktober november desember",
    ),
    ("is", "januar februar mars april mai juni juli agust september oktober november desember"),
    ("ar", "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر"),
    ("he", "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר"),
    ("fa", "ژانویه فوریه مارس اوریل مه ژوين ژويیه اوت سپتامبر اکتبر نوامبر دسامبر"),
    (
        "hi",
        "जनवरी|जन॰ फरवरी|फर॰ मारच अपरैल मई जून जुलाई|जुल॰ अगसत|अग॰ सितंबर|सित॰ अकटूबर|अकटू॰ नवंबर|नव॰ दिसंबर|दिस॰",
    ),
];

/// Minimum number of letters of an abbreviation.
const MIN_LETTERS: usize = 3;

/// Returns the number of the month with this name. English is tried first, because most feeds use
/// English names regardless of their language. `language` comes next, then every other language.
pub fn month(word: &str, language: Option<&str>) -> Option<i8> {
    let word = fold_word(word.trim_end_matches('.'));
    let word = word.strip_prefix("d'").unwrap_or(&word);
    if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let main = language.and_then(|tag| tag.split(['-', '_']).next());
    let is_own = |row: &&(&str, &str)| main.is_some_and(|main| main.eq_ignore_ascii_case(row.0));
    let own = NAMES.iter().filter(is_own);
    NAMES[..1].iter().chain(own).chain(&NAMES[1..]).find_map(|(_, names)| find_in_row(names, word))
}

/// Returns the number of the month with this name in one language. `word` is a full name, or a
/// prefix that only one month has.
fn find_in_row(names: &str, word: &str) -> Option<i8> {
    let months = || names.split(' ').zip(1_i8..);
    let exact = months().find(|(names, _)| names.split('|').any(|name| name == word));
    if let Some((_, month)) = exact {
        return Some(month);
    }
    let begins = |name: &str| word.chars().count() >= MIN_LETTERS && name.starts_with(word);
    let mut found = months().filter(|(names, _)| names.split('|').any(begins));
    let (_, month) = found.next()?;
    found.next().is_none().then_some(month)
}

/// Converts a word to lower case, and removes its accents.
fn fold_word(word: &str) -> String {
    let plain = word.nfd().filter(|c| !is_combining_mark(*c));
    plain
        .flat_map(char::to_lowercase)
        .filter_map(|c| match c {
            'ł' => Some('l'),
            'ı' => Some('i'),
            'đ' => Some('d'),
            'ø' => Some('o'),
            '’' => Some('\''),
            // The dot of the Turkish letter İ.
            '\u{307}' => None,
            c => Some(c),
        })
        .collect()
}
