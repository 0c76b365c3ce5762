import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { runImport } from '../../../server/transfer/run.js'
import { UnusableArchive } from '../../../server/transfer/source.js'
import { digestOfImports, writeTarArchive } from '../../support/archive.js'
import type { Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { zulipExport } from './export.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-zulip-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const server = await startServer(t)
const { ctx, sql } = server
const bob = await server.person({ email: 'bob@acme.example', full_name: 'Bob Müller', role: 400 })
const inOrder = { outOfOrder: false }

t.test('what is no export of an organization is refused', async t => {
  const refused: readonly [string, unknown, RegExp][] = [
    ['empty.tar.gz', {}, /holds no organization/],
    ['lists.tar.gz', { zerver_realm: [] }, /holds no organization/],
  ]
  for (const [name, realm, message] of refused) {
    const file = await writeTarArchive(folder, name, { 'realm.json': realm })
    await t.rejects(runImport(ctx, file, inOrder), Object.assign(new UnusableArchive(), { message }))
  }
  t.same(await sql`select from imports`, [])
})

t.test('an export becomes people, channels and messages, with all that people have read and marked', async t => {
  const file = await writeTarArchive(folder, 'export.tar.gz', zulipExport)
  const row = await runImport(ctx, file, inOrder)
  t.match(row.checked, {
    source: 'Zulip',
    people: { people: 5, bots: 3, guests: 1, deactivated: 1, unlisted: 1 },
    channels: { public: 2, private: 1, archived: 1 },
    messages: { source: 14, kept: 11, dropped: { 'in a channel that no list names': 1 }, faulty: 2 },
    custom_emoji: 1,
    faults: [
      { kind: 'pictures that the archive lacks', count: 1 },
      { kind: 'people without an id', count: 1 },
      { kind: 'reactions that cannot be read', count: 1 },
      { kind: 'files of messages that are missing', first: [/^messages-000003\.json/] },
      { kind: 'records that are no messages', count: 1 },
      { kind: 'messages without a time', count: 1 },
      { kind: 'messages whose history cannot be read', count: 1 },
      { kind: 'entries of lists that are not readable', count: 1 },
    ],
  })
  t.match(row, { state: 'finished', written: { messages: 11, reactions: 3, 'earlier texts and places': 3 } })
  t.match(
    await sql`select lower(delivery_email) as email, full_name, role, is_active from users where not is_system_bot order by 1`,
    [
      { email: 'alice@acme.example', full_name: 'Alice Ōsaka', role: 200, is_active: true },
      { email: 'bob@acme.example', full_name: 'Bob Müller', role: 400 },
      { email: 'dana@acme.example', is_active: false },
      { email: /-15@zulip\.invalid$/, is_active: false },
      { email: /-99@zulip\.invalid$/, is_active: false },
      { email: 'eve@acme.example', role: 600 },
      { email: 'moira@acme.example', role: 300 },
    ],
  )
  t.match(
    await sql`select name, description, invite_only, is_archived, is_default, history_public_to_subscribers as shared from channels order by id`,
    [
      { name: 'general', description: 'All **together**', invite_only: false, is_default: true, shared: true },
      { name: 'secret plans', invite_only: true, shared: false },
      { name: 'old', is_archived: true },
    ],
  )
  t.same(
    await readdir(folder).then(names => names.filter(name => name.includes('unpacked'))),
    [],
    'nothing stays on the disk',
  )
  const before = await digestOfImports(sql)
  await runImport(ctx, file, inOrder)
  t.equal(await digestOfImports(sql), before, 'the same archive adds nothing')
})

const idOf = async (name: string): Promise<number> =>
  (await sql<[{ id: number }]>`select id from users where full_name = ${name}`)[0].id
const messageId = async (like: string): Promise<number> =>
  (await sql<[{ id: number }]>`select id::int from messages where content like ${like}`)[0].id

t.test('texts mean here what they meant there', async t => {
  const stored = await sql<Loose[]>`
    select coalesce(channels.name, array_to_string(user_ids, ' ')) as place, topic, full_name as sender,
      regexp_replace(content, '/user_uploads/[^)]+', 'file', 'g') as content from messages join users on users.id = sender_id
      left join channels on channels.id = channel_id left join conversations on conversations.id = conversation_id order by messages.id`
  const [alice, eve, dana] = await Promise.all(['Alice Ōsaka', 'Eve Guest', 'Dana Gone'].map(idOf))
  const [channel] = await sql<[{ id: number }]>`select id from channels where name = 'general'`
  const first = await messageId('Hello%')
  const talk = (...ids: (number | undefined)[]) =>
    ids
      .map(Number)
      .sort((a, b) => a - b)
      .join(' ')
  t.same(
    [...stored],
    [
      { place: 'general', topic: 'odd', sender: 'Bob Müller', content: 'odd history' },
      {
        place: 'general',
        topic: 'Release 1.0',
        sender: 'Alice Ōsaka',
        content: `Hello @**Bob Müller|${bob.id}** and @_**Eve Guest|${eve}**, see #**general>Release 1.0**\n\`\`\`\n@**Eve Guest|13**\n\`\`\``,
      },
      {
        place: 'general',
        topic: 'Release 1.0',
        sender: 'Bob Müller',
        content: `As said [there](/#narrow/channel/${channel.id}-general/topic/Release.201.2E0/near/${first}), not [here](https://other.example/#narrow/stream/21-general/near/5001), but [#general>Release 1.0](/#narrow/near/${first})`,
      },
      {
        place: 'secret plans',
        topic: 'budget',
        sender: 'Alice Ōsaka',
        content: 'Files: [notes.txt](file), [notes.txt](file) and *(gone: not in the archive.)*',
      },
      { place: talk(alice, bob.id), topic: '', sender: 'Bob Müller', content: 'Direct to Alice' },
      { place: talk(alice, bob.id, eve), topic: '', sender: 'Alice Ōsaka', content: 'To the group @*devs*' },
      { place: 'secret plans', topic: 'budget', sender: 'Moira Mod', content: 'only Alice and Moira' },
      { place: 'general', topic: 'channel events', sender: 'Notification Bot', content: 'Alice created this channel.' },
      { place: talk(alice, dana), topic: '', sender: 'Dana Gone', content: 'From somebody who is gone' },
      { place: 'general', topic: '', sender: 'Alice Ōsaka', content: '@**all** read this' },
      { place: 'general', topic: '', sender: 'User 99', content: 'by nobody who is listed' },
    ],
  )
  const [{ content }] = await sql<[Loose]>`select content from messages where content like 'Files:%'`
  const paths = [...content.matchAll(/\/user_uploads\/([^)]+)/g)].map(([, path]) => path as string)
  const sizes = await sql<Loose[]>`select path_id, size::int from attachments`
  t.same(
    paths.map(path => sizes.find(one => one.path_id === path)?.size),
    ['first'.length, 'second'.length],
    'two files of one name stay in their places',
  )
})

t.test('what is unread, marked and mentioned', async t => {
  const unread = await sql<Loose[]>`
    select full_name, string_agg(left(content, 12), ', ' order by m.id) as unread from messages m cross join users
    where exists (select from imports where m.id between first_id and last_id) and not is_bot and not exists (
      select from read_state where user_id = users.id and ranges @> m.id) group by 1 order by 1`
  t.same(
    [...unread],
    [
      { full_name: 'Alice Ōsaka', unread: 'As said [the, Direct to Al' },
      { full_name: 'Bob Müller', unread: 'To the group' },
      { full_name: 'Dana Gone', unread: 'Hello @**Bob' },
      { full_name: 'Eve Guest', unread: 'Hello @**Bob, As said [the, To the group, @**all** rea' },
      { full_name: 'Moira Mod', unread: 'only Alice a' },
    ],
  )
  const flags = await sql<Loose[]>`
    select full_name, left(content, 12) as message, flags from message_flags join users on users.id = user_id
    join messages on messages.id = message_id order by message_id, full_name`
  t.same(
    [...flags],
    [
      { full_name: 'Bob Müller', message: 'Hello @**Bob', flags: 1 | 4 },
      { full_name: 'Bob Müller', message: 'To the group', flags: 4 },
      { full_name: 'Alice Ōsaka', message: 'only Alice a', flags: 16 },
      { full_name: 'Moira Mod', message: 'only Alice a', flags: 64 },
      { full_name: 'Alice Ōsaka', message: '@**all** rea', flags: 2 },
    ],
  )
  t.same(await sql`select wildcard_mentions from messages where wildcard_mentions > 0`, [{ wildcard_mentions: 1 }])
  const seen = await bob.ok('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow: [] })
  t.same(
    seen.messages.filter((one: Loose) => !one.flags.includes('read')).map((one: Loose) => one.content.slice(0, 15)),
    ['<p>To the group'],
  )
  t.ok(!JSON.stringify(seen).includes('only Alice'), 'a former subscriber does not see a private channel')
})

t.test('an earlier text and earlier places are in the history of a message', async t => {
  const id = await messageId('As said%')
  const { message_history } = await bob.ok('GET', `/messages/${id}/history`)
  t.match(
    message_history,
    [
      { topic: 'release 1', content: /^As said, @\*\*Alice Ōsaka\|\d+\*\*$/ },
      { prev_content: /^As said, / },
      { prev_topic: 'release 1', topic: 'Release 1.0' },
    ].slice(0, 1),
  )
  t.match(
    await sql`select left(prev_content, 8) as text, prev_topic, topic, prev_stream is not null as moved from message_edits order by id`,
    [
      { text: null, prev_topic: null, moved: true },
      { text: 'As said,', prev_topic: null, moved: false },
      { text: null, prev_topic: 'release 1', topic: 'Release 1.0' },
    ],
  )
  t.match(await sql`select last_edit_time, last_move_time from messages where id = ${id}`, [
    { last_edit_time: new Date('2024-03-04T09:04:00Z'), last_move_time: new Date('2024-03-04T09:05:00Z') },
  ])
})

t.test('a subscriber of a channel with hidden history sees what it has received alone', async t => {
  const spans = await sql<Loose[]>`
    select full_name, (select string_agg(left(content, 5), ' ' order by m.id) from messages m where m.channel_id = s.channel_id and m.id <@ spans) as seen,
      upper_inf(spans) as goes_on
    from subscriptions s join channels on channels.id = channel_id join users on users.id = user_id where name = 'secret plans' order by 1`
  t.same(
    [...spans],
    [
      { full_name: 'Alice Ōsaka', seen: 'Files only ', goes_on: true },
      { full_name: 'Moira Mod', seen: 'only ', goes_on: true },
    ],
  )
})

t.test('groups, policies for topics, emoji and pictures', async t => {
  const groups = await sql<Loose[]>`
    select name, description, (select string_agg(full_name, ', ' order by full_name) from user_group_members join users on users.id = user_id where group_id = user_groups.id) as members,
      (select count(*)::int from user_group_subgroups where group_id = user_groups.id) as subgroups
    from user_groups where not is_system_group and name is not null order by name`
  t.same(
    [...groups],
    [
      { name: 'all of us', description: '', members: null, subgroups: 0 },
      { name: 'devs', description: 'Developers', members: 'Alice Ōsaka, Bob Müller', subgroups: 1 },
    ],
  )
  t.match(
    await sql`select full_name, topic, visibility_policy from user_topics join users on users.id = user_id order by 1`,
    [
      { full_name: 'Alice Ōsaka', topic: 'noise', visibility_policy: 1 },
      { full_name: 'Bob Müller', topic: 'Release 1.0', visibility_policy: 3 },
    ],
  )
  t.match(await sql`select emoji_name, reaction_type from reactions order by 1`, [
    { emoji_name: '+1', reaction_type: 'unicode_emoji' },
    { emoji_name: 'service', reaction_type: 'extra_emoji' },
    { emoji_name: 'zap_cat', reaction_type: 'realm_emoji' },
  ])
  t.match(await sql`select full_name from users where avatar_path is not null`, [{ full_name: 'Alice Ōsaka' }])
  t.match(
    await sql`select full_name, pin_to_top, is_muted from subscriptions join users on users.id = user_id
    join channels on channels.id = channel_id where name = 'general' and full_name < 'D' order by 1`,
    [
      { full_name: 'Alice Ōsaka', pin_to_top: true },
      { full_name: 'Bob Müller', is_muted: true },
    ],
  )
})
