import t from 'tap'
import { ChannelSubscribers } from '../../server/memory/channel-subscribers.js'
import { Directory } from '../../server/memory/directory.js'
import { setUser } from '../support/organization.js'
import { createPerson } from '../support/people.js'
import { testOrganization } from '../support/server.js'

const { sql } = await testOrganization(t)
const people = await Promise.all([1, 2, 3].map(() => createPerson(sql, '')))
const ids = people.map(person => person.id).sort((a, b) => a - b)
const directory = new Directory(sql)
await directory.load()

async function makeChannel(name: string, userIds: number[]): Promise<number> {
  const [row] = await sql<{ id: number }[]>`insert into channels (name) values (${name}) returning id`
  for (const user_id of userIds) await sql`insert into subscriptions ${sql({ user_id, channel_id: row?.id ?? 0 })}`
  return row?.id ?? 0
}

const leave = (channelId: number, userId: number) =>
  sql.begin(async tx => {
    await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channelId}`
    await tx`update subscriptions set is_active = false where channel_id = ${channelId} and user_id = ${userId}`
  })

t.test('a list is read once for each version', async t => {
  const cache = new ChannelSubscribers(sql, directory)
  const id = await makeChannel('one', ids)
  const first = (await cache.read(sql, new Map([[id, 1]]))).get(id)
  t.same([...(first?.ids ?? [])], ids)
  t.equal((await cache.read(sql, new Map([[id, 1]]))).get(id), first, 'the very same')
  await leave(id, ids[0] ?? 0)
  t.equal((await cache.read(sql, new Map([[id, 1]]))).get(id), first, 'still right for those who see the old version')
  const second = (await cache.read(sql, new Map([[id, 2]]))).get(id)
  t.same([...(second?.ids ?? [])], ids.slice(1))
})

t.test('a snapshot that is older than what is remembered gets its own list, and spoils nothing', async t => {
  const cache = new ChannelSubscribers(sql, directory)
  const id = await makeChannel('two', ids)
  await sql.begin('isolation level repeatable read read only', async tx => {
    await tx`select from channels`
    await leave(id, ids[0] ?? 0)
    const newer = (await cache.read(sql, new Map([[id, 2]]))).get(id)
    t.same([...(newer?.ids ?? [])], ids.slice(1))
    const older = (await cache.read(tx, new Map([[id, 1]]))).get(id)
    t.same([...(older?.ids ?? [])], ids)
    t.equal((await cache.read(sql, new Map([[id, 2]]))).get(id), newer)
  })
})

t.test('a channel without subscribers has an empty list', async t => {
  const cache = new ChannelSubscribers(sql, directory)
  const id = await makeChannel('three', [])
  t.same([...((await cache.read(sql, new Map([[id, 1]]))).get(id)?.ids ?? [0])], [])
})

t.test('messages and lists share a list; the receivers are the active subscribers', async t => {
  const cache = new ChannelSubscribers(sql, directory)
  const id = await makeChannel('four', ids)
  await sql`update subscriptions set is_muted = true where channel_id = ${id} and user_id = ${ids[1] ?? 0}`
  const [{ version } = { version: 0 }] = await sql<{ version: number }[]>`
    select subscribers_version as version from channels where id = ${id}`
  const found = await cache.audienceOf(id)
  t.match(found, { version, userIds: ids, muterIds: [ids[1]] })
  const listed = (await cache.read(sql, new Map([[id, version]]))).get(id)
  t.equal(listed?.list(), found?.userIds, 'the very same')
  await leave(id, ids[0] ?? 0)
  t.match(await cache.audienceOf(id), { version, userIds: ids }, 'stale until the insert refuses it')
  cache.forget(id)
  t.match(await cache.audienceOf(id), { version: version + 1, userIds: ids.slice(1) })
  await setUser(sql, ids[2] ?? 0, { is_active: false })
  t.match(await cache.audienceOf(id), { userIds: ids.slice(1) }, 'the directory does not know it yet')
  await directory.fresh()
  t.match(await cache.audienceOf(id), { version: version + 1, userIds: [ids[1]] })
  await setUser(sql, ids[2] ?? 0, { is_active: true })
  await directory.fresh()
})

t.test('a list without those who muted the channel is read again for a message', async t => {
  const cache = new ChannelSubscribers(sql, directory)
  const id = await makeChannel('five', ids)
  await cache.read(sql, new Map([[id, 1]]))
  t.match(await cache.audienceOf(id), { userIds: ids, muterIds: [] })
  t.equal(await cache.audienceOf(0), undefined, 'there is no such channel')
})
