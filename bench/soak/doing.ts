import type { Client } from '../../shared/client/client.js'
import type { Account } from '../lib/load-protocol.js'
import type { Api } from './api.js'
import type { Expected, Ledger } from './ledger.js'
import type { Tally } from './tally.js'
import type { SoakChannel } from './world.js'

export interface DoingOptions {
  readonly ledger: Ledger
  readonly tally: Tally
  readonly api: Api
  /** Clients without queues that only send, with their accounts. */
  readonly senders: readonly (readonly [Account, Client])[]
}

/** Sends requests, and records the expected events in the ledger. */
export class Doing {
  #number = 0

  constructor(private readonly options: DoingOptions) {}

  /** Every second request goes over a socket, if the account has a sending client. */
  async ask(what: string, who: Account, method: string, path: string, params: Readonly<Record<string, unknown>> = {}) {
    const { senders, api, tally } = this.options
    tally.add(`did: ${what}`)
    const client = this.#number % 2 === 0 ? senders.find(([account]) => account.id === who.id)?.[1] : undefined
    return client ? await client.request(method, path, params) : await api.call(who, method, path, params)
  }

  /** Call it before the request, and `done` after the answer. */
  expect(key: string, reach: Expected['reach']): Expected {
    return this.options.ledger.begin(key, reach)
  }

  toMembers(key: string, { members }: SoakChannel): Expected {
    return this.expect(key, (user, expected) => members.reach(user, expected))
  }

  toOne(key: string, { id }: Account): Expected {
    return this.expect(key, user => (user === id ? 'must' : 'no'))
  }

  done(expected: Expected): void {
    expected.ended = performance.now()
  }

  /** A unique name. */
  name(kind: string): string {
    this.#number += 1
    return `${kind}${this.#number}`
  }
}
