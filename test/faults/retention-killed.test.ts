// A worker is killed while it archives expired messages, and while it erases a person: each message is in one place at any moment, and another
// worker goes on.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { beginErasure } from '../../server/actions/users/erasure/begin-erasure.js'
import { erasurePreview } from '../../server/actions/users/erasure/erase.js'
import { passOn, startServer, type TestOrganization, testOrganization } from '../support/server.js'
import { eventually } from './support/wait.js'

async function startWorker(t: Test, organization: TestOrganization): Promise<{ kill(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('support/website-worker.js', import.meta.url)), {
    env: { ...process.env, ...organization.env({ LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  passOn(child)
  const kill = async () => {
    if (!child.kill('SIGKILL')) return
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  t.teardown(kill)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', code => reject(new Error(`the worker ended with ${code} before it was ready`)))
  })
  return { kill }
}

const messages = 3000

t.test('a worker is killed while it archives messages, and while it erases a person', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const server = await startServer(t, {}, organization)
  const [owner, person] = [await server.person({ role: 100 }), await server.person()]
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'old' }] })
  const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'old' })
  await sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version, date_sent)
    select ${owner.id}, ${channel}, 'a', 'text', '<p>text</p>', 1, now() - interval '10 days' from generate_series(1, ${messages})`
  await sql`
    insert into reactions (message_id, user_id, reaction_type, emoji_code, emoji_name)
    select id, ${person.id}, 'unicode_emoji', '1f440', 'eyes' from messages where channel_id = ${channel} order by id desc limit 1500`
  const there = (await sql`select from messages where channel_id = ${channel}`).length
  // Only the workers of this test run jobs from here on.
  const actor = { user: server.ctx.directory.users.get(owner.id) as never, client: 'test' }
  await beginErasure(server.ctx, actor, { user_id: person.id, messages: 'keep' })
  await server.stop()
  const reactions = async () => (await sql`select from reactions where user_id = ${person.id}`).length
  const counts = async () => {
    const [row] = await sql`
      select (select count(*) from messages where channel_id = ${channel})::int as kept,
        (select count(*) from archived_messages where channel_id = ${channel})::int as archived`
    return { kept: Number(row?.kept), archived: Number(row?.archived) }
  }

  const first = await startWorker(t, organization)
  await eventually('reactions are removed', async () => (await reactions()) < 1400)
  await first.kill()
  t.ok((await reactions()) > 0, 'in the middle of an erasure')

  await sql`update channels set message_retention_days = 7 where id = ${channel}`
  await sql`update organization set version = version + 1`
  await sql`update channels set version = (select version from organization) where id = ${channel}`
  await sql`insert into retention_terms (channel_id, days) values (${channel}, 7) on conflict (channel_id) do update set days = 7`
  const runNow = () => sql`update jobs set due = now() where kind = 'remove-expired-messages'`
  await runNow()
  const second = await startWorker(t, organization)
  await eventually('messages are archived', async () => (await counts()).archived > 300)
  await second.kill()
  const middle = await counts()
  t.ok(middle.kept > 10, `in the middle of the messages: ${middle.kept} are left`)
  t.equal(middle.kept + middle.archived, there, 'each message is in one place')

  await startWorker(t, organization)
  // The claims of the killed worker run out after 15 seconds.
  await eventually('all are archived', async () => (await counts()).archived >= messages)
  const end = await counts()
  t.equal(end.kept + end.archived, there)
  await eventually('the erasure ends', async () => (await sql`select from jobs where kind = 'erase-user'`).length === 0)
  const left = await startServer(t, {}, organization)
  t.same(await erasurePreview(left.ctx, { user_id: person.id, messages: 'keep' }), {})
  t.match(await sql`select event from audit_log where event = 'user/erased'`, [{}])
})
