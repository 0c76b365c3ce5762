import { ExternalFailure } from '../external/external-failure.js'
import type { BotServers } from './bot-servers.js'
import { signatureHeaders } from './signed-event.js'

/** An event as it is sent. */
export interface OutgoingEvent {
  readonly id: number
  /** JSON text. */
  readonly body: string
}

export interface EventReceiver {
  readonly url: string
  /** The key of the signatures. */
  readonly secret: Uint8Array
  readonly userAgent: string
  /** What the ids of events begin with on the way to this receiver. */
  readonly prefix: string
}

/** Why an event did not arrive. */
export interface Refusal {
  readonly why: string
  /** The receiver wants no more events. */
  readonly isGone: boolean
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined
}

/**
 * Sends events, each when the one before has arrived, until one is refused or `signal` aborts. @returns `upto`: the id of the last one that
 * has arrived; undefined: none has
 */
export async function deliverEvents(
  servers: BotServers,
  receiver: EventReceiver,
  events: readonly OutgoingEvent[],
  signal: AbortSignal,
): Promise<{ upto: number | undefined; refusal: Refusal | undefined }> {
  let upto: number | undefined
  for (const one of events) {
    if (signal.aborted) break
    const refusal = await refusalOf(servers, receiver, one, signal)
    if (refusal && !signal.aborted) return { upto, refusal }
    if (!refusal) upto = one.id
  }
  return { upto, refusal: undefined }
}

/** Sends one event; undefined: it has arrived. */
async function refusalOf(
  servers: BotServers,
  { url, secret, userAgent, prefix }: EventReceiver,
  { id, body }: OutgoingEvent,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const headers = signatureHeaders({ id: `${prefix}${id}`, body }, secret, Date.now())
  try {
    const call = { address: url, type: 'application/json', body, userAgent, headers } as const
    const { status, retryAfter } = await servers.call(call, signal)
    if (status >= 200 && status < 300) return undefined
    return { why: `status ${status}`, isGone: status === 410, retryAfter }
  } catch (error) {
    if (!(error instanceof ExternalFailure)) throw error
    return { why: error.message, isGone: false, retryAfter: undefined }
  }
}
