//! Cursors, which mark the position where a list continues. They are opaque to clients and valid
//! for one list only.

use api_shared::ApiError;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum length of a cursor, in characters.
const MAX_LENGTH: usize = 2048;

/// Returns a cursor for a position in a list. `list` identifies the list.
pub fn write(list: &str, place: &impl Serialize) -> Result<String, ApiError> {
    let json = serde_json::to_vec(&(list, place)).map_err(ApiError::failed)?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}

/// Returns the position from a cursor for this list. The error starts with `parameter`, the name of
/// the query parameter.
pub fn read<T: DeserializeOwned>(parameter: &str, list: &str, cursor: &str) -> Result<T, ApiError> {
    let broken = || ApiError::bad(format!("{parameter}: invalid cursor for this list"));
    if cursor.is_empty() || cursor.len() > MAX_LENGTH {
        return Err(broken());
    }
    let json = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| broken())?;
    let (own, place): (String, T) = serde_json::from_slice(&json).map_err(|_| broken())?;
    if own == list {
        Ok(place)
    } else {
        Err(ApiError::bad(format!(
            "{parameter}: this cursor belongs to a list with another sort, order or filter"
        )))
    }
}
