//! The HTTP client of a bucket: the one that the program has anyway, on threads of its own.

use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use ureq::Agent;
use ureq::http::{Method, Response};

/// Largest answer that is read, in bytes: of a list or of the record.
const LARGEST: u64 = 256 * 1024 * 1024;

#[derive(Debug)]
pub struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let agent = Agent::config_builder()
            .user_agent(concat!("feedwright/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            // A signature is of one address.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(Duration::from_secs(15)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .timeout_send_body(Some(Duration::from_secs(600)))
            .timeout_recv_body(Some(Duration::from_secs(600)))
            .build()
            .new_agent();
        Ok(HttpClient::new(Client(agent)))
    }
}

#[derive(Debug)]
struct Client(Agent);

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let agent = self.0.clone();
        let sent = tokio::task::spawn_blocking(move || {
            let has_body = matches!(parts.method, Method::PUT | Method::POST);
            let mut answer = if has_body {
                agent.run(ureq::http::Request::from_parts(parts, body.as_ref()))
            } else {
                agent.run(ureq::http::Request::from_parts(parts, ()))
            }?;
            let bytes = answer
                .body_mut()
                .with_config()
                .limit(LARGEST)
                .read_to_vec()?;
            Ok((answer.into_parts().0, bytes))
        });
        let sent = sent
            .await
            .map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))?;
        let (parts, bytes) =
            sent.map_err(|error: ureq::Error| HttpError::new(kind(&error), error))?;
        Ok(Response::from_parts(parts, HttpResponseBody::from(bytes)))
    }
}

/// What kind of error it is: some are tried again.
fn kind(error: &ureq::Error) -> HttpErrorKind {
    match error {
        ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => HttpErrorKind::Connect,
        ureq::Error::Timeout(_) => HttpErrorKind::Timeout,
        ureq::Error::Io(_) | ureq::Error::Protocol(_) => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    }
}
