import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { runImport } from '../../../server/transfer/run.js'
import { UnusableArchive } from '../../../server/transfer/source.js'
import { digestOfImports, writeArchive } from '../../support/archive.js'
import type { Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-mattermost-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const { ctx, sql } = await startServer(t)
const inOrder = { outOfOrder: false }

const line = (type: string, value: unknown): string => JSON.stringify({ type, [type]: value })
const at = (minute: number): number => 1_709_542_800_000 + minute * 60_000
const version = line('version', 1)
const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const lines = [
  version,
  line('emoji', { name: 'Squirrel2', image: 'exported_emoji/x.png' }),
  line('emoji', { name: 'gone', image: 'exported_emoji/gone.png' }),
  line('emoji', { name: 'broken', image: 'data/a/broken.png' }),
  line('team', { name: 'acme', display_name: 'Acme' }),
  line('channel', { team: 'acme', name: 'town-square', display_name: 'Town Square', type: 'O', header: 'Hello' }),
  line('channel', { team: 'acme', name: 'builds', display_name: 'Builds', type: 'P', purpose: 'Private' }),
  line('channel', { team: 'acme', name: 'builds-2', display_name: 'builds', type: 'O', deleted_at: at(0) }),
  line('channel', { team: 'acme' }),
  line('user', {
    username: 'Alice',
    email: 'alice@acme.example',
    first_name: 'Alice',
    last_name: 'Ōsaka',
    roles: 'system_admin system_user',
    profile_image: 'profile/alice.png',
    teams: [
      {
        name: 'acme',
        channels: [{ name: 'town-square', favorite: true }, { name: 'builds' }, { name: 'nowhere', favorite: true }],
      },
    ],
  }),
  line('user', {
    username: 'bob.m',
    email: 'bob@acme.example',
    nickname: 'Bobby',
    roles: 'system_user',
    profile_image: 'profile/bob.png',
    teams: [{ name: 'acme', channels: [{ name: 'town-square', notify_props: { mark_unread: 'mention' } }] }],
  }),
  line('user', { username: 'guest1', email: 'guest@partner.example', roles: 'system_guest', teams: null }),
  line('user', { username: 'dana', email: 'dana@acme.example', delete_at: at(0) }),
  line('bot', { username: 'buildbot', display_name: 'Build Bot' }),
  line('post', {
    team: 'acme',
    channel: 'town-square',
    user: 'alice',
    type: 'system_join_channel',
    message: 'joined',
    create_at: at(0),
  }),
  line('post', {
    team: 'acme',
    channel: 'town-square',
    user: 'alice',
    message: 'Hello @bob.m. See ~builds :tada: :Squirrel2:',
    flagged_by: ['bob.m', 'nobody'],
    create_at: at(1),
    edit_at: at(3),
    reactions: [
      { user: 'bob.m', emoji_name: '+1' },
      { user: 'dana', emoji_name: 'Squirrel2' },
      { user: 'dana', emoji_name: 'broken' },
    ],
    attachments: [{ path: 'a/shot.png' }, { path: 'a/gone.png' }],
    replies: [
      { user: 'dana', message: 'second', create_at: at(30) },
      { user: 'bob.m', message: 'first', create_at: at(20), reactions: [{ user: 'alice', emoji_name: 'heart' }] },
    ],
  }),
  line('post', {
    team: 'acme',
    channel: 'town-square',
    user: 'bob.m',
    message: 'same',
    create_at: at(40),
    replies: [],
  }),
  line('post', {
    team: 'acme',
    channel: 'town-square',
    user: 'alice',
    type: 'me',
    message: '/me waves',
    create_at: at(40),
  }),
  line('post', {
    team: 'acme',
    channel: 'town-square',
    user: 'bob.m',
    message: 'same',
    create_at: at(40),
    replies: [],
  }),
  line('post', {
    team: 'acme',
    channel: 'builds',
    user: 'buildbot',
    type: 'slack_attachment',
    message: '',
    props: {
      attachments: [
        {
          pretext: 'Build',
          title: '#12',
          title_link: 'https://ci.example/12',
          text: 'passed',
          fields: [{ title: 'Branch', value: 'main' }],
        },
      ],
    },
    create_at: at(50),
  }),
  line('post', { team: 'acme', channel: 'builds-2', user: 'ghost', message: 'not listed', create_at: at(51) }),
  line('post', { team: 'acme', channel: 'gone', user: 'alice', message: 'in no channel', create_at: at(52) }),
  '{"type":"post","post":{"team":"acme"',
  line('direct_channel', { members: ['alice', 'bob.m'] }),
  line('direct_post', {
    channel_members: ['bob.m', 'alice'],
    user: 'alice',
    message: 'private',
    create_at: at(60),
    replies: [{ user: 'bob.m', message: 'answer', create_at: at(61) }],
  }),
  line('direct_post', { channel_members: ['alice', 'alice'], user: 'alice', message: 'to myself', create_at: at(62) }),
]

t.test('an export of another version is refused', async t => {
  for (const first of [line('version', 2), line('team', { name: 'acme' })]) {
    const file = await writeArchive(folder, 'other.zip', { 'import.jsonl': [first, ...lines.slice(1)].join('\n') })
    await t.rejects(runImport(ctx, file, inOrder), new UnusableArchive())
  }
  t.same(await sql`select from imports`, [])
})

t.test('a bulk export becomes people, channels and messages', async t => {
  const file = await writeArchive(folder, 'mattermost.zip', {
    'import.jsonl': lines.join('\n'),
    'data/a/shot.png': 'bytes',
    'exported_emoji/x.png': picture,
    'data/a/broken.png': 'no picture',
    'data/profile/alice.png': picture,
    'profile/bob.png': 'no picture',
  })
  const row = await runImport(ctx, file, inOrder)
  t.match(row, {
    source: 'Mattermost',
    state: 'finished',
    written: { messages: 10, 'pointers to threads': 1, reactions: 3 },
  })
  t.match(row.checked, {
    twice: 1,
    custom_emoji: 2,
    messages: { source: 13, kept: 11, dropped: { 'join channel': 1 }, faulty: 1 },
    faults: [
      { kind: 'custom emoji without a name or a picture', first: [/gone/] },
      { kind: 'channels without an id', count: 1 },
      { kind: 'records that are no messages', count: 1 },
      { kind: 'lines that are not readable', first: [/^import\.jsonl #\d+: it is no JSON$/] },
    ],
  })
  const people = await sql<
    Loose[]
  >`select lower(delivery_email) as email, full_name, role, is_active, id from users order by 1`
  const id = (email: string) => people.find(one => one.email === email)?.id
  t.match(people, [
    { email: 'alice@acme.example', full_name: 'Alice Ōsaka', role: 200, is_active: true },
    { email: 'bob@acme.example', full_name: 'Bobby', role: 400 },
    { email: 'buildbot@mattermost.invalid', full_name: 'Build Bot', is_active: false },
    { email: 'dana@acme.example', is_active: false },
    { email: 'ghost@mattermost.invalid', is_active: false },
    { email: 'guest@partner.example', full_name: 'guest1', role: 600, is_active: true },
  ])
  t.match(await sql`select name, invite_only, is_archived, is_default, description from channels order by id`, [
    { name: 'Town Square', is_default: true, description: 'Hello' },
    { name: 'Builds', invite_only: true, description: 'Private' },
    { name: 'builds (2)', is_archived: true },
  ])
  const stored = await sql<Loose[]>`
    select coalesce(channels.name, array_to_string(user_ids, ' ')) as place, topic,
      regexp_replace(content, '/user_uploads/[^)]+', 'here') as content from messages
      left join channels on channels.id = channel_id left join conversations on conversations.id = conversation_id order by messages.id`
  const root = { place: 'Town Square', topic: 'Hello @Bobby. See #Builds 🎉 :squirrel2:' }
  t.same(
    [...stored],
    [
      {
        ...root,
        content: `Hello @**Bobby|${id('bob@acme.example')}**. See #**Builds** 🎉 :squirrel2:\n[shot.png](here)\n*(gone.png: not in the archive.)*`,
      },
      { place: 'Town Square', topic: '', content: `${root.topic} (2 replies: #**Town Square>${root.topic}**)` },
      { ...root, content: 'first' },
      { ...root, content: 'second' },
      { place: 'Town Square', topic: '', content: 'same' },
      { place: 'Town Square', topic: '', content: '/me waves' },
      {
        place: 'Builds',
        topic: '',
        content: 'Build\n\n**[#12](https://ci.example/12)**\n\npassed\n\n**Branch**: main',
      },
      { place: 'builds (2)', topic: '', content: 'not listed' },
      { place: `${id('alice@acme.example')} ${id('bob@acme.example')}`, topic: '', content: 'private' },
      { place: `${id('alice@acme.example')} ${id('bob@acme.example')}`, topic: '', content: 'answer' },
      { place: String(id('alice@acme.example')), topic: '', content: 'to myself' },
    ],
  )
  const before = await digestOfImports(sql)
  await runImport(ctx, file, inOrder)
  t.equal(await digestOfImports(sql), before, 'the same archive adds nothing')
})

t.test('custom emoji, pictures, and what people have chosen for themselves', async t => {
  const emoji = await sql<Loose[]>`select id, name, author_id from custom_emoji`
  const [{ id: aliceId }] = (await sql`select id from users where full_name like 'Alice%'`) as unknown as [
    { id: number },
  ]
  t.match(emoji, [{ name: 'squirrel2', author_id: aliceId }])
  t.match(await sql`select emoji_code, emoji_name from reactions where reaction_type = 'realm_emoji'`, [
    { emoji_code: String(emoji[0]?.id), emoji_name: 'squirrel2' },
  ])
  t.match(await sql`select rendered_content from messages where content like '%:squirrel2:%' and topic <> ''`, [
    { rendered_content: /<img alt=":squirrel2:" class="emoji"/ },
  ])
  t.match((await sql<{ faults: Loose[] }[]>`select faults from imports`)[0]?.faults, [
    { kind: 'custom emoji without a picture', first: [':broken:: it is no picture'] },
    { kind: /reactions with an emoji/ },
  ])
  t.match(await sql`select full_name from users where avatar_path is not null`, [{ full_name: 'Alice Ōsaka' }])
  t.match(await sql`select state, why from import_files where person = 'bob.m'`, [
    { state: 'lost', why: 'it is no picture' },
  ])
  t.match(
    await sql`
      select full_name, pin_to_top, is_muted from subscriptions join users on users.id = user_id
      join channels on channels.id = channel_id where channels.name = 'Town Square' order by full_name`,
    [
      { full_name: 'Alice Ōsaka', pin_to_top: true, is_muted: false },
      { full_name: 'Bobby', pin_to_top: false, is_muted: true },
    ],
  )
  t.match(
    await sql`select full_name from message_flags join users on users.id = user_id where flags & 2 <> 0 or flags & 1 <> 0 order by 1`,
    [{ full_name: 'Bobby' }],
  )
})
