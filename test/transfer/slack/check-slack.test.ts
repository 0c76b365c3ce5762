import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { type Checked, checkArchive } from '../../../server/transfer/check.js'
import { type ArchiveFiles, writeArchive } from '../../support/archive.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-slack-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

/** The organization has one account and one channel. */
const here = {
  usersByEmail: new Map([['alice@example.com', {} as never]]),
  channelLike: (name: string) => (name === 'general' ? ({} as never) : undefined),
}

/** The archive has the channel general, unless its files say otherwise. */
async function check(files: ArchiveFiles): Promise<Checked> {
  const lists = 'users.json' in files ? { 'channels.json': [general] } : {}
  return await checkArchive(await writeArchive(folder, 'slack.zip', { ...lists, ...files }), here)
}

const general = { id: 'C1', name: 'general' }
const people = [
  { id: 'U1', name: 'alice', real_name: 'Alice', is_owner: true, profile: { email: 'Alice@example.com' } },
  { id: 'U2', name: 'bob', real_name: 'Bob' },
  { id: 'U3', name: 'gone', deleted: true },
  { id: 'U4', name: 'guest', is_restricted: true, profile: { email: 'guest@example.com' } },
  { id: 'U5', name: 'build', is_bot: true, profile: { bot_id: 'B5' } },
  { id: 'USLACKBOT', name: 'slackbot' },
]

t.test('the check says what an archive has', async t => {
  const checked = await check({
    'users.json': people,
    'channels.json': [
      { id: 'C1', name: 'general' },
      { id: 'C2', name: 'old', is_archived: true },
      { id: 'C3', name: 'OLD' },
    ],
    'groups.json': [{ id: 'G1', name: 'x'.repeat(80) }],
    'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
    'mpims.json': [{ id: 'M1', members: ['U1', 'U2', 'U4'] }],
    'emoji.json': { ok: true, emoji: { parrot: 'https://slack.example/parrot.png', same: 'alias:parrot' } },
    'canvases.json': [{ anything: true }],
    'general/2024-03-05.json': [
      { user: 'U1', ts: '1709632800.000100', thread_ts: '1709632800.000100', text: 'Root' },
      { user: 'U2', ts: '1709632860.000100', thread_ts: '1709632800.000100', text: 'Reply' },
    ],
    'general/2024-03-04.json': [
      { user: 'U2', ts: '1709542800.000100', subtype: 'channel_join', text: '<@U2> has joined' },
      {
        user: 'U2',
        ts: '1709542800.000200',
        text: 'Hello',
        reactions: [{ name: 'wave', users: ['U1', 'U4'], count: 5 }],
      },
      { bot_id: 'B5', ts: '1709542801.000200', subtype: 'bot_message', text: 'by its account' },
      { bot_id: 'B9', username: 'hook', ts: '1709542802.000200', subtype: 'bot_message', attachments: [{}] },
      { user: 'U99', ts: '1709542803.000200', text: 'by a stranger' },
      { ts: '1709542804.000200', subtype: 'channel_archive', user: 'U1' },
      { ts: '1709542805.000200', subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.' },
      { ts: '1709542806.000200', user: 'U1', text: '', subtype: 'something_new' },
      { ts: '1709542807.000200', user: 'U1', subtype: 'huddle_thread' },
    ],
  })
  t.match(checked, {
    source: 'Slack',
    people: { people: 4, bots: 2, deactivated: 1, guests: 1, here: 1, without_address: ['Bob'], unlisted: 2 },
    channels: { public: 3, private: 1, archived: 1 },
    conversations: 2,
    custom_emoji: 2,
    messages: {
      source: 11,
      kept: 7,
      dropped: { join: 1, archive: 1, tombstone: 1, 'nothing to show': 1 },
      faulty: 0,
      replies: 1,
      first: new Date('2024-03-04T09:00:00.000Z'),
      last: new Date('2024-03-05T10:01:00.000Z'),
    },
    reactions: 2,
    faults: [],
  })
  t.equal(checked.channels.renamed.length, 3)
  t.match(checked.channels.renamed, [
    /^general: a channel here has this name/,
    /^OLD: the archive has another channel of this name$/,
    /^x{80}: it is too long$/,
  ])
})

t.test('the check says where the files are', async t => {
  const at = (address: string) => ({
    id: `F${address}`,
    mode: 'hosted',
    size: 10,
    url_private: `https://slack.example/${address}`,
  })
  const message = (files: unknown) => ({ user: 'U1', ts: '1709542800.000100', files })
  const { files } = await check({
    'users.json': people,
    '__uploads/F1/report.pdf': 'bytes',
    'general/2024-03-04.json': [
      message([{ id: 'F1', size: 5 }, at('2'), at('3')]),
      message([{ id: 'F4', mode: 'external', url_private: 'https://docs.example' }]),
      message([{ id: 'F5', mode: 'tombstone' }, { id: 'F6', mode: 'hidden_by_limit' }, { id: 'F7' }, 'F8', null]),
      message([{ ...at('9'), file_access: 'access_denied' }]),
      message('F10'),
      { user: 'U1', ts: '1709542801.000100', subtype: 'file_comment', file: at('11') },
    ],
  })
  t.same(files, {
    in_archive: 1,
    to_download: 3,
    links: 1,
    lost: {
      'deleted at the source': 1,
      'hidden by the plan of the source': 1,
      'without an address': 1,
      'not readable for the author of the archive': 1,
    },
    bytes: 35,
  })
})

t.test('a fault is named with its place, and ends nothing', async t => {
  const checked = await check({
    'users.json': '[{"id":"U1","name":"a\\u0000b\\ud800"},{"name":"no id"},{"id":"U1"},17,{"id":NaN}]',
    'channels.json': '{"ok":false}',
    'groups.json': [general],
    'dms.json': [[], null],
    'emoji.json': 'login page',
    'general/2024-03-04.json': [
      { ts: 'abc', user: 'U1', text: 'a time that is no number' },
      { user: 'U1', text: 'without a time' },
      { ts: '9'.repeat(400), user: 'U1', text: 'a number of 400 digits' },
      { ts: 1709542800, user: 'U1', text: 'a number in place of a text' },
      'a text',
      null,
      [],
      { ts: '1709542800.1', user: { id: 1 }, text: ['x'], blocks: 'y', reactions: { name: 1 }, files: {} },
      {},
    ],
    'general/2024-03-05.json': '[{"ts":"1709632800.1","user":"U1","text":"whole"},{"ts":"17096',
    'general/2024-99-99.json': [{ ts: 'abc', user: 'U1', text: 'in a day that does not exist' }],
  })
  t.match(checked.messages, { source: 12, kept: 6, faulty: 4, dropped: { 'nothing to show': 2 } })
  const { source, kept, faulty, dropped } = checked.messages
  t.equal(source, kept + faulty + Object.values(dropped).reduce((sum, count) => sum + count, 0), 'the sum adds up')
  const faults = new Map(checked.faults.map(({ kind, first }) => [kind, first]))
  t.same(faults.get('records that are no messages'), [
    'general/2024-03-04.json #5: it is no object',
    'general/2024-03-04.json #6: it is no object',
    'general/2024-03-04.json #7: it is no object',
    'general/2024-03-05.json #2: the file ends here, in the middle of the list',
  ])
  t.match(faults.get('messages without a time'), [
    'general/2024-03-04.json #1: time "abc" is no number; kept after the one before',
    'general/2024-03-04.json #2: time of nothing is no number; kept after the one before',
    /^general\/2024-03-04\.json #3: time "9{59} is no number/,
    'general/2024-03-04.json #9: time of nothing is no number; kept after the one before',
    'general/2024-99-99.json #1: time "abc" is no number; kept after the one before',
  ])
  t.same(faults.get('people who are listed twice'), ['users.json #3: U1: the last entry counts'])
  t.same(faults.get('people without an id'), ['users.json #2: the entry is left out'])
  t.same(faults.get('entries of lists that are not readable'), [
    'users.json #4: it is no object',
    'users.json #5: it is no JSON',
    'channels.json #1: it is no list',
    'dms.json #1: it is no object',
    'dms.json #2: it is no object',
    'emoji.json: it is no JSON',
  ])
})

t.test('the workspaces of a Grid are read together', async t => {
  const checked = await check({
    'org_users.json': people,
    'channels.json': [{ id: 'C1', name: 'all' }],
    'all/2024-03-04.json': [{ user: 'U1', ts: '1709542800.000100', text: 'for all' }],
    'teams/one/channels.json': [{ id: 'C2', name: 'team one' }],
    'teams/one/team one/2024-03-04.json': [{ user: 'U2', ts: '1709542800.000100', text: 'of one' }],
  })
  t.match(checked, { channels: { public: 2 }, messages: { source: 2, kept: 2 }, people: { unlisted: 0 } })
})

t.test('an archive of another kind is refused with what it has', async t => {
  await t.rejects(check({ 'a/readme.txt': 'x', 'b.txt': 'y' }), {
    message:
      'The archive is of no known server: it has neither users.json nor import.jsonl nor realm.json, nor files of DiscordChatExporter. It has: a/readme.txt, b.txt.',
  })
  await t.rejects(check({}), { message: /It has: nothing\.$/ })
})
