//! `agon serve` as a story's server, and a client that speaks the contract to it.

use std::path::Path;
use std::time::Duration;

use agon_contract::command::{
    Command, GetSubmission, ImportPackage, ImportReply, ListProblems, ListSubmissions, Submit,
};
use agon_contract::ids::{IdempotencyKey, LanguageId, ProblemId, SubmissionId, UploadId};
use agon_contract::package::PackageSource;
use agon_contract::submission::{JudgementState, JudgementView, SourceFile, SubmissionDetail, SubmitReceipt};
use agon_contract::verdict::Verdict;
use agon_contract::{ApiError, ErrorCode};
use serde::Deserialize;

use crate::children::Group;
use crate::parts::{self, Missing};
use crate::rooms::TempData;
use crate::wait;

/// Opening a data folder on a loaded machine.
const STARTS_WITHIN: Duration = Duration::from_secs(60);
/// Compiling and judging on a loaded machine, other submissions before this one included.
pub const JUDGED_WITHIN: Duration = Duration::from_secs(400);

/// A running server, and a session with it.
#[derive(Debug)]
pub struct Serve {
    process: Group,
    origin: String,
    cookie: String,
}

impl Serve {
    /// Starts a server on the place's data folder and signs in with the printed address.
    ///
    /// # Errors
    /// The program has not been built.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(place: &TempData) -> Result<Self, Missing> {
        let (process, address) = Self::start_unopened(place)?;
        let (origin, _) = address.split_once("/?").expect("the address carries a token");
        let origin = origin.to_owned();
        let cookie = sign_in(&address);
        Ok(Self { process, origin, cookie })
    }

    /// Starts a server and answers the address it printed, its token unused.
    ///
    /// # Errors
    /// The program has not been built.
    ///
    /// # Panics
    /// It does not start.
    pub fn start_unopened(place: &TempData) -> Result<(Group, String), Missing> {
        let mut command = place.command(&parts::headless()?);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        // A name of its own: a restarted server must not be taken at an earlier one's address.
        let name = format!("serve-{}", uuid::Uuid::now_v7().simple());
        let mut process = Group::start(&name, &mut command, &place.logs());
        let address = wait::until("the server's address", STARTS_WITHIN, || {
            let printed = process.printed();
            assert!(process.ended().is_none(), "the server ended:\n{printed}");
            let address = printed.lines().find(|line| line.starts_with("http://"));
            address.map(str::to_owned).ok_or(printed)
        });
        Ok((process, address))
    }

    /// The process, to crash or to ask.
    pub fn process(&mut self) -> &mut Group {
        &mut self.process
    }

    /// `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Ends it as Ctrl-C does.
    ///
    /// # Panics
    /// It does not end, or not well.
    pub fn stop(mut self) {
        let status = self.process.ask_to_end();
        assert!(status.success(), "the server ended with {status}:\n{}", self.process.printed());
    }

    /// Sends a command.
    ///
    /// # Errors
    /// The server's refusal.
    ///
    /// # Panics
    /// The server does not answer in the contract's words.
    pub fn call<C: Command>(&self, request: &C) -> Result<C::Response, ApiError> {
        let body = serde_json::to_vec(request).expect("a request is JSON");
        let answer = self.post(&format!("/api/v1/{}", C::NAME), "application/json", &body);
        match answer {
            (200, text) => {
                Ok(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}: {text}", C::NAME)))
            }
            (status, text) => Err(serde_json::from_str(&text)
                .unwrap_or_else(|_| ApiError::new(ErrorCode::Internal, format!("{}: {status} {text}", C::NAME)))),
        }
    }

    /// Uploads a file, as a browser does.
    ///
    /// # Errors
    /// The server's refusal.
    ///
    /// # Panics
    /// The file cannot be read.
    pub fn upload(&self, file: &Path) -> Result<PackageSource, ApiError> {
        #[derive(Deserialize)]
        struct Uploaded {
            upload_id: UploadId,
        }
        let bytes = std::fs::read(file).expect("the package can be read");
        let name = file.file_name().expect("a file has a name").to_string_lossy().into_owned();
        match self.post(&format!("/api/upload?name={name}"), "application/octet-stream", &bytes) {
            (200, text) => {
                let uploaded: Uploaded = serde_json::from_str(&text).expect("the upload's id");
                Ok(PackageSource::Upload { upload_id: uploaded.upload_id })
            }
            (_, text) => Err(serde_json::from_str(&text).expect("a refusal in the contract's words")),
        }
    }

    /// Imports a zipped package.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn import(&self, file: &Path) -> Result<ImportReply, ApiError> {
        let source = self.upload(file)?;
        self.call(&ImportPackage { source, replace_existing: false })
    }

    /// The id of the problem with this short name.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn problem(&self, slug: &str) -> ProblemId {
        let problems = self.call(&ListProblems { query: String::new() }).expect("problems are listed");
        let found = problems.iter().find(|problem| problem.slug == slug);
        found.unwrap_or_else(|| panic!("no problem {slug} in {problems:#?}")).id.clone()
    }

    /// Submits a C++20 program.
    ///
    /// # Panics
    /// It is refused.
    #[must_use]
    pub fn submit(&self, problem_id: &ProblemId, text: &str) -> SubmitReceipt {
        self.call(&Submit {
            idempotency_key: IdempotencyKey(uuid::Uuid::now_v7().to_string()),
            problem_id: problem_id.clone(),
            language_id: LanguageId::from("cpp20"),
            files: vec![SourceFile { name: "main.cpp".into(), text: text.into() }],
        })
        .expect("the submission is taken")
    }

    /// The id of the submission with this short number.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn submission_numbered(&self, number: u64) -> SubmissionId {
        let newest = ListSubmissions { problem_id: None, user_id: None, before_number: None, limit: 200 };
        let rows = self.call(&newest).expect("submissions are listed").rows;
        let found = rows.iter().find(|row| row.number == number);
        found.unwrap_or_else(|| panic!("no submission {number} in {rows:#?}")).id.clone()
    }

    /// A submission as it stands.
    ///
    /// # Panics
    /// It is not there.
    #[must_use]
    pub fn submission(&self, id: &SubmissionId) -> SubmissionDetail {
        self.call(&GetSubmission { submission_id: id.clone() }).expect("the submission is there")
    }

    /// Waits for the verdict and answers the judgement that counts.
    ///
    /// # Panics
    /// None comes.
    #[must_use]
    pub fn verdict(&self, id: &SubmissionId) -> (Verdict, JudgementView) {
        wait::until("a verdict", JUDGED_WITHIN, || {
            let detail = self.submission(id);
            let current = detail.judgements.iter().find(|judgement| judgement.is_current);
            match current.and_then(|judgement| Some((judgement.verdict.clone()?, judgement.clone()))) {
                Some((verdict, judgement)) if judgement.state == JudgementState::Judged => Ok((verdict, judgement)),
                Some(_) | None => Err(format!("{:#?}", detail.summary.progress)),
            }
        })
    }

    fn post(&self, path: &str, media_type: &str, body: &[u8]) -> (u16, String) {
        let answer = agent()
            .post(format!("{}{path}", self.origin))
            .header("Origin", &self.origin)
            .header("Cookie", &self.cookie)
            .header("Content-Type", media_type)
            .send(body);
        let mut answer = answer.unwrap_or_else(|error| panic!("{path}: {error}\n{}", self.process.printed()));
        let text = answer.body_mut().read_to_string().expect("the answer is text");
        (answer.status().as_u16(), text)
    }
}

/// Refusals are answers here, and a redirect is looked at, not followed.
fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(STARTS_WITHIN))
        .build()
        .into()
}

/// Uses a printed address; answers the session's cookie.
fn sign_in(address: &str) -> String {
    let answer = agent().get(address).call().expect("the server answers");
    assert_eq!(answer.status().as_u16(), 303, "the printed address opens a session");
    let cookie = answer.headers().get("set-cookie").and_then(|value| value.to_str().ok()).expect("a cookie");
    cookie.split(';').next().expect("a cookie has a value").to_owned()
}
