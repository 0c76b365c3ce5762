import { Redis } from 'ioredis'

export interface RedisSizes {
  readonly usedBytes: number
  readonly keys: number
  /** Number of keys by kind: queues, queue logs, and others. */
  readonly queues: number
  readonly logs: number
  readonly feedEntries: number
}

/** Reads figures from the server's Redis over a separate connection. */
export class RedisLook {
  private readonly redis: Redis

  constructor(url: string) {
    this.redis = new Redis(url)
  }

  async sizes(): Promise<RedisSizes> {
    const keys = await this.keys()
    const memory = await this.redis.info('memory')
    const feeds = keys.filter(key => /:feed:\{[^}]*\}$/.test(key))
    const lengths = await Promise.all(feeds.map(key => this.redis.xlen(key)))
    const ofQueues = keys.filter(key => key.includes(':queue:'))
    const queues = ofQueues.filter(key => key.endsWith(':meta')).length
    return {
      usedBytes: number(memory, 'used_memory'),
      keys: keys.length,
      queues,
      logs: ofQueues.length - queues,
      feedEntries: lengths.reduce((sum, length) => sum + length, 0),
    }
  }

  private async keys(): Promise<string[]> {
    const found = new Set<string>()
    let cursor = '0'
    do {
      const [next, keys] = await this.redis.scan(cursor, 'COUNT', 1000)
      for (const key of keys) found.add(key)
      cursor = next
    } while (cursor !== '0')
    return [...found]
  }

  stop(): void {
    this.redis.disconnect()
  }
}

const number = (info: string, name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
