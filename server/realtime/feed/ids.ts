/** Entry ids are multiples of this; the ids between two entries are for heartbeats and for entries that are several events. */
export const idStep = 16

export function isFeedId(id: number): boolean {
  return id % idStep === 0
}

/** The entry id whose gap contains this id; an entry id itself is returned unchanged. */
export function feedIdBefore(id: number): number {
  return id - (id % idStep)
}

/** The highest id in the gap behind this id's entry. */
export function gapEnd(id: number): number {
  return feedIdBefore(id) + idStep - 1
}

/** Entry id of the Redis stream id `n-0`. */
export function feedIdOf(streamId: Uint8Array): number {
  return Number.parseInt(streamId.toString(), 10)
}
