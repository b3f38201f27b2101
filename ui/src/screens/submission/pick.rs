//! Which judgement a screen shows: the current one, else the newest that still goes on. Never an abandoned one's verdict.

use agon_contract::submission::{JudgementState, JudgementView, SubmissionDetail};

/// The judgement whose runs are shown.
pub(super) fn shown_judgement(detail: &SubmissionDetail) -> Option<&JudgementView> {
    let current = detail.judgements.iter().find(|judgement| judgement.is_current);
    let running = || {
        detail.judgements.iter().find(|judgement| match judgement.state {
            JudgementState::Pending | JudgementState::Judging | JudgementState::Judged => true,
            JudgementState::Abandoned | JudgementState::Cancelled | JudgementState::Unknown(_) => false,
        })
    };
    current.or_else(running)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use agon_contract::problem::{LimitsView, TimeLimitSource};
    use agon_contract::submission::{ManifestView, Progress, Stage, SubmissionContext, SubmissionSummary};
    use agon_contract::verdict::Verdict;

    pub(crate) fn judgement(
        generation: u32,
        state: JudgementState,
        is_current: bool,
        verdict: Option<Verdict>,
    ) -> JudgementView {
        JudgementView {
            id: format!("j{generation}").as_str().into(),
            generation,
            is_current,
            state,
            verdict,
            reason: String::new(),
            created_at_ms: 0,
            started_at_ms: None,
            finished_at_ms: None,
            compiler_text: String::new(),
            first_failing: None,
            max_cpu_ms: None,
            max_wall_ms: None,
            peak_memory_bytes: None,
            runs: Vec::new(),
            machine: String::new(),
            image_id: String::new(),
            score: None,
            max_score: None,
            groups: Vec::new(),
            is_held: false,
        }
    }

    pub(crate) fn detail(judgements: Vec<JudgementView>) -> SubmissionDetail {
        SubmissionDetail {
            summary: SubmissionSummary {
                id: "s".into(),
                number: 1,
                user_id: "u".into(),
                user_name: None,
                problem_id: "p".into(),
                problem_slug: "p".into(),
                problem_titles: Vec::new(),
                language_id: "c".into(),
                context: SubmissionContext::Practice,
                submitted_at_ms: 0,
                progress: Progress { stage: Stage::Queued, runs_done: 0, runs_total: 0, reason: String::new() },
                verdict: None,
                first_failing: None,
                max_cpu_ms: None,
                peak_memory_bytes: None,
                score: None,
                max_score: None,
            },
            files: Vec::new(),
            limits: LimitsView {
                time_limit_ms: 1_000,
                wall_limit_ms: 3_000,
                memory_limit_bytes: 1,
                output_limit_bytes: 1,
                code_limit_bytes: 1,
                time_limit_source: TimeLimitSource::Package,
            },
            judgements,
            manifest: ManifestView {
                sources_hash: String::new(),
                package_hash: String::new(),
                data_hash: String::new(),
                validator_hash: String::new(),
                language_hash: String::new(),
                policy_version: 1,
                image: String::new(),
            },
        }
    }

    #[test]
    fn the_current_judgement_wins_over_a_newer_one_that_runs() {
        let old = judgement(1, JudgementState::Judged, true, Some(Verdict::Accepted));
        let new = judgement(2, JudgementState::Judging, false, None);
        assert_eq!(shown_judgement(&detail(vec![new, old])).map(|judgement| judgement.generation), Some(1));
    }

    #[test]
    fn an_abandoned_judgement_is_never_shown() {
        let abandoned = judgement(1, JudgementState::Abandoned, false, Some(Verdict::WrongAnswer));
        assert!(shown_judgement(&detail(vec![abandoned.clone()])).is_none());
        let running = judgement(2, JudgementState::Pending, false, None);
        assert_eq!(shown_judgement(&detail(vec![abandoned, running])).map(|judgement| judgement.generation), Some(2));
    }
}
