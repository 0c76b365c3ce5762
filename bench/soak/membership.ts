import type { Expected, Reach } from './ledger.js'

interface Change {
  readonly begun: number
  ended: number
  readonly isIn: boolean
}

// Number of changes kept; older ones are superseded by later ones.
const remembered = 20

/** The subscribers of a channel with changing subscribers, as far as a client can know. */
export class Membership {
  private readonly changes = new Map<number, Change[]>()

  constructor(readonly always: ReadonlySet<number>) {}

  isIn(user: number): boolean {
    return this.always.has(user) || (this.changes.get(user)?.at(-1)?.isIn ?? false)
  }

  /** Call it before the request; call the returned function after the answer. */
  change(user: number, isIn: boolean): () => void {
    const changes = this.changes.get(user) ?? []
    const change: Change = { begun: performance.now(), ended: Number.POSITIVE_INFINITY, isIn }
    changes.push(change)
    this.changes.set(user, changes.slice(-remembered))
    return () => {
      change.ended = performance.now()
    }
  }

  /** Certain only if no change overlapped with the request. */
  reach(user: number, { begun, ended = Number.POSITIVE_INFINITY }: Expected): Reach {
    if (this.always.has(user)) return 'must'
    const changes = this.changes.get(user) ?? []
    if (changes.some(change => change.begun <= ended && change.ended >= begun)) return 'may'
    const last = changes.findLast(change => change.ended < begun)
    return last?.isIn ? 'must' : 'no'
  }
}
