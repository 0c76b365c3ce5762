// Not state: what is under way in one part of a server, gone with it.
const underWay = new WeakMap<object, Map<string, Promise<void>>>()

/** Does the work when all work that was begun before under the same name, for the same part, has ended. */
export async function oneAtATime<T>(part: object, name: string, work: () => Promise<T>): Promise<T> {
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
