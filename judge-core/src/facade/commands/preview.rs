//! Running a program on samples or on one's own input.

use agon_contract::command::{CancelPreview, GetPreview, StartPreview};
use agon_contract::execution::{PreviewCases, PreviewView};
use agon_contract::ids::PreviewId;
use agon_contract::problem::LimitsView;
use agon_contract::{ApiError, ErrorCode};

use crate::actor::Actor;
use crate::domain::facts::FactsSnapshot;
use crate::execution::{CUSTOM_INPUT_BYTES_MAX, NewPreview, PreviewError};
use crate::facade::Judge;
use crate::facade::refusal::{not_found, told};
use crate::ids::new_id;
use crate::owner::submission::intake::{check_key, check_program};
use crate::owner::submission::manifest::fingerprint;
use crate::worker::{CUSTOM_CASE, GateState};

impl Judge {
    /// Starts a preview. The same key with the same payload answers the same preview.
    ///
    /// # Errors
    /// `bad_request`, `not_found`, `conflict` (key used otherwise), `full`, `sandbox_unavailable`.
    pub async fn start_preview(&self, actor: &Actor, req: StartPreview) -> Result<PreviewView, ApiError> {
        check_key(req.idempotency_key.as_str())?;
        let fingerprint = preview_fingerprint(&req);
        let executions = &self.rooms.shop.executions;
        if let Some(known) = executions.known(&actor.user_id, &req.idempotency_key, &fingerprint).await? {
            return Ok(self.as_told(actor, known));
        }
        if matches!(self.rooms.shop.gate.state(), GateState::Paused { .. }) {
            return Err(ApiError::new(ErrorCode::SandboxUnavailable, self.paused_reason(actor).unwrap_or_default())
                .with_hint("Submitting still works; it is judged when the sandbox is back."));
        }
        let facts = self.capture_facts(actor, &req.problem_id).await?;
        let new = self.new_preview(actor, req, facts, fingerprint).await?;
        let view = executions.start(new).await?;
        self.rooms.shop.signals.preview.notify_one();
        Ok(view)
    }

    async fn new_preview(
        &self,
        actor: &Actor,
        req: StartPreview,
        facts: FactsSnapshot,
        fingerprint: String,
    ) -> Result<NewPreview, ApiError> {
        let language = check_program(&facts, &req.language_id, &req.files)?;
        let case_names = match &req.cases {
            PreviewCases::Custom { input } if input.len() > CUSTOM_INPUT_BYTES_MAX => {
                return Err(PreviewError::InputTooLong { bytes: input.len() }.into());
            }
            PreviewCases::Custom { .. } => vec![CUSTOM_CASE.to_owned()],
            PreviewCases::Samples => {
                let samples = self.rooms.shop.catalog.judge_cases(&facts.problem.version_id, true).await?;
                samples.into_iter().map(|case| case.name).collect()
            }
        };
        Ok(NewPreview {
            id: PreviewId(new_id()),
            user_id: actor.user_id.clone(),
            idempotency_key: req.idempotency_key,
            fingerprint,
            limits: LimitsView::from(&facts.limits_in(language)),
            language_id: req.language_id,
            facts: facts.problem,
            cases: req.cases,
            case_names,
            files: req.files,
        })
    }

    /// A preview as it stands; finished ones are kept for 15 minutes.
    ///
    /// # Errors
    /// `not_found`, also for somebody else's.
    pub async fn get_preview(&self, actor: &Actor, req: GetPreview) -> Result<PreviewView, ApiError> {
        let found = self.rooms.shop.executions.view(&actor.user_id, &req.preview_id).await?;
        let view = found.ok_or_else(|| not_found("preview", &req.preview_id))?;
        Ok(self.as_told(actor, view))
    }

    /// Ends a preview and kills its box; one that has finished stays as it is.
    ///
    /// # Errors
    /// `not_found`, also for somebody else's.
    pub async fn cancel_preview(&self, actor: &Actor, req: CancelPreview) -> Result<PreviewView, ApiError> {
        let executions = &self.rooms.shop.executions;
        let found = executions.view(&actor.user_id, &req.preview_id).await?;
        found.ok_or_else(|| not_found("preview", &req.preview_id))?;
        executions.cancel(&req.preview_id).await?;
        self.rooms.shop.board.cancel_preview(&req.preview_id);
        self.get_preview(actor, GetPreview { preview_id: req.preview_id }).await
    }

    /// With the runs that only memory has, and the reason as the person may read it.
    fn as_told(&self, actor: &Actor, mut view: PreviewView) -> PreviewView {
        view.reason = told(actor, view.reason);
        if !view.state.is_terminal() {
            view.runs = self.rooms.shop.board.preview_runs(&view.id).unwrap_or_default();
        }
        view
    }
}

fn preview_fingerprint(req: &StartPreview) -> String {
    let (kind, input) = match &req.cases {
        PreviewCases::Samples => ("samples", ""),
        PreviewCases::Custom { input } => ("custom", input.as_str()),
    };
    fingerprint(&["preview", req.problem_id.as_str(), req.language_id.as_str(), kind, input], &req.files)
}
