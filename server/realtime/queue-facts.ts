import type { Snapshot } from './realtime.js'

/** What never changes about a queue, beside whose it is. */
export interface QueueFacts {
  /** Feed id behind which it began. */
  readonly born: number
  /** What its register answer showed. */
  readonly snapshot: Snapshot | null
  /** As packed-options.ts writes them. */
  readonly options: string
}

// Redis keeps a hash in one compact piece as long as no value is longer than this and there are few (hash-max-listpack-*,
// whose defaults these are): otherwise a queue takes three times as much. Who asks for a narrow of many terms pays for it.
const pieceLength = 64
const maxPieces = 64

/** Fields f0, f1 and so on, of at most 64 bytes each. */
export function packFacts({ born, snapshot, options }: QueueFacts): Record<string, Uint8Array> {
  const bytes = Buffer.from(`${born} ${snapshot ?? ''} ${options}`)
  const length = bytes.length > pieceLength * maxPieces ? bytes.length : pieceLength
  const fields: Record<string, Uint8Array> = {}
  for (let at = 0; at < bytes.length; at += length) fields[`f${at / length}`] = bytes.subarray(at, at + length)
  return fields
}

/** From the fields put together again. */
export function unpackFacts(text: string): QueueFacts {
  const first = text.indexOf(' ')
  const second = text.indexOf(' ', first + 1)
  return {
    born: Number(text.slice(0, first)),
    snapshot: text.slice(first + 1, second) || null,
    options: text.slice(second + 1),
  }
}
