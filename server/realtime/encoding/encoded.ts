import type { WireForm } from '../../../shared/events/event.js'
import { pack } from '../../../shared/wire/codec.js'

/** One wire form of one entry: one event, or several with ascending ids. Encoded once, at first use. */
export class Encoded {
  private _json: readonly string[] | undefined
  private _msgpack: readonly Uint8Array[] | undefined

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
    this._json ??= this.forms.map((form, i) => eventText(this.idOf(i), form))
    return this._json
  }

  msgpack(): readonly Uint8Array[] {
    this._msgpack ??= this.forms.map((form, i) => eventBytes(this.idOf(i), form))
    return this._msgpack
  }

  /** As server-sent events, each with its id (https://html.spec.whatwg.org/multipage/server-sent-events.html). JSON has no line breaks. */
  streamed(): string {
    return this.json()
      .map((text, i) => `id: ${this.idOf(i)}\ndata: ${text}\n\n`)
      .join('')
  }

  /** The events with ids above `id`; returns the same object if these are all, as usual. */
  after(id: number): Encoded {
    const skip = Math.max(0, id - (this.id - this.count))
    return skip === 0 ? this : new Encoded(this.id, this.forms.slice(skip), this.bytes)
  }

  private idOf(i: number): number {
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
