/** Intervals and time limits of the engine in milliseconds; tests shorten some. */
export interface Timing {
  readonly feedReadMs: number
  readonly maintenanceMs: number
  readonly queueLogMs: number
  readonly leaseMs: number
  readonly leaseRenewalMs: number
  readonly sweepMs: number
  readonly adoptAfterMs: number
  readonly outboxAgeMs: number
  readonly outboxKeepMs: number
  readonly publishHoldMs: number
  readonly tickMs: number
  readonly trimMs: number
}

export const defaultTiming: Timing = {
  // The interval at which the tail reads the feed, to find entries whose notification was lost with the subscription.
  feedReadMs: 1000,
  // The interval of queue maintenance: heartbeats, stalled sockets, idle queues.
  maintenanceMs: 1000,
  // The interval of the queue log. A reference is logged at an age of one to two intervals, so a client that acknowledges sooner
  // causes no write, and after a crash two intervals of the feed are read again. shared/client acknowledges within 3 s.
  queueLogMs: 3500,
  leaseMs: 8000,
  // Several renewals can fail before the lease expires. By its renewal a worker also detects that Redis has lost data.
  leaseRenewalMs: 1000,
  // The interval of outbox sweep and adoption.
  sweepMs: 1000,
  // How long a lease has to be missing before the queues are adopted: right after an outage of Redis all leases are missing.
  adoptAfterMs: 3000,
  // Age at which the outbox sweep publishes a row. Publishing takes 1 to 2 ms, so the worker of an older row died or cannot reach Redis.
  outboxAgeMs: 1000,
  // Age at which outbox cleanup may delete a row. Redis with appendfsync everysec can lose writes younger than 2 s, and only a row
  // that still exists can be published again.
  outboxKeepMs: 3000,
  // How long publishing waits after a restart of Redis, so that all workers restore entries first: they detect the restart by their
  // reconnect, which they try at least once a second, or by their lease renewal.
  publishHoldMs: 1500,
  // Heartbeats use the 15 ids between two entries. In an idle organization the sweeper publishes a tick to make further ids available.
  tickMs: 60_000,
  trimMs: 10_000,
}
