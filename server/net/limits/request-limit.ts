import { ApiError } from '../../../shared/errors.js'
import type { Clock } from '../../ctx.js'
import { windowSeconds } from '../../redis/request-counts.js'
import { Standing } from './standing.js'

/** Adds requests to what all workers count. @throws while that cannot be done. */
export type Tell = (who: string, window: number, requests: number) => Promise<number>

export interface RequestLimitOptions {
  /** What it counts, for keys in Redis and for the log. */
  readonly kind: string
  /** Requests in a minute. */
  readonly perMinute: number
  /** How many processes share the limit on this machine. */
  readonly workers: number
  readonly tell: Tell
  readonly clock: Clock
  /** Told why that could not be done. */
  readonly failed: (error: unknown) => void
}

const windowMs = windowSeconds * 1000
// Callers that one worker keeps in mind: some ten megabytes at the most.
const maxStandings = 65_536
// Who sends faster than Redis answers comes again after this.
const answerSeconds = 0.1
// While Redis is away it is asked again this often, not for each request.
const retryMs = 1000

/**
 * So many requests a minute of each caller, over all workers, without asking anybody for each: a worker counts what it lets
 * through and tells the others each time that it is a share of the limit. Workers know of each other what was told, so
 * all of one machine together let through at most a tenth more than the limit. Nor does one of them let through more than its
 * part of what is left before it has heard of the others. While Redis is away each worker keeps the limit by itself.
 */
export class RequestLimit {
  private readonly standings = new Map<string | number, Standing>()
  /** So many are told at once. */
  private readonly share: number
  private readonly head: string
  private quietUntil = 0

  constructor(private readonly options: RequestLimitOptions) {
    const { perMinute, workers } = options
    // What others have not told yet may come twice: once unknown to whoever reckons with what is left, once on top of it.
    this.share = Math.max(1, Math.floor(perMinute / (20 * workers)))
    this.head = `\r\nX-RateLimit-Limit: ${perMinute}\r\nX-RateLimit-Remaining: `
  }

  /** Callers that are kept in mind. */
  get size(): number {
    return this.standings.size
  }

  /** Where a caller stands in the window that runs; nothing is counted. */
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
   * @throws {ApiError} RATE_LIMIT_HIT, and then it is not counted.
   */
  charge(standing: Standing): void {
    this.requireLeft(this.renewed(standing))
    this.add(standing, 1)
  }

  /** Counts a request that was let through for more than one, and may thereby use up what is left. */
  surcharge(standing: Standing, points: number): void {
    this.add(this.renewed(standing), points)
  }

  private add(standing: Standing, points: number): void {
    standing.count += points
    standing.untold += points
    if (standing.untold >= this.share && standing.telling === 0) this.spread(standing)
  }

  /** What was counted a moment ago does not count: only what is in vain was to. */
  giveBack(who: string | number): void {
    const standing = this.of(who)
    if (standing.untold === 0) return
    standing.count--
    standing.untold--
  }

  /** @throws {ApiError} RATE_LIMIT_HIT when a caller has nothing left. */
  requireLeft(standing: Standing): void {
    if (standing.count >= standing.limit) throw tooMany((standing.endsAt - this.options.clock.now()) / 1000)
    if (standing.telling > 0 && !this.isOurs(standing)) throw tooMany(answerSeconds)
  }

  /** The lines X-RateLimit-* as of now, to stand behind the value of another header. */
  linesOf(standing: Standing): string {
    return this.renewed(standing).lines
  }

  private renewed(standing: Standing): Standing {
    const now = this.options.clock.now()
    if (now >= standing.endsAt) standing.begin(endOfWindow(standing.key, now))
    return standing
  }

  /** Whether one more is within this worker's part of what was left when it last heard of the others. */
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
    // Still too many: those who came first. At most a share of each is forgotten with them.
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

/** When the window of a caller ends. Those of different callers end at different seconds, so that those who wait do not all come at once. */
export function endOfWindow(key: string, now: number): number {
  let hash = 0
  for (let i = 0; i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) % windowSeconds
  const phase = hash * 1000
  return (Math.floor((now + phase) / windowMs) + 1) * windowMs - phase
}
