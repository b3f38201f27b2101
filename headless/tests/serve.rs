//! The server's guards, seen from a socket: who gets in, what every answer carries, what is turned away.

mod serve_support;

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use agon::serve::guard::CONTENT_SECURITY_POLICY;
use agon::serve::{ServeError, Server};
use agon_contract::event::EventBatch;
use judge_core::{Judge, JudgeConfig};
use serve_support::Running;

const HANDSHAKE: &str = r#"{"contract_version":1,"client":"serve test"}"#;

#[tokio::test]
async fn only_a_printed_address_opens_a_session_and_only_once() {
    let running = Running::start().await;
    assert_eq!(running.get("/", "").await.status, 401, "no session");
    assert_eq!(running.get("/?token=abc", "").await.status, 401, "an invented token");
    assert_eq!(running.post("/api/v1/handshake", "", HANDSHAKE).await.status, 401, "a command without a session");

    let printed = running.doors.new_address().expect("randomness");
    let path = printed.strip_prefix(&format!("http://{}", running.address)).expect("our own address");
    assert_eq!(running.get(path, "").await.status, 303);
    assert_eq!(running.get(path, "").await.status, 401, "the second use of a token");

    let cookie = running.enter().await;
    assert_eq!(running.get("/", &cookie).await.status, 200);
    let answer = running.post("/api/v1/handshake", &cookie, HANDSHAKE).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.body.contains(r#""takes_paths":false"#), "{}", answer.body);
    running.stop().await;
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_turned_away_before_anything_else() {
    let running = Running::start().await;
    let cookie = running.enter().await;
    let foreign_host =
        running.send(format!("GET / HTTP/1.1\nHost: evil.example\nCookie: {cookie}\nConnection: close\n\n")).await;
    assert_eq!(foreign_host.status, 421);
    let length = HANDSHAKE.len();
    for origin in ["Origin: http://evil.example\n", "Origin: null\n", ""] {
        let answer = running
            .send(format!(
                "POST /api/v1/handshake HTTP/1.1\nHost: {{host}}\n{origin}Cookie: {cookie}\n\
                 Content-Type: application/json\nContent-Length: {length}\nConnection: close\n\n{HANDSHAKE}"
            ))
            .await;
        assert_eq!(answer.status, 403, "{origin:?}");
    }
    running.stop().await;
}

#[tokio::test]
async fn every_answer_carries_the_policy() {
    let running = Running::start().await;
    let cookie = running.enter().await;
    let answers = [
        running.get("/", &cookie).await,
        running.get("/", "").await,
        running.get("/no-such-file.js", &cookie).await,
        running.post("/api/v1/handshake", &cookie, HANDSHAKE).await,
        running.send("GET / HTTP/1.1\nHost: evil.example\nConnection: close\n\n".to_owned()).await,
    ];
    for answer in answers {
        assert_eq!(answer.header("content-security-policy"), Some(CONTENT_SECURITY_POLICY), "{}", answer.head);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{}", answer.head);
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{}", answer.head);
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"), "{}", answer.head);
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{}", answer.head);
        assert!(answer.header("access-control-allow-origin").is_none(), "{}", answer.head);
        assert!(answer.header("cache-control").is_some(), "{}", answer.head);
    }
    running.stop().await;
}

#[tokio::test]
async fn malformed_and_oversized_requests_are_refused_in_the_contracts_words() {
    let running = Running::start().await;
    let cookie = running.enter().await;
    let malformed = running.post("/api/v1/handshake", &cookie, "{").await;
    assert_eq!(malformed.status, 400);
    assert!(malformed.body.contains(r#""code":"bad_request""#), "{}", malformed.body);
    assert_eq!(running.post("/api/v1/no_such_command", &cookie, "{}").await.status, 404);
    assert_eq!(running.get("/api/v1/handshake", &cookie).await.status, 405);
    let oversized = running
        .send(format!(
            "POST /api/v1/submit HTTP/1.1\nHost: {{host}}\nOrigin: http://{{host}}\nCookie: {cookie}\n\
             Content-Type: application/json\nContent-Length: 99999999\nConnection: close\n\n"
        ))
        .await;
    assert_eq!(oversized.status, 413, "refused by its announced length, before its body");
    running.stop().await;
}

#[tokio::test]
async fn a_browser_cannot_name_files_of_this_machine() {
    let running = Running::start().await;
    let cookie = running.enter().await;
    for command in ["inspect_package", "import_package"] {
        let body = r#"{"source":{"kind":"path","path":"/etc"},"replace_existing":false}"#;
        let answer = running.post(&format!("/api/v1/{command}"), &cookie, body).await;
        assert_eq!(answer.status, 400, "{command}: {}", answer.body);
        assert!(answer.body.contains("cannot be named here"), "{command}: {}", answer.body);
    }
    running.stop().await;
}

#[tokio::test]
async fn a_long_wait_ends_when_the_server_stops() {
    let running = Running::start().await;
    let cookie = running.enter().await;
    let now = running.post("/api/v1/wait_events", &cookie, r#"{"after_seq":-1,"progress_counter":0,"wait_ms":0}"#);
    let now: EventBatch = serde_json::from_str(&now.await.body).expect("a batch");
    let wait = |counter: u64, wait_ms: u32| {
        format!(r#"{{"after_seq":{},"progress_counter":{counter},"wait_ms":{wait_ms}}}"#, now.last_seq)
    };
    // The counter moves while the sandbox's state becomes known; a wait that runs out says that all is quiet.
    let mut counter = 0;
    loop {
        let answer = running.post("/api/v1/wait_events", &cookie, &wait(counter, 1000)).await;
        let seen: EventBatch = serde_json::from_str(&answer.body).expect("a batch");
        if std::mem::replace(&mut counter, seen.progress_counter) == seen.progress_counter {
            break;
        }
    }
    let wait = wait(counter, 30_000);
    let waiting = running.post("/api/v1/wait_events", &cookie, &wait);
    let stop = running.stop.clone();
    let (answer, ()) = tokio::join!(waiting, async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        stop.cancel();
    });
    assert_eq!(answer.status, 503, "refused at the stop, long before 30 s: {}", answer.body);
    assert!(answer.body.contains("\"stopping\""), "{}", answer.body);
    running.stop().await;
}

#[tokio::test]
async fn an_address_of_the_network_is_refused() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let judge = Judge::open(JudgeConfig::new(folder.path(), "serve test")).await.expect("a fresh folder opens");
    let refused = Server::bind(judge.clone(), SocketAddr::from(([0, 0, 0, 0], 0))).await;
    assert!(matches!(refused, Err(ServeError::NotLoopback(_))));
    judge.close().await;
}

#[tokio::test]
async fn metrics_need_a_session_or_the_token_of_this_server() {
    let running = Running::start().await;
    let refused = running.get("/metrics", "").await;
    assert_eq!(refused.status, 401, "{}", refused.body);
    assert!(!refused.body.contains("agon_"), "{}", refused.body);
    let bearer = |token: &str| {
        format!("GET /metrics HTTP/1.1\nHost: {{host}}\nAuthorization: Bearer {token}\nConnection: close\n\n")
    };
    assert_eq!(running.send(bearer("")).await.status, 401, "no token was configured");

    let cookie = running.enter().await;
    let read = running.get("/metrics", &cookie).await;
    assert_eq!(read.status, 200, "{}", read.body);
    assert!(read.header("content-type").is_some_and(|kind| kind.starts_with("application/openmetrics-text")));
    for line in ["agon_queue_depth 0", "agon_judgements_judging 0", "agon_workers ", "# EOF"] {
        assert!(read.body.contains(line), "{line} in\n{}", read.body);
    }
    assert!(!read.body.contains("agon_last_success_seconds"), "there never was one: {}", read.body);
    running.stop().await;

    let token = "scrape-me-0123456789";
    let running = Running::start_with(Some(token)).await;
    assert_eq!(running.send(bearer("scrape-me-012345678")).await.status, 401);
    assert_eq!(running.send(bearer(token)).await.status, 200);
    running.stop().await;
}

/// Connections of this port that the server has taken: one that still waits with the system has no inode.
#[cfg(target_os = "linux")]
fn accepted(port: u16) -> usize {
    let table = std::fs::read_to_string("/proc/net/tcp").expect("the kernel's table");
    let local = format!(":{port:04X}");
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter(|row| row.len() > 9 && row[1].ends_with(&local) && row[3] == "01" && row[9] != "0").count()
}

/// More silent connections than the server holds at one time: they take no descriptors from judging, and they are cut
/// before long, so that a browser behind them is answered.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_keep_nobody_out_for_long() {
    let running = Running::start().await;
    let address = running.address;
    let silent = move || {
        let connect = |_| {
            let mut stream = TcpStream::connect(address).expect("the system takes it");
            stream.write_all(b"GET / HTTP/1.1\r\nHo").expect("half a head");
            stream
        };
        (0..300).map(connect).collect::<Vec<_>>()
    };
    let silent = tokio::task::spawn_blocking(silent).await.expect("they are open");
    assert!((1..=256).contains(&accepted(address.port())), "{} of {} accepted", accepted(address.port()), silent.len());
    assert_eq!(running.get("/", "").await.status, 401, "answered within the test's patience");
    drop(silent);
    running.stop().await;
}
