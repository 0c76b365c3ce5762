import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, RequestError } from '../../../shared/client/index.js'
import type { Person } from '../../support/people.js'
import { anyOf, type Random } from '../../support/random.js'
import { call, callOnce } from './call.js'
import { contentOf, type Ledger, type Outcome } from './ledger.js'

/** The parameters of `POST /messages` for each conversation. */
export type Conversations = ReadonlyMap<string, Record<string, unknown>>

/** Sends one message; never rejects. */
export type Post = (params: Record<string, unknown>) => Promise<Outcome>

interface SenderOptions {
  readonly ledger: Ledger
  readonly conversations: Conversations
  readonly post: Post
  readonly random: Random
  /** Delay between an answer and the next message, in ms. */
  readonly pauseMs?: number
}

// A delay keeps senders from overloading a server that refuses.
const pauseAfterFailureMs = 20

/** Sends one message after another. A failed one is not retried: the next message has a new number. */
export class Sender {
  private isStopped = false
  private readonly running: Promise<void>

  constructor(private readonly options: SenderOptions) {
    this.running = this.run()
  }

  private async run(): Promise<void> {
    const names = [...this.options.conversations.keys()]
    while (!this.isStopped) {
      const outcome = await sendOne(this.options, anyOf(names, this.options.random))
      const pause = outcome.kind === 'acknowledged' ? (this.options.pauseMs ?? 0) : pauseAfterFailureMs
      if (pause > 0) await sleep(pause)
    }
  }

  /** Resolves when its last message is answered, or has failed. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
  }
}

export async function sendOne(
  { ledger, conversations, post }: Pick<SenderOptions, 'ledger' | 'conversations' | 'post'>,
  conversation: string,
): Promise<Outcome> {
  const send = ledger.begin(conversation)
  send.outcome = await post({ ...conversations.get(conversation), content: contentOf(send) })
  return send.outcome
}

export const overHttp =
  (person: Person, patienceMs: number): Post =>
  async params => {
    const { status, body, failure } = await call(person, 'POST', '/messages', {
      params,
      signal: AbortSignal.timeout(patienceMs),
    })
    if (failure) return { kind: 'unknown', why: failure.startsWith('TimeoutError') ? 'TIMEOUT' : failure }
    return outcomeOf(status, body)
  }

/** A new connection per message: it may reach any worker, also one that stops. */
export const overNewConnections =
  (person: Person, patienceMs: number): Post =>
  async params => {
    const { status, body, failure } = await callOnce(person, 'POST', '/messages', {
      params,
      signal: AbortSignal.timeout(patienceMs),
    })
    if (failure)
      return { kind: 'unknown', why: failure.startsWith('ABORT_ERR') ? 'TIMEOUT' : `new connection: ${failure}` }
    return outcomeOf(status, body)
  }

export const overSocket =
  (client: Client): Post =>
  async params => {
    try {
      return outcomeOf(200, await client.request('POST', '/messages', params))
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      const { status, code, message } = error
      if (status > 0) return outcomeOf(status, { code, msg: message })
      return { kind: code === 'NOT_CONNECTED' ? 'refused' : 'unknown', why: code }
    }
  }

function outcomeOf(status: number, { id, code, msg }: Record<string, unknown>): Outcome {
  if (status === 200) return { kind: 'acknowledged', messageId: Number(id) }
  // If the database fails during a commit, the server does not know the result, and the error says so.
  const isOpen = status === 503 ? String(msg).includes('not known') : status >= 500
  return { kind: isOpen ? 'unknown' : 'refused', why: `${status} ${code}` }
}
