import t from 'tap'
import { z } from 'zod'
import { areas } from '../../server/api/index.js'
import { supportedPermissions } from '../../server/api/settings/supported-permissions.js'
import { openApiDocument } from '../../server/openapi/document.js'
import { eventSchemaName } from '../../server/openapi/resources.js'
import { wireEvents } from '../../shared/events/wire-event.js'
import { featureLevel } from '../../shared/limits.js'
import { attachment } from '../../shared/resources/attachment.js'
import { channelObjectSchema } from '../../shared/resources/channel.js'
import { profileField } from '../../shared/resources/custom-profile-field.js'
import { realmBot } from '../../shared/resources/realm-bot.js'
import { subscriptionSchema } from '../../shared/resources/subscription.js'
import { userSettingDefaults } from '../../shared/resources/user-settings.js'
import { missingFields, newerNames, placesOf, wireFile } from './feature-level.js'

interface Reference {
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const defsOf = (file: string) => wireFile(file).$defs as Readonly<Record<string, Reference>>
// Events of this server alone are in a file of their own.
const ownEvents = wireFile('own.json').events as Readonly<Record<string, Reference>>
const [objects, events] = [defsOf('objects.schema.json'), { ...defsOf('events.schema.json'), ...ownEvents }]
const newer = newerNames([objects, events, wireFile('register.json')], featureLevel)

t.test('nothing above the announced feature level is in a parameter, an answer or an event', async t => {
  t.ok(newer.has('default_push_notifications') && newer.has('hide_link_previews'), 'the reference marks such names')
  t.same(placesOf(newer, openApiDocument(areas, { brand: 'service', url: '/api/v1' })), [])
})

t.test('no event lacks a field of the announced level', async t => {
  for (const [name, schema] of wireEvents) {
    const reference = events[name]
    t.ok(reference, name)
    if (!reference) continue
    const shown = z.toJSONSchema(schema, { unrepresentable: 'any' })
    t.same(missingFields(reference.required ?? [], { ...reference }, shown, featureLevel), [], eventSchemaName(name))
  }
})

t.test('no object lacks a field of the announced level', async t => {
  const pairs: [string, z.ZodType][] = [
    ['channel_base', channelObjectSchema],
    ['channel_base', subscriptionSchema],
    ['subscription', subscriptionSchema],
    ['attachment', attachment],
    ['realm_bot', realmBot],
    ['custom_profile_field', profileField],
  ]
  for (const [name, schema] of pairs) {
    const reference = objects[name] as Reference
    const shown = z.toJSONSchema(schema)
    t.same(missingFields(reference.required ?? [], { ...reference }, shown, featureLevel), [], name)
  }
})

t.test('personal settings have the names and defaults of the reference', async t => {
  // Fields beside the settings.
  const { timezone, available_notification_sounds, emojiset_choices, ...settings } = (
    objects.user_settings as Reference
  ).properties
  const defaults = Object.entries(settings).map(([name, schema]) => [name, schema.default])
  t.same(userSettingDefaults, Object.fromEntries(defaults))
})

t.test('the rules of permissions are those of the reference', async t => {
  const { columns, realm, stream, group } = wireFile('register.json')['x-permission-defaults'] as {
    columns: string[]
  } & Record<string, Record<string, unknown[]>>
  for (const [kind, rules] of Object.entries({ realm, stream, group })) {
    const wanted = Object.entries(rules ?? {}).filter(([, row]) => Array.isArray(row))
    const asObjects = wanted.map(([name, row]) => [
      name,
      { ...Object.fromEntries(columns.map((column, i) => [column, row[i]])), allow_internet_group: false },
    ])
    t.same(supportedPermissions[kind as 'realm'], Object.fromEntries(asObjects), kind)
  }
})

t.test('the law finds', async t => {
  const names = newerNames({ a: { 'x-since': 501 }, b: { 'x-since': 500 }, c: { 'x-since': { d: 502, e: 1 } } }, 500)
  t.same([...names], ['a', 'd'])
  t.same(placesOf(names, { properties: { a: {}, b: { enum: ['d', 'e'] } } }), ['/properties/a', '/properties/b/enum/0'])
  const reference = { properties: { a: { 'x-since': 501 }, b: {}, c: {}, d: { 'x-unsure': true } } }
  t.same(missingFields(['a', 'b', 'c', 'd'], reference, { anyOf: [{ properties: { b: {} } }] }, 500), ['c'])
})
