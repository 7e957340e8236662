//! Requests whose header overrides the HTTP method. Existing clients send a GET with a long query
//! as a POST.

use warp::http::Method;

use server::http::{BodyError, BodyStream, Request, read_body};

/// Maximum size of a query sent as a body, in bytes. Each API also sets its own limits on queries.
const MAX_QUERY: usize = 64 * 1024;

/// Returns the effective method: for a POST, the value of `X-HTTP-Method-Override`.
pub fn effective_method(request: &Request) -> Method {
    let meant = request.header("x-http-method-override");
    let meant = meant.filter(|_| request.method == Method::POST);
    meant
        .and_then(|meant| Method::from_bytes(meant.trim().to_ascii_uppercase().as_bytes()).ok())
        .unwrap_or_else(|| request.method.clone())
}

/// Returns the request with its effective method. If a POST with a form is sent in place of a GET,
/// appends the form to the query.
pub async fn effective_request(mut request: Request) -> Result<Request, BodyError> {
    let method = effective_method(&request);
    let is_read = matches!(method, Method::GET | Method::HEAD);
    if is_read && request.method == Method::POST && is_form(&request) {
        let body = std::mem::replace(&mut request.body, BodyStream::empty());
        let body = read_body(body, MAX_QUERY).await?;
        let form = String::from_utf8_lossy(&body);
        if !request.query.is_empty() && !form.is_empty() {
            request.query.push('&');
        }
        request.query.push_str(&form);
    }
    request.method = method;
    Ok(request)
}

fn is_form(request: &Request) -> bool {
    let media_type = request.header("content-type").unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}
