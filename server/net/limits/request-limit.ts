import { ApiError } from '../../../shared/errors.js'
import type { Clock } from '../../ctx.js'
import { windowSeconds } from '../../redis/request-counts.js'
import { Standing } from './standing.js'

/** Adds requests to the count in Redis and returns the total of all workers. @throws while Redis is unavailable. */
export type Tell = (who: string, window: number, requests: number) => Promise<number>

export interface RequestLimitOptions {
  /** The kind of caller, for keys in Redis and for the log. */
  readonly kind: string
  /** Requests per minute. */
  readonly perMinute: number
  /** Number of workers on this machine. */
  readonly workers: number
  readonly tell: Tell
  readonly clock: Clock
  /** Receives the error of a failed `tell`. */
  readonly failed: (error: unknown) => void
}

const windowMs = windowSeconds * 1000
// Counters in one worker's memory, at most some ten megabytes.
const maxStandings = 65_536
// Retry-after of a caller whose requests arrive faster than Redis answers.
const answerSeconds = 0.1
// While Redis is unavailable a worker reports again after this time, not with each request.
const retryMs = 1000

/**
 * Requests per minute of each caller over all workers, without a round trip to Redis per request: a worker counts requests locally and
 * reports them to Redis when they amount to a share of the limit; the answer is the total of all workers. All workers of a machine together
 * admit at most a tenth more than the limit. A worker that waits for the answer admits no more than its part of the remaining requests.
 * While Redis is unavailable each worker enforces the limit by itself.
 */
export class RequestLimit {
  private readonly standings = new Map<string | number, Standing>()
  /** Requests per report. */
  private readonly share: number
  private readonly head: string
  private quietUntil = 0

  constructor(private readonly options: RequestLimitOptions) {
    const { perMinute, workers } = options
    // Unreported requests can exceed the limit twice: other workers do not subtract them from the remaining requests, and they add to the
    // total. Twice the share of all workers is a tenth of the limit.
    this.share = Math.max(1, Math.floor(perMinute / (20 * workers)))
    this.head = `\r\nX-RateLimit-Limit: ${perMinute}\r\nX-RateLimit-Remaining: `
  }

  /** Callers with a counter in memory. */
  get size(): number {
    return this.standings.size
  }

  /** The caller's counter in the current window; counts nothing. */
  of(who: string | number): Standing {
    let standing = this.standings.get(who)
    if (!standing) {
      standing = new Standing(String(who), this.options.perMinute, this.head)
      this.makeRoom()
      this.standings.set(who, standing)
    }
    return this.renewed(standing)
  }

  /**
   * Counts one request.
   * @throws {ApiError} RATE_LIMIT_HIT; the refused request is not counted.
   */
  charge(standing: Standing): void {
    this.requireLeft(this.renewed(standing))
    this.add(standing, 1)
  }

  /** Counts further requests for an admitted request; may use up the limit. */
  surcharge(standing: Standing, points: number): void {
    this.add(this.renewed(standing), points)
  }

  private add(standing: Standing, points: number): void {
    standing.count += points
    standing.untold += points
    if (standing.untold >= this.share && standing.telling === 0) this.spread(standing)
  }

  /** Takes back the request that was just counted: only failed authentication counts. Keeps it if it was reported already. */
  giveBack(who: string | number): void {
    const standing = this.of(who)
    if (standing.untold === 0) return
    standing.count--
    standing.untold--
  }

  /** @throws {ApiError} RATE_LIMIT_HIT when the caller has no requests left. */
  requireLeft(standing: Standing): void {
    if (standing.count >= standing.limit) throw tooMany((standing.endsAt - this.options.clock.now()) / 1000)
    if (standing.telling > 0 && !this.isOurs(standing)) throw tooMany(answerSeconds)
  }

  /** The present X-RateLimit-* lines, to be appended to the value of another header. */
  linesOf(standing: Standing): string {
    return this.renewed(standing).lines
  }

  private renewed(standing: Standing): Standing {
    const now = this.options.clock.now()
    if (now >= standing.endsAt) standing.begin(endOfWindow(standing.key, now))
    return standing
  }

  /** Whether one more request is within this worker's part of the requests that remained after the last report. */
  private isOurs({ count, untold, telling, limit }: Standing): boolean {
    const unheard = untold + telling
    const { workers, clock } = this.options
    return unheard < this.share || unheard * workers < limit - (count - unheard) || clock.now() < this.quietUntil
  }

  private spread(standing: Standing): void {
    const { clock, tell, kind, failed } = this.options
    if (clock.now() < this.quietUntil) return
    const { endsAt, untold } = standing
    standing.telling = untold
    standing.untold = 0
    tell(`${kind}:${standing.key}`, Math.round(endsAt / 1000), untold).then(
      total => {
        this.quietUntil = 0
        if (standing.endsAt !== endsAt) return
        standing.telling = 0
        standing.count = Math.max(standing.count, total + standing.untold)
        if (standing.untold >= this.share) this.spread(standing)
      },
      error => {
        failed(error)
        this.quietUntil = clock.now() + retryMs
        if (standing.endsAt !== endsAt) return
        standing.untold += standing.telling
        standing.telling = 0
      },
    )
  }

  private makeRoom(): void {
    if (this.standings.size < maxStandings) return
    const now = this.options.clock.now()
    for (const [who, { endsAt }] of this.standings) if (now >= endsAt) this.standings.delete(who)
    // Still too many counters: evicts the oldest. Each loses at most a share of unreported requests.
    let surplus = this.standings.size - maxStandings + maxStandings / 8
    for (const who of this.standings.keys()) {
      if (surplus-- <= 0) return
      this.standings.delete(who)
    }
  }
}

export function tooMany(seconds: number): ApiError {
  return new ApiError('RATE_LIMIT_HIT', `Too many requests. Try again in ${Math.ceil(seconds)} seconds.`, {
    'retry-after': Math.round(seconds * 1000) / 1000,
  })
}

/**
 * When the window of a caller ends, in ms since the epoch. Windows of different callers end at different seconds, so that refused callers
 * do not all retry at once.
 */
export function endOfWindow(key: string, now: number): number {
  let hash = 0
  for (let i = 0; i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) % windowSeconds
  const phase = hash * 1000
  return (Math.floor((now + phase) / windowMs) + 1) * windowMs - phase
}
