//! Passwords: what may be one, and hashing with argon2id on blocking threads, a bounded number at a time.
//!
//! Parameters are those of the OWASP password storage cheat sheet for argon2id (19 MiB, 2 passes, 1 lane); stored
//! hashes are PHC strings, which name their own parameters, so that these can be raised at any time. A password is
//! normalised (NFKC) before hashing, because two keyboards may write the same letter differently (NIST SP 800-63B).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use agon_contract::account::Secret;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{self, PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

/// KiB, passes, lanes.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const SALT_BYTES: usize = 16;
const HASH_BYTES: usize = 32;

/// Hashes computed at one time: each takes a core and 19 MiB.
const AT_ONCE: usize = 2;
/// Callers that may wait for their turn, some seconds' worth; more are refused.
const WAITING_MAX: usize = 200;

/// NIST SP 800-63B: at least 8 characters, no rules about their kinds.
const CHARS_MIN: usize = 8;
const BYTES_MAX: usize = 1024;

/// Why a password could not be set or checked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PasswordError {
    #[error("a password has at least {CHARS_MIN} characters and at most {BYTES_MAX} bytes")]
    Length,
    #[error("a password may not be the login name")]
    IsName,
    #[error("{WAITING_MAX} passwords are being checked already")]
    Busy,
    #[error("the operating system's random source failed: {0}")]
    Random(getrandom::Error),
    #[error("hashing a password failed: {0}")]
    Hash(password_hash::Error),
    #[error("a stored password hash cannot be read: {0}")]
    Stored(password_hash::phc::Error),
    #[error("the thread that hashed a password ended early")]
    Interrupted,
}

/// What checking a password against a stored hash found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checked {
    pub is_right: bool,
    /// The hash was made with other parameters than today's.
    pub is_outdated: bool,
}

/// The hasher. Clones share the bound.
#[derive(Clone)]
pub(super) struct Passwords {
    places: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    /// Hashes computed so far; tests see by it that refusals cost the same.
    computed: Arc<AtomicU64>,
}

impl Passwords {
    pub(super) fn new() -> Self {
        Self {
            places: Arc::new(Semaphore::new(AT_ONCE + WAITING_MAX)),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            computed: Arc::default(),
        }
    }

    /// A new PHC string for a password that [`check_new`] found good.
    pub(super) async fn hash(&self, password: &Secret) -> Result<String, PasswordError> {
        let password = normal_form(password);
        self.compute(move || {
            let salt = random::<SALT_BYTES>()?;
            let hash = hasher().hash_password_with_salt(password.as_bytes(), &salt).map_err(PasswordError::Hash)?;
            Ok(hash.to_string())
        })
        .await
    }

    /// Compares a password with a stored PHC string, or (with `None`) does the same work and finds it wrong.
    pub(super) async fn check(&self, password: &Secret, stored: Option<String>) -> Result<Checked, PasswordError> {
        let password = normal_form(password);
        let stored = match stored {
            Some(stored) => stored,
            None => decoy()?,
        };
        self.compute(move || {
            let hash = PasswordHash::new(&stored).map_err(PasswordError::Stored)?;
            let is_right = match hasher().verify_password(password.as_bytes(), &hash) {
                Ok(()) => true,
                Err(password_hash::Error::PasswordInvalid) => false,
                Err(error) => return Err(PasswordError::Hash(error)),
            };
            Ok(Checked { is_right, is_outdated: !stored.starts_with(&prefix()) })
        })
        .await
    }

    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| PasswordError::Busy)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| PasswordError::Interrupted)?;
        self.computed.fetch_add(1, Ordering::Relaxed);
        // The permits go with the work: a caller that went away must not make room for one thread too many.
        let done = tokio::task::spawn_blocking(move || {
            let _permits = (place, turn);
            work()
        });
        done.await.map_err(|_| PasswordError::Interrupted)?
    }
}

#[cfg(test)]
impl Passwords {
    pub(super) fn computed_for_tests(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }
}

/// Refuses what nobody should use; `name_key` is the account's own name.
pub(super) fn check_new(password: &Secret, name_key: &str) -> Result<(), PasswordError> {
    if password.0.len() > BYTES_MAX || normal_form(password).chars().count() < CHARS_MIN {
        return Err(PasswordError::Length);
    }
    match super::name::typed_key(&password.0) {
        Some(key) if key == name_key => Err(PasswordError::IsName),
        Some(_) | None => Ok(()),
    }
}

/// Longer than any that was set: not worth a hash of the whole.
pub(super) fn is_absurd(password: &Secret) -> bool {
    password.0.len() > BYTES_MAX
}

fn normal_form(password: &Secret) -> String {
    password.0.nfkc().collect()
}

fn hasher() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(HASH_BYTES)).expect("the constants are in range");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// How a PHC string of today's parameters begins.
fn prefix() -> String {
    format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}$")
}

/// A well-formed hash that no password has: checking against it takes as long as against a real one.
fn decoy() -> Result<String, PasswordError> {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD_NO_PAD;
    let (salt, hash) = (random::<SALT_BYTES>()?, random::<HASH_BYTES>()?);
    Ok(format!("{}{}${}", prefix(), STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(hash)))
}

pub(super) fn random<const BYTES: usize>() -> Result<[u8; BYTES], PasswordError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(PasswordError::Random)?;
    Ok(bytes)
}

/// A hash as an earlier version with weaker parameters would have stored it.
#[cfg(test)]
pub(super) fn hash_of_an_older_version(password: &str) -> String {
    let params = Params::new(8 * 1024, 1, 1, Some(HASH_BYTES)).expect("in range");
    let older = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    older.hash_password_with_salt(password.as_bytes(), &[7; SALT_BYTES]).expect("hashable").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::from(text)
    }

    #[tokio::test]
    async fn a_hash_is_salted_names_its_parameters_and_knows_its_password() {
        let passwords = Passwords::new();
        let first = passwords.hash(&secret("correct horse")).await.expect("hashed");
        let second = passwords.hash(&secret("correct horse")).await.expect("hashed");
        assert_ne!(first, second, "each has its own salt");
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        let check = |password: &str, stored: &str| {
            let (passwords, password, stored) = (passwords.clone(), secret(password), stored.to_owned());
            async move { passwords.check(&password, Some(stored)).await.expect("checked") }
        };
        assert_eq!(check("correct horse", &first).await, Checked { is_right: true, is_outdated: false });
        assert!(!check("correct horsf", &first).await.is_right);
        let composed = passwords.hash(&secret("pass-\u{c5}-word")).await.expect("hashed");
        assert!(check("pass-A\u{30a}-word", &composed).await.is_right, "another keyboard, the same letters");
        let older = hash_of_an_older_version("correct horse");
        assert_eq!(check("correct horse", &older).await, Checked { is_right: true, is_outdated: true });
    }

    #[tokio::test]
    async fn nobody_costs_as_many_hashes_as_somebody() {
        let passwords = Passwords::new();
        let checked = passwords.check(&secret("anything"), None).await.expect("the decoy is well formed");
        assert_eq!((checked.is_right, passwords.computed_for_tests()), (false, 1));
    }

    #[tokio::test]
    async fn a_damaged_hash_is_our_fault_and_not_a_wrong_password() {
        let damaged = Passwords::new().check(&secret("anything"), Some("$argon2id$oops".into())).await;
        assert!(matches!(damaged, Err(PasswordError::Stored(_))), "{damaged:?}");
    }

    #[tokio::test]
    async fn a_queue_that_is_full_refuses_instead_of_growing() {
        let passwords = Passwords::new();
        let held = Arc::clone(&passwords.turns).acquire_many_owned(u32::try_from(AT_ONCE).expect("small")).await;
        let mut waiting: Vec<_> = Vec::new();
        for _ in 0..AT_ONCE + WAITING_MAX {
            let passwords = passwords.clone();
            waiting.push(tokio::spawn(async move { passwords.check(&Secret::from("x"), None).await }));
        }
        while passwords.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(passwords.check(&secret("x"), None).await, Err(PasswordError::Busy)));
        for task in &waiting {
            task.abort();
        }
        for task in waiting {
            let _ = task.await;
        }
        drop(held);
        assert!(passwords.check(&secret("x"), None).await.is_ok(), "room again");
    }

    #[test]
    fn short_endless_and_obvious_passwords_are_refused() {
        assert!(matches!(check_new(&secret("1234567"), "ann"), Err(PasswordError::Length)));
        assert!(matches!(check_new(&secret(&"x".repeat(1025)), "ann"), Err(PasswordError::Length)));
        assert!(matches!(check_new(&secret("Team-Seven"), "team-seven"), Err(PasswordError::IsName)));
        assert!(check_new(&secret("8 chars!"), "ann").is_ok());
        assert!(check_new(&secret("正しい馬電池合鍵"), "ann").is_ok());
    }
}
