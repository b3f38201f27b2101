//! A client that speaks the contract over a socket of its own, so that a story knows which answer came on which
//! connection and sees a server that dies in mid-answer as what it is.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agon_contract::command::Command;
use agon_contract::ids::UploadId;
use agon_contract::package::PackageSource;
use agon_contract::{ApiError, ErrorCode};
use serde::Deserialize;

/// Longer than anything a server answers takes.
const PATIENCE: Duration = Duration::from_secs(90);

/// Connections tried until one has a fresh port.
const TRIES: u32 = 100;

/// A session with a server. Clones share it.
#[derive(Clone, Debug)]
pub struct Client {
    server: SocketAddr,
    cookie: String,
}

/// Why there is no success.
#[derive(Clone, Debug)]
pub enum Broken {
    /// The server refused, in the contract's words.
    Refused(ApiError),
    /// The connection broke: whether the command was carried out is not known.
    Gone(String),
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(error) => write!(f, "refused ({}): {error}", error.code.as_str()),
            Self::Gone(why) => write!(f, "the connection broke: {why}"),
        }
    }
}

/// An answer and the local port on which it came.
#[derive(Clone, Debug)]
pub struct Heard<T> {
    pub answer: T,
    pub port: u16,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
    port: u16,
}

impl Client {
    /// Opens a session with the address that a server printed.
    ///
    /// # Errors
    /// The server is gone.
    ///
    /// # Panics
    /// It does not open a session.
    pub fn enter(address: &str) -> Result<Self, Broken> {
        let (server, path) = address.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
        let server = server.parse().expect("an address and a port");
        let nobody = Self { server, cookie: String::new() };
        let reply = nobody.exchange("GET", &format!("/{path}"), "", &[])?;
        let cookie = reply.head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("set-cookie").then(|| value.split(';').next().unwrap_or(value).to_owned())
        });
        let cookie = cookie.unwrap_or_else(|| panic!("no session from {address}: {}", reply.head));
        Ok(Self { server, cookie })
    }

    /// Sends a command.
    ///
    /// # Errors
    /// [`Broken`].
    pub fn call<C: Command>(&self, request: &C) -> Result<Heard<C::Response>, Broken> {
        let body = serde_json::to_vec(request).expect("a request is JSON");
        let reply = self.exchange("POST", &format!("/api/v1/{}", C::NAME), "application/json", &body)?;
        read(&reply)
    }

    /// Uploads a file, as a browser does.
    ///
    /// # Errors
    /// [`Broken`].
    ///
    /// # Panics
    /// The file cannot be read.
    pub fn upload(&self, file: &Path) -> Result<PackageSource, Broken> {
        #[derive(Deserialize)]
        struct Uploaded {
            upload_id: UploadId,
        }
        let bytes = std::fs::read(file).expect("the package can be read");
        let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let reply = self.exchange("POST", &format!("/api/upload?name={name}"), "application/octet-stream", &bytes)?;
        let uploaded: Heard<Uploaded> = read(&reply)?;
        Ok(PackageSource::Upload { upload_id: uploaded.answer.upload_id })
    }

    /// A connection from a port that no earlier one had, as long as there are such: answers are told apart by it.
    fn connect(&self) -> std::io::Result<(TcpStream, u16)> {
        let mut tries = 0;
        loop {
            let stream = TcpStream::connect(self.server)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let port = stream.local_addr()?.port();
            tries += 1;
            if USED.lock().unwrap_or_else(PoisonError::into_inner).insert(port) || tries == TRIES {
                return Ok((stream, port));
            }
        }
    }

    /// One request on one connection.
    fn exchange(&self, method: &str, path: &str, media_type: &str, body: &[u8]) -> Result<Reply, Broken> {
        self.try_exchange(method, path, media_type, body).map_err(|error| Broken::Gone(error.to_string()))
    }

    fn try_exchange(&self, method: &str, path: &str, media_type: &str, body: &[u8]) -> std::io::Result<Reply> {
        let (mut stream, port) = self.connect()?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {server}\r\nOrigin: http://{server}\r\nCookie: {cookie}\r\n\
             Content-Type: {media_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n",
            server = self.server,
            cookie = self.cookie,
            length = body.len(),
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body)?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        // The other end has closed already.
        let _ = stream.shutdown(Shutdown::Both);
        parse(&bytes, port).ok_or_else(|| std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "half an answer"))
    }
}

/// Ports that connections of this process have had.
static USED: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

/// Status, head and body of a whole answer; `None` for half of one.
fn parse(bytes: &[u8], port: u16) -> Option<Reply> {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let announced = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        if name.eq_ignore_ascii_case("content-length") { value.parse::<usize>().ok() } else { None }
    });
    if announced.is_some_and(|length| length != body.len()) {
        return None;
    }
    Some(Reply { status, head: head.to_owned(), body: body.to_owned(), port })
}

fn read<T: for<'de> Deserialize<'de>>(reply: &Reply) -> Result<Heard<T>, Broken> {
    let half = |_| Broken::Gone(format!("{} {}", reply.status, reply.body));
    match reply.status {
        200 => Ok(Heard { answer: serde_json::from_str(&reply.body).map_err(half)?, port: reply.port }),
        status => Err(Broken::Refused(
            serde_json::from_str(&reply.body)
                .unwrap_or_else(|_| ApiError::new(ErrorCode::Internal, format!("{status} {}", reply.body))),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_an_answer_is_none() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue";
        assert_eq!(parse(whole, 1).map(|reply| (reply.status, reply.body)), Some((200, "true".into())));
        for cut in 0..whole.len() {
            assert!(parse(&whole[..cut], 1).is_none(), "cut at {cut}");
        }
    }
}
