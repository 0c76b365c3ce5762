/** Functions that stop what was started; called in reverse order. */
export type Undo = (() => unknown)[]

/** Runs `work` and then its undo functions, after success, failure, or a signal. */
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
