// The end of the last task per object and key. An entry is removed when its last task ends.
const lastEnds = new WeakMap<object, Map<string, Promise<void>>>()

/**
 * Keyed mutex: runs the task when all earlier tasks with the same object and key have ended. `scope` is the object that owns the keys, so
 * that two owners can use the same names. p-limit has no keys: a limit for each key, with its removal, takes as many lines.
 */
export async function withMutex<T>(scope: object, key: string, task: () => Promise<T>): Promise<T> {
  const ends = lastEnds.get(scope) ?? new Map<string, Promise<void>>()
  lastEnds.set(scope, ends)
  const result = (ends.get(key) ?? Promise.resolve()).then(task)
  const end = result.then(
    () => {},
    () => {},
  )
  ends.set(key, end)
  try {
    return await result
  } finally {
    if (ends.get(key) === end) ends.delete(key)
  }
}
