import { z } from 'zod'
import type { Condition, Facts } from '../params/conditions.js'
import { type JsonSchema, tidy } from './json-schema.js'

type Schemas = Readonly<Record<string, JsonSchema>>
type Rule = Omit<Condition, 'refusal'>

/** The parameters that are required, whatever the others are. */
export const alwaysRequired = (conditions: readonly Condition[] = []): string[] =>
  conditions.filter(isUnconditional).flatMap(({ anyOf = [] }) => anyOf)

const isUnconditional = ({ when, unless, anyOf, holds }: Rule): boolean =>
  !when && !unless && !holds && anyOf?.length === 1

/** Keywords for the object of all parameters, whose schemas are `schemas`. */
export function conditionKeywords(conditions: readonly Rule[], schemas: Schemas): JsonSchema {
  const [first = {}, ...more] = conditions.filter(one => !isUnconditional(one)).map(one => keywordsOf(one, schemas))
  return more.length === 0 ? first : { allOf: [first, ...more] }
}

/** Whether all parameters of the condition are among the names. */
export function isAbout(names: readonly string[], { when, unless, anyOf = [], noneOf = [], holds }: Condition) {
  const all = [when, unless, holds].flatMap(one => Object.keys(one ?? {})).concat(anyOf, noneOf)
  return all.every(name => names.includes(name))
}

function keywordsOf(condition: Rule, schemas: Schemas): JsonSchema {
  const { when, unless, anyOf, noneOf, holds } = condition
  const dependent = dependentRequired(condition, schemas)
  if (dependent) return { dependentRequired: dependent }
  const given = (name: string) => givenKeywords(name, schemas[name] ?? {})
  const oneOf = (names: readonly string[]) =>
    names.length === 1 ? given(names[0] as string) : { anyOf: names.map(given) }
  const wanted: JsonSchema = {
    ...(anyOf && oneOf(anyOf)),
    ...(noneOf && { not: oneOf(noneOf) }),
    ...(holds && { properties: Object.fromEntries(Object.entries(holds).map(([name, one]) => [name, schemaOf(one)])) }),
  }
  const inner = unless ? { if: factKeywords(unless, schemas), else: wanted } : wanted
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return when ? { if: factKeywords(when, schemas), then: inner } : inner
}

const schemaOf = (schema: z.ZodType | undefined): JsonSchema =>
  schema ? (tidy(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) as JsonSchema) : {}

/** Of one parameter that requires one other, both without a default. */
function dependentRequired({ when = {}, unless, anyOf = [], noneOf, holds }: Rule, schemas: Schemas) {
  const names = Object.keys(when).concat(anyOf)
  const [name = '', ...needed] = names
  const isPlain = names.every(one => !otherThanNone(schemas[one] ?? {}))
  return when[name] === 'given' && names.length === 2 && isPlain && !unless && !noneOf && !holds
    ? { [name]: needed }
    : undefined
}

function factKeywords(facts: Facts<string>, schemas: Schemas): JsonSchema {
  const all = Object.entries(facts).map(([name, is = 'given']) => {
    const schema = schemas[name] ?? {}
    if (is === 'given') return givenKeywords(name, schema)
    const isDefault = is.some(value => value === schema.default)
    return { properties: { [name]: { enum: is } }, ...(!isDefault && { required: [name] }) }
  })
  return all.length === 1 ? (all[0] as JsonSchema) : { allOf: all }
}

function givenKeywords(name: string, schema: JsonSchema): JsonSchema {
  // A linter wants each required property to be among the properties beside it.
  return { required: [name], properties: { [name]: otherThanNone(schema) ?? {} } }
}

/** A value other than the default, and other than null; an empty text counts as null where that is allowed. */
function otherThanNone({ type, default: byDefault }: JsonSchema): JsonSchema | undefined {
  if (Array.isArray(type) && type.includes('null'))
    return { type: type[0], ...(type[0] === 'string' && { minLength: 1 }) }
  if (byDefault === undefined) return undefined
  if (byDefault === '') return { minLength: 1 }
  if (Array.isArray(byDefault) && byDefault.length === 0) return { minItems: 1 }
  return { not: { const: byDefault } }
}

/** The conditions in words, each a sentence. */
export const conditionSentences = (conditions: readonly Condition[] = []): string[] =>
  conditions.filter(one => !isUnconditional(one)).map(sentenceOf)

function sentenceOf({ when, unless, anyOf, noneOf, holds = {} }: Condition): string {
  const prefixes = [when && `With ${factWords(when)}: `, unless && `Unless ${factWords(unless)}: `]
  const wanted = [
    anyOf && listWords(anyOf, 'is required', 'At least one is required of'),
    noneOf && listWords(noneOf, 'is not allowed', 'None is allowed of'),
    ...Object.entries(holds).map(([name, schema]) => `\`${name}\` is ${schema?.description}`),
  ]
  const isText = (text: unknown) => typeof text === 'string'
  return `${prefixes.filter(isText).join('')}${wanted.filter(isText).join(', ')}.`
}

function listWords(names: readonly string[], one: string, several: string): string {
  const list = names.map(name => `\`${name}\``).join(', ')
  return names.length === 1 ? `${list} ${one}` : `${several} ${list}`
}

function factWords(facts: Facts<string>): string {
  const word = (value: unknown) => `\`${String(value)}\``
  return Object.entries(facts)
    .map(([name, is = 'given']) => (is === 'given' ? word(name) : `${word(name)} ${is.map(word).join(' or ')}`))
    .join(' and ')
}
