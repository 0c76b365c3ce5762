import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { projectRoot } from '../../server/config/paths.js'
import { featureLevel } from '../../shared/limits.js'
import { recordEvent } from './coverage.js'

/**
 * Validates what the server sends with the reference schemas in test/support/wire: JSON Schemas of what existing
 * clients know, and what this server alone has (own.json). The checks return sentences; an empty list means that it conforms: `t.same(checkEvent(event), [])`.
 * Objects are closed: an unknown field is an error, and so is a field or a value whose level is above the announced one.
 */

type Schema = Record<string, unknown>

const objectsId = 'https://wire.invalid/objects.schema.json'
const eventsId = 'https://wire.invalid/events.schema.json'
const registerId = 'https://wire.invalid/register.json'
// Identifiers in which `service` stands for the brand. Elsewhere it is an ordinary word ("bot_service").
const branded =
  /service(?=_feature_level|_version|_merge_base|_plan_is_not_limited|_update_announcements_stream_id|_extra_emoji)/g

interface Facts {
  readonly ajv: Ajv2020
  readonly events: Record<string, Schema>
  /** Cached, because compiling one takes longer than hundreds of checks. */
  readonly registers: Map<string, ValidateFunction>
  readonly register: { always: Record<string, Schema>; by_fetch_event_type: Record<string, Record<string, Schema>> }
}

const loaded = new Map<string, Facts>()

function facts(brand: string): Facts {
  let found = loaded.get(brand)
  if (!found) {
    const read = (name: string) => {
      const text = readFileSync(join(projectRoot, 'test/support/wire', name), 'utf8').replace(branded, brand)
      return JSON.parse(text, (_, value) => relax(announced(value)))
    }
    const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
    const [register, own] = [read('register.json'), read('own.json')]
    Object.assign(register.by_fetch_event_type, own.register)
    const [objects, events] = [read('objects.schema.json'), read('events.schema.json')]
    addFields(objects.$defs, own.fields.objects)
    addFields(events.$defs, own.fields.events)
    Object.assign(events.$defs, own.events)
    for (const [name, schema] of Object.entries(own.settings)) {
      register.by_fetch_event_type.realm[`realm_${name}`] = schema
      events.$defs['realm/update'].properties.property.enum.push(name)
    }
    ajv.addSchema(objects, objectsId)
    ajv.addSchema(events, eventsId)
    ajv.addSchema({ $id: registerId, by_fetch_event_type: register.by_fetch_event_type, always: register.always })
    found = { ajv, registers: new Map(), events: events.$defs, register }
    loaded.set(brand, found)
  }
  return found
}

/** Adds what this server alone has to objects of the reference. */
function addFields(objects: Record<string, Schema>, own: Record<string, Schema>): void {
  for (const [name, fields] of Object.entries(own)) Object.assign(objects[name]?.properties as Schema, fields)
}

/** Leaves out the fields and values above the announced level. */
function announced(value: unknown): unknown {
  const schema = value as Schema | null
  if (typeof schema !== 'object' || !schema) return value
  const { properties, enum: words, 'x-since': levels, 'x-since-property': propertyLevels } = schema
  if (properties) schema.properties = without(properties, field => levelOf(field))
  if (Array.isArray(words) && levels) schema.enum = words.filter(word => !isNewer(levelIn(levels, word)))
  const property = (schema.properties as Record<string, Schema> | undefined)?.property
  if (Array.isArray(property?.enum) && propertyLevels)
    property.enum = property.enum.filter(name => !isNewer(levelIn(propertyLevels, name)))
  return schema
}

const isNewer = (level: number): boolean => level > featureLevel
const levelOf = (field: unknown): number => Number((field as Schema)['x-since'] ?? 0)
const levelIn = (levels: unknown, name: unknown): number =>
  typeof levels === 'object' ? Number((levels as Schema)[String(name)] ?? 0) : 0
const without = (fields: unknown, level: (field: unknown) => number): Schema =>
  Object.fromEntries(Object.entries(fields as Schema).filter(([, field]) => !isNewer(level(field))))

/** Makes fields optional that are unsure. */
function relax(value: unknown): unknown {
  const schema = value as { required?: unknown; properties?: Record<string, Schema> } | null
  if (schema && Array.isArray(schema.required) && schema.properties) {
    const { properties } = schema
    schema.required = schema.required.filter(name => !isOptional(properties[name]))
  }
  return value
}

const isOptional = (schema: Schema | undefined): boolean =>
  schema !== undefined && ('x-unsure' in schema || 'x-optional' in schema)

/** Validates one event with its id. */
export function checkEvent(event: unknown, brand = 'service'): string[] {
  const { type, op, property, value } = event as Record<string, string>
  const { ajv, events } = facts(brand)
  const name = [`${type}/${op}`, type].find(candidate => candidate && candidate in events)
  if (!name) return [`there is no event ${type}${op ? `/${op}` : ''}`]
  recordEvent(name, 'received')
  const problems = check(ajv, `${eventsId}#/$defs/${pointer(name)}`, event)
  const ofValue = valueSchema(String(events[name]?.['x-value'] ?? ''), property)
  if (ofValue && problems.length === 0 && ajv.getSchema(ofValue)) {
    problems.push(...check(ajv, ofValue, value).map(problem => `value of ${property}: ${problem}`))
  }
  return problems.map(problem => `${name}: ${problem}`)
}

/** One object by its name in the reference schemas: `user`, `message`, `subscription`, `user_group`, … */
export function checkObject(name: string, value: unknown, brand = 'service'): string[] {
  const { ajv } = facts(brand)
  if (!ajv.getSchema(`${objectsId}#/$defs/${pointer(name)}`))
    throw new Error(`the reference schemas have no object ${name}`)
  return check(ajv, `${objectsId}#/$defs/${pointer(name)}`, value).map(problem => `${name}: ${problem}`)
}

/** A value with a schema whose `$ref`s may name reference objects: `objectRef('message')`. */
export function checkSchema(schema: object, value: unknown, brand = 'service'): string[] {
  const { ajv } = facts(brand)
  return problemsOf(ajv.compile(schema), value)
}

/** The `$ref` of a reference object. */
export const objectRef = (name: string): string => `${objectsId}#/$defs/${pointer(name)}`

/**
 * Validates a register answer. `fetchTypes` is the request's fetch_event_types (or, without it, event_types); null is
 * all. All fields of these types must be present, and no others.
 */
export function checkRegister(body: unknown, fetchTypes: readonly string[] | null, brand = 'service'): string[] {
  const isSpectator = (body as { queue_id?: unknown }).queue_id === null
  const of = facts(brand)
  const key = JSON.stringify([fetchTypes, isSpectator])
  const validate = of.registers.get(key) ?? compileRegister(of, fetchTypes, isSpectator)
  of.registers.set(key, validate)
  return problemsOf(validate, body)
}

function compileRegister({ ajv, register }: Facts, fetchTypes: readonly string[] | null, isSpectator: boolean) {
  const wanted = fetchTypes ?? Object.keys(register.by_fetch_event_type)
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  const add = (place: string, fields: Record<string, Schema>) => {
    for (const [field, schema] of Object.entries(fields)) {
      properties[field] = { $ref: `${registerId}#/${place}/${pointer(field)}` }
      if (
        field !== 'ignored_parameters_unsupported' &&
        !isOptional(schema) &&
        !isLeftOut(schema, fetchTypes, isSpectator)
      )
        required.push(field)
    }
  }
  add('always', register.always)
  for (const type of wanted) add(`by_fetch_event_type/${type}`, register.by_fetch_event_type[type] ?? {})
  const schema = { type: 'object', properties, required, additionalProperties: false }
  return ajv.compile(schema)
}

function isLeftOut(schema: Schema, fetchTypes: readonly string[] | null, isSpectator: boolean): boolean {
  if ('x-omit-if' in schema) return true
  if (isSpectator && String(schema['x-formula']).includes('absent for spectators')) return true
  if (fetchTypes === null) return false
  return ((schema['x-also-requires'] ?? []) as string[]).some(type => !fetchTypes.includes(type))
}

/** `x-value` names the place of the schema that a changed property's value follows. */
function valueSchema(place: string, property: string | undefined): string | null {
  const [file, path] = place.split(' ')
  if (!path || !property) return null
  if (file === 'objects') return `${objectsId}#/$defs/${path.replace('<property>', property)}`
  return `${registerId}#/by_fetch_event_type/${path.replace('.', '/').replace('<property>', property)}`
}

function check(ajv: Ajv2020, place: string, value: unknown): string[] {
  const validate = ajv.getSchema(place)
  if (!validate) throw new Error(`the reference schemas have no ${place}`)
  return problemsOf(validate, value)
}

const problemsOf = (validate: ValidateFunction, value: unknown): string[] =>
  validate(value) ? [] : (validate.errors ?? []).map(sentence)

function sentence({ instancePath, message, params }: ErrorObject): string {
  const where = instancePath === '' ? 'the whole' : instancePath.slice(1).replaceAll('/', '.')
  return `${where} ${message} ${JSON.stringify(params)}`
}

const pointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
