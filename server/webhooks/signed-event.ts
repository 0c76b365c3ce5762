import { createHmac } from 'node:crypto'

/** An event as the server of a bot gets it. */
export interface SentEvent {
  /** The same for each attempt: by it the receiver drops a repetition. */
  readonly id: string
  readonly body: string
}

/** The headers of Standard Webhooks, version 1 (docs/protocol/event-subscriptions.md#signature). `nowMs`: when it is sent. */
export function signatureHeaders({ id, body }: SentEvent, secret: Uint8Array, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
