import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { withOrganization } from '../../server/admin/offline.js'
import { readConfig } from '../../server/config.js'
import type { Ctx } from '../../server/ctx.js'
import { createLog } from '../../server/log.js'
import type { ImportRow } from '../../server/store/imports/imports.js'
import { runImport } from '../../server/transfer/run.js'
import { undoImport } from '../../server/transfer/undo.js'
import { writeArchive, writeTarArchive } from '../support/archive.js'
import { createPerson } from '../support/people.js'
import { type TestOrganization, testOrganization } from '../support/server.js'
import { zulipExport } from './zulip/export.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-undo-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const file = await writeArchive(folder, 'slack.zip', {
  'users.json': [
    { id: 'U1', real_name: 'Alice', profile: { email: 'alice@acme.example' } },
    { id: 'U2', real_name: 'Bob', profile: { email: 'bob@acme.example' } },
    { id: 'U3', real_name: 'Carl' },
  ],
  'channels.json': [
    { id: 'C1', name: 'general', creator: 'U2', members: ['U1', 'U2'] },
    { id: 'C2', name: 'used', creator: 'U3', members: ['U3'] },
  ],
  'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
  'general/2024-03-04.json': [
    { user: 'U2', ts: '1709542800.000100', text: 'Hello <@U1>', reactions: [{ name: '+1', users: ['U1'] }] },
    { user: 'U3', ts: '1709542801.000100', text: 'Hello', files: [{ id: 'F1', name: 'notes.txt' }] },
  ],
  '__uploads/F1/notes.txt': 'A file',
  'used/2024-03-04.json': [{ user: 'U3', ts: '1709542802.000100', text: 'Hello' }],
  'D1/2024-03-04.json': [{ user: 'U1', ts: '1709542803.000100', text: 'Hello' }],
})

const on = <T>(organization: TestOrganization, work: (ctx: Ctx) => Promise<T>): Promise<T> => {
  const config = readConfig(organization.env({ DATA_DIR: folder }))
  return withOrganization(config, createLog('error', 'test'), work)
}

// Versions, and what says that something has happened.
const changing = [
  'outbox',
  'audit_log',
  'organization',
  'lists_version',
  'list_changes',
  'notification_progress',
  // Bytes of files are removed later.
  'loose_files',
  'directory_removals',
]

async function dump({ sql, schema }: TestOrganization): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = ${schema} order by 1`
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    if (changing.includes(name)) continue
    const [row] = await sql<{ text: string | null }[]>`
      select string_agg(line, E'\n' order by line) as text from (select (rows.*)::text as line from ${sql(name)} rows) lines`
    rows[name] = row?.text ?? ''
  }
  return rows
}

t.test('an undone import leaves the tables as before', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  await createPerson(sql, '', { email: 'alice@acme.example', role: 100 })
  const before = await dump(organization)
  const undone = await on(organization, async ctx => {
    const row = await runImport(ctx, file, { outOfOrder: false })
    t.match(await sql`select name from attachments`, [{ name: 'notes.txt' }])
    return undoImport(ctx, row, false)
  })
  t.same(undone, { messages: 4, accounts: 2, accounts_that_stay: 0, channels: 2, channels_that_stay: [] })
  t.same(await dump(organization), before)
  const again = await on(organization, ctx => runImport(ctx, file, { outOfOrder: false }))
  t.match(again, { state: 'finished', written: { messages: 4 } })
})

t.test('folders, custom emoji and pictures go, too', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  await createPerson(sql, '', { email: 'alice@acme.example', role: 100 })
  const before = await dump(organization)
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const lines = [
    { type: 'version', version: 1 },
    ...['A', 'B'].flatMap(team => [
      { type: 'team', team: { name: team } },
      { type: 'channel', channel: { team, name: `of-${team}`, type: 'O' } },
    ]),
    { type: 'emoji', emoji: { name: 'squirrel', image: 'x.png' } },
    { type: 'user', user: { username: 'bob', email: 'bob@acme.example', profile_image: 'x.png' } },
  ]
  const mattermost = await writeArchive(folder, 'mattermost.zip', {
    'import.jsonl': lines.map(line => JSON.stringify(line)).join('\n'),
    'data/x.png': picture,
  })
  await on(organization, async ctx => {
    const row = await runImport(ctx, mattermost, { outOfOrder: false })
    t.equal((await sql`select from custom_emoji`).length, 1)
    t.match(await sql`select name, folder_id is not null as has from channels order by id`, [
      { has: true },
      { has: true },
    ])
    t.match(await sql`select name from channel_folders order by id`, [{ name: 'A' }, { name: 'B' }])
    t.equal((await sql`select from users where avatar_path is not null`).length, 1)
    t.match(await undoImport(ctx, row, false), { accounts: 1, accounts_that_stay: 0 })
  })
  t.same(await dump(organization), before)
  t.equal((await sql`select from loose_files where remove_after <= now()`).length, 3, 'their bytes are removed')
})

t.test('groups, policies for topics, and what people have read go, too', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  await createPerson(sql, '', { email: 'bob@acme.example' })
  const archive = await writeTarArchive(folder, 'zulip.tar.gz', zulipExport)
  const kept = async () => ({
    users: await sql`select delivery_email from users where not is_system_bot order by id`,
    groups: await sql`select name from user_groups order by id`,
    members: await sql`select group_id, user_id from user_group_members order by 1, 2`,
    policies: await sql`select topic from user_topics`,
    read: await sql`select user_id, ranges from read_state order by 1`,
    history: await sql`select from message_edits`,
  })
  const before = await kept()
  await on(organization, async ctx => {
    const row = await runImport(ctx, archive, { outOfOrder: false })
    t.equal((await sql`select from user_groups where name in ('devs', 'all of us')`).length, 2)
    t.match(await undoImport(ctx, row, false), {
      messages: 11,
      accounts_that_stay: 0,
      channels_that_stay: [],
    })
  })
  t.same(await kept(), before)
})

t.test('what was used since stays', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const undone = await on(organization, async ctx => {
    const row = await runImport(ctx, file, { outOfOrder: false })
    await sql`
      insert into messages (sender_id, channel_id, content, rendered_content, renderer_version)
      select object_id, (select id from channels where name = 'used'), 'New', '<p>New</p>', 1 from import_objects where key = 'U3'`
    await sql`update users set password_hash = 'x' where delivery_email = 'bob@acme.example'`
    return undoImport(ctx, row, false)
  })
  t.same(undone, { messages: 4, accounts: 1, accounts_that_stay: 2, channels: 1, channels_that_stay: ['used'] })
  t.same(await sql`select content from messages`, [{ content: 'New' }])
  t.same(await sql`select name from channels`, [{ name: 'used' }])
  t.same(await sql`select from imports`, [])
})

t.test('an import that was interrupted before its channels were made can be undone', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const before = await dump(organization)
  await on(organization, async ctx => {
    await t.rejects(
      runImport({ ...ctx, directory: withoutChannels(ctx) }, file, { outOfOrder: false }),
      /no channels today/,
    )
    const [row] = await sql<[ImportRow]>`select * from imports`
    t.equal(row.state, 'channels')
    await undoImport(ctx, row, false)
  })
  t.same(await dump(organization), before)
})

/** The directory of an import that fails where it begins to make channels. */
function withoutChannels(ctx: Ctx): Ctx['directory'] {
  const channels = {
    has: () => {
      throw new Error('no channels today')
    },
  }
  return new Proxy(ctx.directory, { get: (of, name) => (name === 'channels' ? channels : bound(of, name)) })
}

function bound(of: object, name: string | symbol): unknown {
  const value = Reflect.get(of, name, of) as unknown
  return typeof value === 'function' ? value.bind(of) : value
}
