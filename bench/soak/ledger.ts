/** Whether somebody gets an event: certainly, certainly not, or either, because two things happened at the same time. */
export type Reach = 'must' | 'may' | 'no'

/** An event that a request of ours causes. `key` is what it can be told by when it arrives. */
export interface Expected {
  readonly key: string
  /** Milliseconds: when the request was sent, and when it was answered. */
  readonly begun: number
  ended: number | undefined
  /** Of the user, at the time of the request. */
  readonly reach: (user: number, expected: Expected) => Reach
  /** Queues that it has come to. */
  readonly got: Set<number>
}

/** All that was caused and may still arrive somewhere, in the order of the requests. */
export class Ledger {
  #first = 0
  #list: Expected[] = []
  #queues = 0
  readonly #byKey = new Map<string, Expected[]>()

  /** Before the request is sent: its event may be quicker than its answer. */
  begin(key: string, reach: Expected['reach']): Expected {
    const expected: Expected = { key, begun: performance.now(), ended: undefined, reach, got: new Set() }
    this.#list.push(expected)
    const same = this.#byKey.get(key)
    if (same) same.push(expected)
    else this.#byKey.set(key, [expected])
    return expected
  }

  /** A number for a queue. */
  newQueue(): number {
    this.#queues += 1
    return this.#queues
  }

  /** The place after the last one. */
  get end(): number {
    return this.#first + this.#list.length
  }

  at(place: number): Expected | undefined {
    return this.#list[place - this.#first]
  }

  /** Those that an arriving event may be: the same can be done again later. */
  withKey(key: string): readonly Expected[] {
    return this.#byKey.get(key) ?? []
  }

  /** Forgets what every queue has passed, once it was answered so long ago that nothing more can come of it. */
  trim(place: number, agoMs: number): void {
    const before = performance.now() - agoMs
    const old = this.#list.findIndex(({ ended }) => ended === undefined || ended > before)
    const passed = Math.max(0, place - this.#first)
    const gone = this.#list.splice(0, old < 0 ? passed : Math.min(old, passed))
    this.#first += gone.length
    for (const expected of gone) {
      const rest = this.withKey(expected.key).filter(one => one !== expected)
      if (rest.length > 0) this.#byKey.set(expected.key, rest)
      else this.#byKey.delete(expected.key)
    }
  }

  get size(): number {
    return this.#list.length
  }
}
