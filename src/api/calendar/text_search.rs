//! Free-text search of events.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::event_fields::EventFields;

/// Names that calendar apps show for an absence, in widely read languages.
const OUT_OF_OFFICE: &str = "Out of office; Away; Abwesend; Außer Haus; Absent du bureau; Absence; \
    Fuera de la oficina; Ausente; Fora do escritório; Fuori sede; Fuori ufficio; Afwezig; \
    Niet op kantoor; Frånvarande; Ikke på kontoret; Ikke til stede; Poissa; Nieobecność; \
    Mimo kancelář; Házon kívül; În afara biroului; Εκτός γραφείου; Вне офиса; Нет на месте; \
    Поза офісом; Ofis dışında; מחוץ למשרד; خارج المكتب; ऑफ़िस से बाहर; ไม่อยู่ที่ทำงาน; \
    Vắng mặt; Tidak di kantor; 不在; 外出中; 休暇; 外出; 부재중";

/// Names that calendar apps show for focus time.
const FOCUS_TIME: &str = "Focus time; Fokuszeit; Moment de concentration; Temps de concentration; \
    Tiempo para concentrarse; Horário de foco; Tempo de foco; Orario di concentrazione; \
    Momento di concentrazione; Focustijd; Fokustid; Keskittymisaika; Czas skupienia; \
    Čas na soustředění; Fókuszidő; Timp de concentrare; Ώρα συγκέντρωσης; Время без отвлечений; \
    Час для фокусування; Odaklanma zamanı; זמן ריכוז; وقت التركيز; फ़ोकस टाइम; \
    เวลาที่ต้องใช้สมาธิ; Thời gian tập trung; Waktu fokus; サイレント モード; 専念時間; 专注时间; 專注時間; 집중 시간";

/// Names that calendar apps show for working from home.
const HOME: &str = "Home; Working from home; Zuhause; Zu Hause; Homeoffice; Domicile; Télétravail; \
    Casa; En casa; Thuis; Hemma; Hjemme; Kotona; Dom; Doma; Otthon; Acasă; Σπίτι; Дом; Дома; \
    Удалённо; Вдома; Ev; Evden; בית; المنزل; घर; บ้าน; Nhà; Rumah; 自宅; 在宅; 家; 在家办公; 집; 재택";

/// Names that calendar apps show for working at an office.
const OFFICE: &str = "Office; Workplace; Büro; Bureau; Oficina; Escritório; Ufficio; Kantoor; Kontoret; \
    Kontor; Toimisto; Biuro; Kancelář; Iroda; Birou; Γραφείο; Офис; Офіс; Ofis; משרד; المكتب; \
    कार्यालय; สำนักงาน; Văn phòng; Kantor; オフィス; 会社; 办公室; 辦公室; 사무실";

/// Names that calendar apps show for any work location.
const WORKPLACE: &str = "Working location; Work location; Arbeitsort; Lieu de travail; Lugar de trabajo; \
    Ubicación de trabajo; Local de trabalho; Luogo di lavoro; Werklocatie; Arbetsplats; Arbeidssted; \
    Arbejdssted; Työpaikka; Miejsce pracy; Pracoviště; Munkavégzés helye; Locul de muncă; \
    Τοποθεσία εργασίας; Место работы; Місце роботи; Çalışma konumu; מיקום העבודה; موقع العمل; \
    कार्यस्थल; สถานที่ทำงาน; Địa điểm làm việc; Lokasi kerja; 勤務場所; 工作地点; 工作地點; 근무 위치";

/// Returns whether the searched fields of an event contain every word of `text`. Ignores case and
/// accents.
pub fn matches(facts: &EventFields, text: &str) -> bool {
    let hay = normalized(&searched_texts(facts).join("\n"));
    normalized(text).split_whitespace().all(|word| hay.contains(word))
}

/// Returns the values of the searched fields of an event.
fn searched_texts(facts: &EventFields) -> Vec<&str> {
    let mut texts: Vec<&str> = ["summary", "description", "location"]
        .into_iter()
        .filter_map(|name| facts.get(name)?.as_str())
        .collect();
    let attendees = facts.get("attendees").and_then(Value::as_array);
    let people = attendees.into_iter().flatten().chain(facts.get("organizer"));
    for person in people {
        texts.extend(["displayName", "email"].into_iter().filter_map(|name| person[name].as_str()));
    }
    match facts.get("eventType").and_then(Value::as_str) {
        Some("outOfOffice") => texts.push(OUT_OF_OFFICE),
        Some("focusTime") => texts.push(FOCUS_TIME),
        Some("workingLocation") => {
            texts.push(WORKPLACE);
            texts.extend(
                facts.get("workingLocationProperties").map(workplace_names).into_iter().flatten(),
            );
        }
        _ => {}
    }
    texts
}

/// Returns the names of a work location.
fn workplace_names(properties: &Value) -> Vec<&str> {
    let mut names = Vec::new();
    if !properties["homeOffice"].is_null() || properties["type"] == "homeOffice" {
        names.push(HOME);
    }
    if !properties["officeLocation"].is_null() || properties["type"] == "officeLocation" {
        names.push(OFFICE);
    }
    let labels = [
        &properties["officeLocation"]["label"],
        &properties["customLocation"]["label"],
        &properties["officeLocation"]["buildingId"],
    ];
    names.extend(labels.into_iter().filter_map(Value::as_str));
    names
}

fn normalized(text: &str) -> String {
    let letters = text.nfkd().filter(|c| !is_combining_mark(*c));
    letters.flat_map(char::to_lowercase).collect()
}
