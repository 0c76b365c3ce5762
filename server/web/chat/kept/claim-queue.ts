/**
 * Claims a queue of events for this window, since a queue has one reader. Undefined: another window of this browser has it, or
 * the browser has no locks. @returns gives it back; so does the end of the window
 */
export function claimQueue(queueId: string): Promise<(() => void) | undefined> {
  if (!navigator.locks) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`parley.queue.${queueId}`, { ifAvailable: true }, lock => {
        if (lock) return new Promise<void>(release => resolve(release))
        resolve(undefined)
        return undefined
      })
      .catch(reject)
  })
}
