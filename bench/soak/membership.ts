import type { Expected, Reach } from './ledger.js'

interface Change {
  readonly begun: number
  ended: number
  readonly isIn: boolean
}

// A change that far back says nothing that the one after it does not.
const remembered = 20

/** Who is subscribed to a channel whose subscribers come and go, as far as that can be told from outside. */
export class Membership {
  readonly #changes = new Map<number, Change[]>()

  constructor(readonly always: ReadonlySet<number>) {}

  isIn(user: number): boolean {
    return this.always.has(user) || (this.#changes.get(user)?.at(-1)?.isIn ?? false)
  }

  /** Before the request is sent; returns what to call when it is answered. */
  change(user: number, isIn: boolean): () => void {
    const changes = this.#changes.get(user) ?? []
    const change: Change = { begun: performance.now(), ended: Number.POSITIVE_INFINITY, isIn }
    changes.push(change)
    this.#changes.set(user, changes.slice(-remembered))
    return () => {
      change.ended = performance.now()
    }
  }

  /** Certain only where no change was under way during the request. */
  reach(user: number, { begun, ended = Number.POSITIVE_INFINITY }: Expected): Reach {
    if (this.always.has(user)) return 'must'
    const changes = this.#changes.get(user) ?? []
    if (changes.some(change => change.begun <= ended && change.ended >= begun)) return 'may'
    const last = changes.findLast(change => change.ended < begun)
    return last?.isIn ? 'must' : 'no'
  }
}
