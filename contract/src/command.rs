//! The one list of commands: names, requests, responses.
//!
//! [`for_each_command!`] hands the list to a macro of the caller, so that Tauri's permission manifest, the handlers of
//! both hosts, the HTTP routes and the interface's typed `call` all come from here. A host that lacks a handler does
//! not compile. Every command takes one request and returns `Result<Response, ApiError>`.
//!
//! [`for_each_session_command!`] has the two that are said before there is an acting person, or that end one: the host
//! answers them itself, because the session is the host's.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::account::{AccountPage, AccountView, OpenSession, SessionsEnded};
pub use crate::account::{
    CreateAccount, DisableAccount, EndSession, EndSessions, ListAccounts, ListSessions, LogIn, LogOut, SetPassword,
    SetRoles,
};
use crate::audit::{AuditPage, AuditVerification};
use crate::backup::{BackupList, BackupView};
use crate::delivery::{DeadLetter, ManifestDifference};
use crate::event::{EventBatch, OutboxCounts};
use crate::execution::{ExecutionJobView, PreviewCases, PreviewView};
use crate::folder_setting::FolderSettingView;
use crate::ids::{IdempotencyKey, LanguageId, PreviewId, ProblemId, SubmissionId, UserId};
use crate::language::LanguageSummary;
use crate::message::DeadMessageView;
use crate::module::ModuleView;
pub use crate::notice::{GetNoticePreferences, ListNotices, MarkNoticesRead, SetNoticePreferences};
use crate::notice::{NoticePage, NoticePreferences, NoticesRead};
use crate::operations::OperationsView;
use crate::package::{ImportReport, PackageSource};
use crate::problem::{ProblemDetail, ProblemSummary, StatementView};
use crate::rejudge::{ChangeSetPage, ChangeSetView};
pub use crate::sandbox::GetSelfTestProgress;
use crate::sandbox::{SandboxStatus, SelfTestProgress, SelfTestReport};
use crate::settings::{Preferences, SessionView};
use crate::submission::{SourceFile, SubmissionDetail, SubmissionPage, SubmitReceipt};
use crate::watch::{DraftVersion, WatchStatus, WatchedFile};

pub use crate::audit::{ListAudit, VerifyAudit};
pub use crate::backup::{ListBackups, MakeBackup, VerifyBackup};
pub use crate::delivery::{ExplainDifference, ListDeadLetters};
pub use crate::execution::{PollExecution, RunPreview};
pub use crate::folder_setting::{GetSettings, SetSetting};
pub use crate::message::{ListDeadMessages, ReviveMessage};
pub use crate::module::{ListModules, RestartModule, SetModuleEnabled};
pub use crate::operations::GetOperations;
pub use crate::rejudge::{
    ApplyChangeSet, CancelJudging, DiscardChangeSet, GetChangeSet, ListChangeSets, Rejudge, Revive,
};
pub use crate::watch::{GetWatchStatus, ListDraftVersions, RecheckPackage, SetWatchFolder, UnwatchFile, WatchFile};

/// A request that has a name and a response type.
pub trait Command: Serialize + DeserializeOwned {
    /// Name of the Tauri command, the HTTP route `/api/v1/<name>` and the method of `Judge`.
    const NAME: &'static str;
    /// What a success answers.
    type Response: Serialize + DeserializeOwned;
}

/// Declares a list once: the `Command` impls, the names, and the macro that hands the list on.
macro_rules! declare_commands {
    ($dollar:tt $each:ident $names:ident $($name:ident : $request:ident => $response:ty;)+) => {
        $(impl Command for $request {
            const NAME: &'static str = stringify!($name);
            type Response = $response;
        })+

        /// The names of the list, for Tauri's permission manifest.
        pub const $names: &[&str] = &[$(stringify!($name)),+];

        /// Calls the macro `$callback` with `name: Request;` for every command of the list. The requests are types of
        /// `agon_contract::command`; the response is `<Request as Command>::Response`.
        #[macro_export]
        macro_rules! $each {
            ($dollar callback:ident) => {
                $dollar callback! { $($name: $request;)+ }
            };
        }
    };
}

declare_commands! {
    $ for_each_session_command SESSION_COMMAND_NAMES
    log_in: LogIn => SessionView;
    log_out: LogOut => Done;
}

declare_commands! {
    $ for_each_command COMMAND_NAMES
    handshake: Handshake => HandshakeReply;
    get_session: GetSession => SessionView;
    set_preferences: SetPreferences => SessionView;
    list_languages: ListLanguages => Vec<LanguageSummary>;
    list_problems: ListProblems => Vec<ProblemSummary>;
    get_problem: GetProblem => ProblemDetail;
    get_statement: GetStatement => StatementView;
    read_data: ReadData => DataSlice;
    inspect_package: InspectPackage => ImportReport;
    import_package: ImportPackage => ImportReply;
    remove_problem: RemoveProblem => Done;
    submit: Submit => SubmitReceipt;
    list_submissions: ListSubmissions => SubmissionPage;
    get_submission: GetSubmission => SubmissionDetail;
    start_preview: StartPreview => PreviewView;
    get_preview: GetPreview => PreviewView;
    cancel_preview: CancelPreview => PreviewView;
    run_preview: RunPreview => PreviewView;
    poll_execution: PollExecution => ExecutionJobView;
    save_draft: SaveDraft => DraftSaved;
    load_draft: LoadDraft => DraftView;
    sandbox_status: GetSandboxStatus => SandboxStatus;
    self_test: RunSelfTest => SelfTestReport;
    self_test_progress: GetSelfTestProgress => SelfTestProgress;
    outbox_counts: GetOutboxCounts => OutboxCounts;
    get_operations: GetOperations => OperationsView;
    list_modules: ListModules => Vec<ModuleView>;
    set_module_enabled: SetModuleEnabled => ModuleView;
    restart_module: RestartModule => ModuleView;
    watch_status: GetWatchStatus => WatchStatus;
    set_watch_folder: SetWatchFolder => WatchStatus;
    recheck_package: RecheckPackage => WatchStatus;
    watch_file: WatchFile => WatchedFile;
    unwatch_file: UnwatchFile => Done;
    list_draft_versions: ListDraftVersions => Vec<DraftVersion>;
    wait_events: WaitEvents => EventBatch;
    rejudge: Rejudge => ChangeSetView;
    list_change_sets: ListChangeSets => ChangeSetPage;
    get_change_set: GetChangeSet => ChangeSetView;
    apply_change_set: ApplyChangeSet => ChangeSetView;
    discard_change_set: DiscardChangeSet => ChangeSetView;
    cancel_judging: CancelJudging => SubmissionDetail;
    revive: Revive => SubmissionDetail;
    list_dead_letters: ListDeadLetters => Vec<DeadLetter>;
    explain_difference: ExplainDifference => ManifestDifference;
    list_accounts: ListAccounts => AccountPage;
    create_account: CreateAccount => AccountView;
    set_password: SetPassword => Done;
    set_roles: SetRoles => AccountView;
    disable_account: DisableAccount => AccountView;
    end_sessions: EndSessions => SessionsEnded;
    list_sessions: ListSessions => Vec<OpenSession>;
    end_session: EndSession => Done;
    list_audit: ListAudit => AuditPage;
    verify_audit: VerifyAudit => AuditVerification;
    list_dead_messages: ListDeadMessages => Vec<DeadMessageView>;
    revive_message: ReviveMessage => Done;
    list_notices: ListNotices => NoticePage;
    mark_notices_read: MarkNoticesRead => NoticesRead;
    get_notice_preferences: GetNoticePreferences => NoticePreferences;
    set_notice_preferences: SetNoticePreferences => NoticePreferences;
    make_backup: MakeBackup => BackupView;
    list_backups: ListBackups => BackupList;
    verify_backup: VerifyBackup => BackupView;
    get_settings: GetSettings => Vec<FolderSettingView>;
    set_setting: SetSetting => FolderSettingView;
}

/// Something without further content was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {}

/// First word of every client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handshake {
    pub contract_version: u32,
    /// For the log only.
    pub client: String,
}

/// Answer to [`Handshake`]; another contract version is refused with `version_mismatch` and both numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandshakeReply {
    pub contract_version: u32,
    pub app_version: String,
    /// Where facts are kept, shown in Settings; empty for who may not read operations.
    pub data_folder: String,
    /// Whether the host can take paths (desktop) or needs uploads (browser).
    pub takes_paths: bool,
}

/// Who acts, and their preferences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetSession {}

/// Stores the acting person's preferences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetPreferences {
    pub preferences: Preferences,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListLanguages {}

/// Problems of the catalogue by title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListProblems {
    /// Part of a title, short name or keyword, any case; empty for all.
    pub query: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetProblem {
    pub problem_id: ProblemId,
}

/// The statement in a language, or the nearest that exists (exact, then `en`, then the first).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetStatement {
    pub problem_id: ProblemId,
    pub language: String,
}

/// What [`ReadData`] reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DataRef {
    SampleInput {
        problem_id: ProblemId,
        case_name: String,
    },
    SampleAnswer {
        problem_id: ProblemId,
        case_name: String,
    },
    /// The PDF of a statement.
    StatementPdf {
        problem_id: ProblemId,
        language: String,
    },
    /// A file beside a statement, e.g. an image.
    StatementFile {
        problem_id: ProblemId,
        name: String,
    },
}

/// A byte range of something too big for a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadData {
    pub data: DataRef,
    pub offset: u64,
    /// At most 1 MiB; more is refused.
    pub length: u32,
}

/// Bytes, base64 (they may be anything).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataSlice {
    pub base64: String,
    pub offset: u64,
    pub total_bytes: u64,
    /// IANA media type as far as known.
    pub media_type: String,
}

/// Lets the doctor look; nothing is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InspectPackage {
    pub source: PackageSource,
}

/// Takes a package in, whole or not at all. A problem with the same short name is replaced only when asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportPackage {
    pub source: PackageSource,
    pub replace_existing: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReply {
    pub problem_id: ProblemId,
    pub report: ImportReport,
}

/// Takes a problem off the list. Its submissions and their facts stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveProblem {
    pub problem_id: ProblemId,
}

/// A contestant's intent; answered after the durable commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submit {
    /// Made at the click. The same key with the same payload answers the original receipt; with another: `conflict`.
    pub idempotency_key: IdempotencyKey,
    pub problem_id: ProblemId,
    pub language_id: LanguageId,
    pub files: Vec<SourceFile>,
}

/// Newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListSubmissions {
    pub problem_id: Option<ProblemId>,
    /// One person's; `None`: all that the acting person may see. Somebody else's are `forbidden` without the permission to
    /// read everybody's.
    #[serde(default)]
    pub user_id: Option<UserId>,
    /// Rows older than this number; `None` for the newest.
    pub before_number: Option<u64>,
    /// 1 to 200.
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetSubmission {
    pub submission_id: SubmissionId,
}

/// Starts a preview; the same key and payload answer the same preview, another payload `conflict`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartPreview {
    pub idempotency_key: IdempotencyKey,
    pub problem_id: ProblemId,
    pub language_id: LanguageId,
    pub files: Vec<SourceFile>,
    pub cases: PreviewCases,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetPreview {
    pub preview_id: PreviewId,
}

/// Kills the box; a finished preview stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelPreview {
    pub preview_id: PreviewId,
}

/// Journals the editor's text (append-only, synced): what was typed survives a crash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveDraft {
    pub problem_id: ProblemId,
    pub language_id: LanguageId,
    pub text: String,
    /// `saved_at_ms` of the text that this one was made from, 0 where there was none. `None`: not known, and nothing is
    /// looked for.
    #[serde(default)]
    pub based_on_ms: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftSaved {
    pub saved_at_ms: i64,
    /// A text that was journalled by another window since `based_on_ms`, and whose place this one took. It is kept as a
    /// version.
    #[serde(default)]
    pub took_place_of: Option<String>,
}

/// The last journalled text of a problem, in a language or (with `None`) in the language edited last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadDraft {
    pub problem_id: ProblemId,
    pub language_id: Option<LanguageId>,
}

/// `text` is `None` when nothing was journalled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftView {
    pub language_id: Option<LanguageId>,
    pub text: Option<String>,
    pub saved_at_ms: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetSandboxStatus {}

/// Runs every probe for real; takes seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSelfTest {}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetOutboxCounts {}

/// Answers as soon as something happened after `after_seq` or `progress_counter` moved, or after `wait_ms` (≤ 30,000).
/// `after_seq = -1` answers the present position at once. Staff are told everything, others what concerns them: the
/// catalogue, their own submissions and previews.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitEvents {
    pub after_seq: i64,
    pub progress_counter: u64,
    pub wait_ms: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names = [COMMAND_NAMES, SESSION_COMMAND_NAMES].concat();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COMMAND_NAMES.len() + SESSION_COMMAND_NAMES.len());
    }

    #[test]
    fn the_list_reaches_a_callers_macro() {
        let mut seen = Vec::new();
        macro_rules! collect {
            ($($name:ident: $request:ident;)+) => {
                $(assert_eq!(<$request as Command>::NAME, stringify!($name)); seen.push(stringify!($name));)+
            };
        }
        for_each_command!(collect);
        assert_eq!(seen, COMMAND_NAMES);
    }

    #[test]
    fn a_request_survives_json_and_ignores_newer_fields() {
        let json = r#"{"problem_id":"p","added_later":1}"#;
        let request: GetProblem = serde_json::from_str(json).expect("unknown fields are additions");
        assert_eq!(request.problem_id.as_str(), "p");
    }
}
