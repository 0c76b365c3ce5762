import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { notificationBot } from '../../server/actions/messages/system-bots.js'
import { Archive, exportsOf } from '../support/exports.js'
import { upload } from '../support/files.js'
import type { Loose } from '../support/in-step.js'
import { startServer, testOrganization } from '../support/server.js'
import { startWorker } from './support/killable-worker.js'
import { eventually } from './support/wait.js'

t.test('workers are killed while they write an export', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const directory = await mkdtemp(join(tmpdir(), 'parley-files-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const settings = { FILES_DIR: join(directory, 'files'), DATA_DIR: directory }
  const bystander = await startServer(t, settings, organization)
  const admin = await bystander.person({ role: 200 })
  const owner = await bystander.person({ role: 100, settings: { allow_private_data_export: true } })
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'plans' }] })
  const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'plans' })
  const file = await upload(bystander.url, owner, { name: 'plan.txt', bytes: 'the plan', type: 'text/plain' })
  await owner.ok('POST', '/messages', { type: 'stream', to: channel, topic: 'plans', content: `[plan](${file})` })
  await notificationBot(bystander.ctx)
  await bystander.jobs.stop()
  await sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select ${owner.id}, ${channel}, 'topic ' || n % 7, 'message ' || n, '<p>message ' || n || '</p>', 1
    from generate_series(1, 65000) as n`
  const parts = async () => (await sql`select from export_parts`).length
  const request = async () => (await admin.ok('POST', '/export/realm', { export_type: 'full_with_consent' })).id
  /** The claims of a dead worker end at once, which otherwise takes 15 s. */
  const freeJobs = () => sql`update jobs set due = now() where kind = 'export'`

  const id: number = await request()
  let before = { parts: 0, percent: 0 }
  for (let killed = 1; killed <= 2; killed++) {
    const { kill } = await startWorker(t, organization, settings)
    await freeJobs()
    await eventually('a further part', async () => (await parts()) > before.parts)
    await kill()
    const [{ percent }] = (await admin.ok('GET', '/export/realm')).progress
    t.ok(percent > before.percent && percent < 100, `${percent} percent are written`)
    before = { parts: await parts(), percent }
    t.ok((await exportsOf(admin))[0]?.pending, `it is not ready after ${await parts()} parts`)
  }
  await startWorker(t, organization, settings)
  await freeJobs()
  const ready = async (wanted: number) => {
    let found: Loose | undefined
    await eventually('the archive', async () => {
      found = (await exportsOf(admin)).find(one => one.id === wanted)
      return found?.pending === false
    })
    return Archive.at(found?.export_url)
  }
  const disturbed = await ready(id)
  const undisturbed = await ready(await request())
  t.same([...disturbed.files.keys()], [...undisturbed.files.keys()])
  // It has the time and the newest message.
  const own = ['migration_status.json']
  for (const [name, bytes] of disturbed.files) {
    if (!own.includes(name)) t.ok(bytes.equals(undisturbed.files.get(name) as Buffer), name)
  }
  t.equal(disturbed.contents.filter(content => /^message/.test(content)).length, 65_000)
  t.equal(new Set(disturbed.messages.map(message => message.id)).size, disturbed.messages.length)
  const [row] = await sql`select count(*)::int as count from messages where content like '%is ready%'`
  t.equal(row?.count, 2, 'a message for each export')
  t.same([...(await sql`select key from loose_files where key like 'exports/%' and remove_after <= now()`)], [])
})
