//! Why two judgements differ: what each was made with, held side by side.

use agon_contract::delivery::{ComparedJudgement, FieldDifference, ManifestDifference, ManifestField};
use agon_contract::ids::JudgementId;
use agon_contract::verdict::Verdict;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Submissions;
use super::judgement::{Feedback, IS_HELD_BACK};
use super::manifest::Manifest;
use crate::domain::facts::FactsSnapshot;
use crate::domain::limits::EffectiveLimits;
use crate::store::{StoreError, decode, text};

/// A judgement with what it was made with.
#[derive(Clone, Debug)]
struct Made {
    judgement: ComparedJudgement,
    language: String,
    machine: String,
    image: String,
    manifest: Manifest,
    limits: Option<EffectiveLimits>,
}

impl Submissions {
    /// Every field in which two judgements differ; `None` when one of them does not exist.
    pub(crate) async fn explain_difference(
        &self,
        first: &JudgementId,
        second: &JudgementId,
        feedback: Feedback,
    ) -> Result<Option<ManifestDifference>, StoreError> {
        let (first, second) = (first.clone(), second.clone());
        self.store
            .read("compare two judgements", move |connection| {
                let (first, second) = (load(connection, &first, feedback)?, load(connection, &second, feedback)?);
                Ok(first.zip(second).map(|(first, second)| compare(first, second)))
            })
            .await
    }
}

/// `None` also for one that a change set holds back from whoever does not see everything.
fn load(connection: &Connection, id: &JudgementId, feedback: Feedback) -> rusqlite::Result<Option<Made>> {
    connection
        .prepare_cached(&format!(
            "SELECT j.id, j.submission_id, j.generation, j.verdict, j.first_failing, j.machine, j.image_id,
                    j.manifest AS made_with, s.manifest AS sealed, s.facts, s.language_id
             FROM submission_judgement j JOIN submission_submission s ON s.id = j.submission_id
             WHERE j.id = ?1 AND (?2 OR NOT {IS_HELD_BACK})"
        ))?
        .query_row(params![id.as_str(), feedback == Feedback::Full], made)
        .optional()
}

fn made(row: &Row<'_>) -> rusqlite::Result<Made> {
    let is_recorded = row.get::<_, Option<String>>("made_with")?.is_some();
    // Judgements from before theirs was recorded were made by what was sealed.
    let manifest: Manifest = decode(row, if is_recorded { "made_with" } else { "sealed" })?;
    let (facts, language): (FactsSnapshot, String) = (decode(row, "facts")?, row.get("language_id")?);
    let sealed_limits = facts.language(&language.as_str().into()).map(|language| facts.limits_in(language));
    let verdict: Option<String> = row.get("verdict")?;
    Ok(Made {
        judgement: ComparedJudgement {
            judgement_id: text(row, "id")?,
            submission_id: text(row, "submission_id")?,
            generation: row.get("generation")?,
            verdict: verdict.map(|verdict| Verdict::from(verdict.as_str())),
            first_failing: row.get("first_failing")?,
        },
        language,
        machine: row.get("machine")?,
        image: row.get("image_id")?,
        limits: manifest.limits.clone().or(sealed_limits),
        manifest,
    })
}

fn compare(first: Made, second: Made) -> ManifestDifference {
    let fields = values(&first)
        .into_iter()
        .zip(values(&second))
        .filter(|((_, first), (_, second))| first != second)
        .map(|((field, first), (_, second))| FieldDifference { field, first, second })
        .collect();
    ManifestDifference { first: first.judgement, second: second.judgement, fields }
}

/// Every field in the order in which a person asks: what was handed in, what it was held against, where it ran.
fn values(made: &Made) -> Vec<(ManifestField, String)> {
    let manifest = &made.manifest;
    let limit = |pick: fn(&EffectiveLimits) -> u64| {
        made.limits.as_ref().map(|limits| pick(limits).to_string()).unwrap_or_default()
    };
    vec![
        (ManifestField::Sources, manifest.sources_hash.clone()),
        (ManifestField::Language, made.language.clone()),
        (ManifestField::LanguageDefinition, manifest.language_hash.clone()),
        (ManifestField::Package, manifest.package_hash.clone()),
        (ManifestField::TestData, manifest.data_hash.clone()),
        (ManifestField::Validator, manifest.validator_hash.clone()),
        (ManifestField::TimeLimitMs, limit(|limits| limits.time_limit_ms)),
        (ManifestField::MemoryLimitBytes, limit(|limits| limits.memory_bytes)),
        (ManifestField::OutputLimitBytes, limit(|limits| limits.output_bytes)),
        (ManifestField::SandboxImage, made.image.clone()),
        (ManifestField::PolicyVersion, manifest.policy_version.to_string()),
        (ManifestField::Machine, made.machine.clone()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::facts::tests::facts;
    use crate::domain::language::languages;
    use crate::owner::submission::manifest::Manifest;

    fn made() -> Made {
        let facts = facts();
        let manifest = Manifest::seal(&facts, &facts.problem.languages[0], &[], "image 1");
        Made {
            judgement: ComparedJudgement {
                judgement_id: "j".into(),
                submission_id: "s".into(),
                generation: 1,
                verdict: Some(Verdict::Accepted),
                first_failing: None,
            },
            language: "cpp20".into(),
            machine: "a machine".into(),
            image: "image 1".into(),
            limits: manifest.limits.clone(),
            manifest,
        }
    }

    fn differing(change: impl FnOnce(&mut Made)) -> Vec<(ManifestField, String, String)> {
        let mut second = made();
        change(&mut second);
        let fields = compare(made(), second).fields;
        fields.into_iter().map(|field| (field.field, field.first, field.second)).collect()
    }

    #[test]
    fn the_same_judging_twice_differs_in_nothing() {
        assert_eq!(differing(|_| {}), []);
    }

    #[test]
    fn each_field_tells_both_values() {
        let limit = differing(|made| made.limits.as_mut().expect("limits").time_limit_ms = 5);
        assert_eq!(limit, [(ManifestField::TimeLimitMs, "2000".to_owned(), "5".to_owned())]);
        let machine = differing(|made| made.machine = "another".into());
        assert_eq!(machine, [(ManifestField::Machine, "a machine".to_owned(), "another".to_owned())]);
        type Change = fn(&mut Made);
        let cases: [(Change, ManifestField); 7] = [
            (|made| made.manifest.sources_hash.clear(), ManifestField::Sources),
            (|made| made.manifest.language_hash.clear(), ManifestField::LanguageDefinition),
            (|made| made.manifest.package_hash.clear(), ManifestField::Package),
            (|made| made.manifest.data_hash.clear(), ManifestField::TestData),
            (|made| made.manifest.validator_hash.clear(), ManifestField::Validator),
            (|made| made.manifest.policy_version = 9, ManifestField::PolicyVersion),
            (|made| made.image.clear(), ManifestField::SandboxImage),
        ];
        for (change, field) in cases {
            assert_eq!(differing(change).len(), 1, "{field}");
            assert_eq!(differing(change)[0].0, field);
        }
    }

    #[test]
    fn a_language_row_that_changed_since_shows_as_its_definition_and_its_limit() {
        let facts = facts();
        let sealed = Manifest::seal(&facts, &facts.problem.languages[0], &[], "image 1");
        let row = languages().iter().find(|language| language.id.as_str() == "cpp20").expect("in the table");
        let fields = differing(|made| {
            made.manifest = sealed.made_with(&facts.problem, row, "image 1");
            made.limits = made.manifest.limits.clone();
        });
        let names: Vec<_> = fields.into_iter().map(|(field, ..)| field).collect();
        assert_eq!(names, [ManifestField::LanguageDefinition, ManifestField::TimeLimitMs]);
    }
}
