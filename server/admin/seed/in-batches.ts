/** Divides a sequence into arrays of `size` items; the last one may be shorter. */
export function* inBatches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
