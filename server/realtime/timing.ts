/** Intervals and time limits of the engine in milliseconds; tests shorten some. */
export interface Timing {
  readonly look: number
  readonly turn: number
  readonly logTurn: number
  readonly leaseLife: number
  readonly leaseRenewal: number
  readonly sweep: number
  readonly adoptAfter: number
  readonly outboxAge: number
  readonly outboxRest: number
  readonly hold: number
  readonly tick: number
  readonly trim: number
}

export const defaultTiming: Timing = {
  // The interval at which the tail reads the feed, to find entries whose notification was lost with the subscription.
  look: 1000,
  // The interval of queue maintenance: heartbeats, stalled sockets, idle queues.
  turn: 1000,
  // The interval of the queue log. A reference is logged at an age of one to two intervals, so a client that acknowledges sooner
  // causes no write, and after a crash two intervals of the feed are read again. shared/client acknowledges within 3 s.
  logTurn: 3500,
  leaseLife: 8000,
  // Several renewals can fail before the lease expires. By its renewal a worker also detects that Redis has lost data.
  leaseRenewal: 1000,
  // The interval of outbox sweep and adoption.
  sweep: 1000,
  // How long a lease has to be missing before the queues are adopted: right after an outage of Redis all leases are missing.
  adoptAfter: 3000,
  // Age at which the outbox sweep publishes a row. Publishing takes 1 to 2 ms, so the worker of an older row died or cannot reach Redis.
  outboxAge: 1000,
  // Age at which outbox cleanup may delete a row. Redis with appendfsync everysec can lose writes younger than 2 s, and only a row
  // that still exists can be published again.
  outboxRest: 3000,
  // How long publishing waits after a restart of Redis, so that all workers restore entries first: they detect the restart by their
  // reconnect, which they try at least once a second, or by their lease renewal.
  hold: 1500,
  // Heartbeats use the 15 ids between two entries. In an idle organization the sweeper publishes a tick to make further ids available.
  tick: 60_000,
  trim: 10_000,
}
