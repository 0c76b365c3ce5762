import { createHash, randomUUID } from 'node:crypto'
import type { RedisClient } from './client.js'
import type { Functions } from './functions.js'
import { keysOf } from './keys.js'

/** At most `most` within `seconds`. */
export interface AttemptLimit {
  readonly seconds: number
  readonly most: number
}

/** What may be tried only so often, counted over all workers: passwords, changes of an address. */
export class Attempts {
  constructor(
    private readonly redis: RedisClient,
    private readonly functions: Functions,
    private readonly prefix: string,
    private readonly org: string,
  ) {}

  /** Counts one more; returns 0, or the milliseconds until it may be tried again, and then it is not counted. */
  async count(kind: string, who: string, limits: readonly AttemptLimit[], now: number): Promise<number> {
    const pairs = limits.flatMap(({ seconds, most }) => [seconds * 1000, most])
    return (await this.functions.call('attempt', [this.key(kind, who)], [now, randomUUID(), ...pairs])) as number
  }

  /** Milliseconds until it may be tried again; 0: now. Nothing is counted. */
  async wait(kind: string, who: string, limits: readonly AttemptLimit[], now: number): Promise<number> {
    const pairs = limits.flatMap(({ seconds, most }) => [seconds * 1000, most])
    return (await this.functions.call('attempt', [this.key(kind, who)], [now, '', ...pairs])) as number
  }

  /** It was right: what was counted does not count any more. */
  async forget(kind: string, who: string): Promise<void> {
    await this.redis.command('DEL', this.key(kind, who))
  }

  // A name comes from whoever calls and may be of any length.
  private key(kind: string, who: string): string {
    return keysOf(this.prefix, this.org).attempts(kind, createHash('sha256').update(who).digest('base64url'))
  }
}
