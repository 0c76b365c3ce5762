// What a request costs when one of its parameters grows: at most in proportion, within bounds at the largest size that is
// accepted, and next to nothing beyond it. Sizes and forms come from the operations' own declarations.
import t from 'tap'
import { routes } from '../../server/api/index.js'
import type { Route } from '../../server/api/route.js'
import { type Parameter, parametersOf } from '../../server/openapi/parameters.js'
import { botsOnly } from '../../server/policies/allow.js'
import { basic, type Credentials } from '../support/http.js'
import { reopen, setOrganization } from '../support/organization.js'
import { createPerson } from '../support/people.js'
import { testOrganization } from '../support/server.js'
import { boundsFor } from './bounds.js'
import { type Cost, complaintOf, smallerOf } from './cost-rules.js'
import { type Growth, growthsOf } from './growths.js'
import { firstIdFor, honestParams, refusedHonestly, schemasOf } from './honest-values.js'
import { MeasuredServer } from './measured-server.js'
import { anyTexts, refusedText, specialGrowths } from './special-growths.js'
import { makeSubjects } from './subjects.js'

const organization = await testOrganization(t)
await setOrganization(organization.sql, { enable_read_receipts: true })
const server = await MeasuredServer.start(t, organization)
const { owner, bot, subjects } = await makeSubjects(organization, server.url)
const bounds = boundsFor(server.slowness)

const mostBytes = 1_900_000
// A URL that the server reads; longer ones are refused before they are looked at.
const mostPath = 10_000
const mostRepeats = 9
// What no parameter accepts whose schema states no largest size.
const mostUnstated = 50_000
let round = 0

// A refused password or token is answered with 401 there.
const authenticating = new Set(['fetch_api_key', 'jwt_fetch_api_key'])

// What it does ends the caller's key.
const endsCaller = new Set(['regenerate_own_api_key', 'deactivate_own_user'])

const { COST_OF } = process.env

// What ends a thing that other requests are about comes after them.
const ends = ({ operation }: Route) =>
  [/^(archive|deactivate|delete|remove)_/, /^erase_user$/, /^deactivate_realm$/].findLastIndex(pattern =>
    pattern.test(operation),
  )
const asked = routes.filter(({ operation }) => !COST_OF || operation === COST_OF)

for (const route of asked.toSorted((one, other) => ends(one) - ends(other))) {
  t.test(route.operation, async t => {
    const honest = await measure(route, undefined, { name: 'nothing', most: 0, at: () => undefined }, 0)
    if (honest && !refusedHonestly[route.operation]) t.ok(honest.status < 400, 'an honest request is accepted')
    for (const parameter of parametersOf(route)) {
      for (const growth of growthsFor(route, parameter)) {
        const complaint = await growCost(route, parameter, growth)
        t.equal(complaint, null, `${parameter.name}, ${growth.name}`)
      }
    }
  })
}

function growthsFor(route: Route, { name, place }: Parameter): Growth[] {
  if (place === 'path') return [refusedText]
  const declared = growthsOf(schemasOf(route)[name] ?? {}, firstIdFor(name, subjects))
  // A switch or a word of a closed set cannot grow: one long text shows that it is refused.
  return declared.length === 0 ? [refusedText] : [...declared, ...specialGrowths(name), ...anyTexts]
}

async function growCost(route: Route, parameter: Parameter | undefined, growth: Growth): Promise<string | null> {
  let costs = await costsOf(route, parameter, growth)
  for (let again = 0; again < mostRepeats && complaintOf(costs, bounds) !== null; again++) {
    costs = smallerOf(costs, await costsOf(route, parameter, growth))
  }
  // The machine may have become slower since the start.
  return complaintOf(costs, bounds) && complaintOf(costs, boundsFor(await server.slownessNow()))
}

async function costsOf(route: Route, parameter: Parameter | undefined, growth: Growth): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const size of growth.sizes ?? sizesOf(growth)) {
    const cost = await measure(route, parameter, growth, size)
    if (cost) costs.push(cost)
  }
  return costs
}

/** 1, 10, 100 … or so that the largest accepted size is among them, and beyond it. */
function sizesOf({ most }: Growth): number[] {
  const powers = Array.from({ length: 7 }, (_, power) => 10 ** power)
  if (most === undefined || most > 1e6) return powers
  const upToMost = powers.map(power => Math.floor(most / power)).filter(size => size > 0)
  return [...upToMost.reverse(), most + 1, most * 10]
}

async function measure(
  route: Route,
  parameter: Parameter | undefined,
  growth: Growth,
  size: number,
): Promise<Cost | undefined> {
  round++
  const name = parameter?.name ?? ''
  const params = honestParams(route, name, subjects, round)
  if (parameter) params[name] = growth.at(size, round)
  const texts = Object.entries(params).map(([key, value]) => [key, asText(value)] as const)
  if (texts.some(([, text]) => text.length > mostBytes)) return undefined
  const { path, body, request } = requestOf(route, Object.fromEntries(texts), await callerOf(route))
  if (path.length > mostPath || body.length > mostBytes) return undefined
  const { result, cpuMs } = await server.cpuOf(async () => {
    const response = await fetch(`${server.url}/api/v1${path}`, request)
    return { status: response.status, answerBytes: (await response.arrayBuffer()).byteLength }
  })
  if (result.status === 401 && !authenticating.has(route.operation))
    throw new Error(`${route.operation}: not authenticated`)
  if (result.status >= 500) throw new Error(`${route.operation}: ${name} of ${size}: ${result.status}`)
  const isBeyond = size > (growth.most ?? mostUnstated)
  return { size, requestBytes: path.length + body.length, cpuMs, isBeyond, ...result }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function callerOf({ operation, allow }: Route): Promise<Credentials | null> {
  if (operation === 'deactivate_realm') await reopen(organization.sql)
  if (endsCaller.has(operation)) return createPerson(organization.sql, server.url)
  return allow === botsOnly ? bot : owner.who
}

/** A GET carries its parameters in the body of a POST, so that they may be longer than a URL. */
function requestOf(
  route: Route,
  texts: Record<string, string>,
  who: Credentials | null,
): { path: string; body: string; request: RequestInit } {
  const inPath = new Set(parametersOf(route).flatMap(({ name, place }) => (place === 'path' ? [name] : [])))
  const path = route.path.replace(/\{(\w+)\*?\}/g, (_, name) => encodeURIComponent(texts[name] || 'x'))
  const form = new URLSearchParams(Object.entries(texts).filter(([name]) => !inPath.has(name)))
  if (route.method === 'GET') form.set('method', 'GET')
  const body = form.toString()
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(who ? { Authorization: basic(who) } : {}),
  }
  return { path, body, request: { method: route.method === 'GET' ? 'POST' : route.method, headers, body } }
}
