import type { WireForm } from '../../../shared/events/event.js'
import { pack } from '../../../shared/wire/codec.js'
import type { Entry } from './entry.js'
import type { SharedView } from './views.js'

/** One wire form of one entry: one event, or several with ascending ids. Encoded once, at first use. */
export class Encoded {
  #json: readonly string[] | undefined
  #msgpack: readonly Uint8Array[] | undefined

  constructor(
    /** Id of the last event. */
    readonly id: number,
    readonly forms: readonly WireForm[],
    /** Approximate size in bytes, exact enough to bound frames and answers. */
    readonly bytes: number,
  ) {}

  get count(): number {
    return this.forms.length
  }

  json(): readonly string[] {
    this.#json ??= this.forms.map((form, i) => eventText(this.#idOf(i), form))
    return this.#json
  }

  msgpack(): readonly Uint8Array[] {
    this.#msgpack ??= this.forms.map((form, i) => eventBytes(this.#idOf(i), form))
    return this.#msgpack
  }

  /** The events with ids above `id`; returns the same object if these are all, as usual. */
  after(id: number): Encoded {
    const skip = Math.max(0, id - (this.id - this.count))
    return skip === 0 ? this : new Encoded(this.id, this.forms.slice(skip), this.bytes)
  }

  #idOf(i: number): number {
    return this.id - this.count + 1 + i
  }
}

function eventText(id: number, form: WireForm): string {
  const text = JSON.stringify(form)
  return text === '{}' ? `{"id":${id}}` : `{"id":${id},${text.slice(1)}`
}

/** Inserts the id in front of the packed form, as a 64-bit integer: msgpackr would write an id above 2^32 as a double. */
function eventBytes(id: number, form: WireForm): Uint8Array {
  const packed = pack(form)
  const source = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const kind = source.getUint8(0)
  const [size, head] =
    kind === 0xdf ? [source.getUint32(1), 5] : kind === 0xde ? [source.getUint16(1), 3] : [kind & 0x0f, 1]
  const idBytes = Buffer.alloc(idHead.length + 8)
  idBytes.set(idHead)
  idBytes.writeBigInt64BE(BigInt(id), idHead.length)
  return Buffer.concat([mapHead(size + 1), idBytes, packed.subarray(head)])
}

// The key `id` and the type byte of a signed 64-bit integer.
const idHead = Uint8Array.of(0xa2, 0x69, 0x64, 0xd3)

/** Head of a MessagePack map with `size` entries. */
function mapHead(size: number): Uint8Array {
  return size < 16 ? Uint8Array.of(0x80 | size) : Uint8Array.of(0xde, size >> 8, size & 255)
}

/** The properties of a queue that decide which encoding it gets. */
export interface Reading {
  readonly id: string
  readonly userId: number
  readonly view: SharedView
}

/** The entry's encoding for this queue; null if the event has no wire form in the queue's view. */
export function encodedFor(entry: Entry, queue: Reading): Encoded | null {
  const { def, perUser, local } = entry
  if (def === undefined) return null
  let group = 0
  for (let i = 0; i < perUser.length; i++) {
    if (perUser[i]?.users.has(queue.userId)) {
      group = i + 1
      break
    }
  }
  if (local !== null && local.queueId === queue.id && local.userId === queue.userId) {
    return encode(entry, queue.view, group, local.fields)
  }
  // I4: one encoding for each wire form and group of users, shared by all queues.
  const slot = queue.view.formOf(def) * (perUser.length + 1) + group
  let encoded = entry.variants[slot]
  if (encoded === undefined) {
    encoded = encode(entry, queue.view, group, undefined)
    entry.variants[slot] = encoded
  }
  return encoded
}

function encode(entry: Entry, view: SharedView, group: number, local: object | undefined): Encoded | null {
  const rendered = entry.def?.render(entry.payload, view.view) ?? null
  if (rendered === null || (Array.isArray(rendered) && rendered.length === 0)) return null
  const extra = { ...entry.perUser[group - 1]?.fields, ...local }
  const forms = (Array.isArray(rendered) ? rendered : [rendered]).map(form => ({ ...form, ...extra }))
  return new Encoded(entry.id, forms, entry.bytes.length)
}
