//! The facts a submission was accepted on, stored with it, so that it can be judged the same way again.

use agon_contract::ids::{LanguageId, ProblemId, UserId};
use agon_contract::problem::LocalText;
use serde::{Deserialize, Serialize};

use crate::domain::comparison::DefaultValidatorArgs;
use crate::domain::limits::EffectiveLimits;
use crate::domain::rules::JudgingRules;

/// Raised when a reader of older facts would misunderstand them.
pub(crate) const FACTS_SCHEMA_VERSION: u32 = 1;

/// Facts older than this no longer admit a submission (delivery, "Facts snapshot").
const FACTS_AGE_MAX_MS: i64 = 5 * 60 * 1000;

/// What was true of person and problem when the submission was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FactsSnapshot {
    pub user_id: UserId,
    pub user_exists: bool,
    pub problem: ProblemFacts,
    pub captured_at_ms: i64,
    pub schema_version: u32,
}

/// A problem's version as far as its judging depends on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ProblemFacts {
    pub id: ProblemId,
    /// The version whose test cases are meant; versions never change.
    pub version_id: String,
    pub slug: String,
    pub titles: Vec<LocalText>,
    /// Before a language's multiplier.
    pub limits: EffectiveLimits,
    pub validator: DefaultValidatorArgs,
    #[serde(default)]
    pub rules: JudgingRules,
    pub package_hash: String,
    pub data_hash: String,
    /// Test cases, samples included.
    pub case_count: u32,
    pub languages: Vec<LanguageFacts>,
}

/// A language the problem admits, as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LanguageFacts {
    pub id: LanguageId,
    /// Hash of the row of the language table.
    pub hash: String,
    pub time_multiplier_percent: u32,
}

/// Why facts do not admit a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotAdmitted {
    SchemaOutdated,
    UserUnknown,
    OtherUser,
    OtherProblem,
    FactsTooOld,
}

impl ProblemFacts {
    /// The language's row at that time; `None` when the problem does not admit it.
    pub(crate) fn language(&self, id: &LanguageId) -> Option<&LanguageFacts> {
        self.languages.iter().find(|language| language.id == *id)
    }
}

impl FactsSnapshot {
    /// Whether these facts admit a submission of `user` to `problem` now. (Rule: delivery, `admits`.)
    pub(crate) fn admits(&self, user: &UserId, problem: &ProblemId, now_ms: i64) -> Result<(), NotAdmitted> {
        let age_ms = now_ms - self.captured_at_ms;
        if self.schema_version != FACTS_SCHEMA_VERSION {
            Err(NotAdmitted::SchemaOutdated)
        } else if !self.user_exists {
            Err(NotAdmitted::UserUnknown)
        } else if self.user_id != *user {
            Err(NotAdmitted::OtherUser)
        } else if self.problem.id != *problem {
            Err(NotAdmitted::OtherProblem)
        } else if !(0..=FACTS_AGE_MAX_MS).contains(&age_ms) {
            // Captured in the future means that the wall clock was set back: as good as too old.
            Err(NotAdmitted::FactsTooOld)
        } else {
            Ok(())
        }
    }

    /// The language's row at that time; `None` when the problem does not admit it.
    pub(crate) fn language(&self, id: &LanguageId) -> Option<&LanguageFacts> {
        self.problem.language(id)
    }

    /// The limits of one run in this language.
    pub(crate) fn limits_in(&self, language: &LanguageFacts) -> EffectiveLimits {
        self.problem.limits.with_time_multiplier(language.time_multiplier_percent)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use agon_contract::problem::TimeLimitSource;

    use super::*;

    pub(crate) fn facts() -> FactsSnapshot {
        FactsSnapshot {
            user_id: UserId::from("u"),
            user_exists: true,
            problem: ProblemFacts {
                id: ProblemId::from("p"),
                version_id: "v".into(),
                slug: "sum".into(),
                titles: vec![LocalText { language: "en".into(), text: "Sum".into() }],
                limits: EffectiveLimits {
                    time_limit_ms: 1000,
                    time_limit_source: TimeLimitSource::Package,
                    memory_bytes: 1 << 28,
                    output_bytes: 1 << 23,
                    code_bytes: 1 << 17,
                },
                validator: DefaultValidatorArgs::default(),
                rules: JudgingRules::default(),
                package_hash: "a".repeat(64),
                data_hash: "b".repeat(64),
                case_count: 3,
                languages: vec![LanguageFacts {
                    id: LanguageId::from("cpp20"),
                    hash: "c".repeat(64),
                    time_multiplier_percent: 200,
                }],
            },
            captured_at_ms: 1_000_000,
            schema_version: FACTS_SCHEMA_VERSION,
        }
    }

    #[test]
    fn every_condition_is_asked() {
        let user = UserId::from("u");
        let problem = ProblemId::from("p");
        let ask = |facts: &FactsSnapshot| facts.admits(&user, &problem, 1_000_000);
        assert_eq!(ask(&facts()), Ok(()));
        assert_eq!(ask(&FactsSnapshot { schema_version: 0, ..facts() }), Err(NotAdmitted::SchemaOutdated));
        assert_eq!(ask(&FactsSnapshot { user_exists: false, ..facts() }), Err(NotAdmitted::UserUnknown));
        assert_eq!(ask(&FactsSnapshot { user_id: UserId::from("x"), ..facts() }), Err(NotAdmitted::OtherUser));
        let mut other = facts();
        other.problem.id = ProblemId::from("x");
        assert_eq!(ask(&other), Err(NotAdmitted::OtherProblem));
    }

    #[test]
    fn facts_admit_for_five_minutes_and_never_from_the_future() {
        let at = |now_ms| facts().admits(&UserId::from("u"), &ProblemId::from("p"), now_ms);
        assert_eq!(at(1_000_000 + FACTS_AGE_MAX_MS), Ok(()));
        assert_eq!(at(1_000_001 + FACTS_AGE_MAX_MS), Err(NotAdmitted::FactsTooOld));
        assert_eq!(at(999_999), Err(NotAdmitted::FactsTooOld));
    }

    #[test]
    fn a_languages_multiplier_reaches_its_limits() {
        let facts = facts();
        let language = facts.language(&LanguageId::from("cpp20")).expect("admitted");
        assert_eq!(facts.limits_in(language).time_limit_ms, 2000);
        assert_eq!(facts.language(&LanguageId::from("c")), None);
    }
}
