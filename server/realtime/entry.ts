import { pack, unpack } from '../../shared/wire/codec.js'
import { AudienceSet, encodeAudience } from './audience.js'
import type { DefInfo, Defs } from './defs.js'
import type { Emission, Local } from './emission.js'
import type { Encoded } from './encodings.js'

/** A feed entry as Redis holds it: enough to put it back should Redis lose it. */
export interface RawEntry {
  readonly id: number
  readonly bytes: Uint8Array
  /** 0: it never was in the outbox. */
  readonly outboxId: number
  /** Transaction id; 0: it tells of no transaction. */
  readonly xid: number
  /** 0: none. */
  readonly messageId: number
  /** Feed id before this one when it was appended: a gap in front of it cannot go unnoticed. */
  readonly previous: number
}

/** A feed entry, read once by each worker and shared by all its queues. */
export interface Entry extends RawEntry {
  readonly name: string
  /** Undefined: an event of this engine's own, or of a newer version of the server. */
  readonly def: DefInfo | undefined
  readonly payload: object
  readonly audience: AudienceSet
  readonly perUser: readonly { readonly users: AudienceSet; readonly fields: Record<string, unknown> }[]
  /** Whose queues with all_public_streams get it too, as of the write. */
  readonly publicReaders: AudienceSet
  readonly local: Local | null
  /** Filled by encodings.ts: one for each form that somebody asked for. */
  readonly variants: (Encoded | null | undefined)[]
}

type Packed = [
  width: number,
  name: string,
  payload: object,
  audience: Uint8Array,
  perUser: [Uint8Array, Record<string, unknown>][],
  publicReaders: Uint8Array,
  local: [string, number, Record<string, unknown>] | null,
]

/** The bytes of an event: the same in the outbox and in the feed, neutral as to who reads it. */
export function encodeEmission(emission: Emission): Uint8Array {
  const { def, payload, audience, audienceBytes, perUser = [], publicReaders = [], local } = emission
  const packed: Packed = [
    def.width?.(payload) ?? 1,
    def.name,
    payload,
    audienceBytes ?? encodeAudience(audience),
    perUser.map(({ users, fields }) => [encodeAudience(users), fields]),
    encodeAudience(publicReaders),
    local ? [local.queueId, local.userId, local.fields] : null,
  ]
  return pack(packed)
}

/** An event for nobody, named with a leading underscore: it only moves the feed on. */
export function encodeInternal(name: string): Uint8Array {
  return pack([1, name, {}, new Uint8Array(), [], new Uint8Array(), null] satisfies Packed)
}

/** How many ids the event takes. Read without unpacking: a list's first element, behind the list's one-byte head. */
export function widthOf(bytes: Uint8Array): number {
  const kind = bytes[1] ?? 1
  if (kind < 0x80) return Math.max(1, kind)
  const size = kind === 0xcc ? 1 : kind === 0xcd ? 2 : 4
  let width = 0
  for (let i = 0; i < size; i++) width = width * 256 + (bytes[2 + i] ?? 0)
  return Math.max(1, width)
}

/** @throws when the bytes are not those of an event. */
export function decodeEntry(raw: RawEntry, defs: Defs): Entry {
  const [, name, payload, audience, perUser, publicReaders, local] = unpack(raw.bytes) as Packed
  // The insert that gave the message its id came after the entry was encoded.
  const { message } = payload as { message?: { id?: number } }
  if (raw.messageId > 0 && message) message.id = raw.messageId
  return {
    ...raw,
    name,
    def: defs.find(name),
    payload,
    audience: new AudienceSet(audience),
    perUser: perUser.map(([users, fields]) => ({ users: new AudienceSet(users), fields })),
    publicReaders: new AudienceSet(publicReaders),
    local: local && { queueId: local[0], userId: local[1], fields: local[2] },
    variants: [],
  }
}
