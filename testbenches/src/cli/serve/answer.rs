//! What is answered: the frame, controls, and pages of runs.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderValue;
use hyper::{Request, Response, StatusCode};
use serde_json::json;

use crate::cli::serve::asked::Asked;
use crate::cli::serve::control::Controls;
use crate::cli::serve::guard;
use crate::cli::serve::process::{Runs, why};
use crate::error::Error;

const FRAME: &str = include_str!("assets/frame.html");
const STYLE: &str = include_str!("assets/frame.css");
const SCRIPT: &str = include_str!("assets/frame.js");

/// Said of every answer: a browser keeps it to this server's own pages, and asks again next time.
const HEADERS: [(&str, &str); 5] = [
    ("cache-control", "no-store"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "SAMEORIGIN"),
];
/// What the frame may load: its own script and style, controls, and pages.
const FRAME_LOADS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; \
                           base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// What pages may load: nothing, but what is in them.
const PAGE_LOADS: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                          base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
/// What all else may load.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'self'";

/// A form of an answer.
#[derive(Clone, Copy)]
enum Form {
    Frame,
    Page,
    Style,
    Script,
    Json,
    Text,
}

impl Form {
    fn media(self) -> &'static str {
        match self {
            Form::Frame | Form::Page => "text/html; charset=utf-8",
            Form::Style => "text/css; charset=utf-8",
            Form::Script => "text/javascript; charset=utf-8",
            Form::Json => "application/json",
            Form::Text => "text/plain; charset=utf-8",
        }
    }
}

type Answer = Response<Full<Bytes>>;

/// What answers.
pub(super) struct Server {
    port: u16,
    runs: Runs,
}

impl Server {
    /// On that port, with so many runs at once.
    ///
    /// # Errors
    /// Nobody knows where the program is.
    pub fn new(port: u16, runs: usize) -> Result<Self, Error> {
        Ok(Server {
            port,
            runs: Runs::new(runs)?,
        })
    }

    /// The answer to a request.
    pub async fn answer(&self, request: &Request<Incoming>) -> Answer {
        let uri = request.uri();
        if let Err((status, why)) =
            guard::check(request.method(), uri, request.headers(), self.port)
        {
            return answer(status, Form::Text, why);
        }
        let asked = || Asked::of(uri.query().unwrap_or_default()).map_err(|error| said(&error));
        match uri.path() {
            "/" => answer(StatusCode::OK, Form::Frame, FRAME),
            "/frame.css" => answer(StatusCode::OK, Form::Style, STYLE),
            "/frame.js" => answer(StatusCode::OK, Form::Script, SCRIPT),
            "/controls" => {
                let controls = asked().and_then(|asked| {
                    serde_json::to_string(&Controls::of(&asked)).map_err(|error| error.to_string())
                });
                match controls {
                    Ok(controls) => answer(StatusCode::OK, Form::Json, controls),
                    Err(error) => {
                        let refused = json!({ "error": error }).to_string();
                        answer(StatusCode::UNPROCESSABLE_ENTITY, Form::Json, refused)
                    }
                }
            }
            "/run" => {
                let page = match asked() {
                    Ok(asked) => self.runs.printed(asked.words()).await,
                    Err(error) => Err(error),
                };
                match page {
                    Ok(page) => answer(StatusCode::OK, Form::Page, page),
                    Err(error) => answer(StatusCode::UNPROCESSABLE_ENTITY, Form::Text, error),
                }
            }
            _ => answer(StatusCode::NOT_FOUND, Form::Text, "there is no such page"),
        }
    }
}

fn answer(status: StatusCode, form: Form, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(body.into()));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("content-type", HeaderValue::from_static(form.media()));
    let loads = match form {
        Form::Frame => FRAME_LOADS,
        Form::Page => PAGE_LOADS,
        Form::Style | Form::Script | Form::Json | Form::Text => NOTHING,
    };
    headers.insert("content-security-policy", HeaderValue::from_static(loads));
    answer
}

/// An error in a line. What clap says of an option ends where it begins to explain.
fn said(error: &Error) -> String {
    let said = error.to_string();
    why(&said).unwrap_or(said)
}
