import type { RedisClient } from './client.js'
import { type Keys, keysOf } from './keys.js'

/** A queue, and the last of its events that its reader has acknowledged; -1: none. */
export interface SlackPlace {
  readonly queueId: string
  readonly lastEventId: number
}

// Longer than a queue lives without a reader.
const keptSeconds = 86_400

/** Where the programs that were made for Slack are in their queues, so that they go on there at any worker (docs/protocol/slack.md#socket-mode). */
export class SlackPlaces {
  private readonly keys: Keys

  constructor(
    private readonly redis: RedisClient,
    prefix: string,
    org: string,
  ) {
    this.keys = keysOf(prefix, org)
  }

  async of(userId: number): Promise<SlackPlace | undefined> {
    const stored = (await this.redis.command('GET', this.keys.slackPlace(userId))) as Buffer | null
    return stored ? (JSON.parse(stored.toString('utf8')) as SlackPlace) : undefined
  }

  async keep(userId: number, place: SlackPlace): Promise<void> {
    await this.redis.command('SET', this.keys.slackPlace(userId), JSON.stringify(place), 'EX', keptSeconds)
  }

  /** The address of a file that the account has uploaded; undefined: there is none, or it was too long ago. */
  async fileOf(userId: number, file: string): Promise<string | undefined> {
    const stored = (await this.redis.command('GET', this.keys.slackFile(userId, file))) as Buffer | null
    return stored?.toString('utf8')
  }

  async keepFile(userId: number, file: string, url: string): Promise<void> {
    await this.redis.command('SET', this.keys.slackFile(userId, file), url, 'EX', keptSeconds)
  }
}
