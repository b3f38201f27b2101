//! Just enough of a browser to open the printed address: follows redirects and keeps the cookie that the token is exchanged for.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::failure::Failure;

/// Redirects of one opening.
const MOST_REDIRECTS: usize = 4;

/// One browser on one server.
pub(super) struct Browser {
    host: String,
    cookie: String,
}

impl Browser {
    /// Opens an address such as `http://127.0.0.1:4180/?token=…`; answers with the page's response, headers included.
    pub(super) fn open(address: &str) -> Result<(Self, String), Failure> {
        let rest = address.strip_prefix("http://").unwrap_or(address);
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let mut browser = Self { host: host.to_owned(), cookie: String::new() };
        let page = browser.get(&format!("/{path}"))?;
        Ok((browser, page))
    }

    /// What is at a path, once it is not a redirect; anything but 200 is a failure.
    pub(super) fn get(&mut self, path: &str) -> Result<String, Failure> {
        let mut path = path.to_owned();
        for _ in 0..MOST_REDIRECTS {
            let answer =
                self.ask(&path).map_err(|source| Failure::new(format!("{} does not answer: {source}", self.host)))?;
            if let Some(set) = field(&answer, "set-cookie") {
                self.cookie = set.split(';').next().unwrap_or_default().to_owned();
            }
            match field(&answer, "location") {
                Some(to) => path = to.trim_start_matches(&format!("http://{}", self.host)).to_owned(),
                None if answer.starts_with("HTTP/1.1 200") => return Ok(answer),
                None => {
                    return Err(Failure::new(format!("{path} answers {}", answer.lines().next().unwrap_or_default())));
                }
            }
        }
        Err(Failure::new(format!("{path} redirects without end")))
    }

    fn ask(&self, path: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&self.host)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let cookie = if self.cookie.is_empty() { String::new() } else { format!("Cookie: {}\r\n", self.cookie) };
        let host = &self.host;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\n{cookie}Connection: close\r\n\r\n"
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

fn field(answer: &str, name: &str) -> Option<String> {
    answer.lines().take_while(|line| !line.is_empty()).find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;

    use super::*;

    /// Serves these answers in turn; yields the requests.
    fn serve(answers: Vec<&'static str>) -> (String, std::thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound").to_string();
        let served = answers.into_iter().map(move |answer| {
            let (mut stream, _) = listener.accept().expect("the browser connects");
            let lines = BufReader::new(stream.try_clone().expect("a socket can be shared")).lines();
            let request: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            stream.write_all(answer.as_bytes()).expect("the browser reads");
            request.join("\n")
        });
        (address, std::thread::spawn(move || served.collect()))
    }

    #[test]
    fn a_token_is_exchanged_for_a_cookie_and_the_cookie_is_kept() {
        let (address, server) = serve(vec![
            "HTTP/1.1 303 See Other\r\nSet-Cookie: s=1; HttpOnly\r\nLocation: /\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\n\r\nmodule",
        ]);
        let (mut browser, page) = Browser::open(&format!("http://{address}/?token=abc")).expect("it answers");
        assert!(page.ends_with("hello"));
        assert!(browser.get("/m.wasm").expect("it answers").ends_with("module"));
        let requests = server.join().expect("the server ends");
        assert!(requests[0].starts_with("GET /?token=abc "), "{requests:?}");
        assert!(requests[1..].iter().all(|request| request.contains("Cookie: s=1")), "{requests:?}");
    }

    #[test]
    fn a_refusal_is_no_page() {
        let (address, server) = serve(vec!["HTTP/1.1 401 Unauthorized\r\n\r\n<html>agon_ui.js</html>"]);
        assert!(Browser::open(&format!("http://{address}/")).is_err());
        server.join().expect("the server ends");
    }
}
