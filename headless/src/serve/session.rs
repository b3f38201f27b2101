//! The local person's sessions: a one-time token in the printed address becomes a cookie.
//!
//! The address is printed in a terminal, so whoever can read that terminal may come in, once. These sessions live in
//! memory: a restart ends them all and prints a new address. Sessions of accounts are the core's; they share the
//! cookie's name, so that a browser has one session with this server and a log-in replaces it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use axum::http::header::{self, HeaderMap};

/// More sessions than browsers a person opens; the oldest ends when one more begins.
const SESSIONS_AT_MOST: usize = 64;
/// Tokens that were printed and not yet used; asking for more addresses ends the oldest.
const TOKENS_AT_MOST: usize = 4;
/// 256 bits: nobody guesses it.
const SECRET_BYTES: usize = 32;

/// The operating system gave no randomness, so no secret can be made.
#[derive(Debug, thiserror::Error)]
#[error("the operating system's random source failed: {0}")]
pub struct NoRandomness(getrandom::Error);

/// All secrets of one running server.
#[derive(Debug)]
pub struct Sessions {
    cookie_name: String,
    secrets: Mutex<Secrets>,
}

#[derive(Debug, Default)]
struct Secrets {
    tokens: VecDeque<String>,
    sessions: VecDeque<String>,
}

impl Sessions {
    /// Sessions of the server on `port`. Cookies do not tell ports apart, so the port is part of the cookie's name.
    #[must_use]
    pub fn new(port: u16) -> Self {
        Self { cookie_name: format!("agon-{port}"), secrets: Mutex::default() }
    }

    /// Makes a token that opens one session, once.
    ///
    /// # Errors
    /// The random source failed.
    pub fn new_token(&self) -> Result<String, NoRandomness> {
        let token = secret()?;
        push_bounded(&mut self.lock().tokens, token.clone(), TOKENS_AT_MOST);
        Ok(token)
    }

    /// Trades a token for the value of a `Set-Cookie` header; `None` if it was never printed or is already used.
    ///
    /// # Errors
    /// The random source failed; the token is still good then.
    pub fn redeem(&self, token: &str) -> Result<Option<String>, NoRandomness> {
        let session = secret()?;
        let mut secrets = self.lock();
        let Some(place) = secrets.tokens.iter().position(|known| equal(known, token)) else {
            return Ok(None);
        };
        secrets.tokens.remove(place);
        push_bounded(&mut secrets.sessions, session.clone(), SESSIONS_AT_MOST);
        Ok(Some(self.cookie(&session)))
    }

    /// The value of a `Set-Cookie` header that keeps a session's secret.
    #[must_use]
    pub fn cookie(&self, secret: &str) -> String {
        format!("{}={secret}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name)
    }

    /// The value of a `Set-Cookie` header that makes the browser forget its session.
    #[must_use]
    pub fn forgotten(&self) -> String {
        format!("{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict", self.cookie_name)
    }

    /// The secret that the request's cookies offer; the first, should there be more (cookies of other ports and paths
    /// have other names).
    #[must_use]
    pub fn offered<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(name, value)| *name == self.cookie_name && !value.is_empty())
            .map(|(_, value)| value)
    }

    /// Whether this is the secret of a session of the local person that lives.
    #[must_use]
    pub fn is_local(&self, secret: &str) -> bool {
        self.lock().sessions.iter().any(|known| equal(known, secret))
    }

    /// Ends a session of the local person; any other secret is left to the core.
    pub fn end(&self, secret: &str) {
        self.lock().sessions.retain(|known| !equal(known, secret));
    }

    fn lock(&self) -> MutexGuard<'_, Secrets> {
        self.secrets.lock().expect("no code panics while it holds the sessions")
    }
}

fn push_bounded(list: &mut VecDeque<String>, value: String, at_most: usize) {
    if list.len() == at_most {
        list.pop_front();
    }
    list.push_back(value);
}

fn secret() -> Result<String, NoRandomness> {
    let mut bytes = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Equality whose time does not tell how much of a guess was right.
pub(super) fn equal(known: &str, offered: &str) -> bool {
    known.len() == offered.len()
        && known.bytes().zip(offered.bytes()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn with_cookie(cookie: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_str(cookie).expect("a cookie is ASCII"));
        headers
    }

    fn is_in(sessions: &Sessions, cookie: &str) -> bool {
        sessions.offered(&with_cookie(cookie)).is_some_and(|secret| sessions.is_local(secret))
    }

    #[test]
    fn a_token_opens_one_session_once() {
        let sessions = Sessions::new(4100);
        let token = sessions.new_token().expect("randomness");
        assert_eq!(sessions.redeem("0000").expect("randomness"), None, "an invented token");
        let cookie = sessions.redeem(&token).expect("randomness").expect("the first use");
        assert_eq!(sessions.redeem(&token).expect("randomness"), None, "the second use");

        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
        let pair = cookie.split(';').next().expect("a cookie has a value");
        assert!(is_in(&sessions, &format!("other=1; {pair}")));
        assert!(!is_in(&sessions, &pair.replace("agon-4100", "agon-4101")));
        assert!(!is_in(&sessions, "agon-4100="));
        assert_eq!(sessions.offered(&HeaderMap::new()), None);
    }

    #[test]
    fn another_servers_cookie_is_unknown() {
        let here = Sessions::new(4100);
        let before_restart = Sessions::new(4100);
        let token = before_restart.new_token().expect("randomness");
        let cookie = before_restart.redeem(&token).expect("randomness").expect("the first use");
        assert!(!is_in(&here, cookie.split(';').next().expect("a value")));
    }

    #[test]
    fn a_session_that_was_ended_is_unknown_and_others_live_on() {
        let sessions = Sessions::new(4100);
        let mut pairs = Vec::new();
        for _ in 0..2 {
            let token = sessions.new_token().expect("randomness");
            let cookie = sessions.redeem(&token).expect("randomness").expect("the first use");
            pairs.push(cookie.split(';').next().expect("a value").to_owned());
        }
        sessions.end(sessions.offered(&with_cookie(&pairs[0])).expect("a secret"));
        assert!(!is_in(&sessions, &pairs[0]) && is_in(&sessions, &pairs[1]));
    }

    #[test]
    fn secrets_are_bounded_and_the_oldest_goes() {
        let sessions = Sessions::new(4100);
        let first = sessions.new_token().expect("randomness");
        for _ in 0..TOKENS_AT_MOST {
            sessions.new_token().expect("randomness");
        }
        assert_eq!(sessions.redeem(&first).expect("randomness"), None);
    }
}
