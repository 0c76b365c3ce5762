import { z } from 'zod'

const id = z.union([z.int(), z.string().max(100)])
// Not z.record, which would check each name and copy the values.
const params = z.custom<Record<string, unknown>>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid input: expected object',
)

/**
 * What a client may send on the socket (docs/protocol/socket.md#frames-from-client-to-server). Unknown fields are
 * ignored, and null counts as absent: MessagePack has no undefined.
 */
export const clientFrame = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('auth'),
    id: id.nullish(),
    email: z.string().max(1000).nullish(),
    api_key: z.string().max(1000).nullish(),
  }),
  z.object({ op: z.literal('register'), id: id.nullish(), params: params.nullish() }),
  z.object({
    op: z.literal('attach'),
    id: id.nullish(),
    queue_id: z.string().max(100),
    last_event_id: z.int().min(-1),
  }),
  z.object({ op: z.literal('ack'), last_event_id: z.int().min(-1) }),
  z.object({
    op: z.literal('request'),
    id: id.nullish(),
    method: z.string().max(10),
    path: z.string().max(4000),
    params: params.nullish(),
    /** As the header `Idempotency-Key`. */
    idempotency_key: z.string().max(1000).nullish(),
  }),
  z.object({ op: z.literal('detach'), id: id.nullish() }),
])

export type ClientFrame = z.infer<typeof clientFrame>
export type FrameId = z.infer<typeof id>

/** An event on the wire; `id` rises within its queue. */
export interface WireEvent {
  id: number
  type: string
  [field: string]: unknown
}

export type ServerFrame =
  | { op: 'reply'; id: FrameId; status: number; body: Record<string, unknown> }
  | { op: 'events'; events: WireEvent[] }
  | { op: 'error'; code: string; msg: string }

/**
 * The subprotocols that the server speaks; it uses the first for a client that offers none. With `.gzip` the server compresses large replies
 * (docs/protocol/socket.md#compressed-replies).
 */
export const subprotocols = ['chat.v1.json', 'chat.v1.msgpack', 'chat.v1.json.gzip', 'chat.v1.msgpack.gzip'] as const
export type Subprotocol = (typeof subprotocols)[number]
