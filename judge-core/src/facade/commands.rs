//! One method per contract command.

use agon_contract::command::*;
use agon_contract::{ApiError, CONTRACT_VERSION, ErrorCode};

use super::Judge;
use crate::actor::Actor;

pub(super) fn not_built(name: &str) -> ApiError {
    ApiError::new(ErrorCode::Internal, format!("{name} is not built yet"))
}

macro_rules! unbuilt {
    ($($name:ident: $request:ident;)+) => {
        impl Judge {$(
            /// Not built yet.
            ///
            /// # Errors
            /// Always `internal`.
            pub async fn $name(&self, _actor: &Actor, _req: $request) -> Result<<$request as Command>::Response, ApiError> {
                Err(not_built(stringify!($name)))
            }
        )+}
    };
}

use agon_contract::Command;

unbuilt! {
    get_session: GetSession;
    set_preferences: SetPreferences;
    list_languages: ListLanguages;
    list_problems: ListProblems;
    get_problem: GetProblem;
    get_statement: GetStatement;
    read_data: ReadData;
    inspect_package: InspectPackage;
    import_package: ImportPackage;
    remove_problem: RemoveProblem;
    submit: Submit;
    list_submissions: ListSubmissions;
    get_submission: GetSubmission;
    start_preview: StartPreview;
    get_preview: GetPreview;
    cancel_preview: CancelPreview;
    save_draft: SaveDraft;
    load_draft: LoadDraft;
    sandbox_status: GetSandboxStatus;
    self_test: RunSelfTest;
    outbox_counts: GetOutboxCounts;
    wait_events: WaitEvents;
}

impl Judge {
    /// Compares contract versions.
    ///
    /// # Errors
    /// `version_mismatch` with both numbers.
    pub async fn handshake(&self, _actor: &Actor, req: Handshake) -> Result<HandshakeReply, ApiError> {
        if req.contract_version != CONTRACT_VERSION {
            return Err(ApiError::new(
                ErrorCode::VersionMismatch,
                format!("{} speaks contract {}, this side {CONTRACT_VERSION}", req.client, req.contract_version),
            )
            .with_hint("Update the older side."));
        }
        Ok(HandshakeReply {
            contract_version: CONTRACT_VERSION,
            app_version: env!("CARGO_PKG_VERSION").to_owned(),
            data_folder: self.rooms.config.data_folder.display().to_string(),
            takes_paths: self.rooms.config.takes_paths,
        })
    }
}

/// Compiles only while each command of the contract has its method with the right types.
#[cfg(test)]
mod completeness {
    use agon_contract::command::*;

    use super::*;

    macro_rules! one_function_per_command {
        ($($name:ident: $request:ident;)+) => {$(
            async fn $name(judge: &Judge, actor: &Actor, req: $request)
                -> Result<<$request as Command>::Response, ApiError> {
                judge.$name(actor, req).await
            }
        )+
            #[test]
            fn every_command_has_a_method() {
                $(let _ = $name;)+
            }
        };
    }

    agon_contract::for_each_command!(one_function_per_command);
}
