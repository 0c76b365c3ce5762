import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import type { z } from 'zod'
import { routes } from '../../server/api/index.js'
import type { Route } from '../../server/api/route.js'
import type { JsonSchema } from '../../server/openapi/json-schema.js'
import { jsonSchemas } from '../../server/openapi/json-schemas.js'
import { type Parameter, parametersOf } from '../../server/openapi/parameters.js'
import { botsOnly } from '../../server/policies/allow.js'
import type { Answer } from '../support/http.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
const ajv = new Ajv2020({ strict: false })
// `texts`: a schema allows at most a few of them, so one of the others is refused. `samples`: most schemas allow one of them.
const texts = ['x', '5', '{}', '[]', 'true', '-1', '["x"]', '[5]', '[[]]', '1.5', '']
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
  'a@test.example',
  'newest',
  'spam',
  'widget',
  'team.example',
  'https://bot.example/events',
  '["message"]',
  'public',
  // Keys of a receiver of pushes.
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  'BTBZMqHH6r4Tts7J_aSIgg',
]

t.test('what the document does not allow is refused, parameter by parameter, before anything is done', async t => {
  for (const route of routes) {
    const { params } = jsonSchemas([['params', route.params]], 'input')
    const schemas = params?.properties as Record<string, JsonSchema>
    for (const parameter of parametersOf(route).filter(({ place }) => place !== 'path')) {
      const wrong = notAllowed(schemas[parameter.name] ?? {})
      for (const value of wrong) {
        const answer = await call(route, parameter, value)
        t.ok(
          isRefusalOf(parameter, value, answer),
          `${route.operation}: ${parameter.name}=${value.slice(0, 40)}: ${JSON.stringify(answer.body).slice(0, 200)}`,
        )
      }
    }
  }
})

t.test('the error for an absent required parameter names it', async t => {
  for (const route of routes) {
    for (const parameter of parametersOf(route).filter(({ place, required }) => required && place !== 'path')) {
      const { status, body } = await call(route, parameter, undefined)
      const { code, var_name } = body
      t.same({ status, code, var_name }, { status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: parameter.name })
    }
  }
})

/** A few texts that the schema takes neither as they are nor as the JSON that they may be. */
function notAllowed(schema: JsonSchema): string[] {
  const isAllowed = ajv.compile(schema)
  const wrong = (text: string) => !isAllowed(text) && !isAllowed(asJson(text))
  return texts.filter(wrong).slice(0, 3)
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** With all that comes before the parameter as it has to be; undefined: without it. */
function call(route: Route, { name }: Parameter, value: string | undefined): Promise<Answer> {
  const all = parametersOf(route)
  const before = all.slice(
    0,
    all.findIndex(one => one.name === name),
  )
  const needed = before.filter(({ place, required }) => required && place !== 'path')
  const form = Object.fromEntries(needed.map(one => [one.name, allowed(one.schema)]))
  const path = route.path.replace(/\{(\w+)\*?\}/g, (_, of) => allowed(route.params.shape[of] as z.ZodType))
  const who = route.allow === botsOnly ? bot : owner
  return who.call(route.method, path, value === undefined ? form : { ...form, [name]: value })
}

function allowed(schema: z.ZodType): string {
  const found = samples.find(text => schema.safeParse(text).success)
  if (found === undefined) throw new Error(`none of ${samples.join()} is allowed by ${JSON.stringify(schema.def)}`)
  return found
}

/** By its name and first of all; only a limit that the operation itself looks after may come later, and in its own words. */
function isRefusalOf({ name, schema }: Parameter, sent: string, { status, body }: Answer): boolean {
  if (schema.safeParse(sent).success) return status !== 200
  const begin = [`${name}:`, `${name}[`, `Argument "${name}"`]
  return status === 400 && (body.var_name === name || begin.some(text => String(body.msg).startsWith(text)))
}
