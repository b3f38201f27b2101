//! Numbers as people read them: durations, sizes, wall-clock times, ids. Pure, so that it is tested natively.

/// A moment split into the fields of a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CivilTime {
    pub year: u32,
    /// 1 to 12.
    pub month: u32,
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
}

impl CivilTime {
    /// `2026-11-30`.
    #[must_use]
    pub fn date(&self) -> String {
        format!("{}-{}-{}", self.year, two(self.month), two(self.day))
    }

    /// `14:05:09`.
    #[must_use]
    pub fn clock(&self) -> String {
        format!("{}:{}:{}", two(self.hour), two(self.minute), two(self.second))
    }

    /// `2026-11-30 14:05:09`.
    #[must_use]
    pub fn full(&self) -> String {
        format!("{} {}", self.date(), self.clock())
    }

    /// The clock alone on the same day, the date and the clock otherwise.
    #[must_use]
    pub fn relative_to(&self, now: &CivilTime) -> String {
        let same_day = (self.year, self.month, self.day) == (now.year, now.month, now.day);
        if same_day { self.clock() } else { self.full() }
    }
}

fn two(number: u32) -> String {
    if number < 10 { format!("0{number}") } else { number.to_string() }
}

/// A measured duration: `7 ms`, `1.24 s`, `83 s`.
#[must_use]
pub fn duration(duration_ms: u64) -> String {
    match duration_ms {
        0..=999 => format!("{duration_ms} ms"),
        1_000..=59_999 => format!("{}.{} s", duration_ms / 1_000, two((duration_ms % 1_000 / 10) as u32)),
        _ => format!("{} s", duration_ms / 1_000),
    }
}

/// How long something has gone on, in the two largest units that matter: `7 s`, `3 min 20 s`, `2 h 5 min`, `4 d 1 h`.
#[must_use]
pub fn age(age_ms: u64) -> String {
    let seconds = age_ms / 1_000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

/// A limit: `1 s`, `1.5 s`, `250 ms`; never rounded.
#[must_use]
pub fn time_limit(limit_ms: u64) -> String {
    if limit_ms < 1_000 {
        return format!("{limit_ms} ms");
    }
    let fraction = format!("{:03}", limit_ms % 1_000);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { format!("{} s", limit_ms / 1_000) } else { format!("{}.{fraction} s", limit_ms / 1_000) }
}

/// A size in binary units: `512 B`, `3.4 KiB`, `256 MiB`.
#[must_use]
pub fn bytes(size_bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if size_bytes < 1024 {
        return format!("{size_bytes} B");
    }
    let mut tenths = u128::from(size_bytes) * 10 / 1024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    let (whole, rest) = (tenths / 10, tenths % 10);
    if rest == 0 || whole >= 100 {
        format!("{whole} {}", UNITS[unit])
    } else {
        format!("{whole}.{rest} {}", UNITS[unit])
    }
}

/// How full a bar is, 0 to 100; a limit of 0 counts as none.
#[must_use]
pub fn percent_of(value: u64, limit: u64) -> u32 {
    if limit == 0 {
        return 0;
    }
    (u128::from(value) * 100 / u128::from(limit)).min(100) as u32
}

/// The first characters of a hash or image id, without its algorithm.
#[must_use]
pub fn short_hash(hash: &str) -> String {
    hash.rsplit(':').next().unwrap_or(hash).chars().take(12).collect()
}

/// A UUIDv7 (RFC 9562, 5.7) of a time and random bytes.
#[must_use]
pub fn uuid_v7(at_ms: i64, mut bytes: [u8; 16]) -> String {
    let time = at_ms.max(0).to_be_bytes();
    bytes[..6].copy_from_slice(&time[2..]);
    bytes[6] = (bytes[6] & 0x0f) | 0x70;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let mut text = String::with_capacity(36);
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        for nibble in [byte >> 4, byte & 0x0f] {
            text.push(char::from(b"0123456789abcdef"[usize::from(nibble)]));
        }
    }
    text
}

/// Decodes standard base64 with padding; `None` when it is none.
#[must_use]
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for chunk in digits.chunks(4) {
        let mut group = 0u32;
        for digit in chunk {
            group = group << 6 | u32::from(base64_value(*digit)?);
        }
        match chunk.len() {
            4 => bytes.extend_from_slice(&group.to_be_bytes()[1..]),
            3 => bytes.extend_from_slice(&(group << 6).to_be_bytes()[1..3]),
            2 => bytes.push((group >> 4) as u8),
            _ => return None,
        }
    }
    Some(bytes)
}

fn base64_value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_keep_what_matters() {
        for (ms, text) in
            [(0, "0 ms"), (999, "999 ms"), (1_000, "1.00 s"), (1_239, "1.23 s"), (12_050, "12.05 s"), (60_000, "60 s")]
        {
            assert_eq!(duration(ms), text);
        }
    }

    #[test]
    fn ages_keep_their_two_largest_units() {
        for (ms, text) in [
            (0, "0 s"),
            (59_999, "59 s"),
            (60_000, "1 min 0 s"),
            (3_599_000, "59 min 59 s"),
            (7_500_000, "2 h 5 min"),
            (90_000_000, "1 d 1 h"),
        ] {
            assert_eq!(age(ms), text);
        }
    }

    #[test]
    fn limits_are_never_rounded() {
        for (ms, text) in [(250, "250 ms"), (1_000, "1 s"), (1_500, "1.5 s"), (2_001, "2.001 s"), (10_020, "10.02 s")] {
            assert_eq!(time_limit(ms), text);
        }
    }

    #[test]
    fn sizes_use_binary_units() {
        for (size, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (256 << 20, "256 MiB"),
            ((256 << 20) + 60_000, "256 MiB"),
            (3 << 30, "3 GiB"),
            (u64::MAX, "16777215 TiB"),
        ] {
            assert_eq!(bytes(size), text);
        }
    }

    #[test]
    fn bars_stay_inside_their_frame() {
        assert_eq!(percent_of(5, 10), 50);
        assert_eq!(percent_of(20, 10), 100);
        assert_eq!(percent_of(20, 0), 0);
        assert_eq!(percent_of(u64::MAX, u64::MAX), 100);
    }

    #[test]
    fn times_read_like_a_log() {
        let at = CivilTime { year: 2026, month: 3, day: 7, hour: 4, minute: 5, second: 6 };
        assert_eq!(at.full(), "2026-03-07 04:05:06");
        assert_eq!(at.relative_to(&CivilTime { hour: 23, ..at }), "04:05:06");
        assert_eq!(at.relative_to(&CivilTime { day: 8, ..at }), "2026-03-07 04:05:06");
    }

    #[test]
    fn ids_carry_their_time_version_and_variant() {
        let text = uuid_v7(0x0192_3456_789a, [0xff; 16]);
        assert_eq!(text, "01923456-789a-7fff-bfff-ffffffffffff");
        assert_ne!(uuid_v7(1, [1; 16]), uuid_v7(1, [2; 16]));
    }

    #[test]
    fn base64_round_trips_and_refuses_rubbish() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("JVBERi0=", "%PDF-")]
        {
            assert_eq!(decode_base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decode_base64("Zm9v!"), None);
        assert_eq!(decode_base64("Z"), None);
    }

    #[test]
    fn hashes_are_cut_behind_their_algorithm() {
        assert_eq!(short_hash("sha256:0123456789abcdef"), "0123456789ab");
        assert_eq!(short_hash("abc"), "abc");
    }
}
