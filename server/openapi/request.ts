import type { Route } from '../api/route.js'
import type { JsonSchema } from './json-schema.js'
import { parametersOf } from './parameters.js'

/** The parameters of one operation in OpenAPI's form; `schemas` are their schemas by name. */
export function requestOf(route: Route, schemas: Readonly<Record<string, JsonSchema>>) {
  const parameters: Record<string, unknown>[] = []
  const fields: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const { name, place, required: isRequired } of parametersOf(route)) {
    const schema = schemas[name] ?? {}
    if (place === 'form') {
      fields[name] = schema
      if (isRequired) required.push(name)
    } else {
      parameters.push(parameter(name, place, isRequired || place === 'path', schema))
    }
  }
  return {
    ...(parameters.length > 0 && { parameters }),
    ...((Object.keys(fields).length > 0 || route.file) && { requestBody: body(fields, required, route.file) }),
  }
}

function parameter(name: string, place: string, required: boolean, { description, ...schema }: JsonSchema) {
  const about = { name, in: place, ...(required && { required }), ...(description ? { description } : {}) }
  // The field contains JSON (docs/protocol/conventions.md#types); numbers and booleans have the same text in either form.
  return isPlain(schema) ? { ...about, schema } : { ...about, content: { 'application/json': { schema } } }
}

const aFile = { type: 'string', format: 'binary', description: 'The file, under any name.' }

function body(fields: Record<string, JsonSchema>, required: readonly string[], file: Route['file']) {
  if (file) {
    const schema = { type: 'object', properties: { ...fields, file: aFile }, required: [...required, 'file'] }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  const asJson = Object.keys(fields).filter(name => !isPlain(fields[name] ?? {}))
  const encoding = Object.fromEntries(asJson.map(name => [name, { contentType: 'application/json' }]))
  return {
    ...(required.length > 0 && { required: true }),
    content: {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: fields, ...(required.length > 0 && { required }) },
        ...(asJson.length > 0 && { encoding }),
      },
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
