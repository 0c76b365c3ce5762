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

const folder = await mkdtemp(join(tmpdir(), 'parley-discord-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const { ctx, sql } = await startServer(t)
const inOrder = { outOfOrder: false }
const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

const roles = [{ id: '1', name: 'Admins' }]
const alice = {
  id: '201',
  name: 'alice',
  nickname: 'Alice Ōsaka',
  isBot: false,
  roles,
  avatarUrl: 'media/alice%20a.png',
}
const bob = { id: '202', name: 'bob_', nickname: 'Bobby @ work', isBot: false, roles: [], avatarUrl: 'media/none.png' }
const hook = { id: '203', name: 'GitHub', isBot: true }
const gone = { id: '456226577798135808', name: 'Deleted User' }
let minute = 0
const message = (id: number, author: object, content: string, more: object = {}) => ({
  id: String(id),
  type: 'Default',
  timestamp: new Date(1_709_542_800_000 + ++minute * 60_000).toISOString(),
  timestampEdited: null,
  content,
  author,
  ...more,
})
const file = (channel: object, messages: readonly unknown[]) => ({
  guild: { id: '100', name: 'Acme "messages": [Guild' },
  channel,
  dateRange: { after: null, before: null },
  messages,
  messageCount: messages.length,
})
const general = {
  id: '401',
  type: 'GuildTextChat',
  categoryId: '501',
  category: 'Text Channels',
  name: 'general',
  topic: 'Say hello',
}
const blob = { id: '301', name: 'BlobWave', imageUrl: 'media/blob.png' }
const archive = () =>
  writeArchive(folder, 'discord.zip', {
    'Acme - Text Channels - general [401].json': file(general, [
      message(1, alice, 'Joined the server.', { type: 'GuildMemberJoin' }),
      message(2, alice, 'Hi <@202> in <#401>, <#402> <@&1> <:BlobWave:301>', {
        timestampEdited: '2024-03-04T10:02:00+01:00',
        mentions: [bob],
        inlineEmojis: [blob],
        reactions: [
          { emoji: { id: '', name: '👍🏽' }, count: 2, users: [alice, bob] },
          { emoji: { id: '', name: '❤️' }, count: 1, users: [bob] },
          { emoji: blob, count: 1, users: [gone] },
          { emoji: { id: '399', name: 'unknown', imageUrl: 'media/gone.png' }, count: 1, users: [bob] },
        ],
      }),
      message(3, bob, 'An answer', { type: 'Reply', reference: { messageId: '2' } }),
      message(4, bob, 'To one that is gone', { type: 'Reply', reference: { messageId: '999' } }),
      message(5, hook, '', {
        embeds: [
          {
            title: 'Push',
            url: 'https://git.example/c/1',
            description: 'fix __it__',
            author: { name: 'carl', url: 'https://git.example/carl' },
            footer: { text: 'GitHub' },
            images: [],
            fields: [{ name: 'Files', value: '3' }],
          },
        ],
      }),
      message(6, alice, 'see https://a.example/x', { embeds: [{ url: 'https://a.example/x', title: 'A preview' }] }),
      message(7, alice, 'picture', {
        attachments: [
          { url: 'media/pic.png', fileName: 'pic.png', fileSizeBytes: 83 },
          { url: 'https://cdn.discordapp.com/attachments/1/2/gone.png?ex=66966a86&is=1', fileName: 'gone.png' },
          { url: '../../etc/passwd', fileName: 'passwd' },
        ],
        stickers: [{ name: 'Wave' }],
      }),
      message(8, gone, 'I left'),
      message(9, alice, '', { forwardedMessage: { content: 'forwarded words' } }),
      message(10, alice, 'Started a thread.', { type: 'ThreadCreated' }),
      message(11, bob, 'Pinned a message.', { type: 'ChannelPinnedMessage' }),
      message(12, hook, 'command answer', { type: '20' }),
      message(13, hook, '', { type: '21' }),
      17,
      { content: 'no id' },
    ]),
    'Acme - Text Channels - general [401] [part 10].json': file(general, [message(15, alice, 'tenth part')]),
    'Acme - Text Channels - general [401] [part 2].json': file(general, [message(14, alice, 'second part')]),
    'Acme - general - Release thread [402].json': file(
      { id: '402', type: 'GuildPublicThread', categoryId: '401', category: 'general', name: 'Release thread' },
      [message(16, bob, 'in the thread'), message(17, alice, 'answer')],
    ),
    'Acme - help-forum - How do I log in_ [403].json': file(
      { id: '403', type: 'GuildPublicThread', categoryId: '409', category: 'help-forum', name: 'How do I log in?' },
      [message(18, bob, 'I cannot log in')],
    ),
    'Direct Messages - bob_ [404].json': file(
      { id: '404', type: 'DirectTextChat', categoryId: null, category: 'Direct Messages', name: 'bob_' },
      [message(19, alice, 'a direct message')],
    ),
    'No channel [405].json': { messages: [message(20, alice, 'nowhere')] },
    'Cut off [406].json': JSON.stringify(
      file({ ...general, id: '406', name: 'cut' }, [message(21, alice, 'whole'), message(22, alice, 'half')]),
    ).slice(0, -60),
    'media/pic.png': 'bytes',
    'media/alice a.png': picture,
    'media/blob.png': picture,
    'media/wave.json': '{}',
  })

t.test('files of the exporter become people, channels, topics and conversations', async t => {
  const zip = await archive()
  const row = await runImport(ctx, zip, inOrder)
  t.match(row, { source: 'Discord', state: 'finished' })
  t.match(row.checked, {
    people: { people: 3, bots: 1, without_address: ['Bobby @ work', 'Alice Ōsaka'] },
    custom_emoji: 1,
    conversations: 1,
    messages: { kept: 16, dropped: { join: 1, 'thread notice': 1, pin: 1, 'nothing to show': 1 }, faulty: 3 },
    files: { in_archive: 1, lost: { 'the link has expired': 1, 'not in the archive': 1 } },
  })
  t.match(
    (row.checked as { faults: Loose[] }).faults.map(({ kind, first }) => [kind, first[0]]),
    [
      ['entries of lists that are not readable', /general \[401\]\.json #14: it is no object/],
      ['files without a channel', /No channel/],
      ['records that are no messages', /general \[401\]\.json #15: it has no id/],
    ],
  )
  const stored = await sql<Loose[]>`
    select coalesce(channels.name, array_to_string(user_ids, ' ')) as place, topic, full_name as sender,
      regexp_replace(content, '/user_uploads/[^)]+', 'here') as content
    from messages join users on users.id = sender_id left join channels on channels.id = channel_id
      left join conversations on conversations.id = conversation_id order by messages.id`
  const ids = new Map(
    (await sql<{ name: string; id: number }[]>`select full_name as name, id from users`).map(one => [one.name, one.id]),
  )
  const [aliceId, bobId] = [ids.get('Alice Ōsaka'), ids.get('Bobby work')]
  const [{ id: second }] = (await sql`select id from messages where content like 'Hi %'`) as unknown as [{ id: number }]
  const of = (place: string) => stored.filter(one => one.place === place).map(({ topic, content }) => [topic, content])
  t.same(of('general'), [
    ['', `Hi @**Bobby work|${bobId}** in #**general**, #Release thread @Admins :blobwave:`],
    ['', `@_**Alice Ōsaka|${aliceId}** [said](/#narrow/near/${second}):\nAn answer`],
    ['', 'To one that is gone'],
    ['', '[carl](https://git.example/carl)\n\n**[Push](https://git.example/c/1)**\n\nfix it\n\n**Files**: 3\n\nGitHub'],
    ['', 'see https://a.example/x'],
    [
      '',
      'picture\n\n*(Sticker: Wave)*\n[pic.png](here)\n*(gone.png: the link has expired.)*\n*(passwd: not in the archive.)*',
    ],
    ['', 'I left'],
    ['', '```quote\nforwarded words\n```'],
    ['', 'command answer'],
    ['', 'tenth part'],
    ['', 'second part'],
    ['Release thread', 'in the thread'],
    ['Release thread', 'answer'],
  ])
  t.same(of('help-forum'), [['How do I log in?', 'I cannot log in']])
  t.same(of(`${aliceId} ${bobId}`), [['', 'a direct message']], 'the other person is known by the name of the file')
  t.same(of('cut'), [['', 'whole']], 'a file that is cut off has its whole messages')
  t.match(await sql`select emoji_name, full_name from reactions join users on users.id = user_id order by 1, 2`, [
    { emoji_name: '+1', full_name: 'Alice Ōsaka' },
    { emoji_name: '+1', full_name: 'Bobby work' },
    { emoji_name: 'blobwave', full_name: 'Deleted User' },
    { emoji_name: 'heart', full_name: 'Bobby work' },
  ])
  t.match(
    await sql`select full_name, is_active, avatar_path is not null as has_picture from users where not is_system_bot order by full_name`,
    [
      { full_name: 'Alice Ōsaka', is_active: false, has_picture: true },
      { full_name: 'Bobby work', has_picture: false },
      { full_name: 'Deleted User', is_active: false },
      { full_name: 'GitHub', is_active: false },
    ],
  )
  t.match(
    await sql`
      select channels.name, channel_folders.name as folder from channels left join channel_folders on channel_folders.id = folder_id order by 1`,
    [
      { name: 'cut', folder: 'Text Channels' },
      { name: 'general', folder: 'Text Channels' },
      { name: 'help-forum', folder: null },
    ],
  )
  const before = await digestOfImports(sql)
  await runImport(ctx, zip, inOrder)
  t.equal(await digestOfImports(sql), before, 'the same archive adds nothing')
})

t.test('an archive without files of the exporter is refused', async t => {
  const other = await writeArchive(folder, 'other.zip', { 'general.json': file(general, []), 'media/x [1].png': 'x' })
  await t.rejects(runImport(ctx, other, inOrder), new UnusableArchive())
})
