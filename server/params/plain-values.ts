import type { z } from 'zod'
import { readJson, readWord } from '../api/params.js'

/** The parsed value of a parameter in its usual form; undefined: the schema decides. */
export type PlainValue = (sent: unknown) => unknown

export interface PlainParam {
  readonly value: PlainValue
  /** The parameter is optional; `absent` is its value when it is missing. */
  readonly mayLack: boolean
  readonly absent: unknown
}

interface Def {
  readonly type: string
  readonly innerType?: { readonly def: Def }
  readonly in?: { readonly def: Def }
  readonly out?: { readonly def: Def }
  readonly transform?: unknown
  readonly format?: string
  readonly coerce?: boolean
  readonly checks?: readonly { readonly _zod: { readonly def: Bound } }[]
  readonly entries?: Readonly<Record<string, string>>
}

interface Bound {
  readonly check: string
  readonly value?: number
  readonly maximum?: number
  readonly inclusive?: boolean
}

const undecided: PlainValue = () => undefined
// JSON allows no leading zeros. Event ids have 16 digits; a number too large to be exact fails the safe-integer check as well.
const integerText = /^(?:0|-?[1-9]\d{0,15})$/

/**
 * Reads simple parameters without running their schema, which costs about a microsecond per parameter: texts, integers, booleans, enums,
 * absence. The kind is derived once from the schema's declaration; the schema decides all other kinds and all invalid values.
 */
export function plainParam(schema: z.ZodType): PlainParam {
  const { type, innerType } = schema.def as unknown as Def
  if ((type !== 'optional' && type !== 'default') || !innerType) {
    return { value: plainValue(schema.def as unknown as Def), mayLack: false, absent: undefined }
  }
  const { success, data } = schema.safeParse(undefined)
  // Not for objects: each caller needs its own copy.
  const mayLack = success && (typeof data !== 'object' || data === null)
  return { value: plainValue(innerType.def), mayLack, absent: data }
}

function plainValue(def: Def): PlainValue {
  if (def.type === 'string' && !def.format && !def.coerce) return plainText(def)
  if (def.type !== 'pipe' || !def.out) return undecided
  const step = def.in?.def.transform
  if (step === readWord) return plainWord(def.out.def)
  if (step !== readJson) return undecided
  if (def.out.def.type === 'boolean' && !def.out.def.checks?.length) return asBoolean
  return plainInteger(def.out.def)
}

function plainText({ checks = [] }: Def): PlainValue {
  let max = Number.POSITIVE_INFINITY
  for (const { _zod } of checks) {
    const { check, maximum } = _zod.def
    if (check !== 'max_length' || maximum === undefined) return undecided
    max = Math.min(max, maximum)
  }
  return sent => (typeof sent === 'string' && sent.length <= max ? sent : undefined)
}

function asBoolean(sent: unknown): unknown {
  if (sent === 'true' || sent === true) return true
  return sent === 'false' || sent === false ? false : undefined
}

function plainWord({ type, entries, checks }: Def): PlainValue {
  if (type !== 'enum' || !entries || checks?.length) return undecided
  const words = new Set<unknown>(Object.values(entries))
  return sent => (words.has(sent) ? sent : undefined)
}

function plainInteger({ type, format, checks = [], coerce }: Def): PlainValue {
  if (type !== 'number' || format !== 'safeint' || coerce) return undecided
  let min = Number.MIN_SAFE_INTEGER
  let max = Number.MAX_SAFE_INTEGER
  for (const { _zod } of checks) {
    const { check, value, inclusive } = _zod.def
    if (value === undefined || !inclusive) return undecided
    if (check === 'greater_than') min = Math.max(min, value)
    else if (check === 'less_than') max = Math.min(max, value)
    else return undecided
  }
  return sent => {
    const number = typeof sent === 'string' && integerText.test(sent) ? Number(sent) : sent
    return Number.isSafeInteger(number) && (number as number) >= min && (number as number) <= max ? number : undefined
  }
}
