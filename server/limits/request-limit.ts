import { LRUCache } from 'lru-cache'
import { ApiError } from '../../shared/errors.js'
import type { Clock } from '../concurrency/clock.js'
import { RateLimitCounter } from './rate-limit-counter.js'
import { windowSeconds } from './request-counts.js'

/** Adds requests to the count in Redis and returns the total of all workers. @throws while Redis is unavailable. */
type Report = (who: string, window: number, requests: number) => Promise<number>

interface RequestLimitOptions {
  /** The kind of caller, for keys in Redis and for the log. */
  readonly kind: string
  /** Requests per minute. */
  readonly perMinute: number
  /** Number of workers on this machine. */
  readonly workers: number
  readonly report: Report
  readonly clock: Clock
  /** Receives the error of a failed `report`. */
  readonly failed: (error: unknown) => void
}

const windowMs = windowSeconds * 1000
// Counters in one worker's memory, at most some ten megabytes. An evicted one loses at most a share of unreported requests.
// A cache with `max` would reserve memory for all of them at the start of a worker (1.3 MB, 6 ms), one with `maxSize` does not.
const maxCounters = 65_536
// Retry-after of a caller whose requests arrive faster than Redis answers.
const answerSeconds = 0.1
// While Redis is unavailable a worker reports again after this time, not with each request.
const retryMs = 1000

/**
 * Requests per minute of each caller over all workers, without a round trip to Redis per request: a worker counts requests locally and
 * reports them to Redis when they amount to a share of the limit; the answer is the total of all workers. All workers of a machine together
 * admit at most a tenth more than the limit, and what arrives while Redis answers. Of that, a worker admits no more than its part of the
 * requests that remained when it last had an answer. While Redis is unavailable each worker enforces the limit by itself.
 */
export class RequestLimit {
  private readonly counters = new LRUCache<string | number, RateLimitCounter>({
    maxSize: maxCounters,
    sizeCalculation: () => 1,
  })
  /** Requests per report. */
  private readonly share: number
  private readonly head: string
  private quietUntil = 0

  constructor(private readonly options: RequestLimitOptions) {
    const { perMinute, workers } = options
    // Other workers do not see unreported requests and admit as many themselves; then both are counted. So the excess is up to twice
    // the unreported number, and twice the share of all workers is a tenth of the limit.
    this.share = Math.max(1, Math.floor(perMinute / (20 * workers)))
    this.head = `\r\nX-RateLimit-Limit: ${perMinute}\r\nX-RateLimit-Remaining: `
  }

  /** Callers with a counter in memory. */
  get size(): number {
    return this.counters.size
  }

  /** The caller's counter in the current window; counts nothing. */
  of(who: string | number): RateLimitCounter {
    let counter = this.counters.get(who)
    if (!counter) {
      counter = new RateLimitCounter(String(who), this.options.perMinute, this.head)
      this.counters.set(who, counter)
    }
    return this.renewed(counter)
  }

  /**
   * Counts one request.
   * @throws {ApiError} RATE_LIMIT_HIT; the refused request is not counted.
   */
  charge(counter: RateLimitCounter): void {
    this.requireLeft(this.renewed(counter))
    this.add(counter, 1)
  }

  /** Counts further requests for an admitted request; may use up the limit. */
  surcharge(counter: RateLimitCounter, points: number): void {
    this.add(this.renewed(counter), points)
  }

  private add(counter: RateLimitCounter, points: number): void {
    counter.count += points
    counter.unreported += points
    if (counter.unreported >= this.share && counter.reporting === 0) this.sendReport(counter)
  }

  /** Takes back the request that was just counted: only failed authentication counts. Keeps it if it was reported already. */
  giveBack(who: string | number): void {
    const counter = this.of(who)
    if (counter.unreported === 0) return
    counter.count--
    counter.unreported--
  }

  /** @throws {ApiError} RATE_LIMIT_HIT when the caller has no requests left. */
  requireLeft(counter: RateLimitCounter): void {
    if (counter.count >= counter.limit) throw tooMany((counter.endsAt - this.options.clock.now()) / 1000)
    if (counter.reporting > 0 && !this.isOurs(counter)) throw tooMany(answerSeconds)
  }

  /** Whether `charge` would admit a request. */
  hasLeft(counter: RateLimitCounter): boolean {
    const { count, limit, reporting } = this.renewed(counter)
    return count < limit && (reporting === 0 || this.isOurs(counter))
  }

  /** The present X-RateLimit-* lines, to be appended to the value of another header. */
  linesOf(counter: RateLimitCounter): string {
    return this.renewed(counter).lines
  }

  private renewed(counter: RateLimitCounter): RateLimitCounter {
    const now = this.options.clock.now()
    if (now >= counter.endsAt) counter.begin(endOfWindow(counter.key, now))
    return counter
  }

  /** Whether one more request is within this worker's part of the requests that remained after the last report. */
  private isOurs({ count, unreported, reporting, limit }: RateLimitCounter): boolean {
    const unconfirmed = unreported + reporting
    const { workers, clock } = this.options
    return (
      unconfirmed < this.share || unconfirmed * workers < limit - (count - unconfirmed) || clock.now() < this.quietUntil
    )
  }

  private sendReport(counter: RateLimitCounter): void {
    const { clock, report, kind, failed } = this.options
    if (clock.now() < this.quietUntil) return
    const { endsAt, unreported } = counter
    counter.reporting = unreported
    counter.unreported = 0
    report(`${kind}:${counter.key}`, Math.round(endsAt / 1000), unreported).then(
      total => {
        this.quietUntil = 0
        if (counter.endsAt !== endsAt) return
        counter.reporting = 0
        counter.count = Math.max(counter.count, total + counter.unreported)
        if (counter.unreported >= this.share) this.sendReport(counter)
      },
      error => {
        failed(error)
        this.quietUntil = clock.now() + retryMs
        if (counter.endsAt !== endsAt) return
        counter.unreported += counter.reporting
        counter.reporting = 0
      },
    )
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
