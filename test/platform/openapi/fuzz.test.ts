// Thousands of requests that the OpenAPI document allows or nearly allows: no answer is a failure, of another status or of another form
// than the document has. FUZZ_SEED repeats a run; FUZZ_OF limits it to one operation.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { routes } from '../../../server/api/index.js'
import type { Route } from '../../../server/api/route.js'
import { botsOnly } from '../../../server/policies/allow.js'
import { honestParams, refusedHonestly } from '../../cost/honest-values.js'
import { MeasuredServer } from '../../cost/measured-server.js'
import { makeSubjects } from '../../cost/subjects.js'
import { Checker } from '../../support/fuzz/checker.js'
import { Fuzzer } from '../../support/fuzz/fuzzer.js'
import { operationsOf, type Schema } from '../../support/fuzz/operations.js'
import { type CallerName, requestsTo } from '../../support/fuzz/requests.js'
import type { Credentials } from '../../support/http.js'
import { reopen, setOrganization } from '../../support/organization.js'
import { createPerson, type PersonOptions } from '../../support/people.js'
import { seedOf } from '../../support/random.js'
import { testOrganization } from '../../support/server.js'

const leastCalls = 10_000
// Of 100 answers.
const leastAccepted = 25
const mostMebibytes = 600
// Operations whose subject a request may have ended before.
const mostNever = 3

const seed = seedOf('FUZZ_SEED')
const { FUZZ_OF } = process.env
const organization = await testOrganization(t)
await setOrganization(organization.sql, { enable_read_receipts: true })
const server = await MeasuredServer.start(t, organization)
const { owner, subjects } = await makeSubjects(organization, server.url)
const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Schema
const operations = operationsOf(document)
const callsPerOperation = Math.ceil(leastCalls / operations.length)
const byName = new Map(routes.map(route => [route.operation, route]))

// What it does ends the caller's key, so each request has a caller of its own.
const endsCaller = new Set(['regenerate_own_api_key', 'deactivate_own_user'])
const options: Readonly<Record<CallerName, PersonOptions>> = {
  owner: { role: 100 },
  administrator: { role: 200 },
  member: {},
  guest: { role: 600 },
  bot: { bot_type: 1 },
  anonymous: {},
  'wrong key': {},
}
const accounts = new Map<CallerName, Credentials>([['owner', owner.who as Credentials]])

async function credentialsOf(caller: CallerName, operation: string): Promise<Credentials | null> {
  if (operation === 'deactivate_realm') await reopen(organization.sql)
  if (caller === 'anonymous') return null
  if (caller === 'wrong key') return { email: subjects.email, api_key: 'x'.repeat(32) }
  // Bots have an operation's usual caller in common with people only if it takes both.
  const actual = caller === 'owner' && byName.get(operation)?.allow === botsOnly ? 'bot' : caller
  const account = accounts.get(actual)
  if (account && !endsCaller.has(operation)) return account
  const person = await createPerson(organization.sql, server.url, {
    ...options[actual],
    bot_owner_id: actual === 'bot' ? subjects.ownerId : undefined,
  })
  if (!endsCaller.has(operation)) accounts.set(actual, person)
  return person
}

const fuzzer = new Fuzzer(operations, new Checker(document), {
  url: server.url,
  credentialsOf,
  honest: (operation, round) => honestParams(byName.get(operation) as Route, '', subjects, round),
})

// What ends a thing that other requests are about comes after them.
const ends = (id: string) =>
  [/^(delete|remove)_/, /^(archive|deactivate)_/, /_own_(api_key|user)$/, /^deactivate_realm$/].findLastIndex(pattern =>
    pattern.test(id),
  )
const asked = operations.filter(({ id }) => !FUZZ_OF || id === FUZZ_OF)
t.comment(`FUZZ_SEED=${seed}`)

for (const operation of asked.toSorted((one, other) => ends(one.id) - ends(other.id))) {
  t.test(operation.id, async t => {
    const property = fc.asyncProperty(requestsTo(operation, document), request => fuzzer.send(operation, request))
    const found = await fc.check(property, { seed, numRuns: callsPerOperation })
    t.equal(found.failed, false, `FUZZ_SEED=${seed}: ${found.errorInstance}`)
  })
}

t.test('the server is the same process, within its memory, and most operations were carried out', async t => {
  const memory = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  const mebibytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(memory)?.[1]) / 1024
  t.comment(`${fuzzer.calls} calls, ${fuzzer.accepted} accepted, at most ${Math.round(mebibytes)} MiB`)
  t.ok(mebibytes < mostMebibytes, `${mebibytes} MiB`)
  if (FUZZ_OF) return
  t.ok(fuzzer.calls >= leastCalls, `${fuzzer.calls} calls`)
  t.ok(fuzzer.accepted / fuzzer.calls >= leastAccepted / 100, `${fuzzer.accepted} accepted`)
  const never = asked.filter(({ id }) => !fuzzer.acceptedOperations.has(id) && !refusedHonestly[id])
  t.ok(never.length <= mostNever, `never carried out: ${never.map(({ id }) => id)}`)
})
