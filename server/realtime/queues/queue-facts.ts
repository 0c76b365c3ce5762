import type { Snapshot } from '../realtime.js'

/** The properties of a queue that never change, except its user. */
export interface QueueFacts {
  /** Newest entry id when the queue was created. */
  readonly born: number
  /** The snapshot that the register answer showed. */
  readonly snapshot: Snapshot | null
  /** The options as packed-options.ts packs them. */
  readonly options: string
}

// Redis stores a hash in the compact listpack form while no value has more than 64 bytes and it has few fields (the defaults of
// hash-max-listpack-*); otherwise a queue takes three times the memory. Only a queue with a long narrow exceeds these limits.
const pieceLength = 64
const maxPieces = 64

/** Packs into the fields f0, f1 and so on, of at most 64 bytes each; a text that needs more than 64 fields goes into f0 as a whole. */
export function packFacts({ born, snapshot, options }: QueueFacts): Record<string, Uint8Array> {
  const bytes = Buffer.from(`${born} ${snapshot ?? ''} ${options}`)
  const length = bytes.length > pieceLength * maxPieces ? bytes.length : pieceLength
  const fields: Record<string, Uint8Array> = {}
  for (let at = 0; at < bytes.length; at += length) fields[`f${at / length}`] = bytes.subarray(at, at + length)
  return fields
}

/** Unpacks the concatenated fields. */
export function unpackFacts(text: string): QueueFacts {
  const first = text.indexOf(' ')
  const second = text.indexOf(' ', first + 1)
  return {
    born: Number(text.slice(0, first)),
    snapshot: text.slice(first + 1, second) || null,
    options: text.slice(second + 1),
  }
}
