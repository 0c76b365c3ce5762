import { randomUUID } from 'node:crypto'
import { type Feed, feedIdBefore } from '../feed/index.js'
import type { QueueOptions } from '../realtime.js'
import { packOptions, secondsToLive } from './queue-options.js'
import type { QueueStore } from './queue-store.js'
import type { Queues } from './queues.js'

/** Creates queues that begin in the past: as if a worker had died that had logged nothing since. */
export class Replays {
  constructor(
    private readonly queues: Pick<Queues, 'requireOpen'>,
    private readonly store: Pick<QueueStore, 'createUnowned'>,
    private readonly feed: Pick<Feed, 'fetch' | 'ends'>,
  ) {}

  /** See `Realtime.registerAfter`. */
  async register(options: QueueOptions, eventId: number): Promise<string> {
    this.queues.requireOpen()
    const id = randomUUID()
    await this.store.createUnowned(id, {
      userId: options.userId,
      options: packOptions(options),
      secondsToLive: secondsToLive(options),
      from: feedIdBefore(eventId),
    })
    return id
  }

  /** See `Realtime.isInFeed`. */
  async isInFeed(eventId: number): Promise<boolean> {
    if (eventId === 0) return (await this.feed.ends()).trimmed === 0
    return (await this.feed.fetch([feedIdBefore(eventId)]))[0] !== undefined
  }
}
