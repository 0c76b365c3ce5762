import { Distribution } from '../metrics/distribution.js'
import { WallClock } from '../metrics/wall-clock.js'

/** What one engine has done so far. Plain numbers: whoever counts adds to one, and nobody is called. */
export class EngineCounts {
  /** Entries of the feed that came to this worker. */
  entries = 0
  /** Events that this worker put into the feed. */
  published = 0
  /** From the commit (or, of what is not stored, from the call) until the event is in the feed. */
  readonly publishing = new Distribution()
  /** Events that sockets were given in JSON, in MessagePack, and polls. */
  json = 0
  msgpack = 0
  polled = 0
  /** Frames that sockets were given. */
  frames = 0
  heartbeats = 0
  registered = 0
  takenOver = 0
  lost = 0
  logWrites = 0

  /** From when an event is in the feed until the last live socket of this worker has it, or the last waiting poll. */
  readonly toSockets = new Distribution()
  readonly toPolls = new Distribution()
  /** Milliseconds by which the newest entry was old when it came to the tail. */
  feedLag = 0
  /** When Redis last answered the tail, or the renewal of the lease; by `performance.now()`. */
  tailHeardAt = performance.now()
  redisHeardAt = performance.now()
  /** The last attempt of either failed. */
  isTailFailing = false
  isRedisFailing = false
  readonly redis = new Distribution()
  readonly clock = new WallClock()

  /** Seconds since an entry was put into the feed: its id is Redis' clock in microseconds. */
  secondsSince(entryId: number, now: number): number {
    return (now - entryId / 1000) / 1000
  }
}
