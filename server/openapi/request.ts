import type { Route } from '../api/route.js'
import { budgets } from '../config/budgets.js'
import { keyLifetimeMinutes } from '../store/messages/idempotency-keys.js'
import { alwaysRequired, conditionKeywords, isAbout } from './conditions.js'
import { asValue, type Example, pathValues } from './examples.js'
import type { JsonSchema } from './json-schema.js'
import { parametersOf } from './parameters.js'

/** The parameters of one operation in OpenAPI's form; `schemas` are their schemas by name. */
export function requestOf(route: Route, schemas: Readonly<Record<string, JsonSchema>>, example?: Example) {
  const parameters: Record<string, unknown>[] = []
  const fields: Record<string, JsonSchema> = {}
  const required: string[] = []
  const values = { ...(example && pathValues(route.path, example)), ...example?.parameters }
  const always = alwaysRequired(route.requires)
  for (const { name, place, required: isNeeded } of parametersOf(route)) {
    const schema = schemas[name] ?? {}
    const isRequired = isNeeded || always.includes(name)
    if (place === 'form') {
      fields[name] = schema
      if (isRequired) required.push(name)
    } else {
      parameters.push(
        parameter(name, place, { required: isRequired || place === 'path', schema, example: values[name] }),
      )
    }
  }
  if (route.creates) parameters.push(idempotencyKey)
  return {
    ...(parameters.length > 0 && { parameters }),
    ...((Object.keys(fields).length > 0 || route.file) && {
      requestBody: body(route, fields, required, example?.parameters),
    }),
    ...beyondTheBody(route, Object.keys(fields), schemas),
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `Names the request: a repeat of the same account within ${keyLifetimeMinutes} minutes creates nothing and gets the first answer.`,
  schema: { type: 'string', minLength: 1, maxLength: budgets.idempotencyKey.most, pattern: '^[!-~]+$' },
}

/** OpenAPI has no place for conditions of parameters in the query or the path: a schema of the object of all parameters, as an extension. */
function beyondTheBody(
  { requires = [] }: Route,
  fields: readonly string[],
  schemas: Readonly<Record<string, JsonSchema>>,
) {
  const keywords = conditionKeywords(
    requires.filter(one => !isAbout(fields, one)),
    schemas,
  )
  return Object.keys(keywords).length > 0 ? { 'x-parameters-schema': keywords } : {}
}

/** The name under `components` of the schema of an operation's body. */
export const bodyName = ({ operation }: Route): string => `${operation}_request`

/** The schemas of bodies, which two media types share. */
export function bodySchemas(
  routes: readonly Route[],
  fieldsOf: (route: Route) => Readonly<Record<string, JsonSchema>>,
) {
  const entries = routes.flatMap(route => {
    const form = parametersOf(route).filter(({ place }) => place === 'form')
    if (form.length === 0 || route.file) return []
    const all = fieldsOf(route)
    const properties = Object.fromEntries(form.map(({ name }) => [name, all[name] ?? {}]))
    const always = alwaysRequired(route.requires)
    const required = form.filter(one => one.required || always.includes(one.name)).map(({ name }) => name)
    const conditions = (route.requires ?? []).filter(one => isAbout(Object.keys(properties), one))
    const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
    return [[bodyName(route), { ...schema, ...conditionKeywords(conditions, properties) }]]
  })
  return Object.fromEntries(entries) as Record<string, JsonSchema>
}

function parameter(
  name: string,
  place: string,
  {
    required,
    schema: { description, ...schema },
    example,
  }: { readonly required: boolean; readonly schema: JsonSchema; readonly example: unknown },
) {
  const about = { name, in: place, ...(required && { required }), ...(description ? { description } : {}) }
  if (isPlain(schema)) {
    const value = typeof example === 'string' ? asValue(example, schema) : example
    return { ...about, schema, ...(value !== undefined && { example: value }) }
  }
  // The text is JSON (docs/protocol/conventions.md#types). Most generators leave out a parameter that has a media type in place of a schema.
  const text = { type: 'string', contentMediaType: 'application/json', contentSchema: schema }
  return { ...about, schema: text, ...(example !== undefined && { example: JSON.stringify(example) }) }
}

const aFile = { type: 'string', format: 'binary', description: 'The file, under any name.' }

function body(
  route: Route,
  fields: Record<string, JsonSchema>,
  required: readonly string[],
  example: Example['parameters'] | undefined,
) {
  if (route.file) {
    const schema = { type: 'object', properties: { ...fields, file: aFile }, required: [...required, 'file'] }
    const content = { schema, ...(example && { example: { ...example, file: 'The bytes of the file.' } }) }
    return { required: true, content: { 'multipart/form-data': content } }
  }
  const schema = { $ref: `#/components/schemas/${bodyName(route)}` }
  const asJson = Object.keys(fields).filter(name => !isPlain(fields[name] ?? {}))
  const encoding = Object.fromEntries(asJson.map(name => [name, { contentType: 'application/json' }]))
  return {
    ...(required.length > 0 && { required: true }),
    // Generators take the first: values are then written as they are, not as texts of a form.
    content: {
      'application/json': { schema, ...(example && { example }) },
      'application/x-www-form-urlencoded': { schema, ...(asJson.length > 0 && { encoding }) },
    },
  }
}

const plainTypes: readonly unknown[] = ['string', 'integer', 'number', 'boolean']

/** Whether the parameter's text is its value: no list, no object, no null. */
function isPlain(schema: JsonSchema): boolean {
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return choices.every(choice => isPlain(choice as JsonSchema))
  return plainTypes.includes(schema.type)
}
