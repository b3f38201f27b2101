//! A server on a data folder of its own, and requests as they go over a socket.
#![allow(dead_code, reason = "each test program uses its part")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use agon::serve::metrics::MetricsToken;
use agon::serve::{Doors, Server};
use judge_core::{Judge, JudgeConfig};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A request that gets no answer in this time has hung.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);

/// A server on a data folder of its own; stopped and freed by [`Running::stop`].
pub(crate) struct Running {
    _folder: TempDir,
    pub(crate) judge: Judge,
    pub(crate) doors: Doors,
    pub(crate) address: SocketAddr,
    pub(crate) stop: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
}

/// An answer as it came over the socket.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

impl Running {
    pub(crate) async fn start() -> Self {
        Self::start_with(None).await
    }

    pub(crate) async fn start_with(metrics_token: Option<&str>) -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        let config = JudgeConfig { takes_paths: false, ..JudgeConfig::new(folder.path(), "serve test") };
        let judge = Judge::open(config).await.expect("a fresh folder opens");
        let server = Server::bind(judge.clone(), SocketAddr::from(([127, 0, 0, 1], 0))).await.expect("a free port");
        let server = match metrics_token {
            Some(token) => server.with_metrics_token(MetricsToken::new(token).expect("a strong token")),
            None => server,
        };
        let (doors, stop) = (server.doors(), server.stop_handle());
        let printed = doors.new_address().expect("randomness");
        let address = printed["http://".len()..].split('/').next().expect("a host").parse().expect("host and port");
        Self { _folder: folder, judge, doors, address, stop, serving: tokio::spawn(server.run()) }
    }

    /// Sends one request as written (`{host}` stands for the server's own) and reads to the end of the connection.
    pub(crate) async fn send(&self, request: String) -> Answer {
        let address = self.address;
        let request = request.replace("{host}", &address.to_string()).replace('\n', "\r\n");
        let exchange = move || {
            let mut stream = TcpStream::connect(address).expect("the server listens");
            stream.set_read_timeout(Some(ANSWER_WITHIN)).expect("a timeout can be set");
            stream.write_all(request.as_bytes()).expect("the server reads");
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).expect("the server answers and closes");
            String::from_utf8(bytes).expect("the answer is text")
        };
        let text = tokio::task::spawn_blocking(exchange).await.expect("the exchange ends");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub(crate) async fn get(&self, path: &str, cookie: &str) -> Answer {
        self.send(format!("GET {path} HTTP/1.1\nHost: {{host}}\nCookie: {cookie}\nConnection: close\n\n")).await
    }

    pub(crate) async fn post(&self, path: &str, cookie: &str, body: &str) -> Answer {
        self.send(format!(
            "POST {path} HTTP/1.1\nHost: {{host}}\nOrigin: http://{{host}}\nCookie: {cookie}\n\
             Content-Type: application/json\nContent-Length: {}\nConnection: close\n\n{body}",
            body.len()
        ))
        .await
    }

    /// Comes in through a fresh printed address; answers the cookie pair.
    pub(crate) async fn enter(&self) -> String {
        let printed = self.doors.new_address().expect("randomness");
        let path = printed.strip_prefix(&format!("http://{}", self.address)).expect("our own address");
        let answer = self.get(path, "").await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{}", answer.head);
        let cookie = answer.header("set-cookie").expect("a cookie");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        cookie.split(';').next().expect("a pair").to_owned()
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.serving.await.expect("the server ends");
        self.judge.close().await;
    }
}
