import type { WireEvent } from '../../shared/wire/frames.js'
import { keyOf } from './event-key.js'
import type { Expected, Ledger, Reach } from './ledger.js'

export interface CheckedQueue {
  readonly name: string
  readonly serial: number
  readonly user: number
  /** Expects only events of these types; undefined: of all. */
  readonly types?: readonly string[]
  /** When `register` was sent and answered: earlier events are in the state, later ones in the queue. */
  readonly asked: number
  readonly answered: number
  readonly lastEventId: number
}

/** Checks that one queue gets each expected event once and in order, and no other event. */
export class QueueCheck {
  private _lastId: number
  private _place: number
  private _events = 0

  constructor(
    private readonly ledger: Ledger,
    private readonly queue: CheckedQueue,
    /** Its first position in the ledger: after all requests sent before `register`. */
    place: number,
  ) {
    this._lastId = queue.lastEventId
    this._place = place
  }

  /** The position in the ledger up to which every event is decided. */
  get place(): number {
    return this._place
  }

  get lastId(): number {
    return this._lastId
  }

  get events(): number {
    return this._events
  }

  /** @throws if the queue must not get this event, or not now. */
  received(event: WireEvent): void {
    const { name, serial, user } = this.queue
    if (event.id <= this._lastId) throw new Error(`${name} got event ${event.id} (${event.type}) after ${this._lastId}`)
    this._lastId = event.id
    this._events += 1
    const key = keyOf(event, user)
    if (key === null) return
    const same = this.ledger.withKey(key)
    const open = same.filter(one => !one.got.has(serial) && this.reach(one) !== 'no')
    // Of two equal requests the first overlapped with the registration; this event belongs to the one that must arrive.
    const expected = open.find(one => this.reach(one) === 'must') ?? open[0]
    if (!expected) {
      const why = same.length === 0 ? 'which nothing has caused' : 'twice, or without being meant'
      throw new Error(`${name} of user ${user} got ${key} (event ${event.id}), ${why}`)
    }
    expected.got.add(serial)
  }

  /**
   * Advances to the first event that may still arrive.
   * @param listening since when the client has been reading without interruption; undefined: it does not read.
   * @throws if an event is missing although the client has read for `patienceMs`.
   */
  proceed(listening: number | undefined, patienceMs: number): void {
    for (;;) {
      const expected = this.ledger.at(this._place)
      if (!expected || expected.ended === undefined) return
      if (!expected.got.has(this.queue.serial) && this.reach(expected) === 'must') {
        if (listening === undefined) return
        const waited = performance.now() - Math.max(listening, expected.ended)
        if (waited < patienceMs) return
        const { name, user } = this.queue
        throw new Error(`${name} of user ${user} has not got ${expected.key}, ${Math.round(waited / 1000)} s later`)
      }
      this._place += 1
    }
  }

  private reach(expected: Expected): Reach {
    const { asked, answered, types, user } = this.queue
    if (types && !types.includes(typeOfKey(expected.key))) return 'no'
    const reach = expected.reach(user, expected)
    if (reach !== 'must') return reach
    if (expected.begun > answered) return 'must'
    return expected.ended !== undefined && expected.ended < asked ? 'no' : 'may'
  }
}

const typeOfKey = (key: string): string => key.slice(0, key.indexOf(' '))
