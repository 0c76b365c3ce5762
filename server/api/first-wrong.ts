import type { z } from 'zod'

interface SchemaDef {
  readonly type: string
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly shape?: Readonly<Record<string, z.ZodType>>
}

// So few complaints cost nothing.
const few = 100

/**
 * A value with each long list in it only up to its first wrong element; a list that is right stays whole. A schema complains
 * of every wrong element, and a request has room for a million of them: seconds of work, and gigabytes, to tell the caller
 * of one. What is left is refused just as the whole would be, but for a complaint of the list itself.
 */
export function upToFirstWrong(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const def = schema.def as unknown as SchemaDef
  switch (def.type) {
    case 'array':
      return Array.isArray(value) && def.element ? listUpToFirstWrong(def.element, value) : value
    case 'object':
      return Array.isArray(value) || !def.shape ? value : membersUpToFirstWrong(def.shape, value)
    case 'union':
      return longestOf(def.options ?? [], value)
    case 'pipe': {
      const inner = def.in?.def.type === 'transform' ? def.out : def.in
      return inner ? upToFirstWrong(inner, value) : value
    }
    default:
      return def.innerType ? upToFirstWrong(def.innerType, value) : value
  }
}

function listUpToFirstWrong(element: z.ZodType, list: readonly unknown[]): unknown[] {
  const kept: unknown[] = []
  for (const item of list) {
    const short = upToFirstWrong(element, item)
    kept.push(short)
    if (list.length > few && !element.safeParse(short).success) break
  }
  return kept
}

function membersUpToFirstWrong(shape: Readonly<Record<string, z.ZodType>>, value: object): object {
  let changed: object | undefined
  for (const [name, schema] of Object.entries(shape)) {
    if (!Object.hasOwn(value, name)) continue
    const member = (value as Record<string, unknown>)[name]
    const short = upToFirstWrong(schema, member)
    if (short !== member) changed = { ...(changed ?? value), [name]: short }
  }
  return changed ?? value
}

/** Of a list as each kind of list would have it the longest: what one of them takes stays whole. */
function longestOf(options: readonly z.ZodType[], value: object): unknown {
  const type = Array.isArray(value) ? 'array' : 'object'
  const shortened = options.filter(({ def }) => def.type === type).map(option => upToFirstWrong(option, value))
  if (type === 'object') return shortened[0] ?? value
  return (
    (shortened as unknown[][]).reduce<unknown>(
      (longest, list) => (Array.isArray(longest) && longest.length >= list.length ? longest : list),
      undefined,
    ) ?? value
  )
}
