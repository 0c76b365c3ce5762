import type { EngineDeps } from '../engine-deps.js'

/** The Redis process that last answered for each group of queues; a group is a cluster slot, or all queues without a cluster. */
export class RedisProcesses {
  /** Called when another Redis process answers for a group than before (restart, failover): it may lack the newest writes. */
  onNew: () => void = () => {}
  readonly #deps: EngineDeps
  readonly #names = new Map<string, string>()

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  answered(queueId: string, process: Buffer): void {
    const { redis, keys } = this.#deps
    const group = redis.isCluster ? keys.groupOf(queueId) : ''
    const name = process.toString()
    const before = this.#names.get(group)
    this.#names.set(group, name)
    if (before !== undefined && before !== name) this.onNew()
  }
}
