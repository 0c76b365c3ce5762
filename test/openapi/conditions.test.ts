import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import type { z } from 'zod'
import { areas, routes } from '../../server/api/index.js'
import type { Route } from '../../server/api/route.js'
import { hashPassword } from '../../server/auth/passwords.js'
import { openApiDocument } from '../../server/openapi/document.js'
import type { JsonSchema } from '../../server/openapi/json-schema.js'
import { parametersOf } from '../../server/openapi/parameters.js'
import { bodyName } from '../../server/openapi/request.js'
import type { Condition } from '../../server/params/conditions.js'
import { ApiError } from '../../shared/errors.js'
import { startServer } from '../support/server.js'

type Values = Record<string, unknown>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const document = openApiDocument(areas, { brand: 'service', url: '/api/v1' }) as unknown as Document
const ajv = new Ajv2020({ strict: false })
const passwords: Values = { old_password: 'open sesame, please', new_password: 'seven tall wooden boats' }
const hash = await hashPassword(String(passwords.old_password))
// Values of which a parameter allows one that is not its default.
const samples = [
  ...[1, 0, 'x', true, 'newest', '2026-01-05', 'stream', 'Europe/Berlin', 'a@test.example', '#abcdef'],
  ...[[1], ['x'], [{ name: 'x' }], [['is', 'unread']], [1, 2], []],
  ...[{ new: 1 }, { user_ids: [1] }, { a: 'x' }, {}],
]

for (const route of routes.filter(({ requires }) => requires)) {
  t.test(`${route.operation} refuses what its conditions exclude, and the document excludes the same`, async t => {
    await server.sql`update users set password_hash = ${hash} where id = ${owner.id}`
    const conditions = route.requires ?? []
    for (const [i, condition] of conditions.entries()) {
      const refused = unmet(route, condition, conditions.slice(0, i))
      const answer = await call(route, refused)
      const { message, code, status, fields } = refusalOf(condition, refused)
      const expected = { result: 'error', msg: message, code, ...fields }
      t.same([answer.status, answer.body], [status, expected], JSON.stringify(refused))
      t.equal(documentAllows(route, refused), false, `the document allows ${JSON.stringify(refused)}`)
      for (const name of condition.anyOf ?? [undefined]) {
        const accepted = met(route, { ...refused, ...(name && { [name]: given(route, name) }) }, condition)
        const { body } = await call(route, accepted)
        t.not(body.msg, message, JSON.stringify(accepted))
        t.equal(documentAllows(route, accepted), true, `the document forbids ${JSON.stringify(accepted)}`)
      }
    }
  })
}

interface NestedCase {
  readonly operation: string
  readonly values: (member: object) => Values
  readonly refused: readonly object[]
  readonly accepted: readonly object[]
  readonly msg: RegExp
}

const draft = { topic: '', content: 'x' }
const nested: readonly NestedCase[] = [
  {
    operation: 'create_drafts',
    values: one => ({ drafts: [{ ...draft, ...one }] }),
    refused: [[], [1, 2], [1, 1]].map(to => ({ type: 'stream', to })),
    accepted: [
      { type: 'stream', to: [1] },
      { type: 'private', to: [1, 2] },
      { type: '', to: [] },
    ],
    msg: /^Must specify exactly 1 channel ID$/,
  },
  {
    operation: 'edit_draft',
    values: one => ({ draft_id: 1, draft: { ...draft, ...one } }),
    refused: [{ type: 'stream', to: [] }],
    accepted: [{ type: 'stream', to: [1] }],
    msg: /^Must specify exactly 1 channel ID$/,
  },
  {
    operation: 'update_settings',
    values: target_users => ({ target_users, starred_message_counts: true }),
    refused: [{}, { user_ids: [] }, { user_ids: [], group_ids: [] }],
    accepted: [{ user_ids: [1] }, { group_ids: [1] }, { user_ids: [1], group_ids: [1] }],
    msg: /^target_users: user_ids or group_ids must be provided$/,
  },
  {
    operation: 'update_subscription_settings',
    values: one => ({ subscription_data: [{ stream_id: 1, ...one }] }),
    refused: [
      { property: 'color', value: true },
      { property: 'color', value: 'red' },
      { property: 'is_muted', value: '#abcdef' },
    ],
    accepted: [
      { property: 'color', value: '#abcdef' },
      { property: 'is_muted', value: true },
    ],
    msg: /^value is not a (valid hex color code|boolean)$/,
  },
  {
    operation: 'unsubscribe',
    values: principals => ({ subscriptions: ['x'], principals }),
    refused: [
      [1, 'a@test.example'],
      ['a@test.example', 1],
    ],
    accepted: [[1, 2], ['a@test.example'], []],
    msg: /^principals(\[\d\])?: /,
  },
]

for (const { operation, values, refused, accepted, msg } of nested) {
  t.test(`${operation} refuses what the schema of a part of a parameter excludes`, async t => {
    const route = routes.find(one => one.operation === operation) as Route
    for (const one of [...refused, ...accepted]) {
      const { status, body } = await call(route, values(one))
      const isRefused = refused.includes(one)
      if (isRefused) t.match({ status, body }, { status: 400, body: { code: 'BAD_REQUEST', msg } }, JSON.stringify(one))
      else t.notMatch(body.msg, msg, JSON.stringify(one))
      t.equal(documentAllows(route, values(one)), !isRefused, `the document and ${JSON.stringify(one)}`)
    }
  })
}

t.test('the value of a changed setting has the type of the setting', async t => {
  const cases: readonly [event: string, fields: Values, right: unknown, wrong: readonly unknown[]][] = [
    ['user_settings.update', { property: 'enter_sends' }, true, [null, 1, 'x']],
    ['user_settings.update', { property: 'timezone' }, 'Europe/Berlin', [null, 1, true]],
    ['realm_user_settings_defaults.update', { property: 'color_scheme' }, 3, [null, 0, 4, 'x', true]],
    ['subscription.update', { stream_id: 1, property: 'color' }, '#abcdef', [null, 1, true]],
    ['subscription.update', { stream_id: 1, property: 'is_muted' }, false, [null, 1, '#abcdef']],
  ]
  for (const [name, fields, right, wrong] of cases) {
    const [type, op] = name.split('.')
    const isEvent = (value: unknown) =>
      ajv.validate(document.components.schemas[`Event.${name}`] ?? false, { id: 1, type, op, ...fields, value })
    t.equal(isEvent(right), true, `${name}: ${right}`)
    for (const value of wrong) t.equal(isEvent(value), false, `${name}: ${value}`)
  }
})

t.test('a condition is in the words of the operation, too', async t => {
  const about = (path: string, method: string) => String(document.paths[path]?.[method]?.description)
  t.match(
    about('/messages', 'post'),
    /With `type` `channel` or `stream`: At least one is required of `topic`, `subject`\./,
  )
  t.match(about('/messages', 'get'), /With `message_ids`: None is allowed of `anchor`, `num_before`/)
  t.match(about('/messages', 'get'), /With `include_anchor` `false`: Unless `num_before` `0`: `num_after` is 0\./)
  t.match(about('/users/me/subscriptions/{stream_id}', 'patch'), /With `property` `color`: `value` is a hex color\./)
  t.match(about('/navigation_views', 'post'), /Unless `fragment` `inbox` or .*: `name` is required\./)
})

/** Parameters that meet the conditions before this one, and not this one. */
function unmet(route: Route, condition: Condition, before: readonly Condition[]): Values {
  const { when = {}, unless = {}, anyOf = [], noneOf = [], holds = {} } = condition
  const values = requiredValues(route)
  for (const [name, is] of Object.entries(when)) values[name] = Array.isArray(is) ? is[0] : given(route, name)
  for (const name of Object.keys(unless)) values[name] ??= given(route, name)
  for (const name of noneOf) values[name] = given(route, name)
  const needed = before.filter(one => !isMet(route, one, values))
  for (const one of needed) {
    const name = one.anyOf?.find(name => !anyOf.includes(name) && !noneOf.includes(name))
    if (name) values[name] = given(route, name)
    Object.assign(values, holding(route, one.holds))
  }
  for (const name of anyOf) if (!isRequired(route, name)) delete values[name]
  return { ...values, ...holding(route, holds, false) }
}

/** The same with what the other conditions need. */
function met(route: Route, values: Values, { noneOf = [], holds }: Condition): Values {
  const allowed = Object.entries(values).filter(([name]) => !noneOf.includes(name))
  const changed = { ...Object.fromEntries(allowed), ...holding(route, holds) }
  for (const condition of route.requires ?? []) {
    if (isMet(route, condition, changed)) continue
    for (const name of condition.noneOf ?? []) delete changed[name]
    const [name] = condition.anyOf ?? []
    if (name) changed[name] = given(route, name)
    Object.assign(changed, holding(route, condition.holds))
  }
  return changed
}

/** Values that follow the schemas, or with `follows` false do not. */
function holding(route: Route, holds: Condition['holds'] = {}, follows = true): Values {
  const values = Object.entries(holds).map(([name, schema]) => [
    name,
    given(route, name, value => schema?.safeParse(value).success === follows),
  ])
  return Object.fromEntries(values)
}

/** Written anew here, not with the code that the server checks with. */
function isMet(route: Route, condition: Condition, values: Values): boolean {
  const { when, unless, anyOf, noneOf = [], holds = {} } = condition
  const isSo = ([name, is]: [string, unknown]) =>
    Array.isArray(is) ? is.includes(values[name] ?? defaultOf(route, name)) : values[name] !== undefined
  if (when && !Object.entries(when).every(isSo)) return true
  if (unless && Object.entries(unless).every(isSo)) return true
  const follow = ([name, schema]: [string, z.ZodType | undefined]) =>
    values[name] === undefined || schema?.safeParse(values[name]).success
  if (!Object.entries(holds).every(follow)) return false
  return (!anyOf || anyOf.some(name => values[name] !== undefined)) && noneOf.every(name => values[name] === undefined)
}

const isRequired = (route: Route, name: string): boolean =>
  parametersOf(route).some(one => one.name === name && one.required)

function requiredValues(route: Route): Values {
  const names = parametersOf(route).flatMap(one => (one.required ? [one.name] : []))
  return Object.fromEntries(names.map(name => [name, given(route, name)]))
}

function given(route: Route, name: string, isWanted?: (value: unknown) => boolean): unknown {
  if (name in passwords) return passwords[name]
  const schema = route.params.shape[name] as z.ZodType
  const property = (bodySchema(route)?.properties as Record<string, JsonSchema> | undefined)?.[name] ?? {}
  const byDefault = JSON.stringify(defaultOf(route, name))
  const isAllowed = (value: unknown) => schema.safeParse(value).success && ajv.validate(property, value)
  const isAnother = (value: unknown) => JSON.stringify(schema.safeParse(value).data) !== byDefault
  const words = (property.enum ?? []) as unknown[]
  const found = [...words, ...samples].find(value => isAllowed(value) && (isWanted ?? isAnother)(value))
  if (found === undefined) throw new Error(`no sample for ${name} of ${route.operation}`)
  return found
}

const defaultOf = (route: Route, name: string): unknown =>
  (route.params.shape[name] as z.ZodType).safeParse(undefined).data

const bodySchema = (route: Route): JsonSchema | undefined => document.components.schemas[bodyName(route)]

/** By the schema of the body, and by the one of all parameters where a condition is about the query or the path. */
function documentAllows(route: Route, values: Values): boolean {
  const operation = document.paths[route.path.replace('*}', '}')]?.[route.method.toLowerCase()]
  const all = operation?.['x-parameters-schema'] as JsonSchema | undefined
  const parameters = (operation?.parameters ?? []) as { name: string; required?: boolean }[]
  const isComplete = parameters.every(({ name, required }) => !required || name in values)
  const body = bodySchema(route)
  return isComplete && (!all || ajv.validate(all, values)) && (!body || ajv.validate(body, values))
}

function refusalOf({ refusal, noneOf = [] }: Condition, values: Values): ApiError {
  if (typeof refusal === 'string') return new ApiError('BAD_REQUEST', refusal)
  return refusal(noneOf.filter(name => values[name] !== undefined))
}

function call(route: Route, values: Values) {
  const path = route.path.replace(/\{(\w+)\*?\}/g, (_, name) => encodeURIComponent(String(values[name])))
  const inPath = [...route.path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name)
  const sent = Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.includes(name)))
  return owner.call(route.method, path, sent)
}
