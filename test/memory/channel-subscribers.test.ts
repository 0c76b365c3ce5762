import t from 'tap'
import { ChannelSubscribers } from '../../server/memory/channel-subscribers.js'
import { Directory } from '../../server/memory/directory.js'
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
