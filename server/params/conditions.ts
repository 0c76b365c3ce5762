import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { ApiError, badRequest } from '../../shared/errors.js'

type Word = string | boolean | number

/** What parameters have to be for a condition to apply: given, or one of these values. */
export type Facts<Name extends string> = { readonly [Of in Name]?: 'given' | readonly Word[] }

/**
 * What an operation requires of its parameters together, or an object of its members. A parameter is given if its value is neither null nor
 * the default. The server checks the conditions in their order after each parameter by itself, and the OpenAPI document is generated from
 * them.
 */
export interface Condition<Name extends string = string> {
  /** The condition applies if all of this is so; default: always. */
  readonly when?: Facts<Name>
  /** The condition does not apply if all of this is so. */
  readonly unless?: Facts<Name>
  /**
   * Each of these has to follow its schema, too, if the request has it. The schema takes what it returns, and its description is a noun
   * phrase.
   */
  readonly holds?: { readonly [Of in Name]?: z.ZodType }
  /** At least one of these has to be given. */
  readonly anyOf?: readonly Name[]
  /** None of these may be given. */
  readonly noneOf?: readonly Name[]
  /** The text of a BAD_REQUEST, or the error; `given`: those of `noneOf` that are given. */
  readonly refusal: string | ((given: readonly string[]) => ApiError)
}

/** Two names of one parameter, of which a request may have one. */
export function notBoth<Name extends string>(name: Name, other: Name): Condition<Name> {
  const refusal = () =>
    new ApiError('REQUEST_CONFUSING_VAR', `Can't decide between '${name}' and '${other}' arguments`, {
      var_name1: name,
      var_name2: other,
    })
  return { when: { [name]: 'given' } as unknown as Facts<Name>, noneOf: [other], refusal }
}

/** A parameter that a condition of the operation requires. */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The operation has no condition that requires this parameter.')
  return value
}

/** Returns a function that returns the refusal of the first condition that the parameters of an operation do not meet. */
export function conditionCheck(
  conditions: readonly Condition[],
  shape: z.core.$ZodShape,
): (params: Readonly<Record<string, unknown>>) => ApiError | undefined {
  const isGiven = givenIn(shape)
  return params => {
    const areSo = (facts: Facts<string>) =>
      Object.entries(facts).every(([name, is]) =>
        is === 'given' ? isGiven(params, name) : is?.includes(params[name] as Word),
      )
    for (const { when = {}, unless, anyOf, noneOf = [], holds = {}, refusal } of conditions) {
      if (!areSo(when) || (unless && areSo(unless))) continue
      const given = noneOf.filter(name => isGiven(params, name))
      const hold = Object.entries(holds).every(
        ([name, schema]) => params[name] === undefined || schema?.safeParse(params[name]).success,
      )
      const isMet = hold && given.length === 0 && (!anyOf || anyOf.some(name => isGiven(params, name)))
      if (!isMet) return typeof refusal === 'string' ? badRequest(refusal) : refusal(given)
    }
    return undefined
  }
}

/** An object in a parameter, with what it requires of its members together. A refusal that is a text names the place of the object. */
export function withConditions<Schema extends z.ZodObject>(
  schema: Schema,
  conditions: readonly Condition<keyof Schema['shape'] & string>[],
) {
  const check = conditionCheck(conditions as readonly Condition[], schema.shape)
  const textOf = new Set(conditions.map(({ refusal }) => refusal))
  return schema
    .superRefine((value, context) => {
      const refusal = check(value)
      if (!refusal) return
      const params = textOf.has(refusal.message) ? {} : { refusal }
      context.addIssue({ code: 'custom', message: refusal.message, params })
    })
    .meta({ conditions: () => conditions })
}

function givenIn(shape: z.core.$ZodShape) {
  const defaults = new Map<string, unknown>()
  const defaultOf = (name: string): unknown => {
    if (!defaults.has(name)) defaults.set(name, (shape[name] as z.ZodType).safeParse(undefined).data)
    return defaults.get(name)
  }
  return (params: Readonly<Record<string, unknown>>, name: string): boolean => {
    const value = params[name]
    return value !== undefined && value !== null && !isDeepStrictEqual(value, defaultOf(name))
  }
}
