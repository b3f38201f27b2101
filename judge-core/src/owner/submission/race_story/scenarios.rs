//! The scenarios of the race story, and small ones in which a missing condition shows soon.

use super::actors::Step::{
    Acquire, Advance, Apply, AskStaff, Cancel, Discard, Fail, LookAt, LookAtOutbox, LookForLost, LookForOrphans,
    LoseEntry, MakeReviewed, Reboot, Reclaim, Recover, Refuse, Rejudge, Renew, Resend, Revive, Send, SetEntriesAside,
    Settle, Take,
};
use super::{Scenario, Start};

const RENEWAL: i64 = 20_000;
const LEASE_AND_MORE: i64 = 61_000;
const DAY: i64 = 86_400_000;

pub(in super::super) const ALL: &[Scenario] = &[
    Scenario {
        name: "leases",
        submissions: 1,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Renew, Settle]),
            ("B", &[Take, Renew, Settle]),
            ("recovery", &[LookForOrphans, Recover, LookForOrphans, Recover]),
            ("clock", &[Advance(RENEWAL), Advance(LEASE_AND_MORE), Advance(-DAY)]),
        ],
    },
    Scenario {
        name: "staff",
        submissions: 1,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Renew, Settle]),
            ("B", &[Take, Renew, Settle]),
            ("recovery", &[LookForOrphans, Recover]),
            ("coach", &[LookAt(0), Rejudge]),
            ("admin", &[LookAt(0), Cancel]),
            ("clock", &[Advance(LEASE_AND_MORE)]),
        ],
    },
    Scenario {
        name: "faults",
        submissions: 1,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Fail, Take, AskStaff]),
            ("B", &[Take, Settle]),
            ("recovery", &[LookForOrphans, Recover]),
            ("admin", &[LookAt(0), Revive, LookAt(0), Revive]),
            ("clock", &[Advance(LEASE_AND_MORE)]),
        ],
    },
    Scenario {
        name: "two submissions",
        submissions: 2,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Settle]),
            ("B", &[Take, Fail]),
            ("recovery", &[LookForOrphans, Recover]),
            ("coach", &[LookAt(0), Rejudge]),
            ("admin", &[LookAt(1), Cancel]),
            ("clock", &[Advance(LEASE_AND_MORE)]),
        ],
    },
    Scenario {
        name: "outbox",
        submissions: 2,
        start: Start::Saved,
        dispatches_at_once: false,
        actors: &[
            ("dispatcher", &[LookAtOutbox, Send, LookAtOutbox, Send]),
            ("another", &[LookAtOutbox, Refuse]),
            ("A", &[Take, Settle]),
            ("coach", &[LookAt(0), Rejudge]),
            ("admin", &[LookAt(1), Cancel]),
        ],
    },
    Scenario {
        name: "change set",
        submissions: 2,
        start: Start::Judged,
        dispatches_at_once: true,
        actors: &[
            ("coach", &[MakeReviewed, Apply, Apply]),
            ("jury", &[LookAt(0), Rejudge, Discard]),
            ("A", &[Take, Settle, Take, Settle]),
            ("B", &[Take, Settle]),
            ("admin", &[LookAt(1), Cancel]),
        ],
    },
    Scenario {
        name: "change set in need",
        submissions: 2,
        start: Start::Judged,
        dispatches_at_once: true,
        actors: &[
            ("coach", &[MakeReviewed, Discard]),
            ("A", &[Take, AskStaff]),
            ("trouble", &[SetEntriesAside]),
            ("admin", &[LookAt(0), Revive, LookAt(1), Revive]),
        ],
    },
    Scenario {
        name: "judged again",
        submissions: 2,
        start: Start::Judged,
        dispatches_at_once: true,
        actors: &[
            ("coach", &[LookAt(0), Rejudge]),
            ("jury", &[LookAt(0), Rejudge, LookAt(0), Rejudge]),
            ("A", &[Take, Settle]),
            ("admin", &[LookAt(0), Cancel]),
        ],
    },
    Scenario {
        name: "another boot",
        submissions: 1,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Renew, Settle]),
            ("boot", &[Reboot]),
            ("B", &[Take, Settle]),
            ("recovery", &[LookForOrphans, Recover, Reclaim]),
            ("clock", &[Advance(-DAY), Advance(RENEWAL)]),
        ],
    },
    Scenario {
        name: "lost entries",
        submissions: 2,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("trouble", &[LoseEntry]),
            ("reconciler", &[LookForLost, Resend]),
            ("another", &[LookForLost, Resend]),
            ("A", &[Take, Settle]),
            ("admin", &[LookAt(0), Cancel]),
            ("coach", &[LookAt(0), Rejudge]),
        ],
    },
];

/// Few actors each: a mutation test walks these many times.
pub(in super::super) const SMALL: &[Scenario] = &[
    Scenario {
        name: "renewal",
        submissions: 1,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Renew, Settle]),
            ("recovery", &[LookForOrphans, Recover]),
            ("clock", &[Advance(RENEWAL), Advance(LEASE_AND_MORE), Advance(-DAY)]),
        ],
    },
    Scenario {
        name: "takeover",
        submissions: 1,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Renew, Settle]),
            ("B", &[Take, Settle]),
            ("recovery", &[LookForOrphans, Recover]),
            ("clock", &[Advance(LEASE_AND_MORE)]),
        ],
    },
    Scenario {
        name: "pair",
        submissions: 2,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Renew, Settle]),
            ("B", &[Take, Fail]),
            ("recovery", &[LookForOrphans, Recover]),
            ("clock", &[Advance(LEASE_AND_MORE)]),
        ],
    },
    Scenario {
        name: "pair and staff",
        submissions: 2,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Settle]),
            ("coach", &[LookAt(0), Rejudge, LookAt(0), Rejudge]),
            ("admin", &[LookAt(0), Cancel]),
        ],
    },
    Scenario {
        name: "attention",
        submissions: 2,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, AskStaff, Take, AskStaff]),
            ("admin", &[LookAt(0), Revive, LookAt(0), Revive]),
            ("coach", &[LookAt(0), Rejudge]),
        ],
    },
    Scenario {
        name: "small outbox",
        submissions: 2,
        start: Start::Saved,
        dispatches_at_once: false,
        actors: &[
            ("dispatcher", &[LookAtOutbox, Send]),
            ("another", &[LookAtOutbox, Send]),
            ("A", &[Take, Settle]),
            ("admin", &[LookAt(0), Cancel]),
        ],
    },
    Scenario {
        name: "small change set",
        submissions: 2,
        start: Start::Judged,
        dispatches_at_once: true,
        actors: &[
            ("coach", &[MakeReviewed, Apply]),
            ("jury", &[LookAt(0), Rejudge, Discard]),
            ("A", &[Take, Settle, Take, Settle]),
            ("B", &[Take, Settle]),
        ],
    },
    Scenario {
        name: "small boot",
        submissions: 1,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Settle]),
            ("boot", &[Reboot]),
            ("recovery", &[LookForOrphans, Recover, Reclaim]),
            ("B", &[Take, Settle]),
        ],
    },
    Scenario {
        name: "small loss",
        submissions: 2,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("trouble", &[LoseEntry]),
            ("reconciler", &[LookForLost, Resend]),
            ("another", &[LookForLost, Resend]),
            ("A", &[Take, Settle]),
        ],
    },
    Scenario {
        name: "far queue",
        submissions: 2,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[LookAt(0), Acquire, Settle]),
            ("B", &[LookAt(0), Acquire, Settle]),
            ("coach", &[LookAt(0), Rejudge]),
        ],
    },
    Scenario {
        name: "clock set back a little",
        submissions: 1,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("A", &[Take, Renew, Settle]),
            ("recovery", &[LookForOrphans, Recover]),
            ("clock", &[Advance(LEASE_AND_MORE), Advance(-RENEWAL)]),
        ],
    },
    Scenario {
        name: "set aside",
        submissions: 2,
        start: Start::Sent,
        dispatches_at_once: true,
        actors: &[
            ("trouble", &[SetEntriesAside, SetEntriesAside]),
            ("admin", &[LookAt(0), Revive, LookAt(0), Revive]),
            ("coach", &[LookAt(0), Rejudge]),
        ],
    },
    Scenario {
        name: "two change sets",
        submissions: 2,
        start: Start::Judged,
        dispatches_at_once: true,
        actors: &[("coach", &[MakeReviewed, Discard]), ("jury", &[MakeReviewed, Apply]), ("A", &[Take, Settle])],
    },
];
