// People subscribe and unsubscribe at two workers while others change the same channels: what the workers remember, the events and the
// tables agree at the end.
import t from 'tap'
import { directoryLeaseMs } from '../../../server/store/driver/directory-lease.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { Api } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { overtaken } from '../../support/races.js'
import { startServer } from '../../support/server.js'
import { freshName, Listener, type Loose } from './scene.js'

const first = await startServer(t)
const workers = [first, await startServer(t, {}, first.organization)] as const
const { sql } = first
const contexts = workers.map(worker => worker.ctx)
const owner = await first.person({ role: 100 })
const members = await Promise.all(Array.from({ length: 6 }, () => first.person()))

const at = (worker: number, { email, api_key }: Person): Api =>
  new Api((workers[worker % 2] as typeof first).url, { email, api_key })

const join = (worker: number, who: Person, name: string, params: Loose = {}) =>
  at(worker, who).call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
const leave = (worker: number, who: Person, name: string, principals: readonly number[] = []) =>
  at(worker, who).call('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals })

async function channel(subscribers: readonly Person[] = [owner]): Promise<{ id: number; name: string }> {
  const name = freshName()
  const ids = subscribers.map(person => person.id)
  const { id } = await owner.ok('POST', '/channels/create', { name, subscribers: ids })
  return { id, name }
}

async function stored(id: number) {
  const [row] = await sql<{ version: number; ids: number[]; muters: number[] }[]>`
    select subscribers_version as version,
      array(select user_id from subscriptions where channel_id = channels.id and is_active order by user_id) as ids,
      array(select user_id from subscriptions where channel_id = channels.id and is_active and is_muted order by user_id) as muters
    from channels where id = ${id}`
  return row as NonNullable<typeof row>
}

/** A list that a worker remembers is that of its version. */
async function rememberedLists(id: number): Promise<Loose[]> {
  const { version } = await stored(id)
  const lists = await Promise.all(contexts.map(({ memory }) => memory.subscribers.audienceOf(id)))
  return lists.flatMap(list => (list?.version === version ? [{ ids: list.userIds, muters: list.muterIds }] : []))
}

t.test('one person subscribes and unsubscribes at two workers at once', async t => {
  const [person] = members as [Person]
  const { id, name } = await channel()
  const [ear, other] = [await Listener.start(contexts, person), await Listener.start(contexts, owner)]
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([join(round, person, name), leave(round + 1, person, name)])
    t.same(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const { ids, muters } = await stored(id)
    for (const list of await rememberedLists(id)) t.same(list, { ids, muters })
  }
  await ear.inStep(t)
  await other.inStep(t)
})

t.test('many people come and go at two workers at once', async t => {
  const { id, name } = await channel()
  const ear = await Listener.start(contexts, owner)
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      members.map((person, i) => ((i + round) % 2 ? leave(i, person, name) : join(i + round, person, name))),
    )
    const { ids, muters } = await stored(id)
    for (const list of await rememberedLists(id)) t.same(list, { ids, muters })
    const { subscribers } = await owner.ok('GET', `/streams/${id}/members`)
    t.same(subscribers, ids)
  }
  await ear.inStep(t)
})

t.test('who returns to a channel that it had muted has muted it, for a worker that remembers', async t => {
  const [person] = members as [Person]
  const { id, name } = await channel([owner, person])
  const data = [{ stream_id: id, property: 'is_muted', value: true }]
  await person.ok('POST', '/users/me/subscriptions/properties', { subscription_data: data })
  await first.ctx.memory.subscribers.audienceOf(id)
  await leave(0, person, name)
  t.match(await first.ctx.memory.subscribers.audienceOf(id), { userIds: [owner.id], muterIds: [] })
  await join(0, person, name)
  const { version } = await stored(id)
  t.match(await first.ctx.memory.subscribers.audienceOf(id), { version, muterIds: [person.id] })
})

t.test('a channel is archived while people subscribe: who comes later is refused or subscribed before', async t => {
  const { id, name } = await channel()
  const ear = await Listener.start(contexts, owner)
  const answers = await Promise.all([
    ...members.slice(0, 3).map((person, i) => join(i, person, name)),
    at(1, owner).call('DELETE', `/streams/${id}`),
    ...members.slice(3).map((person, i) => join(i, person, name)),
  ])
  t.same([...new Set(answers.map(({ status }) => status))], [200])
  const { ids, muters } = await stored(id)
  for (const list of await rememberedLists(id)) t.same(list, { ids, muters })
  await ear.inStep(t)
})

t.test('two people make a channel of one name at once: one makes it, and both are subscribed', async t => {
  for (let round = 0; round < 5; round++) {
    const name = freshName()
    const two = members.slice(0, 2)
    const answers = await Promise.all(two.map((person, i) => join(i, person, i ? name.toUpperCase() : name)))
    t.same(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const rows = await sql<{ id: number }[]>`select id from channels where lower(name) = lower(${name})`
    t.equal(rows.length, 1)
    t.same(
      (await stored(rows[0]?.id ?? 0)).ids,
      two.map(person => person.id).sort((a, b) => a - b),
    )
  }
})

t.test(
  'names change hands while a request waits for the organization: the name counts that the channel has then',
  async t => {
    const [person] = members as [Person]
    for (const op of ['join', 'leave'] as const) {
      const [one, two] = [await channel([owner, person]), await channel([owner, person])]
      if (op === 'join') await leave(0, person, two.name)
      const answer = await overtaken(first, {
        first: tx => bumpVersion(tx),
        request: () => (op === 'join' ? join(0, person, one.name) : leave(0, person, one.name)),
        meanwhile: async tx => {
          const version = await bumpVersion(tx)
          await tx`update channels set name = 'moving', version = ${version} where id = ${one.id}`
          await tx`update channels set name = ${one.name}, version = ${version} where id = ${two.id}`
          await tx`update channels set name = ${two.name}, version = ${version} where id = ${one.id}`
        },
      })
      t.equal(answer.status, 200)
      t.equal((await stored(one.id)).ids.includes(person.id), true, `${op}: not the channel that had the name before`)
      t.equal((await stored(two.id)).ids.includes(person.id), op === 'join', op)
    }
  },
)

t.test(
  'a name is taken while the request that would make the channel waits: it subscribes to the other one',
  async t => {
    const [person] = members as [Person]
    const { id, name: before } = await channel()
    const name = freshName()
    const answer = await overtaken(first, {
      first: tx => bumpVersion(tx),
      request: () => join(0, person, name),
      meanwhile: async tx =>
        tx`update channels set name = ${name}, version = ${await bumpVersion(tx)} where id = ${id}`,
    })
    t.match(answer, { status: 200, body: { subscribed: { [person.id]: [name] } } })
    t.ok((await stored(id)).ids.includes(person.id), `the channel that was ${before}`)
  },
)

t.test('a person is removed while it unsubscribes: once', async t => {
  const [person] = members as [Person]
  const { id, name } = await channel([owner, person])
  const ear = await Listener.start(contexts, person)
  const answers = await overtaken(first, {
    first: tx => tx`select from channels where id = ${id} for no key update`,
    request: () => Promise.all([leave(0, person, name), leave(1, owner, name, [person.id])]),
  })
  t.same(
    answers.flatMap(({ body }) => body.removed),
    [name],
  )
  const removals = (await ear.inStep(t)).filter(({ type, op }) => type === 'subscription' && op === 'remove')
  t.equal(removals.length, 1)
})

t.test('a refused or useless request makes no new version of lists', async t => {
  const [person] = members as [Person]
  const { name } = await channel([owner, person])
  const versions = () => sql`select version from lists_version`
  const before = await versions()
  t.equal((await join(0, person, name)).status, 200)
  t.equal((await leave(0, person, 'no such channel')).status, 400)
  t.same(await versions(), before)
})

t.test('statements of a subscription: one locks, one changes, one stores what follows', async t => {
  const [person] = members as [Person]
  const { name } = await channel()
  await join(0, person, name)
  await leave(0, person, name)
  // The worker has no lease during the change.
  await new Promise(resolve => setTimeout(resolve, directoryLeaseMs))
  const count = async (work: () => Promise<unknown>) => {
    const statements = await statementsOf(first, work)
    return statements.map(text => text.split(' ').slice(0, 3).join(' '))
  }
  t.same(await count(() => join(0, person, name)), ['with held as', 'with added as', 'with lists_changed as'])
})
