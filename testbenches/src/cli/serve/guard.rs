//! Who may ask: a page of this server, or somebody who typed its address, and nobody else. A page of another site can make a
//! browser on this machine ask too, by the address or by a name of its own that leads here; its browser then says whose page it is.

use hyper::header::{CONTENT_LENGTH, HOST, HeaderMap, ORIGIN, TRANSFER_ENCODING};
use hyper::{Method, StatusCode, Uri};

/// What a request is refused with.
type Refused = (StatusCode, &'static str);

/// Says whose page asks (Fetch Metadata Request Headers, 2.3).
const SITE: &str = "sec-fetch-site";

/// Refuses what is not asked for at this server's address, or by another's page.
///
/// # Errors
/// The status and the reason.
pub(super) fn check(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    port: u16,
) -> Result<(), Refused> {
    if method != Method::GET {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "only GET is answered"));
    }
    // Of who leaves before all of it has come, nobody would know.
    let length = headers.get(CONTENT_LENGTH);
    let has_body = length.is_some_and(|length| length != "0");
    if has_body || headers.contains_key(TRANSFER_ENCODING) {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, "no body is read"));
    }
    let names = ["127.0.0.1", "localhost"];
    let with_port = names.map(|name| format!("{name}:{port}"));
    // The usual port is left out.
    let is_ours = |name: &[u8]| {
        let is_plain = port == 80 && names.iter().any(|own| own.as_bytes() == name);
        is_plain || with_port.iter().any(|own| own.as_bytes() == name)
    };
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

    type Said = [(&'static str, &'static str)];

    /// The status that a request to a port is refused with, 200 if it is not.
    fn status_at(port: u16, method: Method, uri: &'static str, said: &Said) -> u16 {
        let mut headers = HeaderMap::new();
        for (name, value) in said {
            let name = HeaderName::from_static(name);
            headers.append(name, HeaderValue::from_static(value));
        }
        let checked = check(&method, &Uri::from_static(uri), &headers, port);
        checked.err().map_or(200, |(status, _)| status.as_u16())
    }

    fn status(method: Method, uri: &'static str, said: &Said) -> u16 {
        status_at(7070, method, uri, said)
    }

    #[test]
    fn the_usual_port_is_left_out() {
        let said = [("host", "localhost"), ("origin", "http://localhost")];
        assert_eq!(status_at(80, Method::GET, "/", &said), 200);
        assert_eq!(status_at(7070, Method::GET, "/", &said), 421);
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
            (200, &[own, ("content-length", "0")]),
            (413, &[own, ("content-length", "100000")]),
            (413, &[own, ("transfer-encoding", "chunked")]),
        ] {
            assert_eq!(status(Method::GET, "/run", said), expected, "{said:?}");
        }
        assert_eq!(status(Method::POST, "/run", &[own]), 405);
        assert_eq!(status(Method::GET, "http://127.0.0.1:7070/", &[own]), 421);
    }
}
