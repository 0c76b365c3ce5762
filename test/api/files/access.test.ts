import t from 'tap'
import { removeForgotten } from '../../../server/actions/files/clean-files.js'
import { readFile, upload } from '../../support/files.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const newFile = (owner: Person, name = 'plan.txt') => upload(server.url, owner, { name, bytes: 'content' })
const status = async (who: Person | null, path: string) => (await readFile(server.url, who, path)).status
const attachments = async (owner: Person): Promise<Loose[]> => (await owner.ok('GET', '/attachments')).attachments

async function channelOf(owner: Person, name: string, options: Loose = {}): Promise<number> {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...options })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}

const send = async (sender: Person, to: number, content: string): Promise<number> =>
  (await sender.ok('POST', '/messages', { type: 'channel', to, topic: 'files', content })).id

t.test('access to a file follows access to a message that uses it', async t => {
  const [owner, member, reader] = [await server.person(), await server.person(), await server.person()]
  const open = await channelOf(owner, 'open')
  const closed = await channelOf(owner, 'closed', { invite_only: true, history_public_to_subscribers: true })
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'closed' }], principals: [member.id] })
  const path = await newFile(owner)
  t.equal(await status(member, path), 403, 'no message uses it')

  const ears = await Listener.start(server.ctx, owner)
  const first = await send(owner, closed, `[plan](${path})`)
  t.match(
    (await ears.inStep(t)).filter(event => event.type === 'attachment'),
    [{ op: 'update', attachment: { message_ids: [first], messages: [{ id: first, date_sent: await sentAt(first) }] } }],
  )
  t.equal(await status(member, path), 200)
  t.equal(await status(reader, path), 403)
  t.equal(await status(null, path), 401)

  await owner.ok('PATCH', `/messages/${first}`, { stream_id: open })
  t.equal(await status(reader, path), 200, 'moved to a public channel')
  await owner.ok('PATCH', `/messages/${first}`, { stream_id: closed })
  t.equal(await status(reader, path), 403, 'and back')
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'] })
  t.equal(await status(member, path), 403, 'who left the channel')
  t.equal(await status(owner, path), 200, 'the uploader in any case')
})

t.test('a direct message shows its files to its people; another server name counts as well', async t => {
  const [owner, friend, other] = [await server.person(), await server.person(), await server.person()]
  const path = await newFile(owner)
  await owner.ok('POST', '/messages', {
    type: 'direct',
    to: [friend.id],
    content: `see ${server.ctx.publicUrl}${path}`,
  })
  t.equal(await status(friend, path), 200)
  t.equal(await status(other, path), 403)
  // Who may read a file may pass it on.
  await friend.ok('POST', '/messages', { type: 'direct', to: [other.id], content: `[x](${path})` })
  t.equal(await status(other, path), 200)
  const [{ message_ids, messages } = { message_ids: [], messages: [] }] = await attachments(owner)
  t.equal(message_ids.length, 2)
  // Clients that were written for the older form read the same there.
  const sent = await Promise.all(message_ids.map(sentAt))
  t.same(
    messages,
    message_ids.map((id: number, i: number) => ({ id, date_sent: sent[i] })),
  )
})

/** Milliseconds. */
async function sentAt(id: number): Promise<number> {
  const [row] = await server.sql<{ date_sent: Date }[]>`select date_sent from messages where id = ${id}`
  return row?.date_sent.getTime() ?? 0
}

t.test('a link to a file that its author may not read is only a link', async t => {
  const [owner, thief] = [await server.person(), await server.person()]
  const path = await newFile(owner)
  const place = await channelOf(thief, 'theft')
  await send(thief, place, `[x](${path}) and [y](/user_uploads/1/00/none/none.txt) and [z](/user_uploads/1/%ff)`)
  t.equal(await status(thief, path), 403)
  t.same((await attachments(owner))[0]?.message_ids, [])
})

t.test('an edit changes which files a message uses, and names those that nothing uses any more', async t => {
  const owner = await server.person()
  const place = await channelOf(owner, 'edits')
  const [one, two] = [await newFile(owner, 'one.txt'), await newFile(owner, 'two.txt')]
  const id = await send(owner, place, `[one](${one})`)
  const ears = await Listener.start(server.ctx, owner)
  const { detached_uploads } = await owner.ok('PATCH', `/messages/${id}`, { content: `[two](${two})` })
  t.match(detached_uploads, [{ name: 'one.txt', message_ids: [] }])
  t.equal(detached_uploads.length, 1)
  const updates = (await ears.inStep(t)).filter(event => event.type === 'attachment')
  t.match(
    updates.map(({ op, attachment }) => [op, attachment.name, attachment.message_ids]),
    [
      ['update', 'one.txt', []],
      ['update', 'two.txt', [id]],
    ],
  )
  t.same((await owner.ok('PATCH', `/messages/${id}`, { topic: 'elsewhere' })).detached_uploads, [])
  const other = await server.person()
  t.equal(await status(other, one), 403)
  t.equal(await status(other, two), 200)
})

t.test('a file whose only message is deleted is gone, another stays', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const place = await channelOf(owner, 'deletions')
  const [once, twice] = [await newFile(owner, 'once.txt'), await newFile(owner, 'twice.txt')]
  const id = await send(owner, place, `[1](${once}) [2](${twice})`)
  const kept = await send(owner, place, `[2](${twice})`)
  const ears = await Listener.start(server.ctx, owner)
  await owner.ok('DELETE', `/messages/${id}`)
  const events = (await ears.inStep(t)).filter(event => event.type === 'attachment')
  t.match(
    events.map(({ op, attachment }) => [op, attachment.message_ids]),
    [
      ['remove', undefined],
      ['update', [kept]],
    ],
  )
  t.equal(await status(owner, once), 404, 'also for its uploader')
  t.equal(await status(other, twice), 200)
})

t.test('a file that no message uses for weeks is removed', async t => {
  const owner = await server.person()
  const [old, used, fresh] = [await newFile(owner, 'old.txt'), await newFile(owner, 'used.txt'), await newFile(owner)]
  await owner.ok('POST', '/messages', { type: 'direct', to: [owner.id], content: `[x](${used})` })
  await server.sql`update attachments set created = now() - interval '36 days' where name in ('old.txt', 'used.txt')`
  t.equal(await removeForgotten(server.ctx), 1)
  t.equal(await removeForgotten(server.ctx), 0)
  t.equal(await status(owner, old), 404)
  t.equal(await status(owner, used), 200)
  t.equal(await status(owner, fresh), 200)
})

t.test('a spectator reads files of web-public channels while spectators are admitted', async t => {
  const owner = await server.person({ role: 100 })
  const set = async (isOn: boolean) => {
    await setOrganization(server.sql, { enable_spectator_access: isOn })
    await server.ctx.directory.fresh()
  }
  await set(true)
  const web = await channelOf(owner, 'web', { is_web_public: true })
  const [shown, hidden] = [await newFile(owner), await newFile(owner)]
  await send(owner, web, `[x](${shown})`)
  await send(owner, await channelOf(owner, 'members'), `[x](${hidden})`)
  t.equal(await status(null, shown), 200)
  t.equal(await status(null, hidden), 401)
  const [counter] = (await server.ctx.redis.command('KEYS', `${server.config.keyPrefix}:requests:*:file:*`)) as Buffer[]
  await server.ctx.redis.command('SET', String(counter), '999', 'KEEPTTL')
  t.equal(await status(null, shown), 200, 'a thousand times a day')
  t.equal(await status(null, shown), 401)
  t.match(await server.api(null).get(shown), { status: 401 }, 'a temporary address counts, too')
  t.equal(await status(owner, shown), 200, 'accounts are not counted')
  t.ok(Number(await server.ctx.redis.command('TTL', String(counter))) > 86_000)
  await set(false)
  t.equal(await status(null, shown), 401)
})
