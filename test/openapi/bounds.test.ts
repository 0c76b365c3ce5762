// Sends each parameter a value at each bound of its schema, which the server does not refuse for its form, and one a step beyond, which it does.
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import WebSocket from 'ws'
import { routes } from '../../server/api/index.js'
import type { Route } from '../../server/api/route.js'
import { hashPassword } from '../../server/auth/passwords.js'
import type { JsonSchema } from '../../server/openapi/json-schema.js'
import { type Parameter, parametersOf } from '../../server/openapi/parameters.js'
import { botsOnly } from '../../server/policies/allow.js'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { honestParams, schemasOf } from '../cost/honest-values.js'
import { subjectsOf } from '../cost/subjects.js'
import { SocketClient } from '../socket/socket-client.js'
import { type Answer, basic, formEncode } from '../support/http.js'
import { reopen } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { listOf, sampleOf } from './bounds/samples.js'
import { halfOfPair, valuesAtBounds } from './bounds/values-at-bounds.js'

type Values = Record<string, unknown>

// A longer query does not fit into the head of a request; a longer text into a body or a frame.
const mostQuery = 15_000
const mostCharacters = 1_040_000
const password = 'seven tall wooden boats'

/**
 * Texts of refusals of what the schema of a parameter allows: what it names is not there or taken, a right is missing, or the words of the
 * document say what JSON Schema cannot.
 */
const otherReasons: readonly RegExp[] = [
  /do(es)? not exist|doesn't exist|already (exists|in use)|not found|[Nn]o such|has this name already|unknown channel|^Invalid email '/,
  /^Invalid (attachment|channel|data export ID|import ID|message|playground|sender|user|notification sound)|^Not subscribed|User is not muted|^Bad event queue ID/,
  /(default_language|timezone): unknown|value .*does not match|exactly once|username or password|not enabled|^Moderation/,
  // What the server does not do, or not alone.
  /cannot be changed: |Refused: |Invalid authentication method|authentication method must be|must be a system user group|setting cannot be/,
  /the server has no such permission|only the name of a demonstration/,
  /is not streamed, or has ended/,
  // Of the stored object, or of several parameters.
  /must be in the future|needs (a list of user IDs|one channel ID)|no field_data|Cannot change message content while|exactly one file|the example input|needs an example|more than 50 terms/,
  /^At most \d+ alert words|exceeds storage limit|at most \d+ (channels|subscriptions)/,
  // Texts with a syntax of their own, and passwords that are hard to guess.
  /Invalid json|URL template|too large|does not match the pattern|unknown operator|at least two labels|Invalid characters in pygments|no language code|no address that begins|Invalid anchor_date|not supported for a queue|too weak|cannot be invited|no https address|Not an address of http|in base64url|Invalid APNS token|Invalid app ID/,
  // What only the server can make, and what another person does not know.
  /proof of your identity|setup of the app|^Password is incorrect|passkey is malformed|not configured to use push|No device is registered|Device not recognized/,
]

// What gives a parameter its meaning, or takes nothing from its bounds.
const besides: Readonly<Record<string, Values>> = {
  num_before: { num_after: 0 },
  num_after: { num_before: 0 },
  to: { type: 'direct' },
  anchor_date: { anchor: 'date' },
  reverse_template: { pattern: 'P(?P<id>[0-9]+)', example_input: 'P1' },
  new_password: { old_password: password },
}

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const members = (await Promise.all(Array.from({ length: 20 }, () => server.person()))).map(({ id }) => id)
await owner.ok('POST', '/user_groups/create', { name: 'crew', description: '', members })
await owner.ok('POST', '/messages', { type: 'direct', to: [owner.id], content: 'x' })
const { bot, subjects } = await subjectsOf(server.sql, owner)
await server.sql.begin(async tx => {
  await tx`update users set can_change_user_emails = true, version = ${await bumpVersion(tx)} where id = ${owner.id}`
})
const passwordHash = await hashPassword(password)
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const sockets = new Map<string, Promise<SocketClient>>()
let round = 0

// What ends a thing that other requests are about comes after them.
const ends = ({ operation }: Route) =>
  [/^(delete|remove)_/, /^(archive|deactivate)_/, /_own_(api_key|user)$/, /^deactivate_realm$/].findLastIndex(one =>
    one.test(operation),
  )

let tried = 0
// Older names of an operation have the same schema.
const distinct = [...new Map(routes.map(route => [route.params, route])).values()]
for (const route of distinct.toSorted((one, other) => ends(one) - ends(other))) {
  t.test(route.operation, async t => {
    const schemas = schemasOf(route)
    const wrong: string[] = []
    for (const parameter of parametersOf(route)) {
      const schema = schemas[parameter.name] ?? {}
      const isAllowed = ajv.compile(schema)
      const hasChoices = /"(anyOf|if)"/.test(JSON.stringify(schema))
      for (const { bound, value, isWithin } of valuesAtBounds(schema)) {
        if (JSON.stringify(value).length > mostCharacters) continue
        // An address cannot have it.
        if (parameter.place === 'path' && bound.endsWith(halfOfPair)) continue
        const isKnown = isWithin !== null
        // At a bound of one choice, which another choice or a condition does not have.
        if (isKnown && hasChoices && isWithin !== isAllowed(value)) continue
        if (isKnown && isAllowed(value) !== isWithin) {
          wrong.push(`${parameter.name} ${bound}: the value is not at the bound`)
        }
        const answer = await call(route, schemas, parameter, value)
        tried++
        if (!isKnown && answer.status < 500) continue
        if (isKnown && (isWithin ? isTaken(answer) : isRefusedFor(parameter, value, answer))) continue
        wrong.push(`${parameter.name} ${bound}: ${JSON.stringify(answer.body)?.slice(0, 300)}`)
      }
    }
    t.strictSame(wrong, [])
  })
}

t.test('there are bounds of each kind', async t => {
  t.ok(tried > 1500, `${tried} values`)
})

const isTaken = ({ status, body }: Answer): boolean =>
  status === 200 || status === 429 || (status < 413 && otherReasons.some(reason => reason.test(body.msg)))

/** By its name; only for what the operation itself checks, by its own words. */
function isRefusedFor({ name, place, schema }: Parameter, sent: unknown, answer: Answer): boolean {
  const { status, body } = answer
  // The path leads elsewhere.
  if (place === 'path') return [400, 404, 405].includes(status)
  const text = formEncode({ sent }).get('sent')
  if (schema.safeParse(text).success)
    return status === 400 && (!isTaken(answer) || /password|narrow|anchor_date/.test(name))
  const begin = [
    `${name}:`,
    `${name}[`,
    `Argument "${name}"`,
    'Invalid narrow operator',
    'value is not',
    'A conversation has',
  ]
  return status === 400 && (body.var_name === name || begin.some(text => String(body.msg).startsWith(text)))
}

type Schemas = Readonly<Record<string, JsonSchema>>

async function call(route: Route, schemas: Schemas, { name }: Parameter, value: unknown): Promise<Answer> {
  if (route.operation === 'deactivate_realm') await reopen(server.sql)
  if (name === 'new_password') await server.sql`update users set password_hash = ${passwordHash} where id = ${owner.id}`
  const honest = honestParams(route, name, subjects, ++round)
  const given: Values = { ...companionsOf(route, schemas, name), ...honest, ...besides[name], [name]: value }
  for (const other of opponentsOf(route, name)) delete given[other]
  const inPath = parametersOf(route).flatMap(one => (one.place === 'path' ? [one.name] : []))
  const path = route.path.replace(/\{(\w+)\*?\}/g, (_, of) => encodeURIComponent(String(given[of])))
  const sent = Object.fromEntries(Object.entries(given).filter(([of]) => !inPath.includes(of)))
  const caller = route.allow === botsOnly ? bot : owner
  const isLong = route.method === 'GET' && formEncode(sent).toString().length > mostQuery
  // A form cannot have half of a surrogate pair.
  const isForm = !isLong && !JSON.stringify(value).includes('\\ud83d"')
  return isForm
    ? caller.call(route.method, path, sent)
    : overSocket(caller, { method: route.method, path, params: sent })
}

/** What the conditions of the operation require beside the parameter. */
function companionsOf({ requires = [] }: Route, schemas: Schemas, name: string): Values {
  const conditions = requires.filter(one => !one.when || name in one.when)
  const needed = conditions.flatMap(({ anyOf = [] }) => (anyOf.includes(name) ? [] : anyOf.slice(0, 1)))
  const sample = (schema: JsonSchema) => (schema.type === 'array' ? listOf(schema, 1) : sampleOf(schema))
  return Object.fromEntries(needed.map(other => [other, sample(schemas[other] ?? {})]))
}

/** What the conditions of the operation do not allow beside the parameter. */
function opponentsOf({ requires = [] }: Route, name: string): string[] {
  return requires.flatMap(({ when = {}, noneOf = [] }) => {
    const isGiven = Object.values(when).every(is => is === 'given')
    if (!isGiven) return []
    if (name in when) return noneOf
    return noneOf.includes(name) ? Object.keys(when) : []
  })
}

type FrameRequest = { method: string; path: string; params: Values }

async function overSocket({ url, who }: typeof owner, request: FrameRequest): Promise<Answer> {
  const client = await (sockets.get(String(who?.email)) ?? opened(url, who))
  sockets.set(String(who?.email), Promise.resolve(client))
  const reply = await client.send({ op: 'request', id: ++round, ...request }).reply(round)
  return { status: reply.status, body: reply.body, headers: new Headers() }
}

async function opened(url: string, who: typeof owner.who): Promise<SocketClient> {
  const headers = { Authorization: who ? basic(who) : '' }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/socket`, ['chat.v1.json'], { headers })
  t.teardown(() => socket.terminate())
  const client = new SocketClient(socket)
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  return client
}
