//! What a notice says, from its kind and parameters.

use agon_contract::notice::{NoticeKind, NoticeView};
use agon_contract::verdict::Verdict;

use crate::i18n::{reason_text, t, verdict_name};

/// The sentence of the list.
pub(super) fn sentence(notice: &NoticeView) -> String {
    let details = &notice.details;
    let number = details.number.map(|number| number.to_string()).unwrap_or_default();
    let slug = details.problem_slug.clone().unwrap_or_default();
    let named = |verdict: &Option<Verdict>| verdict.as_ref().map(letters_and_name).unwrap_or_default();
    match &notice.kind {
        NoticeKind::Judged | NoticeKind::JudgedLate => {
            t().notice_judged.fill([&number, &slug, &named(&details.verdict)])
        }
        NoticeKind::VerdictChanged => {
            t().notice_changed.fill([&number, &slug, &named(&details.previous_verdict), &named(&details.verdict)])
        }
        NoticeKind::JudgingCancelled => t().notice_cancelled.fill([&number, &slug]),
        NoticeKind::NeedsAttention if details.verdict == Some(Verdict::JudgeError) => {
            t().notice_judge_error.fill([&number, &slug])
        }
        NoticeKind::NeedsAttention => t().notice_attention.fill([&number, &slug, &reason_text(&details.reason)]),
        NoticeKind::BackupFailed => t().notice_backup.fill([&reason_text(&details.reason)]),
        NoticeKind::Unknown(kind) => t().notice_unknown.fill([kind]),
    }
}

/// Letters and words: nobody has to know what WA stands for.
fn letters_and_name(verdict: &Verdict) -> String {
    format!("{} ({})", verdict.as_str(), verdict_name(verdict))
}

/// Where a click leads.
pub(super) fn target(notice: &NoticeView) -> Option<String> {
    notice.details.submission_id.as_ref().map(|id| format!("/submissions/{id}"))
}

/// What a kind is called among the preferences.
pub(super) fn kind_name(kind: &NoticeKind) -> String {
    match kind {
        NoticeKind::Judged => t().notice_kind_judged,
        NoticeKind::JudgedLate => t().notice_kind_judged_late,
        NoticeKind::VerdictChanged => t().notice_kind_verdict_changed,
        NoticeKind::JudgingCancelled => t().notice_kind_judging_cancelled,
        NoticeKind::NeedsAttention => t().notice_kind_needs_attention,
        NoticeKind::BackupFailed => t().notice_kind_backup_failed,
        NoticeKind::Unknown(kind) => kind,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use agon_contract::notice::NoticeDetails;

    use super::*;

    fn notice(kind: NoticeKind, verdict: Option<Verdict>) -> NoticeView {
        let details = NoticeDetails {
            submission_id: Some("s".into()),
            number: Some(7),
            problem_slug: Some("sum".into()),
            verdict,
            previous_verdict: Some(Verdict::Accepted),
            reason: "it died twice".into(),
        };
        NoticeView { id: "n".into(), kind, details, happened_at_ms: 0, is_read: false }
    }

    #[test]
    fn every_kind_has_its_own_sentence_and_name_with_what_it_is_about() {
        let mut sentences = Vec::new();
        let mut names = Vec::new();
        for kind in NoticeKind::KNOWN {
            let text = sentence(&notice(kind.clone(), Some(Verdict::WrongAnswer)));
            assert!(*kind == NoticeKind::BackupFailed || (text.contains("#7") && text.contains("sum")), "{text}");
            if *kind != NoticeKind::JudgedLate {
                sentences.push(text);
            }
            names.push(kind_name(kind));
        }
        sentences.push(sentence(&notice(NoticeKind::NeedsAttention, Some(Verdict::JudgeError))));
        sentences.push(sentence(&notice(NoticeKind::Unknown("party".into()), None)));
        for list in [&mut sentences, &mut names] {
            let count = list.len();
            list.sort_unstable();
            list.dedup();
            assert_eq!(list.len(), count, "{list:?}");
        }
    }

    #[test]
    fn a_changed_verdict_names_both() {
        let text = sentence(&notice(NoticeKind::VerdictChanged, Some(Verdict::WrongAnswer)));
        assert!(text.contains("AC") && text.contains("WA"), "{text}");
        assert_eq!(target(&notice(NoticeKind::Judged, None)).as_deref(), Some("/submissions/s"));
    }
}
