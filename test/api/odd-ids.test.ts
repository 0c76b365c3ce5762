// Ids beyond the range of the database and of JavaScript, and names that no text can contain: in the path of every
// operation and in every parameter for them. Expects a documented answer, never an internal error.
import t from 'tap'
import type { z } from 'zod'
import { routes } from '../../server/api/index.js'
import type { Route } from '../../server/api/route.js'
import { parametersOf } from '../../server/openapi/parameters.js'
import { botsOnly } from '../../server/policies/allow.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)

const ids = [
  '0',
  '2147483647',
  '2147483648',
  '4294967297',
  '9007199254740991',
  '9007199254740993',
  '9'.repeat(19),
  '9'.repeat(400),
]
const segments = [
  ...ids,
  '-1',
  '1.5',
  '%00',
  'a%00b',
  '%F0%9F%91%BE',
  'x'.repeat(2000),
  '%2F',
  '%25',
  'user2147483648@x',
]
const numbers = [2147483648, 9007199254740991]
const ofIds = (id: number): string[] => [
  `${id}`,
  `[${id},-1]`,
  `{"direct_members":[${id}],"direct_subgroups":[${id}]}`,
  `{"new":${id}}`,
  `{"new":{"direct_members":[${id}],"direct_subgroups":[${id}]}}`,
  `[{"id":${id},"value":"x"}]`,
  `[{"stream_id":${id},"property":"color","value":"#ffffff"}]`,
  ...['channel', 'dm', 'sender', 'id', 'with'].map(operator => `[["${operator}",${id}]]`),
  `{"${id}":"x"}`,
]
const texts = ['a\0b', '\ud800', '2147483648', '["a\\u0000b"]', '["\\ud800"]', '{"a\\u0000b":"\\u0000"}']
const values: readonly string[] = [...numbers.flatMap(ofIds), '[{"name":"a\\u0000b"}]', ...texts]
const samples = [
  '1',
  'x',
  'true',
  '[]',
  '{}',
  'start',
  'add',
  'active',
  'stream',
  'read',
  'public',
  'a@test.example',
  'newest',
  'spam',
  'widget',
  'team.example',
  'https://bot.example/events',
  '["message"]',
]

/** A new user for each operation, since it may deactivate the account. */
async function callerOf({ allow }: Route): Promise<Person> {
  if (allow !== botsOnly) return server.person({ role: 100 })
  const owner = await server.person()
  return server.person({ bot_type: 1, bot_owner_id: owner.id })
}

const allowed = (schema: z.ZodType): string => samples.find(text => schema.safeParse(text).success) ?? '1'

const pathWith = (route: Route, odd: string): string => route.path.replace(/\{\w+\*?\}/g, odd)

/** Paths and parameters with one invalid value each; everything else is valid. */
function* oddCalls(route: Route): Generator<[path: string, params: Record<string, string>]> {
  const [inPath, sent] = [true, false].map(wanted =>
    parametersOf(route).filter(one => (one.place === 'path') === wanted),
  )
  const needed = sent?.filter(one => one.required) ?? []
  const form = Object.fromEntries(needed.map(one => [one.name, allowed(one.schema)]))
  if (inPath?.length) for (const odd of segments) yield [pathWith(route, odd), form]
  for (const { name, schema } of sent ?? []) {
    const isRaw = schema.safeParse('no JSON').success
    const taken = (isRaw ? texts : values).filter(value => schema.safeParse(value).success)
    for (const value of taken) yield [pathWith(route, '1'), { ...form, [name]: value }]
  }
}

for (const route of routes) {
  t.test(route.operation, async t => {
    const who = await callerOf(route)
    const failed: string[] = []
    for (const [path, params] of oddCalls(route)) {
      const { status } = await who.call(route.method, path, params)
      if (status >= 500) failed.push(`${path} ${JSON.stringify(params)}: ${status}`)
    }
    t.same(failed, [])
  })
}
