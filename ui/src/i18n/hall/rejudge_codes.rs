//! What judging again and set-aside work call things, in words.

use agon_contract::delivery::{DeadLetterPlace, ManifestField};
use agon_contract::rejudge::{ChangeSetItemState, ChangeSetState, ChangeSetView, RejudgeMode};

use super::hall;
use crate::i18n::codes::spaced;
use crate::i18n::t;

/// Where something was set aside.
#[must_use]
pub fn place_name(place: &DeadLetterPlace) -> String {
    match place {
        DeadLetterPlace::Outbox => hall().place_outbox,
        DeadLetterPlace::Queue => hall().place_queue,
        DeadLetterPlace::Poison => hall().place_poison,
        DeadLetterPlace::Unknown(name) => name,
    }
    .to_owned()
}

/// Where a rejudging stands: its state, and while it is open whether there is something to decide.
#[must_use]
pub fn change_set_state_name(set: &ChangeSetView) -> String {
    let t = hall();
    let is_under_way = set.counts.waiting + set.counts.judging > 0;
    match &set.state {
        ChangeSetState::Open if is_under_way => t.set_running,
        ChangeSetState::Open => t.set_open,
        ChangeSetState::Applied if set.mode == RejudgeMode::Direct && is_under_way => t.set_running,
        ChangeSetState::Applied if set.mode == RejudgeMode::Direct => t.set_direct,
        ChangeSetState::Applied => t.set_applied,
        ChangeSetState::Discarded => t.set_discarded,
        ChangeSetState::Unknown(name) => name,
    }
    .to_owned()
}

/// What became of one submission of a rejudging.
#[must_use]
pub fn item_state_name(state: &ChangeSetItemState) -> String {
    let t = hall();
    match state {
        ChangeSetItemState::Waiting => t.item_waiting,
        ChangeSetItemState::Judging => t.item_judging,
        ChangeSetItemState::Judged => t.item_judged,
        ChangeSetItemState::NeedsAttention => t.item_needs_attention,
        ChangeSetItemState::Applied => t.item_applied,
        ChangeSetItemState::Refused => t.item_refused,
        ChangeSetItemState::LeftOut => t.item_left_out,
        ChangeSetItemState::Ended => t.item_ended,
        ChangeSetItemState::Unknown(name) => name,
    }
    .to_owned()
}

/// Why a submission was left out or refused; words of the host stay as they are.
#[must_use]
pub fn item_reason(reason: &str) -> String {
    let t = hall();
    match reason {
        "being_judged" => t.why_being_judged,
        "language_not_admitted" => t.why_language_not_admitted,
        "current_moved" => t.why_current_moved,
        "no_verdict" => t.why_no_verdict,
        "judge_error" => t.why_judge_error,
        other => other,
    }
    .to_owned()
}

/// What can differ between two judgings.
#[must_use]
pub fn field_name(field: &ManifestField) -> String {
    let names = hall();
    match field {
        ManifestField::Sources => names.field_sources,
        ManifestField::Language => t().programming_language,
        ManifestField::LanguageDefinition => names.field_language_definition,
        ManifestField::Package => names.field_package,
        ManifestField::TestData => names.field_test_data,
        ManifestField::Validator => names.field_validator,
        ManifestField::TimeLimitMs => names.field_time_limit,
        ManifestField::MemoryLimitBytes => names.field_memory_limit,
        ManifestField::OutputLimitBytes => names.field_output_limit,
        ManifestField::SandboxImage => t().sandbox_image,
        ManifestField::PolicyVersion => names.field_policy,
        ManifestField::Machine => t().machine,
        ManifestField::Unknown(name) => return spaced(name),
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_said_in_words_and_those_of_a_newer_host_as_they_came() {
        assert_eq!(item_reason("current_moved"), "another judgement counts by now");
        assert_eq!(item_reason("the moon was full"), "the moon was full");
    }

    #[test]
    fn every_state_and_field_has_a_name_of_its_own() {
        let mut names: Vec<String> = ChangeSetItemState::KNOWN.iter().map(item_state_name).collect();
        names.extend(ManifestField::KNOWN.iter().map(field_name));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
