//! Who may speak to the server at all: Host and Origin checks, and the headers every answer carries.
//!
//! A page of any other site can make the browser send requests to a local port, and a rebinding name can even make
//! that site's own origin point here. So the `Host` must be one of the loopback names with our port, and everything
//! but GET and HEAD must come from our own origin.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The policy of every page and answer. Scripts come from us alone; WebAssembly may be compiled; nothing frames us.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; frame-src blob:; object-src 'none'; \
     base-uri 'none'; frame-ancestors 'none'";

/// Headers set on every answer, refusals included.
const HEADERS: &[(&str, &str)] = &[
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The names under which this server answers.
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: [String; 3],
}

/// Why a request is turned away before anything else looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// `Host` is absent or is not one of our names with our port.
    ForeignHost,
    /// Something other than GET or HEAD without our own `Origin`.
    ForeignOrigin,
}

impl Guard {
    /// A guard for a server that listens on the loopback address `address`.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        let port = address.port();
        Self { hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] }
    }

    /// Checks one request's method and headers.
    ///
    /// # Errors
    /// Names the check that failed.
    pub fn admits(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refused> {
        let host = single(headers, &header::HOST).ok_or(Refused::ForeignHost)?;
        if !self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) {
            return Err(Refused::ForeignHost);
        }
        if method == Method::GET || method == Method::HEAD {
            return Ok(());
        }
        let origin = single(headers, &header::ORIGIN).ok_or(Refused::ForeignOrigin)?;
        match origin.strip_prefix("http://") {
            Some(named) if named.eq_ignore_ascii_case(host) => Ok(()),
            Some(_) | None => Err(Refused::ForeignOrigin),
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Self::ForeignHost => {
                let words = "This server answers only as 127.0.0.1, localhost or [::1] with its own port. Through ssh, forward \
                             the same port: ssh -L PORT:127.0.0.1:PORT, with the port that the server printed.\n";
                (StatusCode::MISDIRECTED_REQUEST, words).into_response()
            }
            Self::ForeignOrigin => {
                (StatusCode::FORBIDDEN, "Requests that change something must come from this server's own pages.\n")
                    .into_response()
            }
        }
    }
}

/// A header's value if it occurs exactly once and is text: a doubled `Host` is nobody's honest request.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() { None } else { first.to_str().ok() }
}

/// Middleware: the check before, the headers after.
pub async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.admits(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refused) => {
            tracing::warn!(uri.path = request.uri().path(), ?refused, "a request was turned away");
            refused.into_response()
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(*name, HeaderValue::from_static(value));
    }
    // What did not say otherwise is somebody's data.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn guard() -> Guard {
        Guard::new(SocketAddr::from(([127, 0, 0, 1], 4100)))
    }

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(name, HeaderValue::from_static(value));
        }
        map
    }

    #[test]
    fn own_names_with_the_own_port_may_read() {
        for host in ["127.0.0.1:4100", "localhost:4100", "LOCALHOST:4100", "[::1]:4100"] {
            assert_eq!(guard().admits(&Method::GET, &headers(&[(header::HOST, host)])), Ok(()), "{host}");
        }
    }

    #[test]
    fn every_other_host_is_misdirected() {
        let hosts =
            ["127.0.0.1", "127.0.0.1:80", "evil.example:4100", "127.0.0.1.evil.example:4100", "localhost:41000", ""];
        for host in hosts {
            let seen = guard().admits(&Method::GET, &headers(&[(header::HOST, host)]));
            assert_eq!(seen, Err(Refused::ForeignHost), "{host:?}");
        }
        assert_eq!(guard().admits(&Method::GET, &HeaderMap::new()), Err(Refused::ForeignHost));
        let doubled = headers(&[(header::HOST, "127.0.0.1:4100"), (header::HOST, "evil.example:4100")]);
        assert_eq!(guard().admits(&Method::GET, &doubled), Err(Refused::ForeignHost));
    }

    #[test]
    fn whatever_is_not_a_read_needs_our_origin() {
        let host = (header::HOST, "127.0.0.1:4100");
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
            let own = headers(&[host.clone(), (header::ORIGIN, "http://127.0.0.1:4100")]);
            assert_eq!(guard().admits(&method, &own), Ok(()), "{method}");
            assert_eq!(
                guard().admits(&method, &headers(std::slice::from_ref(&host))),
                Err(Refused::ForeignOrigin),
                "{method}"
            );
        }
        for origin in
            ["null", "http://evil.example", "https://127.0.0.1:4100", "http://localhost:4100", "http://127.0.0.1:4101"]
        {
            let foreign = headers(&[host.clone(), (header::ORIGIN, origin)]);
            assert_eq!(guard().admits(&Method::POST, &foreign), Err(Refused::ForeignOrigin), "{origin}");
        }
    }

    #[test]
    fn the_policy_is_one_line_without_inline_scripts() {
        assert!(!CONTENT_SECURITY_POLICY.contains("unsafe-inline"));
        assert!(!CONTENT_SECURITY_POLICY.contains("  "), "the continued literal must not keep its indentation");
    }

    fn directives(policy: &str) -> BTreeMap<String, BTreeSet<String>> {
        let named = policy.split(';').map(|directive| directive.split_whitespace().map(str::to_owned));
        named.map(|mut words| (words.next().expect("a directive has a name"), words.collect())).collect()
    }

    /// One interface, two hosts: what one refuses must not load in the other.
    #[test]
    fn the_window_enforces_the_servers_policy() {
        let config: serde_json::Value =
            serde_json::from_str(include_str!("../../../src-tauri/tauri.conf.json")).expect("JSON");
        let security = config["app"]["security"].as_object().expect("a security section");
        let known = ["capabilities", "csp"];
        assert!(security.keys().all(|key| known.contains(&key.as_str())), "nothing weakens the policy: {security:?}");
        let csp = security["csp"].as_object().expect("a policy, directive by directive");
        let window = csp.iter().map(|(name, words)| format!("{name} {}", words.as_str().expect("text")));
        let window = directives(&window.collect::<Vec<_>>().join(";"));
        let mut expected = directives(CONTENT_SECURITY_POLICY);
        expected.remove("frame-ancestors").expect("the server is framed by nobody; nothing can frame a window's page");
        let connect = expected.get_mut("connect-src").expect("the server limits connections");
        connect.extend(["ipc:", "http://ipc.localhost"].map(str::to_owned));
        assert_eq!(window, expected);
    }
}
