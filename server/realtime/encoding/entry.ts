import { pack, unpack } from '../../../shared/wire/codec.js'
import type { Emission, Local } from '../emission.js'
import { AudienceSet, encodeAudience } from './audience.js'
import type { DefInfo, Defs } from './defs.js'
import type { Encoded } from './encoded.js'

/** A feed entry as Redis holds it: enough to restore it if Redis loses it. */
export interface RawEntry {
  readonly id: number
  readonly bytes: Uint8Array
  /** 0: an ephemeral event, which has no outbox row. */
  readonly outboxId: number
  /** PostgreSQL transaction id; 0: the event belongs to no transaction. */
  readonly xid: number
  /** 0: the event does not belong to a new message. */
  readonly messageId: number
  /** Id of the entry before this one at the time of the append; with it a worker detects a gap. */
  readonly previous: number
}

interface Extra {
  readonly users: AudienceSet
  readonly fields: Record<string, unknown>
}

/** What the bytes of an entry say; the payload and the encodings are made when they are needed. */
interface Content {
  readonly audience: AudienceSet
  readonly perUser: readonly Extra[]
  readonly publicReaders: AudienceSet
  readonly local: Local | null
  readonly packedPayload: Uint8Array
  payload: object | undefined
  readonly variants: (Encoded | null | undefined)[]
}

/** A feed entry. Each worker decodes it once and shares it among its queues. */
export class Entry implements RawEntry {
  readonly id: number
  readonly bytes: Uint8Array
  readonly outboxId: number
  readonly xid: number
  readonly messageId: number
  readonly previous: number
  readonly name: string
  /** Undefined for an internal event of the engine, and for an event type of a newer version of the server. */
  readonly def: DefInfo | undefined
  private content: Content | undefined

  /** @throws when the bytes are not those of an event. */
  constructor(raw: RawEntry, defs: Defs) {
    this.id = raw.id
    this.bytes = raw.bytes
    this.outboxId = raw.outboxId
    this.xid = raw.xid
    this.messageId = raw.messageId
    this.previous = raw.previous
    const packed = unpack(raw.bytes) as Packed
    if (!(packed[2] instanceof Uint8Array)) throw new Error('not an event of this version')
    this.name = packed[1]
    this.def = defs.find(this.name)
    this.content = contentOf(packed)
  }

  get payload(): object {
    const content = this.read()
    content.payload ??= readPayload(content.packedPayload, this.messageId)
    return content.payload
  }

  get audience(): AudienceSet {
    return this.read().audience
  }

  get perUser(): readonly Extra[] {
    return this.read().perUser
  }

  /** Users whose queues with all_public_streams also receive the event, as of the transaction. */
  get publicReaders(): AudienceSet {
    return this.read().publicReaders
  }

  get local(): Local | null {
    return this.read().local
  }

  /** The encodings made so far, one for each wire form and group of users; encodings.ts fills the list. */
  get variants(): (Encoded | null | undefined)[] {
    return this.read().variants
  }

  /** Frees what can be read from the bytes again: after its delivery, the entry cache keeps the entry for long, and it is rarely read. */
  forget(): void {
    this.content = undefined
  }

  private read(): Content {
    this.content ??= contentOf(unpack(this.bytes) as Packed)
    return this.content
  }
}

function contentOf([, , packedPayload, audience, perUser, publicReaders, local]: Packed): Content {
  return {
    audience: new AudienceSet(audience),
    perUser: perUser.map(([users, fields]) => ({ users: new AudienceSet(users), fields })),
    publicReaders: new AudienceSet(publicReaders),
    local: local && { queueId: local[0], userId: local[1], fields: local[2] },
    packedPayload,
    payload: undefined,
    variants: [],
  }
}

function readPayload(packed: Uint8Array, messageId: number): object {
  const payload = unpack(packed) as object
  // The entry was encoded before the insert assigned the message id, so the id travels beside the bytes.
  const { message } = payload as { message?: { id?: number; submessages?: { id: number; message_id: number }[] } }
  if (messageId > 0 && message) {
    message.id = messageId
    for (const one of message.submessages ?? []) one.id = one.message_id = messageId
  }
  return payload
}

type Packed = [
  width: number,
  name: string,
  payload: Uint8Array,
  audience: Uint8Array,
  perUser: [Uint8Array, Record<string, unknown>][],
  publicReaders: Uint8Array,
  local: [string, number, Record<string, unknown>] | null,
]

/** Encodes an event for the outbox and the feed, which hold the same bytes, independent of any view. */
export function encodeEmission(emission: Emission): Uint8Array {
  const { def, payload, audience, audienceBytes, perUser = [], publicReaders = [], local } = emission
  const packed: Packed = [
    def.width?.(payload) ?? 1,
    def.name,
    pack(payload),
    audienceBytes ?? encodeAudience(audience),
    perUser.map(({ users, fields }) => [encodeAudience(users), fields]),
    encodeAudience(publicReaders),
    local ? [local.queueId, local.userId, local.fields] : null,
  ]
  return pack(packed)
}

/** Encodes an internal event: its name begins with an underscore, its audience is empty, and it only advances the feed. */
export function encodeInternal(name: string): Uint8Array {
  return pack([1, name, pack({}), new Uint8Array(), [], new Uint8Array(), null] satisfies Packed)
}

/** The number of ids that the event takes. Reads only the first element of the packed list, after the list's one-byte head. */
export function widthOf(bytes: Uint8Array): number {
  const kind = bytes[1] ?? 1
  if (kind < 0x80) return Math.max(1, kind)
  const size = kind === 0xcc ? 1 : kind === 0xcd ? 2 : 4
  let width = 0
  for (let i = 0; i < size; i++) width = width * 256 + (bytes[2 + i] ?? 0)
  return Math.max(1, width)
}
