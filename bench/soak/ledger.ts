/** Whether a user gets an event: certainly, certainly not, or possibly, because two requests overlapped. */
export type Reach = 'must' | 'may' | 'no'

/** An event that a request causes. `key` identifies it on arrival. */
export interface Expected {
  readonly key: string
  /** In ms: when the request was sent, and when it was answered. */
  readonly begun: number
  ended: number | undefined
  /** For a user, at the time of the request. */
  readonly reach: (user: number, expected: Expected) => Reach
  /** Queues that have received it. */
  readonly got: Set<number>
}

/** All expected events that may still arrive, in the order of the requests. */
export class Ledger {
  private first = 0
  private list: Expected[] = []
  private queues = 0
  private readonly byKey = new Map<string, Expected[]>()

  /** Call it before the request: the event may arrive before the answer. */
  begin(key: string, reach: Expected['reach']): Expected {
    const expected: Expected = { key, begun: performance.now(), ended: undefined, reach, got: new Set() }
    this.list.push(expected)
    const same = this.byKey.get(key)
    if (same) same.push(expected)
    else this.byKey.set(key, [expected])
    return expected
  }

  /** A unique number for a queue. */
  newQueue(): number {
    this.queues += 1
    return this.queues
  }

  /** The position after the last event. */
  get end(): number {
    return this.first + this.list.length
  }

  at(place: number): Expected | undefined {
    return this.list[place - this.first]
  }

  /** Expected events with this key; there may be several, since the same request may be repeated. */
  withKey(key: string): readonly Expected[] {
    return this.byKey.get(key) ?? []
  }

  /** Removes events that every queue has passed and whose requests were answered long ago. */
  trim(place: number, agoMs: number): void {
    const before = performance.now() - agoMs
    const old = this.list.findIndex(({ ended }) => ended === undefined || ended > before)
    const passed = Math.max(0, place - this.first)
    const gone = this.list.splice(0, old < 0 ? passed : Math.min(old, passed))
    this.first += gone.length
    for (const expected of gone) {
      const rest = this.withKey(expected.key).filter(one => one !== expected)
      if (rest.length > 0) this.byKey.set(expected.key, rest)
      else this.byKey.delete(expected.key)
    }
  }

  get size(): number {
    return this.list.length
  }
}
