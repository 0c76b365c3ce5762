/** Milliseconds of the engine's own rhythms; tests shorten some. */
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
  // What a worker should have been told of the feed and was not, since its subscription was away, it finds by this.
  look: 1000,
  // Every queue is looked at: heartbeats, readers that stall, queues that nobody reads.
  turn: 1000,
  // Logs are written behind. An event is one to two of these old then: a client that acknowledges sooner costs Redis nothing,
  // and after a crash two of them of the feed are read again. shared/client acknowledges within three seconds.
  logTurn: 3500,
  leaseLife: 8000,
  // Several may fail before the worker counts as dead. It is also how a worker learns that Redis lost its data.
  leaseRenewal: 1000,
  // Rows that nobody published, workers that died.
  sweep: 1000,
  // A lease has to be away this long before the queues are adopted: after an outage of Redis all leases are away at first.
  adoptAfter: 3000,
  // Publishing takes a millisecond or two: an older row belonged to a worker that died or cannot reach Redis.
  outboxAge: 1000,
  // Redis with appendfsync everysec may lose what is younger than two seconds; a row that is gone cannot be published again.
  outboxRest: 3000,
  // Workers find out about a new run of Redis by their reconnect, which is tried at least once a second, or by their lease.
  hold: 1500,
  // Heartbeats take their ids from the 15 between two events: in an idle organization somebody has to make room.
  tick: 60_000,
  trim: 10_000,
}
