//! Ids as they cross the wire: opaque text, one type per kind so that they cannot be mixed up.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id's text (UUIDv7, 36 characters, unless its doc says otherwise).
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

ids! {
    /// A problem of the catalogue.
    ProblemId,
    /// A contest.
    ContestId,
    /// A team.
    TeamId,
    /// A user: an account of a hall, or the local profile.
    UserId,
    /// A session of an account. It is not what opens it.
    SessionId,
    /// One submission. It never changes and is never deleted.
    SubmissionId,
    /// One judging of one submission.
    JudgementId,
    /// A rejudging: the submissions it took and what became of each.
    ChangeSetId,
    /// One execution receipt (a preview of one test case).
    ExecutionId,
    /// A preview: one press of "Run", one or more test cases.
    PreviewId,
    /// An uploaded package that waits for `inspect_package` or `import_package`.
    UploadId,
    /// A notice of one person.
    NoticeId,
    /// A language of the table, e.g. `cpp20`. Not a UUID.
    LanguageId,
    /// Made by the client at the click; the same key always means the same intent.
    IdempotencyKey,
}
