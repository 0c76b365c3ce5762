import { VarintReader, VarintWriter } from '../encoding/index.js'
import { feedIdOf, idStep, type StreamEntry } from '../feed/index.js'

/**
 * Encodes references to feed entries as one entry of a queue log: its id is the last reference, its bytes are the distances from
 * there backwards. A single reference takes no bytes, each further one about three.
 */
export function encodeReferences(ids: readonly number[]): Uint8Array {
  const writer = new VarintWriter()
  for (let i = ids.length - 1; i > 0; i--) {
    writer.write(((ids[i] as number) - (ids[i - 1] as number)) / idStep)
  }
  return writer.bytes()
}

/** The references of an entry of a queue log, ascending. */
export function decodeReferences([streamId, fields]: StreamEntry): number[] {
  let id = feedIdOf(streamId)
  const ids = [id]
  const reader = new VarintReader(fields[1] as Buffer)
  while (!reader.isDone) {
    id -= reader.read() * idStep
    ids.push(id)
  }
  return ids.reverse()
}
