import { z } from 'zod'
import { personalFieldNames } from '../../shared/resources/subscription.js'
import { userSettings } from '../../shared/resources/user-settings.js'
import { gather } from '../actions/gather.js'
import { conditionKeywords } from './conditions.js'
import type { JsonSchema } from './json-schema.js'
import { eventSchemaName } from './resources.js'

type Schemas = Readonly<Record<string, JsonSchema>>

const settings: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  // Null comes from imports alone.
  Object.entries(userSettings.shape).map(([name, setting]) => {
    const inner = setting.unwrap()
    return [name, inner instanceof z.ZodNullable ? inner.unwrap() : inner]
  }),
)

/** Events of a property and its new value, and the schemas of these values. */
const values: Readonly<Record<string, typeof settings>> = {
  'user_settings/update': { ...settings, timezone: z.string() },
  'realm_user_settings_defaults/update': settings,
  'subscription/update': Object.fromEntries(
    personalFieldNames.map(name => [name, name === 'color' ? z.string() : z.boolean()]),
  ),
}

/** The schemas with the type of `value` by `property` in those of events. */
export function withValueTypes(schemas: Schemas): Schemas {
  const events = Object.entries(values).map(([event, schemaOf]) => {
    const name = eventSchemaName(event)
    return [name, { ...schemas[name], ...conditionKeywords(conditionsOf(schemaOf), {}) }]
  })
  return { ...schemas, ...Object.fromEntries(events) }
}

/** One for each kind of value. */
function conditionsOf(schemaOf: typeof settings) {
  const kinds = gather(Object.keys(schemaOf), name => JSON.stringify(z.toJSONSchema(schemaOf[name] as z.ZodType)))
  return kinds.map(([, property]) => ({
    when: { property },
    holds: { value: schemaOf[property[0] as string] as z.ZodType },
  }))
}
