/** How to stop what was started, called from the last one to the first. */
export type Undo = (() => unknown)[]

/** Stops what `work` has started, however it ends: done, failed, or interrupted by a signal. */
export async function undone<Found>(work: (undo: Undo) => Promise<Found>): Promise<Found> {
  const undo: Undo = []
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error(`Ended by ${signal}.`)))
  })
  try {
    return await Promise.race([work(undo), interrupted])
  } finally {
    for (const stop of undo.reverse()) await stop()
  }
}
