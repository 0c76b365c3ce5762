import type { RedisClient } from './client.js'
import type { Functions } from './functions.js'
import { type Keys, keysOf } from './keys.js'

/** Times in UNIX seconds; `active` 0: never active. */
export interface Seen {
  readonly active: number
  readonly idle: number
}

/** Selects the users to read: none, all who connected since `since` (UNIX seconds), or all changed after an update id. */
export type PresenceRange = 'none' | { readonly since: number } | { readonly after: number }

interface PresenceReport {
  readonly userId: number
  readonly status: 'active' | 'idle'
  /** Seconds: more frequent reports do not count as updates, because every reader would have to fetch them. */
  readonly interval: number
  /** Seconds without a report after which a user counts as offline. */
  readonly threshold: number
}

export interface PresenceReading {
  /** -1: no user has ever reported. */
  readonly lastUpdateId: number
  readonly cameOnline: boolean
  readonly own: Seen | null
  readonly users: ReadonlyMap<number, Seen>
}

/** Presence of users. Only Redis stores it, because clients report all of it again within a minute. */
export class PresenceStore {
  private readonly keys: Keys
  private readonly ids: string
  private readonly times: string

  constructor(
    private readonly redis: RedisClient,
    private readonly functions: Functions,
    prefix: string,
    org: string,
  ) {
    this.keys = keysOf(prefix, org)
    this.ids = this.keys.presenceIds
    this.times = this.keys.presenceTimes
  }

  /** The user has never reported, from now on. */
  async forget(userId: number): Promise<void> {
    await this.redis.command('HDEL', this.times, userId)
    await this.redis.command('ZREM', this.ids, userId)
  }

  /** Null: the user has never reported. */
  async of(userId: number): Promise<Seen | null> {
    const times = (await this.redis.command('HGET', this.times, userId)) as Buffer | null
    return times && seen(String(times))
  }

  /** Notes that a user is active who does not share its presence: no reading shows it. `now` in ms. */
  async noteUnshared(userId: number, now: number): Promise<void> {
    await this.redis.command('HSET', this.keys.unsharedTimes, userId, Math.floor(now / 1000))
  }

  /** Those of the users who have been active since `since` (UNIX seconds) and have a queue that receives messages, at any worker. */
  async lookingSince(userIds: readonly number[], since: number): Promise<ReadonlySet<number>> {
    const looking = new Set<number>()
    if (userIds.length === 0) return looking
    const [times, unshared, workers] = (await Promise.all([
      this.redis.command('HMGET', this.times, ...userIds),
      this.redis.command('HMGET', this.keys.unsharedTimes, ...userIds),
      this.redis.command('HKEYS', this.keys.checkpoints),
    ])) as [(Buffer | null)[], (Buffer | null)[], Buffer[]]
    const active = userIds.filter((_, i) => {
      const [shared, own] = [times[i], unshared[i]]
      return (shared && seen(String(shared)).active >= since) || (own && Number(own) >= since)
    })
    if (active.length === 0) return looking
    const sets = workers.map(worker =>
      this.redis.command('SMISMEMBER', this.keys.receiversOf(String(worker)), ...active),
    )
    for (const members of (await Promise.all(sets)) as number[][]) {
      for (const [i, id] of active.entries()) if (members[i] === 1) looking.add(id)
    }
    return looking
  }

  /** Stores the report, if there is one, and reads the range, in one atomic step. */
  async exchange(report: PresenceReport | null, range: PresenceRange, now: number): Promise<PresenceReading> {
    const { userId = '', status = '', interval = 0, threshold = 0 } = report ?? {}
    const args = [userId, status, Math.floor(now), interval, threshold, ...rangeArguments(range)]
    const reply = await this.functions.call('presence', [this.ids, this.times], args)
    const [last, came, own, ...entries] = (reply as Buffer[]).map(String)
    const users = new Map<number, Seen>()
    for (let i = 0; i < entries.length; i += 2) users.set(Number(entries[i]), seen(entries[i + 1] ?? ''))
    return { lastUpdateId: Number(last), cameOnline: came === 'came', own: own ? seen(own) : null, users }
  }
}

function rangeArguments(range: PresenceRange): [string | number, number] {
  if (range === 'none') return ['none', 0]
  return 'after' in range ? [range.after, 0] : ['all', Math.floor(range.since)]
}

function seen(text: string): Seen {
  const comma = text.indexOf(',')
  return { active: Number(text.slice(0, comma)), idle: Number(text.slice(comma + 1)) }
}
