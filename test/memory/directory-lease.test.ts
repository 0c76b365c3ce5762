// Answers from the memory of a worker are never older than what another worker has answered before, also while workers have leases.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { Directory } from '../../server/memory/directory.js'
import { directoryLeaseMs, leasesEnded } from '../../server/store/driver/directory-lease.js'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { people } from '../api/messages/scene.js'
import { Api } from '../support/http.js'
import { setUser } from '../support/organization.js'
import type { Person } from '../support/people.js'
import { versionQuestionsOf } from '../support/queries.js'
import { startServer } from '../support/server.js'

const first = await startServer(t)
const workers = [first, await startServer(t, {}, first.organization)] as const
const { sql } = first
const outside = first.organization.outside(t)
const owner = await first.person({ role: 100 })
const [member, subject] = await people(first, 2)
const { id: channel } = await owner.ok('POST', '/channels/create', {
  name: 'the one that changes',
  subscribers: [],
})

const at = (worker: number, { email, api_key }: Person): Api =>
  new Api((workers[worker % 2] as typeof first).url, { email, api_key })

t.test('requests that follow each other share one question', async t => {
  const startedAt = performance.now()
  const questions = await versionQuestionsOf(first, async () => {
    for (let i = 0; i < 200; i++) await member.ok('GET', '/user_groups')
  })
  const leases = (performance.now() - startedAt) / directoryLeaseMs
  // A question finds no lease if a change is about to be committed.
  t.ok(questions <= 2 * leases + 2, `${questions} questions in the time of ${leases.toFixed(1)} leases`)
})

const nameOf = async (worker: number, reader: Person) =>
  (await at(worker, reader).ok('GET', `/users/${subject.id}`)).user.full_name

t.test('reads at two workers never go back, while both of them write', async t => {
  let known = 0
  let written = 0
  let reads = 0
  const isOver = () => written > 60
  // The subject's name is a number that rises.
  await owner.ok('PATCH', `/users/${subject.id}`, { full_name: 'Number 0' })
  const read = async (worker: number) => {
    while (!isOver()) {
      const before = known
      const found = Number((await nameOf(worker, member)).slice('Number '.length))
      assert.ok(found >= before, `worker ${worker} answered ${found} although ${before} was known`)
      known = Math.max(known, found)
      reads++
    }
  }
  const write = async () => {
    while (!isOver()) {
      const next = ++written
      await at(next, owner).ok('PATCH', `/users/${subject.id}`, { full_name: `Number ${next}` })
      known = Math.max(known, next)
      await sleep(next % 5)
    }
  }
  await Promise.all([read(0), read(0), read(1), read(1), write()])
  t.ok(reads > written, `${reads} reads beside ${written} writes`)
})

/** A change through one worker, or by a program that is none: the other worker must answer with it at once. */
const changes = {
  rename: async (worker: number, pick: number) => {
    await at(worker, owner).ok('PATCH', `/users/${subject.id}`, { full_name: `Person No ${pick}` })
    return async (reader: number) => assert.equal(await nameOf(reader, member), `Person No ${pick}`)
  },
  renameFromOutside: async (_: number, pick: number) => {
    await setUser(outside, subject.id, { full_name: `Renamed ${pick}` })
    return async (reader: number) => assert.equal(await nameOf(reader, member), `Renamed ${pick}`)
  },
  changeRole: async (worker: number, pick: number) => {
    const role = pick % 2 ? 300 : 400
    await at(worker, owner).ok('PATCH', `/users/${member.id}`, { role })
    return async (reader: number) => assert.equal((await at(reader, member).ok('GET', '/users/me')).role, role)
  },
  describeChannel: async (worker: number, pick: number) => {
    await at(worker, owner).ok('PATCH', `/streams/${channel}`, { description: `About ${pick}` })
    return async (reader: number) => {
      const { stream } = await at(reader, member).ok('GET', `/streams/${channel}`)
      assert.equal(stream.description, `About ${pick}`)
    }
  },
  createGroup: async (worker: number, pick: number) => {
    const name = `group ${pick} ${performance.now()}`
    await at(worker, owner).ok('POST', '/user_groups/create', { name, description: '', members: [] })
    return async (reader: number) => {
      const { user_groups } = await at(reader, member).ok('GET', '/user_groups')
      assert.ok(user_groups.some((group: { name: string }) => group.name === name))
    }
  },
}

t.test('what was changed anywhere is in the next answer of each worker', async () => {
  const step = fc.record({
    kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    writer: fc.nat(1),
    reader: fc.nat(1),
    pick: fc.nat(1000),
    pauseMs: fc.constantFrom(0, 0, 5, directoryLeaseMs),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async steps => {
      for (const { kind, writer, reader, pick, pauseMs } of steps) {
        // Both workers have a lease before the change.
        await Promise.all([0, 1].map(worker => at(worker, member).ok('GET', '/user_groups')))
        await sleep(pauseMs)
        const check = await changes[kind](writer, pick)
        await check(reader)
      }
    }),
    { numRuns: 12 },
  )
})

t.test('a change that is rolled back leaves the leases possible', async t => {
  const directory = new Directory(sql, true, () => true)
  await directory.load()
  await directory.fresh()
  const failed = sql.begin(async tx => {
    await bumpVersion(tx)
    await leasesEnded(tx, async () => true)
    directory.recall()
    const before = directory.version
    await directory.fresh()
    t.equal(directory.version, before, 'the change is not visible')
    throw new Error('changed my mind')
  })
  await t.rejects(failed, { message: 'changed my mind' })
  await directory.fresh()
  const version = directory.version
  await sql`update organization set version = version + 1`
  await directory.fresh()
  t.equal(directory.version, version, 'the worker has a lease, so it asks nothing')
  await sleep(directoryLeaseMs)
  await directory.fresh()
  t.equal(directory.version, version + 1)
})

t.test('while a transaction changes the directory no worker gets a lease', async t => {
  const directory = new Directory(sql, true, () => true)
  await directory.load()
  await sql.begin(async tx => {
    await bumpVersion(tx)
    await leasesEnded(tx, async () => true)
    await directory.fresh()
  })
  const { version } = directory
  await directory.fresh()
  t.equal(directory.version, version + 1)
})

t.test('a worker that other workers cannot reach gets no lease', async t => {
  const directory = new Directory(sql, true, () => false)
  await directory.load()
  await directory.fresh()
  const { version } = directory
  await sql`update organization set version = version + 1`
  await directory.fresh()
  t.equal(directory.version, version + 1)
})

t.test('an answer to a question from before a recall is no lease', async t => {
  const directory = new Directory(sql, true, () => true)
  await directory.load()
  const asked = directory.fresh()
  // The question is sent in the next turn.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  directory.recall()
  await asked
  const { version } = directory
  await sql`update organization set version = version + 1`
  await directory.fresh()
  t.equal(directory.version, version + 1)
})
