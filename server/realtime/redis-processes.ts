import type { Parts } from './parts.js'

/** Which process of Redis answered last for each group of queues. */
export class RedisProcesses {
  /** Some queues lie on another process than before (a restart, a failover): it may lack what was written last. */
  onNew: () => void = () => {}
  readonly #parts: Parts
  readonly #names = new Map<string, string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  answered(queueId: string, process: Buffer): void {
    const { redis, keys } = this.#parts
    const group = redis.isCluster ? keys.groupOf(queueId) : ''
    const name = process.toString()
    const before = this.#names.get(group)
    this.#names.set(group, name)
    if (before !== undefined && before !== name) this.onNew()
  }
}
