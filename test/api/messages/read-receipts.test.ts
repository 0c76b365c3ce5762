import fc from 'fast-check'
import t from 'tap'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const set = async (enable_read_receipts: boolean) => {
  await setOrganization(server.sql, { enable_read_receipts })
  await server.ctx.directory.fresh()
}
/** People with ascending ids. */
async function people(count: number): Promise<Person[]> {
  const all: Person[] = []
  for (let i = 0; i < count; i++) all.push(await server.person())
  return all
}
const receipts = async (who: Person, id: number): Promise<number[]> =>
  (await who.ok('GET', `/messages/${id}/read_receipts`)).user_ids
const mark = (who: Person, op: 'add' | 'remove', ...messages: number[]) =>
  who.ok('POST', '/messages/flags', { op, flag: 'read', messages })
const send = async (who: Person, params: object): Promise<number> =>
  (await who.ok('POST', '/messages', { content: 'text', ...params })).id

async function channelOf(owner: Person, name: string, members: readonly Person[]): Promise<number> {
  const principals = [owner, ...members].map(one => one.id)
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, invite_only: true })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}

t.test('refused until the organization allows it, and for messages that the caller may not read', async t => {
  const [sender, other, stranger] = (await people(3)) as [Person, Person, Person]
  const id = await send(sender, { type: 'direct', to: [other.id] })
  t.match(await sender.get(`/messages/${id}/read_receipts`), { status: 400, body: { msg: /disabled/ } })
  await set(true)
  t.same(await receipts(sender, id), [])
  for (const path of [`/messages/${id}/read_receipts`, '/messages/0/read_receipts', '/messages/x/read_receipts']) {
    t.ok((await stranger.get(path)).status >= 400, path)
  }
  t.equal((await server.api(null).get(`/messages/${id}/read_receipts`)).status, 401)
})

t.test('who has read is listed, with the exceptions', async t => {
  const [sender, one, two, three] = (await people(4)) as [Person, Person, Person, Person]
  const place = await channelOf(sender, 'receipts', [one, two, three])
  const id = await send(sender, { type: 'channel', to: place, topic: 'a' })
  const all = [one.id, two.id, three.id]
  for (const reader of [one, two, three]) await mark(reader, 'add', id)
  t.same(await receipts(sender, id), all)
  t.same(await receipts(one, id), all, 'the caller, too')
  await mark(two, 'remove', id)
  t.same(await receipts(sender, id), [one.id, three.id])
  await mark(two, 'add', id)
  await three.ok('PATCH', '/settings', { send_read_receipts: false })
  t.same(await receipts(sender, id), [one.id, two.id])
  t.same(await receipts(three, id), [one.id, two.id], 'who hides its own still sees others')
  await three.ok('PATCH', '/settings', { send_read_receipts: true })
  await one.ok('POST', `/users/me/muted_users/${two.id}`)
  t.same(await receipts(one, id), [one.id, three.id])
  t.same(await receipts(two, id), [two.id, three.id])
  t.same(await receipts(sender, id), all, 'others see both')
  await three.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['receipts'] })
  t.same(await receipts(sender, id), all, 'who has left has read it all the same')
})

t.test('as a plain look at the flags of each user says', async t => {
  const [owner, ...members] = (await people(5)) as [Person, ...Person[]]
  const place = await channelOf(owner, 'random', members)
  const ids: number[] = []
  for (let i = 0; i < 8; i++) {
    ids.push(
      await send(
        owner,
        i % 2 ? { type: 'channel', to: place, topic: 'a' } : { type: 'direct', to: members.map(one => one.id) },
      ),
    )
  }
  const step = fc.record({
    who: fc.integer({ min: 0, max: members.length - 1 }),
    op: fc.constantFrom('add' as const, 'remove' as const),
    which: fc.subarray(ids, { minLength: 1 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async steps => {
      for (const { who, op, which } of steps) await mark(members[who] as Person, op, ...which)
      for (const id of ids) {
        const expected: number[] = []
        for (const member of members) {
          const { message } = await member.ok('GET', `/messages/${id}`)
          if (message.flags.includes('read')) expected.push(member.id)
        }
        t.same(await receipts(owner, id), expected)
      }
    }),
    { numRuns: 8 },
  )
})
