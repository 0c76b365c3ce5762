import { pack } from '../../../shared/wire/codec.js'
import type { FrameForm } from '../realtime.js'
import type { Encoded } from './encoded.js'

// Bytes per frame: a larger frame would delay other sockets, and the buffer of a slow socket holds about one frame.
export const maxFrameBytes = 64 * 1024

/**
 * A list of events that is sent as one frame. Lists are paths in a tree: queues that receive the same events in one turn follow
 * the same path and so share the encoded frame without comparing lists.
 */
export class FrameNode {
  /** Index in the list of frames of this turn; 0: not in the list. */
  number = 0
  private lastChild: FrameNode | null = null
  private children: Map<Encoded, FrameNode> | null = null
  private json: Uint8Array | null = null
  private msgpack: Uint8Array | null = null
  private stream: Uint8Array | null = null
  private _field: Uint8Array | null = null

  constructor(
    readonly parent: FrameNode | null,
    readonly encoded: Encoded | null,
    readonly count: number,
    readonly bytes: number,
  ) {}

  /** Id of the last event. */
  get id(): number {
    return this.encoded?.id ?? 0
  }

  with(encoded: Encoded): FrameNode {
    // I4: queues with the same events share this node, and so its bytes.
    // Queues are handled one after another, so this is nearly always the child that the previous queue used.
    if (this.lastChild?.encoded === encoded) return this.lastChild
    let child = this.children?.get(encoded)
    if (!child) {
      child = new FrameNode(this, encoded, this.count + encoded.count, this.bytes + encoded.bytes)
      this.children ??= new Map()
      this.children.set(encoded, child)
    }
    this.lastChild = child
    return child
  }

  frame(form: FrameForm): Uint8Array {
    if (form === 'json') {
      this.json ??= jsonFrame(this.list())
      return this.json
    }
    if (form === 'event-stream') {
      this.stream ??= Buffer.from(
        this.list()
          .map(encoded => encoded.streamed())
          .join(''),
      )
      return this.stream
    }
    this.msgpack ??= msgpackFrame(this.list(), this.count)
    return this.msgpack
  }

  /** The field `events` of a poll's answer, as JSON. */
  field(): Uint8Array {
    this._field ??= Buffer.from(`"events":[${this.events().join()}]`)
    return this._field
  }

  /** JSON text of each event. */
  events(): string[] {
    return this.list().flatMap(encoded => encoded.json())
  }

  private list(): Encoded[] {
    const list: Encoded[] = []
    for (let node: FrameNode | null = this; node?.encoded; node = node.parent) list.push(node.encoded)
    return list.reverse()
  }
}

/** The root of a tree of frames: a frame without events. */
export function emptyFrame(): FrameNode {
  return new FrameNode(null, null, 0, 0)
}

function jsonFrame(list: readonly Encoded[]): Uint8Array {
  const events = list.map(encoded => encoded.json().join()).join()
  return Buffer.from(`{"op":"events","events":[${events}]}`)
}

// {op: 'events', events: [
const frameHead = Buffer.concat([Uint8Array.of(0x82), pack('op'), pack('events'), pack('events')])

function msgpackFrame(list: readonly Encoded[], count: number): Uint8Array {
  return Buffer.concat([frameHead, arrayHead(count), ...list.flatMap(encoded => encoded.msgpack())])
}

function arrayHead(size: number): Uint8Array {
  if (size < 16) return Uint8Array.of(0x90 | size)
  return Uint8Array.of(0xdd, size >>> 24, (size >> 16) & 255, (size >> 8) & 255, size & 255)
}
