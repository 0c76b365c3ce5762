import { type HttpAnswer, HttpClient, type Params, type Sending, type ServerAddress } from '../lib/http-client.js'
import type { Account } from '../lib/load-protocol.js'

/** A client of one account with its own loopback address, so that limits per address treat it separately. */
export class Client extends HttpClient {
  constructor(
    server: ServerAddress,
    /** An address in 127.0.0.0/8. */
    readonly localAddress: string,
    readonly account: Account,
    connections = 1,
  ) {
    super(server, { localAddress, connections })
  }

  /** The same client with several connections. */
  withConnections(count: number): Client {
    return new Client(this.server, this.localAddress, this.account, count)
  }

  /** Asks an operation of the API. `who`: null without credentials. */
  asks(method: string, path: string, params: Params = {}, who: Sending['who'] = this.account): Promise<HttpAnswer> {
    return this.ask(who, method, path, params)
  }

  sends(sending: Omit<Sending, 'who'> & Partial<Pick<Sending, 'who'>>): Promise<HttpAnswer> {
    return this.send({ who: this.account, ...sending })
  }
}

/** Asks one request after the other; after a rate-limit answer, further ones are pointless for the attacker. */
export async function inTurn(count: number, ask: (i: number) => Promise<HttpAnswer>): Promise<HttpAnswer[]> {
  const answers: HttpAnswer[] = []
  for (let i = 0; i < count; i++) {
    const answer = await ask(i)
    answers.push(answer)
    if (answer.status === 429) break
  }
  return answers
}

/** Attacker's answer without an answer of the server. */
export const noAnswer = (status: number): HttpAnswer => ({ status, ms: 0, body: Buffer.alloc(0), headers: {} })
