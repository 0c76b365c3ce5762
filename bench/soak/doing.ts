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
  /** Clients that only send, of the account beside each. */
  readonly senders: readonly (readonly [Account, Client])[]
}

/** Makes requests, and enters into the ledger what has to come of them. */
export class Doing {
  #number = 0

  constructor(private readonly options: DoingOptions) {}

  /** Every other one over a socket, if the account has one that only sends. */
  async ask(what: string, who: Account, method: string, path: string, params: Readonly<Record<string, unknown>> = {}) {
    const { senders, api, tally } = this.options
    tally.add(`did: ${what}`)
    const client = this.#number % 2 === 0 ? senders.find(([account]) => account.id === who.id)?.[1] : undefined
    return client ? await client.request(method, path, params) : await api.call(who, method, path, params)
  }

  /** Before the request; `done` when it was answered. */
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

  /** A name that comes once. */
  name(kind: string): string {
    this.#number += 1
    return `${kind}${this.#number}`
  }
}
