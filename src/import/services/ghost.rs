//! Ghost: imports an export, or requests the content from the Admin API or the Content API.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use feeds::ghost;
use fetch::Client;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sha2::Sha256;

use super::super::address::open;
use super::super::feed;
use super::super::parts::MAX_PARTS;
use super::Found;
use super::from_api::{Key, Refusal, Site};

const REMEDY: &str = "create an Admin API key in Ghost under Settings, Integrations, Add custom integration, and set \
    FEEDWRIGHT_IMPORT_KEY to it. Without a key, import the file from Settings, Import/Export, Export";

pub fn from_export(source: &str, base_url: Option<&str>, client: &Client) -> Result<Found, String> {
    let origin = open(source, client)?;
    let read =
        ghost::export(&origin.bytes, base_url).map_err(|error| format!("{source}: {error}"))?;
    let mut found = feed::found(read, &origin);
    "Ghost export".clone_into(&mut found.kind);
    Ok(found)
}

pub fn from_api(mut site: Site<'_>) -> Result<Found, String> {
    // The user may have copied the address of the admin interface.
    if let Some(path) = site.base.path().strip_suffix("ghost/") {
        let path = path.to_owned();
        site.base.set_path(&path);
    }
    let Some(key) = site.key.clone() else {
        return Err(format!("{} requires a key, which is missing\n  help: {REMEDY}", site.base));
    };
    let into_message = |refusal: Refusal| refusal.into_message(REMEDY);
    let (api, with) = match Admin::of(&key) {
        Some(admin) => {
            site.authorization = Some(Box::new(move || admin.authorization()));
            ("ghost/api/admin", "formats=html,lexical,mobiledoc".to_owned())
        }
        None if key.expose().bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            ("ghost/api/content", format!("key={}", key.expose()))
        }
        None => return Err(format!("the key is not a valid Ghost key\n  help: {REMEDY}")),
    };
    let mut posts = Vec::new();
    for kind in ["posts", "pages"] {
        let mut seen = HashSet::new();
        let mut page = Some(1);
        while let Some(number) = page.take().filter(|number| *number <= MAX_PARTS as u64) {
            let path = format!("{api}/{kind}/?{with}&include=tags,authors&limit=100&page={number}");
            let mut answer = match site.send_checked(&path).map_err(into_message)? {
                Value::Object(answer) => answer,
                _ => Map::new(),
            };
            page = ghost::next_page(&mut answer);
            let Some(Value::Array(list)) = answer.remove(kind) else {
                return Err(format!(
                    "{} is not a Ghost site: its response has no `{kind}`",
                    site.base
                ));
            };
            let known = seen.len();
            for post in list {
                let Value::Object(mut post) = post else {
                    continue;
                };
                if seen.insert(post.get("id").map(ToString::to_string)) {
                    post.insert("type".to_owned(), kind.trim_end_matches('s').into());
                    posts.push(post);
                }
            }
            // Stops at a page without new posts, because a server that repeats its response would
            // cause an endless loop.
            page = page.filter(|_| seen.len() > known);
        }
    }
    let mut settings = settings(&site, api, &with)?;
    settings.entry("url").or_insert_with(|| site.base.as_str().into());
    if settings.get("url").and_then(Value::as_str) != Some(site.base.as_str())
        && let Some(url) = settings.get_mut("url")
    {
        // The site's address in the settings may differ from the API's address, which ends with a
        // slash. Add the slash to the site's address too.
        let whole = url.as_str().unwrap_or_default().trim_end_matches('/').to_owned();
        *url = format!("{whole}/").into();
    }
    Ok(super::of_feed(ghost::read(settings, posts), "Ghost", &site.base))
}

/// Returns the title and other settings of the site. The API returns fewer settings to an
/// integration than to the owner.
fn settings(site: &Site<'_>, api: &str, with: &str) -> Result<Map<String, Value>, String> {
    let mut all = Map::new();
    for (path, key) in [("site", "site"), ("settings", "settings")] {
        match site
            .ask_for(&format!("{api}/{path}/?{with}"))?
            .as_mut()
            .and_then(|answer| answer.get_mut(key))
        {
            Some(Value::Object(table)) => all.append(table),
            Some(Value::Array(rows)) => all.extend(rows.iter().filter_map(|row| {
                Some((row.get("key")?.as_str()?.to_owned(), row.get("value")?.clone()))
            })),
            _ => {}
        }
    }
    all.retain(|_, value| !value.is_null());
    Ok(all)
}

/// A key of the Admin API: its id, and the secret that signs tokens.
struct Admin {
    id: String,
    secret: Vec<u8>,
}

impl Admin {
    fn of(key: &Key) -> Option<Self> {
        let (id, secret) = key.expose().split_once(':')?;
        let digits: Option<Vec<u8>> = (0..secret.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(secret.get(at..at + 2)?, 16).ok())
            .collect();
        let secret = digits.filter(|secret| !secret.is_empty())?;
        Some(Self { id: id.to_owned(), secret })
    }

    /// Returns the value of the `Authorization` header: a JSON Web Token (RFC 7519) that is valid
    /// for five minutes, signed with HMAC-SHA256.
    fn authorization(&self) -> String {
        let now = Timestamp::now().as_second();
        let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let head = encoded(&json!({ "alg": "HS256", "typ": "JWT", "kid": self.id }));
        let claims = encoded(&json!({ "iat": now, "exp": now + 300, "aud": "/admin/" }));
        let signature = Hmac::<Sha256>::new_from_slice(&self.secret).map(|mut mac| {
            mac.update(format!("{head}.{claims}").as_bytes());
            URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
        });
        format!("Ghost {head}.{claims}.{}", signature.unwrap_or_default())
    }
}
