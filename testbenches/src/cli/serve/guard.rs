//! Who may ask: a page of this server, or somebody who typed its address, and nobody else. A page of another site can make a
//! browser on this machine ask too, by the address or by a name of its own that leads here; its browser then says whose page it is.

use hyper::header::{HOST, HeaderMap, ORIGIN};
use hyper::{Method, StatusCode, Uri};

/// What a request is refused with.
pub type Refused = (StatusCode, &'static str);

/// Says whose page asks (Fetch Metadata Request Headers, 2.3).
const SITE: &str = "sec-fetch-site";

/// Refuses what is not asked for at this server's address, or by another's page.
///
/// # Errors
/// The status and the reason.
pub fn check(method: &Method, uri: &Uri, headers: &HeaderMap, port: u16) -> Result<(), Refused> {
    if method != Method::GET {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "only GET is answered"));
    }
    let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    let is_ours = |name: &[u8]| names.iter().any(|own| own.as_bytes() == name);
    let mut hosts = headers.get_all(HOST).iter();
    let is_named = match (hosts.next(), hosts.next()) {
        (Some(host), None) => is_ours(host.as_bytes()),
        _ => false,
    };
    if !is_named || uri.authority().is_some() {
        return Err((
            StatusCode::MISDIRECTED_REQUEST,
            "this server answers by its own address alone",
        ));
    }
    let is_own = |origin: &[u8]| origin.strip_prefix(b"http://").is_some_and(is_ours);
    let are_own = headers.get_all(ORIGIN).iter();
    let are_own = are_own.map(|origin| is_own(origin.as_bytes()));
    let sites = headers.get_all(SITE).iter();
    let sites = sites.map(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    match are_own.chain(sites).all(|holds| holds) {
        true => Ok(()),
        false => Err((StatusCode::FORBIDDEN, "a page of another site asks")),
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::{HeaderName, HeaderValue};

    use super::*;

    /// The status that a request to port 7070 is refused with, 200 if it is not.
    fn status(method: Method, uri: &'static str, said: &[(&'static str, &'static str)]) -> u16 {
        let mut headers = HeaderMap::new();
        for (name, value) in said {
            let name = HeaderName::from_static(name);
            headers.append(name, HeaderValue::from_static(value));
        }
        let checked = check(&method, &Uri::from_static(uri), &headers, 7070);
        checked.err().map_or(200, |(status, _)| status.as_u16())
    }

    #[test]
    fn pages_of_others_and_other_names_are_refused() {
        let own = ("host", "127.0.0.1:7070");
        for (expected, said) in [
            (200, &[own][..]),
            (200, &[("host", "localhost:7070")]),
            (
                200,
                &[
                    own,
                    ("origin", "http://127.0.0.1:7070"),
                    ("sec-fetch-site", "same-origin"),
                ],
            ),
            (200, &[own, ("sec-fetch-site", "none")]),
            (421, &[]),
            (421, &[("host", "127.0.0.1")]),
            (421, &[("host", "127.0.0.1:70")]),
            (421, &[("host", "rebound.example:7070")]),
            (421, &[own, ("host", "rebound.example:7070")]),
            (403, &[own, ("origin", "http://other.example")]),
            (403, &[own, ("origin", "http://127.0.0.1:8080")]),
            (403, &[own, ("origin", "https://127.0.0.1:7070")]),
            (403, &[own, ("origin", "null")]),
            (403, &[own, ("sec-fetch-site", "cross-site")]),
            (403, &[own, ("sec-fetch-site", "same-site")]),
            (403, &[own, ("sec-fetch-site", "none"), ("origin", "null")]),
        ] {
            assert_eq!(status(Method::GET, "/run", said), expected, "{said:?}");
        }
        assert_eq!(status(Method::POST, "/run", &[own]), 405);
        assert_eq!(status(Method::GET, "http://127.0.0.1:7070/", &[own]), 421);
    }
}
