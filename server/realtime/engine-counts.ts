import { Distribution } from '../metrics/distribution.js'
import { WallClock } from '../metrics/wall-clock.js'

/** Counters of one engine, read for the metrics. The parts of the engine increment plain numbers: the hot path makes no calls. */
export class EngineCounts {
  /** Feed entries that this worker has received. */
  entries = 0
  /** Events that this worker has appended to the feed. */
  published = 0
  /** Seconds from the commit (for an ephemeral event from the call) until the event is in the feed. */
  readonly publishing = new Distribution()
  /** Events sent to sockets as JSON and as MessagePack, and events sent to polls. */
  json = 0
  msgpack = 0
  polled = 0
  /** Frames sent to sockets. */
  frames = 0
  heartbeats = 0
  registered = 0
  takenOver = 0
  lost = 0
  logWrites = 0

  /** Seconds from the event's append to the feed until the last live socket of this worker, or a waiting poll, was sent it. */
  readonly toSockets = new Distribution()
  readonly toPolls = new Distribution()
  /** Age in ms of the newest entry when the tail received it. */
  feedLag = 0
  /** When Redis last answered the tail and the lease renewal; `performance.now()`. */
  tailAnsweredAt = performance.now()
  redisAnsweredAt = performance.now()
  /** Whether the last read of the tail, or the last lease renewal, failed. */
  isTailFailing = false
  isRedisFailing = false
  readonly redis = new Distribution()
  readonly clock = new WallClock()

  /** Seconds since the entry's append to the feed: an entry id is the time of Redis in µs. `now` is in ms. */
  secondsSince(entryId: number, now: number): number {
    return (now - entryId / 1000) / 1000
  }
}
