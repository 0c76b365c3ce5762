import { type Codec, pack } from '../../shared/wire/codec.js'
import type { Encoded } from './encodings.js'

/**
 * A list of events that goes out as one frame. Lists are paths in a tree: queues that get the same events in one turn walk
 * the same path, and so share the frame without anybody comparing lists.
 */
export class FrameNode {
  /** Its place in a turn's list of frames; 0: none yet. */
  number = 0
  #lastChild: FrameNode | null = null
  #children: Map<Encoded, FrameNode> | null = null
  #json: Uint8Array | null = null
  #msgpack: Uint8Array | null = null
  #field: Uint8Array | null = null

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
    // Nearly always the one that the queue before this one asked for.
    if (this.#lastChild?.encoded === encoded) return this.#lastChild
    let child = this.#children?.get(encoded)
    if (!child) {
      child = new FrameNode(this, encoded, this.count + encoded.count, this.bytes + encoded.bytes)
      this.#children ??= new Map()
      this.#children.set(encoded, child)
    }
    this.#lastChild = child
    return child
  }

  frame(codec: Codec): Uint8Array {
    if (codec === 'json') {
      this.#json ??= jsonFrame(this.#list())
      return this.#json
    }
    this.#msgpack ??= msgpackFrame(this.#list(), this.count)
    return this.#msgpack
  }

  /** The list as a poll is given it: the field `events` of its answer. */
  field(): Uint8Array {
    this.#field ??= Buffer.from(`"events":[${this.events().join()}]`)
    return this.#field
  }

  /** JSON text of each event. */
  events(): string[] {
    return this.#list().flatMap(encoded => encoded.json())
  }

  #list(): Encoded[] {
    const list: Encoded[] = []
    for (let node: FrameNode | null = this; node?.encoded; node = node.parent) list.push(node.encoded)
    return list.reverse()
  }
}

/** Starts a turn's tree. */
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
