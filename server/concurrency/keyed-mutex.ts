// The end of the last piece of work per object and key. Entries are removed when the last holder ends.
const underWay = new WeakMap<object, Map<string, Promise<void>>>()

/**
 * Keyed mutex: runs the work when all earlier work with the same object and key has ended. p-limit has no keys: a limit for each, with its
 * removal, takes as many lines.
 */
export async function withMutex<T>(part: object, name: string, work: () => Promise<T>): Promise<T> {
  const ends = underWay.get(part) ?? new Map<string, Promise<void>>()
  underWay.set(part, ends)
  const result = (ends.get(name) ?? Promise.resolve()).then(work)
  const end = result.then(
    () => {},
    () => {},
  )
  ends.set(name, end)
  try {
    return await result
  } finally {
    if (ends.get(name) === end) ends.delete(name)
  }
}
