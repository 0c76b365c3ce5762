import { createHash, randomUUID } from 'node:crypto'
import { KeyedMutex } from '../concurrency/keyed-mutex.js'
import type { RedisClient } from '../redis/client.js'
import type { Functions } from '../redis/functions.js'
import { keysOf } from '../redis/keys.js'

/** At most `most` attempts within `seconds`. */
export interface AttemptLimit {
  readonly seconds: number
  readonly most: number
}

/** Limits attempts, counted over all workers: passwords, changes of an address. */
export class Attempts {
  /** For attempts that this worker makes one after the other. */
  readonly turns = new KeyedMutex()

  constructor(
    private readonly redis: RedisClient,
    private readonly functions: Functions,
    private readonly prefix: string,
    private readonly org: string,
  ) {}

  /** Counts an attempt and returns 0. Over a limit it counts nothing and returns the milliseconds until the next attempt. */
  async count(kind: string, who: string, limits: readonly AttemptLimit[], now: number): Promise<number> {
    const pairs = limits.flatMap(({ seconds, most }) => [seconds * 1000, most])
    return (await this.functions.call('attempt', [this.key(kind, who)], [now, randomUUID(), ...pairs])) as number
  }

  /** Milliseconds until the next attempt is allowed; 0: now. Counts nothing. */
  async wait(kind: string, who: string, limits: readonly AttemptLimit[], now: number): Promise<number> {
    const pairs = limits.flatMap(({ seconds, most }) => [seconds * 1000, most])
    return (await this.functions.call('attempt', [this.key(kind, who)], [now, '', ...pairs])) as number
  }

  /** Resets the count: after a successful attempt, or by command. */
  async forget(kind: string, who: string): Promise<void> {
    await this.redis.command('DEL', this.key(kind, who))
  }

  // `who` comes from the caller and can have any length, so the key contains its digest.
  private key(kind: string, who: string): string {
    return keysOf(this.prefix, this.org).attempts(kind, createHash('sha256').update(who).digest('base64url'))
  }
}
