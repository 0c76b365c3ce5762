import { z } from 'zod'
import { ApiError, badRequest } from '../../shared/errors.js'
import { parseJson } from '../text/bounded-json.js'
import { type Condition, conditionCheck } from './conditions.js'

/** The request's parameters: text over HTTP, values over a socket. A map, so that names such as `__proto__` have no effect. */
type Source = ReadonlyMap<string, unknown>

interface ReadParams {
  readonly params: Record<string, unknown>
  /** Sorted names of parameters that the operation does not have (docs/protocol/conventions.md#ignored-parameters). */
  readonly ignored: readonly string[]
}

interface Field {
  readonly name: string
  /** An optional parameter whose schema does not accept null: null means that it is absent. */
  readonly isAbsentWhenNull: boolean
  /** The text `null` means absent: some clients send it for optional JSON parameters. */
  readonly isAbsentAsText: boolean
}

/** What an operation declares of its parameters. */
interface Declared {
  readonly operation: string
  readonly params: z.ZodObject
  readonly requires?: readonly Condition[]
}

const none: readonly string[] = []

/** Reads one operation's parameters by its schema, in the order of declaration. */
export class ParamReader {
  private readonly schema: z.ZodObject
  /** Made for the first request: those of all operations take a quarter of the time in which a worker builds its parts. */
  private _fields: readonly Field[] | undefined
  private readonly unmet: ReturnType<typeof conditionCheck> | undefined

  /** `pathNames`: the parameters in the path, in order. */
  constructor(
    { operation, params, requires }: Declared,
    private readonly pathNames: readonly string[],
  ) {
    this.schema = params
    for (const name of pathNames) {
      if (!(name in params.shape)) throw new Error(`${operation} has no parameter ${name}`)
    }
    this.unmet = requires && conditionCheck(requires, params.shape)
  }

  private get fields(): readonly Field[] {
    this._fields ??= Object.entries(this.schema.shape)
      .filter(([name]) => !this.pathNames.includes(name))
      .map(([name, schema]) => fieldOf(name, schema as z.ZodType))
    return this._fields
  }

  /** @throws {ApiError} REQUEST_VARIABLE_MISSING or BAD_REQUEST, for the first wrong parameter; or that of the first unmet condition. */
  read(source: Source, pathValues: readonly string[]): ReadParams {
    const raw: Record<string, unknown> = {}
    for (let i = 0; i < pathValues.length; i++) raw[this.pathNames[i] as string] = pathValues[i]
    let taken = 0
    if (source.size > 0) {
      for (const { name, isAbsentWhenNull, isAbsentAsText } of this.fields) {
        const value = source.get(name)
        if (value === undefined) continue
        taken++
        const isAbsent = (value === null && isAbsentWhenNull) || (value === 'null' && isAbsentAsText)
        if (!isAbsent) raw[name] = value
      }
    }
    return {
      params: this.parse(raw),
      ignored: taken === source.size ? none : this.unknown(source),
    }
  }

  private parse(raw: Record<string, unknown>): Record<string, unknown> {
    const parsed = this.schema.safeParse(raw)
    if (!parsed.success) throw refusal(parsed.error.issues[0], raw)
    const unmet = this.unmet?.(parsed.data)
    if (unmet) throw unmet
    return parsed.data
  }

  private unknown(source: Source): readonly string[] {
    const names = new Set(this.fields.map(field => field.name))
    return [...source.keys()].filter(name => !names.has(name)).sort()
  }
}

function fieldOf(name: string, schema: z.ZodType): Field {
  const isAbsentWhenNull = schema.safeParse(undefined).success && !schema.safeParse(null).success
  return { name, isAbsentWhenNull, isAbsentAsText: isAbsentWhenNull && readsJson(schema) }
}

/** Whether the schema reads the parameter's text as JSON: it begins with a transform. */
function readsJson(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPipe) return readsJson(schema.in)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return readsJson(schema.unwrap())
  return schema instanceof z.ZodTransform
}

function refusal(issue: z.core.$ZodIssue | undefined, raw: Record<string, unknown>): ApiError {
  const { path, message } = issue ? innermost(issue) : { path: [], message: 'Invalid input' }
  const name = String(path[0] ?? '')
  const own: unknown = issue?.code === 'custom' && issue.params?.refusal
  if (own instanceof ApiError) return own
  if (path.length === 1 && !(name in raw)) {
    return new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name })
  }
  if (path.length === 0) return badRequest(message)
  if (path.length === 1 && issue?.code === 'invalid_type' && issue.expected !== 'string' && !isJson(raw[name])) {
    return badRequest(`Argument "${name}" is not valid JSON.`)
  }
  return badRequest(`${place(path)}: ${message}`)
}

/** Of a union's branches, the one whose issue is deepest, or has a text of its own: most likely the caller meant that branch. */
function innermost(issue: z.core.$ZodIssue): { path: readonly PropertyKey[]; message: string } {
  let best: { path: readonly PropertyKey[]; message: string } = issue
  if (issue.code !== 'invalid_union') return best
  for (const branch of issue.errors) {
    const inner = branch[0] && innermost(branch[0])
    if (!inner) continue
    const depth = issue.path.length + inner.path.length
    const hasOwnText = best === issue && branch[0]?.code === 'custom'
    if (depth > best.path.length || hasOwnText) {
      best = { path: [...issue.path, ...inner.path], message: inner.message }
    }
  }
  return best
}

/** `var["key"][index]` (docs/protocol/conventions.md#errors). */
function place(path: readonly PropertyKey[]): string {
  const [name, ...inner] = path
  return String(name) + inner.map(key => (typeof key === 'number' ? `[${key}]` : `["${String(key)}"]`)).join('')
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'string') return true
  try {
    parseJson(value)
    return true
  } catch {
    return false
  }
}
