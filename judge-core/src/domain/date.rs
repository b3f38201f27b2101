//! Moments as people write them: the Gregorian calendar in UTC.

/// A moment of the wall clock: `2026-11-30T17:08:46Z`.
#[must_use]
pub fn utc(ms: i64) -> String {
    let (year, month, day) = civil(ms.div_euclid(86_400_000));
    let second = ms.div_euclid(1000).rem_euclid(86_400);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The same as part of a file's name everywhere: `20261130T170846Z`.
#[must_use]
pub fn utc_in_a_name(ms: i64) -> String {
    utc(ms).chars().filter(|character| !matches!(character, '-' | ':')).collect()
}

/// Year, month and day of a number of days since 1970-01-01. Years start in March here, so that the leap day is the last
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399_999, "2000-02-28T23:59:59Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (1_796_058_526_000, "2026-11-30T17:08:46Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(ms), text);
        }
        assert_eq!(utc_in_a_name(1_796_058_526_000), "20261130T170846Z");
    }
}
