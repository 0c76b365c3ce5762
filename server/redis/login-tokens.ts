import type { RedisClient } from './client.js'
import { keysOf } from './keys.js'

/** Tokens that sign an account in once, within a few seconds. Only Redis has them: a lost one is asked for again. */
export class LoginTokens {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
    private readonly org: string,
  ) {}

  async keep(token: string, userId: number, seconds: number): Promise<void> {
    await this.redis.command('SET', this.key(token), userId, 'EX', seconds)
  }

  /** The account of a token, which works no second time; undefined: it is unknown, used or too old. */
  async take(token: string): Promise<number | undefined> {
    const found = (await this.redis.command('GETDEL', this.key(token))) as Buffer | null
    return found === null ? undefined : Number(String(found))
  }

  private key(token: string): string {
    return keysOf(this.prefix, this.org).loginToken(token)
  }
}
