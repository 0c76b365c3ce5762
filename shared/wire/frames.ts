import { z } from 'zod'

const id = z.union([z.int(), z.string().max(100)])

/** What a client may send on the socket (docs/socket-protocol.md). Unknown fields are ignored. */
export const clientFrame = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('auth'),
    id: id.optional(),
    email: z.string().max(1000).optional(),
    api_key: z.string().max(1000).optional(),
  }),
  z.object({ op: z.literal('register'), id: id.optional(), params: z.record(z.string(), z.unknown()).optional() }),
  z.object({
    op: z.literal('attach'),
    id: id.optional(),
    queue_id: z.string().max(100),
    last_event_id: z.int().min(-1),
  }),
  z.object({ op: z.literal('ack'), last_event_id: z.int().min(-1) }),
  z.object({
    op: z.literal('request'),
    id: id.optional(),
    method: z.string().max(10),
    path: z.string().max(4000),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ op: z.literal('detach'), id: id.optional() }),
])

export type ClientFrame = z.infer<typeof clientFrame>
export type FrameId = z.infer<typeof id>

/** An event as a client sees it; `id` rises within its queue. */
export interface WireEvent {
  id: number
  type: string
  [field: string]: unknown
}

export type ServerFrame =
  | { op: 'reply'; id: FrameId; status: number; body: Record<string, unknown> }
  | { op: 'events'; events: WireEvent[] }
  | { op: 'error'; code: string; msg: string }

/** Subprotocols that the server speaks; the first is taken when a client offers none. */
export const subprotocols = ['chat.v1.json', 'chat.v1.msgpack'] as const
export type Subprotocol = (typeof subprotocols)[number]
