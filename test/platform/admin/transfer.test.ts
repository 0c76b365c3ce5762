import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { quiet } from '../../../server/admin/progress.js'
import { importOrganization } from '../../../server/admin/transfer/import.js'
import { linesOf } from '../../../server/admin/transfer/lines-of.js'
import { projectRoot } from '../../../server/config/paths.js'
import { columnsOf } from '../../../server/store/transfer/line-type.js'
import { leftOut, lineTypes } from '../../../server/store/transfer/line-types.js'
import { uploadEmoji } from '../../api/emoji/scene.js'
import { upload } from '../../support/files.js'
import { Api } from '../../support/http.js'
import type { Loose } from '../../support/in-step.js'
import { startServer, testOrganization } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-export-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const file = (name: string) => join(folder, name)
const linesIn = async (name: string) => (await readFile(file(name), 'utf8')).split('\n')

const everything = {
  include_subscribers: 'true',
  client_capabilities: { archived_channels: true, empty_topic_name: true, include_deactivated_groups: true },
}

t.test('what was exported is imported elsewhere, exported the same, and answers the same', async t => {
  const first = await startServer(t)
  const seeded = await runAdmin(first.organization, 'seed --users 60 --channels 12 --messages 1500 --json'.split(' '))
  t.equal(seeded.code, 0, seeded.stderr)
  const accounts: Loose[] = JSON.parse(seeded.stdout).accounts
  const owner = new Api(first.url, accounts[0] as never)
  await addTheRest(first, owner, accounts)

  const written = await runAdmin(first.organization, ['export', '--with-secrets', file('first.jsonl'), '--json'])
  t.equal(written.code, 0, written.stderr)
  t.equal(written.stderr, '', 'no bar where nobody looks')
  const counts = JSON.parse(written.stdout).lines
  t.equal((await stat(file('first.jsonl'))).mode & 0o777, 0o600, 'nobody else reads it')
  const empty = lineTypes.filter(({ line }) => !counts[line]).map(({ line }) => line)
  t.same(empty, [], 'the organization has something of every kind')
  t.match(counts, { organization: 1, user: 61 })

  const second = await startServer(t)
  const read = await runAdmin(second.organization, ['import', file('first.jsonl'), '--json'])
  t.equal(read.code, 0, read.stderr)
  t.same(JSON.parse(read.stdout).lines, Object.fromEntries(Object.entries(counts).filter(([, n]) => n)))
  await runAdmin(second.organization, ['export', '--with-secrets', file('second.jsonl')])
  const [header, ...lines] = await linesIn('first.jsonl')
  const [otherHeader, ...otherLines] = await linesIn('second.jsonl')
  t.ok(lines.join('\n') === otherLines.join('\n'), 'every line but the first is the same, byte for byte')
  t.same(Object.keys(JSON.parse(header ?? '')), Object.keys(JSON.parse(otherHeader ?? '')))

  for (const account of accounts as never[]) {
    const [was, is] = [new Api(first.url, account), new Api(second.url, account)]
    if ((account as Loose).is_bot) continue
    t.same(await answersOf(is), await answersOf(was), 'the same state, channels, users and messages')
  }
  await newIdsAreNew(t, second, accounts)
})

type Server = Awaited<ReturnType<typeof startServer>>

/** Data that seeding does not create. */
async function addTheRest(server: Server, owner: Api, accounts: readonly Loose[]): Promise<void> {
  const [, , , member] = accounts as [Loose, Loose, Loose, Loose]
  await runAdmin(server.organization, ['profile-field', 'add', '--type', 'pronouns', '--name', 'Pronouns'])
  await owner.ok('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' })
  await uploadEmoji(server.url, accounts[0] as never, 'llama_of_ours')
  await owner.ok('POST', '/channel_folders/create', { name: 'Teams', description: '*all*' })
  await owner.ok('POST', '/drafts', {
    drafts: [{ type: 'private', to: [member.user_id], topic: '', content: 'Not *yet*', timestamp: 1_700_000_000 }],
  })
  await owner.ok('POST', '/scheduled_messages', {
    type: 'direct',
    to: [member.user_id],
    content: 'In the year 2100',
    scheduled_delivery_timestamp: 4_102_444_800,
  })
  await owner.ok('POST', '/users/me/alert_words', { alert_words: ['deploy'] })
  const path = await upload(server.url, accounts[0] as never, { name: 'a.txt', bytes: 'text' })
  await owner.ok('POST', '/messages', { type: 'direct', to: [member.user_id], content: `[file](${path})` })
  await owner.ok('POST', '/users/me/status', { status_text: 'away', emoji_name: 'tada' })
  await owner.ok('POST', `/users/me/muted_users/${member.user_id}`)
  await owner.ok('POST', '/saved_snippets', { title: 'Hello', content: 'Hello *there* “quoted” \\ \u{1f389}' })
  await owner.ok('POST', '/navigation_views', { fragment: 'narrow/is/dm', is_pinned: true, name: 'Mine' })
  await owner.ok('PATCH', '/users/me/sidebar', { sections: ['direct'], pinned_channels: [1] })
  await owner.ok('POST', '/register_client_device', {})
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'moving' }] })
  const { id } = await owner.ok('POST', '/messages', {
    type: 'stream',
    to: 'moving',
    topic: 'a',
    content: 'one\n\n"two"',
  })
  await owner.ok('PATCH', `/messages/${id}`, { content: 'edited', topic: 'b' })
  await owner.ok('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: 4_102_444_800 })
  const gone = await owner.ok('POST', '/messages', {
    type: 'stream',
    to: 'moving',
    topic: 'b',
    content: 'to be deleted',
  })
  await owner.ok('DELETE', `/messages/${gone.id}`)
  const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: 'moving' })
  await owner.ok('POST', '/user_topics', { stream_id, topic: 'b', visibility_policy: 3 })
  await owner.ok('POST', '/default_stream_groups/create', {
    group_name: 'Movers',
    description: '',
    stream_names: ['moving'],
  })
  await owner.ok('PATCH', `/streams/${stream_id}`, {
    can_send_message_group: { new: { direct_members: [member.user_id], direct_subgroups: [] } },
  })
  await owner.ok('POST', '/realm/playgrounds', {
    name: 'Rust',
    pygments_language: 'Rust',
    url_template: 'https://play.example.org/?code={code}',
  })
  await owner.ok('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: true })
  await server.sql`insert into identities (provider, subject, user_id) values ('oidc:company', 'a person', ${member.user_id})`
  await server.sql`
    with of_group as (
      insert into provisioned_groups select id, 'a group' from user_groups where name = 'role:members'
    )
    insert into provisioned_users (user_id, user_name, external_id) values (${member.user_id}, 'movers', 'a person')`
  const bot = accounts.at(-1) as Loose
  await new Api(server.url, bot as never).ok('PUT', '/bot_storage', { storage: { key: 'value' } })
}

async function answersOf(api: Api): Promise<Loose> {
  const state = await api.ok('POST', '/register', everything)
  for (const own of ['queue_id', 'last_event_id', 'realm_uuid', 'server_generation', 'server_timestamp'])
    delete state[own]
  for (const field of Object.keys(state)) if (/_ur[il]$|presence/.test(field)) delete state[field]
  const text = JSON.stringify(state).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://here')
  const { messages } = await api.ok('GET', '/messages', { anchor: 'newest', num_before: 300, num_after: 0 })
  return {
    state: JSON.parse(text),
    messages: JSON.parse(JSON.stringify(messages).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')),
  }
}

async function newIdsAreNew(t: Test, server: Server, accounts: readonly Loose[]): Promise<void> {
  const owner = new Api(server.url, accounts[0] as never)
  const [{ id } = { id: 0 }] = await server.sql<{ id: number }[]>`select max(id) as id from messages`
  const sent = await owner.ok('POST', '/messages', {
    type: 'direct',
    to: [accounts[3]?.user_id],
    content: 'on it goes',
  })
  t.ok(sent.id > id + 1, 'also the id of the message that was deleted last is not given again')
  const made = await runAdmin(
    server.organization,
    'user create --email n@x.example --full-name New --role member --json'.split(' '),
  )
  t.equal(made.code, 0, made.stderr)
}

t.test('an import without secrets creates new API keys, and no password signs in', async t => {
  const source = await testOrganization(t)
  await runAdmin(source, 'user create --email a@x.example --full-name Anna --role owner'.split(' '))
  t.equal((await runAdmin(source, ['export', file('small.jsonl.gz')])).code, 0)
  const text = gunzipSync(await readFile(file('small.jsonl.gz'))).toString()
  t.notMatch(text, /api_key|password_hash/)
  const again = await runAdmin(source, ['export', file('small.jsonl.gz'), '--json'])
  t.match(again, { code: 1, stdout: '', stderr: /"code":"FILE_EXISTS"/ }, 'what is there is not replaced')

  const target = await testOrganization(t)
  const read = await runAdmin(target, ['import', file('small.jsonl.gz')])
  t.match(read, { code: 0, stdout: /^imported 1 user lines, 8 group lines, \d+ subgroup lines\n/ })
  const [user] = await target.sql<Loose[]>`select api_key, password_hash from users`
  const [before] = await source.sql<Loose[]>`select api_key from users`
  t.match(user, { api_key: /^[A-Za-z0-9]{32}$/, password_hash: null })
  t.not(user?.api_key, before?.api_key)
  const full = await runAdmin(target, ['import', file('small.jsonl.gz'), '--json'])
  t.match(JSON.parse(full.stderr), { code: 'NOT_EMPTY', message: /1 accounts/ })
  const toStdout = await runAdmin(target, ['export', '-'])
  t.match(toStdout, {
    code: 0,
    stdout: /^\{"line":"header".*\n[\s\S]*\n\{"line":"end".*\n$/,
    stderr: /^exported 1 user lines/,
  })
  await wrongLines(t, text.trimEnd().split('\n'))
})

/** Each error names its line, and no data of the file remains. */
async function wrongLines(t: Test, right: string[]): Promise<void> {
  const target = await testOrganization(t)
  const at = (kind: string) => right.findIndex(line => line.startsWith(`{"line":"${kind}"`))
  const changed = (kind: string, change: (line: Loose) => unknown) =>
    right.map((line, i) => (i === at(kind) ? JSON.stringify(change(JSON.parse(line))) : line))
  const groups = at('group')
  const cases: Record<string, [lines: string[], complaint: RegExp]> = {
    'no JSON': [right.toSpliced(1, 0, '{'), /^Line 2: it is no JSON object/],
    'no header': [right.slice(1), /^Line 1: /],
    'another format': [changed('header', line => ({ ...line, version: 2 })), /^Line 1: version: /],
    'no end': [right.slice(0, -1), /ends after line \d+ without an end line/],
    'a line that is missing': [right.toSpliced(at('subgroup'), 1), /subgroup lines were written/],
    'more behind the end': [[...right, right[1] ?? ''], /^Line \d+: nothing may stand behind/],
    'an unknown kind': [right.toSpliced(1, 0, '{"line":"cat"}'), /^Line 2: there are no lines of the kind "cat"/],
    'an unknown field': [changed('user', line => ({ ...line, shoe: 44 })), /^Line 3: /],
    'a field of another type': [changed('user', line => ({ ...line, role: 'king' })), /^Line 3: role: /],
    'an order that no export has': [
      right.toSpliced(groups + 1, 0, right[at('user')] ?? ''),
      /a user line may not stand behind a group line/,
    ],
    'what names nobody': [
      changed('group', line => ({ ...line, creator_id: 99 })),
      new RegExp(`^Line ${groups + 1}: .*creator`),
    ],
    'the same twice': [
      right.toSpliced(groups + 1, 0, right[groups] ?? ''),
      new RegExp(`^Line ${groups + 2}: .*duplicate`),
    ],
    'an empty file': [[], /ends after line 0|Line 1/],
  }
  for (const [what, [lines, complaint]] of Object.entries(cases)) {
    await writeFile(file('wrong.jsonl'), lines.map(line => `${line}\n`).join(''))
    const reading = importOrganization(target.sql, linesOf(file('wrong.jsonl')), quiet)
    await t.rejects(reading, { code: 'BAD_LINE', message: complaint }, what)
  }
  const told = await runAdmin(target, ['import', file('wrong.jsonl'), '--json'])
  t.match({ ...told, stderr: JSON.parse(told.stderr) }, { code: 1, stdout: '', stderr: { code: 'BAD_LINE' } })
  const missing = importOrganization(target.sql, linesOf(file('nothing.jsonl')), quiet)
  await t.rejects(missing, { code: 'UNREADABLE', message: /nothing\.jsonl cannot be read from line 1 on/ })
  const [count] = await target.sql<
    Loose[]
  >`select (select count(*) from users)::int as users, (select count(*) from user_groups)::int as groups`
  t.same(count, { users: 0, groups: 8 }, 'nothing of all that is there')
}

t.test('every table and column is exported, or it is said why not', async t => {
  const { sql, schema } = await testOrganization(t)
  const columns = await sql<{ table_name: string; column_name: string }[]>`
    select table_name, column_name from information_schema.columns where table_schema = ${schema}`
  const exported = new Set(lineTypes.flatMap(type => columnsOf(type, true).map(name => `${type.table}.${name}`)))
  const forgotten = columns
    .map(row => [row.table_name, `${row.table_name}.${row.column_name}`] as const)
    .filter(([table, column]) => !exported.has(column) && !leftOut[table] && !leftOut[column])
  t.same([...new Set(forgotten.map(([, column]) => column))], [], 'say so in server/store/transfer/line-types.ts')
})

interface Documented {
  readonly description?: string
  readonly def: { readonly innerType?: Documented }
}

/** The description of the schema, or of the one inside an optional or nullable one. */
const meaningOf = ({ description, def }: Documented): string =>
  description ?? (def.innerType ? meaningOf(def.innerType) : '')

t.test('docs/export-format.md describes every kind of line and every field', async t => {
  const sections = (await readFile(join(projectRoot, 'docs/export-format.md'), 'utf8')).split(/^### /m)
  for (const { line, doc, fields } of lineTypes) {
    const section = sections.find(text => text.startsWith(`\`${line}\``)) ?? ''
    t.ok(section.includes(doc), `${line}: ${doc}`)
    for (const [name, schema] of Object.entries(fields.shape)) {
      if (name !== 'line')
        t.ok(section.includes(`| \`${name}\` | ${meaningOf(schema as Documented)}`), `${line}.${name}`)
    }
  }
})
