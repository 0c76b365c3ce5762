import type { z } from 'zod'

interface SchemaDef {
  readonly type: string
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly checks?: readonly {
    readonly _zod: { readonly def: { readonly check: string; readonly maximum?: number } }
  }[]
  readonly shape?: Readonly<Record<string, z.ZodType>>
}

// Up to this many issues in one list cost little time.
const few = 100

// The declared type of `def` is that of zod's base class, without the members of each kind of schema.
const defOf = (schema: z.ZodType) => schema.def as unknown as SchemaDef

/**
 * Returns the value with every list shortened to what its schema needs:
 * - a list of texts and numbers without its duplicates, which are redundant unless the schema says `uniqueItems`,
 * - a list longer than its schema's `max` cut to one item more than that, which the schema still refuses,
 * - a long list cut after its first invalid element: a schema reports every invalid element, which costs seconds and
 * gigabytes, while the answer names only one.
 */
export function upToFirstWrong(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const def = defOf(schema)
  switch (def.type) {
    case 'array':
      return Array.isArray(value) && def.element ? listUpToFirstWrong(def.element, withinBound(schema, value)) : value
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

/** Removes duplicates where they are redundant, and cuts the list to one item more than the schema allows. */
function withinBound(schema: z.ZodType, list: readonly unknown[]): readonly unknown[] {
  const { element } = defOf(schema)
  const most = mostItems(schema)
  const isUnique = schema.meta()?.uniqueItems === true
  if (isUnique || !element || !isTextOrNumber(element)) return list.length > most ? list.slice(0, most + 1) : list
  const distinct = new Set<unknown>()
  for (const item of list) {
    distinct.add(item)
    if (distinct.size > most) break
  }
  return [...distinct]
}

/** The bound is a check of the schema or, if the operation checks it later, only the `maxItems` of the schema's metadata. */
function mostItems(schema: z.ZodType): number {
  const { checks = [] } = defOf(schema)
  const bounds = checks.flatMap(({ _zod }) => (_zod.def.check === 'max_length' ? (_zod.def.maximum ?? []) : []))
  const described = schema.meta()?.maxItems
  return Math.min(Number.POSITIVE_INFINITY, ...bounds, ...(typeof described === 'number' ? [described] : []))
}

function isTextOrNumber(schema: z.ZodType): boolean {
  const def = defOf(schema)
  if (def.type === 'union') return (def.options ?? []).every(isTextOrNumber)
  if (def.type === 'pipe' && def.in) return isTextOrNumber(def.in)
  return def.type === 'string' || def.type === 'number'
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

/** Of the results for each array schema of a union, the longest: the list stays whole if one of them accepts it. */
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
