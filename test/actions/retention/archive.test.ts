import t from 'tap'
import { removeBytes } from '../../../server/actions/files/clean-files.js'
import { rebuildSearch } from '../../../server/actions/messages/rebuild-search.js'
import { clearChannel } from '../../../server/actions/retention/clear-channel.js'
import { pruneArchive } from '../../../server/actions/retention/prune-archive.js'
import { removeExpired } from '../../../server/actions/retention/remove-expired.js'
import { restoreArchived } from '../../../server/actions/retention/restore-archived.js'
import { readFile, upload } from '../../support/files.js'
import { Listener, type Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { ctx, sql } = server
const dayMs = 86_400_000
const realNow = ctx.clock.now
const after = (ms: number) => {
  ctx.clock.now = () => realNow() + ms
}

const [owner, author, reader] = [await server.person({ role: 100 }), await server.person(), await server.person()]
await owner.ok('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'archive' }],
  principals: [owner.id, author.id, reader.id],
})
const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'archive' })
const say = async (who: Person, content: string): Promise<number> =>
  (await who.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'one', content })).id
const status = async (who: Person, path: string) => (await readFile(server.url, who, path)).status
const archived = async () => (await sql`select id from archived_messages order by id`).map(row => row.id)
const space = async (): Promise<Loose | undefined> =>
  (await sql`select bytes::int, archived_bytes::int from upload_space`)[0]

/** Everything that the database holds of a message; its words follow from its text, by a job. */
const contents = async (id: number) => ({
  message: await rebuildSearch(ctx, new AbortController().signal).then(
    () => sql`select * from messages where id = ${id}`,
  ),
  edits: await sql`select * from message_edits where message_id = ${id} order by id`,
  reactions: await sql`select * from reactions where message_id = ${id} order by id`,
  submessages: await sql`select * from submessages where message_id = ${id} order by id`,
  flags: await sql`select * from message_flags where message_id = ${id} order by user_id`,
  uses: await sql`select * from attachment_uses where message_id = ${id} order by attachment_id`,
})

/** The same of a message that counts as read by all. */
const read = (of: Awaited<ReturnType<typeof contents>>) => ({
  ...of,
  message: of.message.map(row => ({ ...row, read_by_all: true })),
})

await say(owner, 'the first message of the channel')

t.test('a deleted message is restored with all that hung on it, and its file', async t => {
  const path = await upload(server.url, author, { name: 'plan.txt', bytes: 'content' })
  const id = await say(author, `@**|${reader.id}** [plan](${path})`)
  await author.ok('PATCH', `/messages/${id}`, { content: `@**|${reader.id}** [the plan](${path})` })
  await reader.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'eyes' })
  await reader.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const before = await contents(id)
  t.match(before, { edits: [{}], reactions: [{}], flags: [{}], uses: [{}] })
  const ears = await Listener.start(ctx, author)

  await author.ok('DELETE', `/messages/${id}`)
  t.same(await archived(), [id])
  t.same(await space(), { bytes: 0, archived_bytes: 7 })
  t.equal(await status(author, path), 404, 'also for its uploader')
  while ((await removeBytes(ctx)) > 0);
  t.match(
    (await ears.inStep(t)).filter(event => event.type === 'attachment'),
    [{ op: 'remove', upload_space_used: 0 }],
  )

  t.same(await restoreArchived(ctx, { ids: [id] }), { restored: 1, expired: 0 })
  t.same(await contents(id), read(before))
  t.same(await archived(), [])
  t.same(await space(), { bytes: 7, archived_bytes: 0 })
  t.equal(await status(reader, path), 200)
  const { messages } = await reader.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [['channel', 'archive']],
  })
  t.equal(messages.at(-1)?.id, id, 'in the history again')
  t.match(
    (await ears.inStep(t)).filter(event => event.type !== 'update_message_flags'),
    [{ type: 'attachment', op: 'add', attachment: { message_ids: [id] }, upload_space_used: 7 }],
    'no event shows the message',
  )
  t.same(await restoreArchived(ctx, { ids: [id] }), { restored: 0, expired: 0 }, 'once')
})

t.test('a poll with votes comes back as it was; so does the first message of a channel', async t => {
  const id = await say(author, '/poll Lunch?\nSoup')
  await reader.ok('POST', '/submessage', {
    message_id: id,
    msg_type: 'widget',
    content: '{"type":"vote","key":"canned,0","vote":1}',
  })
  const before = await contents(id)
  t.match(before, { submessages: [{}, {}] })
  await owner.ok('DELETE', `/messages/${id}`)
  await restoreArchived(ctx, { senderId: author.id })
  t.same(await contents(id), read(before))

  const [first] = await sql`select first_message_id as id from channels where id = ${channel}`
  const ears = await Listener.start(ctx, reader)
  await owner.ok('DELETE', `/messages/${first?.id}`)
  await restoreArchived(ctx, { channelId: channel, since: new Date(0) })
  t.match(
    (await ears.inStep(t)).filter(event => event.type === 'stream'),
    [{ property: 'first_message_id' }, { property: 'first_message_id', value: first?.id }],
  )
})

t.test('after 30 days a message is gone for good, with the files that no other message uses', async t => {
  t.teardown(() => after(0))
  const [own, shared] = [
    await upload(server.url, author, { name: 'own.txt', bytes: 'own' }),
    await upload(server.url, author, { name: 'shared.txt', bytes: 'shared' }),
  ]
  const id = await say(author, `[own](${own}) [shared](${shared})`)
  const other = await say(author, `[shared](${shared})`)
  const before = await space()
  await author.ok('DELETE', `/messages/${id}`)
  after(29 * dayMs)
  t.equal(await pruneArchive(ctx), 0)
  after(31 * dayMs)
  // A later deletion of the other use.
  await owner.ok('DELETE', `/messages/${other}`)
  await sql`update archived_messages set archived = now() + interval '5 days' where id = ${other}`
  t.equal(await pruneArchive(ctx), 1)
  t.same(await archived(), [other])
  t.same(await space(), { bytes: before?.bytes - 9, archived_bytes: 6 }, 'the file of the other archived message stays')
  t.same(await restoreArchived(ctx, { ids: [id, other] }), { restored: 1, expired: 0 })
  t.equal(await status(reader, shared), 200)
  while ((await removeBytes(ctx)) > 0);
  t.equal(await ctx.storage.sizeOf(own.replace('/user_uploads/', '')), undefined, 'the bytes are gone')
  t.equal(await ctx.storage.sizeOf(shared.replace('/user_uploads/', '')), 6)
})

t.test('a file that its owner removes does not come back with a message', async t => {
  const path = await upload(server.url, author, { name: 'gone.txt', bytes: 'gone' })
  const id = await say(author, `[gone](${path})`)
  const other = await say(author, `[gone](${path})`)
  await author.ok('DELETE', `/messages/${id}`)
  const { attachments } = await author.ok('GET', '/attachments')
  await author.ok('DELETE', `/attachments/${attachments.find((one: Loose) => one.name === 'gone.txt').id}`)
  t.same(await restoreArchived(ctx, { ids: [id] }), { restored: 1, expired: 0 })
  t.match(await contents(id), { message: [{ id }], uses: [] })
  t.equal(await status(author, path), 404)
  t.same(await sql`select from attachment_uses where message_id = ${other}`, [])
})

t.test('a restore beside the end of the archive: each message is either back or gone', async t => {
  t.teardown(() => after(0))
  const ids: number[] = []
  for (let i = 0; i < 12; i++) ids.push(await say(author, `race ${i}`))
  for (const id of ids) await author.ok('DELETE', `/messages/${id}`)
  after(31 * dayMs)
  const [{ restored }] = await Promise.all([restoreArchived(ctx, { ids }), pruneArchive(ctx), pruneArchive(ctx)])
  const back = await sql`select id from messages where id = any(${ids})`
  t.equal(back.length, restored)
  t.same(await archived(), [])
})

t.test('messages that would expire at once stay in the archive', async t => {
  const id = await say(author, 'old')
  await author.ok('DELETE', `/messages/${id}`)
  await sql`update archived_messages set date_sent = now() - interval '20 days' where id = ${id}`
  await owner.ok('PATCH', `/streams/${channel}`, { message_retention_days: 7 })
  await removeExpired(ctx)
  t.same(await restoreArchived(ctx, { ids: [id] }), { restored: 0, expired: 1 })
  await owner.ok('PATCH', `/streams/${channel}`, { message_retention_days: 'unlimited' })
  t.same(await restoreArchived(ctx, { ids: [id] }), { restored: 1, expired: 0 })
})

t.test('an owner clears an archived channel, and no other', async t => {
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'closed' }],
    principals: [owner.id, reader.id],
  })
  const { stream_id: closed } = await owner.ok('GET', '/get_stream_id', { stream: 'closed' })
  for (const topic of ['one', 'two']) {
    for (let i = 0; i < 60; i++) {
      await owner.ok('POST', '/messages', { type: 'channel', to: closed, topic, content: 'text' })
    }
  }
  await ctx.directory.fresh()
  const by = (who: Person) => ({ user: ctx.directory.users.get(who.id) as never, client: 'test' })
  await t.rejects(clearChannel(ctx, by(owner), closed), { code: 'BAD_REQUEST' }, 'it is in use')
  await owner.ok('DELETE', `/streams/${closed}`)
  await t.rejects(clearChannel(ctx, by(reader), closed), { code: 'UNAUTHORIZED_PRINCIPAL' })
  const count = async () => (await sql`select from messages where channel_id = ${closed}`).length
  const there = await count()
  t.ok(there >= 120)
  const ears = await Listener.start(ctx, reader)
  t.equal(await clearChannel(ctx, by(owner), closed), there)
  t.equal(await count(), 0)
  await ears.inStep(t)
  t.equal(await clearChannel(ctx, by(owner), closed), 0)
  t.same(await restoreArchived(ctx, { channelId: closed }), { restored: there, expired: 0 })
})

t.test('the archive has all columns of messages and of files', async t => {
  const columns = async (table: string) =>
    (
      await sql`select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0
      and not attisdropped and attgenerated = '' order by 1`
    ).map(row => row.name)
  const more = ['archived', 'deleter_id', 'file_ids', 'parts']
  t.same(
    (await columns('archived_messages')).filter(name => !more.includes(name)),
    (await columns('messages')).filter(name => name !== 'search'),
  )
  t.same(await columns('archived_files'), await columns('attachments'))
})
