//! The interface's files, embedded at build time (a debug build reads the folder each time).

use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../ui/dist"]
struct Interface;

/// The page that starts the interface; every address without a file of its own gets it, the interface routes itself.
pub const INDEX: &str = "index.html";

/// The embedded file for an address, or the index for an address inside the interface.
///
/// A missing file with an extension is an honest 404: a page in place of a script only hides what is wrong.
pub fn answer(uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    match Interface::get(path) {
        Some(file) => send(path, &file, headers),
        None if is_page(uri) => match Interface::get(INDEX) {
            Some(file) => send(INDEX, &file, headers),
            None => (StatusCode::NOT_FOUND, "The interface has not been built.\n").into_response(),
        },
        None => (StatusCode::NOT_FOUND, "No such file.\n").into_response(),
    }
}

/// Whether an address belongs to the interface's own pages rather than to one of its files.
#[must_use]
pub fn is_page(uri: &Uri) -> bool {
    let path = uri.path().trim_start_matches('/');
    let last = path.rsplit('/').next().unwrap_or_default();
    path == INDEX || !last.contains('.')
}

fn send(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let tag: String = file.metadata.sha256_hash().iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|seen| seen.as_bytes() == tag.as_bytes());
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, media_type(path))], file.data.to_vec()).into_response()
    };
    // "no-cache" asks each time and is answered 304; a rebuilt program must never run with an older script.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response.headers_mut().insert(header::ETAG, HeaderValue::from_str(&tag).expect("a hash in hexadecimal is ASCII"));
    response
}

/// Media types of what the interface's build makes; `nosniff` means that a wrong one is not forgiven.
fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_inside_the_interface_are_pages_and_files_are_not() {
        for page in ["/", "/index.html", "/problems/twosums", "/submissions"] {
            assert!(is_page(&page.parse().expect("an address")), "{page}");
        }
        for file in ["/agon.js", "/assets/agon_bg.wasm", "/favicon.ico"] {
            assert!(!is_page(&file.parse().expect("an address")), "{file}");
        }
    }

    #[test]
    fn the_index_is_there_and_a_missing_script_is_not() {
        let index = answer(&"/problems/7".parse().expect("an address"), &HeaderMap::new());
        assert_eq!(index.status(), StatusCode::OK);
        assert_eq!(index.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        let missing = answer(&"/no-such.js".parse().expect("an address"), &HeaderMap::new());
        assert_eq!(missing.status(), StatusCode::NOT_FOUND);
        let outside = answer(&"/../Cargo.toml".parse().expect("an address"), &HeaderMap::new());
        assert_eq!(outside.status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn an_unchanged_file_is_not_sent_twice() {
        let first = answer(&Uri::from_static("/"), &HeaderMap::new());
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone());
        assert_eq!(answer(&Uri::from_static("/"), &headers).status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn webassembly_has_the_type_that_browsers_insist_on() {
        assert_eq!(media_type("agon_bg.wasm"), "application/wasm");
    }
}
