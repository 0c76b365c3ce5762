/** Ids of the feed are multiples of this; the numbers between two are for heartbeats and for events in several pieces. */
export const idStep = 16

export function isFeedId(id: number): boolean {
  return id % idStep === 0
}

/** The feed's own id in whose gap this one is; a feed id itself. */
export function feedIdBefore(id: number): number {
  return id - (id % idStep)
}

/** The highest id that belongs to the gap of this one's feed entry. */
export function gapEnd(id: number): number {
  return feedIdBefore(id) + idStep - 1
}

/** Feed id of a stream id `n-0`. */
export function feedIdOf(streamId: Uint8Array): number {
  return Number.parseInt(streamId.toString(), 10)
}
