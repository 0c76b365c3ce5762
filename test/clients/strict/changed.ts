/** A body with one change, and the place of the change: indexes and ids as `*`. */
interface Changed {
  readonly place: string
  readonly body: unknown
}

type Visit = (parent: object, key: string | number, place: string) => void

// Keys of maps, and of lists.
const isId = (key: string): boolean => /^\d+$|@|^[\d,]+$/.test(key)
const ofNames = /server_supported_permission_settings\.\w+$/

function walk(value: unknown, place: string, visit: Visit): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const inner = `${place}.${isId(key) || ofNames.test(place) ? '*' : key}`
    visit(value, key, inner)
    walk((value as Record<string, unknown>)[key], inner, visit)
  }
}

/** One change for each kind of place. `change` returns the new value; undefined: there is nothing to change there. */
function changes(body: unknown, change: (value: unknown) => unknown): Changed[] {
  const root = { body: structuredClone(body) }
  const found = new Map<string, Changed>()
  walk(root, '', (parent, key, place) => {
    if (found.has(place)) return
    const values = parent as Record<string | number, unknown>
    const before = values[key]
    const after = change(before)
    if (after === undefined) return
    values[key] = after
    found.set(place, { place, body: structuredClone(root.body) })
    values[key] = before
  })
  return [...found.values()]
}

/** The body with a field that no client knows, in each of its objects in turn. */
export const withSurplus = (body: unknown): Changed[] =>
  changes(body, value =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, surprise: 1 } : undefined,
  )

/** The kinds of places where the body has null. */
export function nullsIn(body: unknown): string[] {
  const found = new Set<string>()
  walk({ body }, '', (parent, key, place) => {
    if ((parent as Record<string | number, unknown>)[key] === null) found.add(place)
  })
  return [...found]
}

/** The body with null in place of each of its values in turn. */
export const withNull = (body: unknown): Changed[] =>
  changes(body, value => (value === null ? undefined : null)).filter(({ body }) => body !== null)
