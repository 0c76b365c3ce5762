import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { retryFiles } from '../../server/transfer/retry-files.js'
import { runImport } from '../../server/transfer/run.js'
import { UnusableArchive } from '../../server/transfer/source.js'
import { downloadDue } from '../../server/transfer/writer/downloads.js'
import { until } from '../http/until.js'
import { type ArchiveFiles, writeArchive } from '../support/archive.js'
import { onlyThisMachine, otherHost, thisMachine, toOtherHosts } from '../support/external.js'
import type { Loose } from '../support/in-step.js'
import { setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-files-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const never = new AbortController().signal
const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const page = '<!DOCTYPE html><html><body>Sign in</body></html>'

let busy = 2
let openGate = () => {}
const gate = new Promise<void>(resolve => {
  openGate = resolve
})
const answer =
  (status: number, headers: Record<string, string | number> = {}, body?: string | Buffer) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(body)
const answers: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => unknown>> = {
  '/shot': answer(200, { 'content-type': 'image/png' }, picture),
  '/notes': answer(200, { 'content-type': 'text/plain' }, 'the secret word is xylophone'),
  '/gone': answer(404, { 'content-type': 'text/html' }, page),
  '/refused': answer(403),
  '/moved': answer(302, { location: '/shot' }),
  '/login': answer(302, { location: 'http://login.example/' }),
  '/page': answer(200, { 'content-type': 'text/html' }, page),
  '/disguised': answer(200, { 'content-type': 'application/pdf' }, page),
  '/large': answer(200, { 'content-length': 30_000_000_000 }),
  '/busy': response =>
    busy-- > 0
      ? answer(429, { 'retry-after': 1 })(response)
      : answer(200, { 'content-type': 'text/plain' }, 'at last')(response),
  '/always-busy': answer(429, { 'retry-after': '600' }),
  '/broken': response => {
    response.writeHead(200, { 'content-length': 5000 })
    response.write('x'.repeat(1000), () => response.destroy())
  },
  '/token': (response, { url }) =>
    url?.includes('t=good')
      ? answer(200, { 'content-type': 'text/plain' }, 'by the token')(response)
      : answer(302, { location: 'http://login.example/' })(response),
  '/gated': async response => {
    await gate
    answer(200, { 'content-type': 'image/png' }, picture)(response)
  },
  '/endless': response => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  },
}
const host = await otherHost(t, (request, response) => {
  const path = new URL(request.url ?? '/', 'http://x').pathname
  return (answers[path] ?? answer(404))(response, request)
})
const external = toOtherHosts(
  {},
  async name => (name === 'private.example' ? ['10.0.0.1'] : thisMachine(name)),
  onlyThisMachine,
)
const { ctx, sql, person } = await startServer(t, { MAX_FILE_UPLOAD_MIB: '1' }, undefined, external)
const alice = await person({ role: 100, email: 'alice@acme.example' })

let written = 0
const imported = async (files: ArchiveFiles, messages: readonly object[]) => {
  const file = await writeArchive(folder, `${++written}.zip`, {
    'users.json': [
      { id: 'U1', real_name: 'Alice', profile: { email: 'alice@acme.example' } },
      { id: 'U2', real_name: 'Gone' },
    ],
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'general/2024-03-04.json': messages,
    ...files,
  })
  return {
    file,
    row: await runImport(ctx, file, { outOfOrder: true, fileHosts: ['pictures.example', 'private.example'] }),
  }
}
let time = 1_709_542_800
const message = (text: string, files: readonly object[], more: object = {}) => ({
  user: 'U2',
  ts: `${++time}.000100`,
  text,
  files,
  ...more,
})
const at = (name: string, path: string, more: object = {}) => ({
  id: `F${++written}`,
  name,
  url_private: host.at(path),
  ...more,
})
const contents = async (like: string) =>
  (await sql<{ content: string }[]>`select content from messages where content like ${`${like}%`} order by id`).map(
    row => row.content.replace(/\(\/user_uploads\/[^)]+\)/g, '(here)').slice(like.length + 1),
  )
const reasons = async (importId: number) =>
  Object.fromEntries(
    (
      await sql<{ name: string; state: string; why: string | null }[]>`
      select name, state, why from import_files where import_id = ${importId} order by id`
    ).map(row => [row.name, row.why ?? row.state]),
  )
/** Downloads what is due, as the worker does every 15 seconds, until nothing is due any more and no download is under way, whose claim has half an hour. */
const downloaded = (importId: number) =>
  until(async () => {
    await downloadDue(ctx, never)
    const waiting = await sql`
      select from import_files where import_id = ${importId}
        and (due < now() + interval '10 seconds' or due between now() + interval '20 minutes' and now() + interval '40 minutes')`
    return waiting.length === 0
  })

t.test('files in the archive are there when the import ends', async t => {
  const { row } = await imported(
    {
      '__uploads/FA/shot.png': picture,
      '__uploads/FB/bomb.txt': 'x'.repeat(2_000_000),
      '__uploads/FC/[a] *b*.txt': 'zither',
    },
    [
      message('Archived', [
        { id: 'FA', name: 'shot.png' },
        { id: 'FB', name: 'bomb.txt' },
        { id: 'FC', name: '[a] *b*.txt' },
      ]),
      message('_(shot.png: not here yet.)_', [{ id: 'FA', name: 'shot.png' }]),
    ],
  )
  t.equal(row.state, 'finished')
  t.same(await contents('Archived'), [
    '[shot.png](here)\n*(bomb.txt: larger than 1 MiB, which files may have here.)*\n[a   b .txt](here)',
  ])
  t.match(
    await contents('*(shot.png: not here yet.)*'),
    ['[shot.png](here)'],
    'a text that says the same as a line for a file stays',
  )
  const { messages } = await alice.ok('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 5, narrow: [] })
  const shown = messages.find(({ content }: Loose) => content.includes('Archived'))
  t.match(shown.content, /<a [^>]*href="\/user_uploads\/1\//)
  t.notOk(shown.last_edit_timestamp, 'it has no mark of an edit')
  const address = /href="(\/user_uploads\/[^"]+shot\.png)"/.exec(shown.content)?.[1] ?? ''
  const { url } = await alice.ok('GET', address)
  t.match(url, /^\//, 'who reads the message reads its files')
  t.match(await sql`select has_attachment, has_image from messages where content like 'Archived%'`, [
    { has_attachment: true },
  ])
  t.same(
    (
      await sql<{ sender: boolean }[]>`
      select user_id = (select id from users where full_name = 'Gone') as sender from attachments`
    ).map(one => one.sender),
    [true, true, true],
    'they belong to the sender, who is deactivated',
  )
})

t.test('others are downloaded, and the message says why one is missing', async t => {
  const { row } = await imported({}, [
    message('Downloads', [
      at('shot.png', '/shot'),
      at('moved.png', '/moved'),
      at('notes.txt', '/notes'),
      at('gone.txt', '/gone'),
      at('refused.txt', '/refused'),
      at('login.txt', '/login'),
      at('page.png', '/page'),
      at('disguised.pdf', '/disguised'),
      at('large.bin', '/large'),
      at('endless.bin', '/endless'),
      at('busy.txt', '/busy'),
      { id: 'FX', name: 'elsewhere.txt', url_private: host.at('/notes', 'elsewhere.example') },
      { id: 'FY', name: 'no address', url_private: 'file:///etc/passwd' },
    ]),
  ])
  t.equal(row.state, 'finished', 'nobody waits for downloads')
  await downloaded(row.id)
  const signIn = 'the source asks for a sign-in: the link has expired, or its token was revoked'
  const large = 'larger than 1 MiB, which files may have here'
  const expected = {
    'shot.png': 'stored',
    'moved.png': 'stored',
    'notes.txt': 'stored',
    'gone.txt': 'the source no longer has this file',
    'refused.txt': signIn,
    'login.txt': signIn,
    'page.png': signIn,
    'disguised.pdf': signIn,
    'large.bin': large,
    'endless.bin': large,
    'busy.txt': 'stored',
    'elsewhere.txt': 'elsewhere.example is no host of the source',
    'no address': 'its address is none of the Web',
  }
  t.same(await reasons(row.id), expected)
  t.same(await contents('Downloads'), [
    Object.entries(expected)
      .map(([name, why]) => (why === 'stored' ? `[${name}](here)` : `*(${name}: ${why}.)*`))
      .join('\n'),
  ])
  t.equal(host.asked.filter(one => one.includes('/busy')).length, 3)
  t.notOk(host.asked.some(one => one.includes('passwd')))
  const found = async () =>
    (
      await alice.ok('GET', '/messages', {
        narrow: [{ operator: 'search', operand: 'xylophone' }],
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
      })
    ).messages.length
  await until(async () => (await found()) === 1)
  // Thumbnails are announced while the worker makes them; what a refused file has left would stay for a day.
  await until(async () => (await sql`select from loose_files where remove_after > now()`).length === 0)
})

t.test('custom emoji, pictures of people, and permalinks of Slack', async t => {
  const [emojiAt, login] = [host.at('/shot'), host.at('/login')]
  const first = message('Linked', [])
  const { row } = await imported(
    {
      'users.json': [
        {
          id: 'U1',
          real_name: 'Alice',
          profile: { email: 'alice@acme.example', is_custom_image: true, image_original: emojiAt },
        },
        { id: 'U2', real_name: 'Gone', is_admin: true, profile: { avatar_hash: 'g123', image_512: emojiAt } },
        { id: 'U3', real_name: 'New', profile: { avatar_hash: 'a123', image_512: emojiAt } },
        { id: 'U4', real_name: 'Broken', profile: { avatar_hash: 'a123', image_512: login } },
      ],
      'emoji.json': {
        ok: true,
        emoji: {
          PartyParrot: emojiAt,
          parrot: 'alias:PartyParrot',
          missing: login,
          shipit: 'alias:rocket',
          '***': emojiAt,
        },
      },
    },
    [
      { ...first, reactions: ['parrot', 'missing', 'shipit'].map(name => ({ name, users: ['U1'] })) },
      message(
        `Permalink <https://acme.slack.com/archives/C1/p${first.ts.replace('.', '')}|there> :PartyParrot: <https://acme.slack.com/archives/C9/p${first.ts.replace('.', '')}>`,
        [],
      ),
    ],
  )
  t.match(
    (await sql<{ name: string }[]>`select name from custom_emoji order by id`).map(one => one.name),
    ['partyparrot', 'parrot'],
  )
  t.match(
    await sql`
    select emoji_name, reaction_type from reactions join messages on messages.id = message_id where content like 'Linked%' order by 1`,
    [
      { emoji_name: 'partyparrot', reaction_type: 'realm_emoji' },
      { emoji_name: 'rocket', reaction_type: 'unicode_emoji' },
    ],
  )
  t.match(row.faults, [
    { kind: 'custom emoji without a picture', first: [/^:missing:: the source asks/] },
    { count: 1 },
  ])
  const [{ id }] = (await sql`select id from messages where content like 'Linked%'`) as unknown as [{ id: number }]
  const [text] = await contents('Permalink')
  t.match(text, `[there](/#narrow/near/${id}) :partyparrot: https://acme.slack.com/archives/C9/`)
  await downloaded(row.id)
  t.match(await sql`select full_name from users where avatar_path is not null`, [{ full_name: 'New' }])
  t.match(await sql`select person, state from import_files where import_id = ${row.id} order by person`, [
    { person: 'U3', state: 'stored' },
    { person: 'U4', state: 'lost' },
  ])
})

t.test('a copy of a reply in the main topic has the file, too', async t => {
  const root = message('Copied', [])
  const { row } = await imported({}, [
    { ...root, thread_ts: root.ts },
    message('Reply', [at('shot.png', '/shot')], { thread_ts: root.ts, subtype: 'thread_broadcast' }),
  ])
  await downloaded(row.id)
  const [reply, copy] = await contents('Reply')
  t.equal(reply, '[shot.png](here)')
  t.match(copy, /^\[shot\.png\]\(here\)\n\n\(#\*\*general/)
  t.equal(
    (await sql`select from attachment_uses join attachments on attachments.id = attachment_id where name = 'shot.png'`)
      .length,
    5,
  )
})

t.test('a host that fails is asked three times, a busy one later, and one at a private address never', async t => {
  const { row } = await imported({}, [
    message('Again', [
      at('broken.bin', '/broken'),
      { id: 'FZ', name: 'private.txt', url_private: 'http://private.example/x' },
    ]),
  ])
  for (let attempt = 1; attempt <= 3; attempt++) {
    await sql`update import_files set due = now() where due is not null and import_id = ${row.id}`
    await downloaded(row.id)
    const left = await sql`select from import_files where state = 'waiting' and import_id = ${row.id}`
    t.equal(left.length, attempt < 3 ? 2 : 0, `attempt ${attempt}`)
  }
  t.same(await reasons(row.id), {
    'broken.bin': 'the source did not answer, or broke off',
    'private.txt': 'the source did not answer, or broke off',
  })
  const always = await imported({}, [message('Busy', [at('a.txt', '/always-busy'), at('b.txt', '/notes')])])
  await downloaded(always.row.id)
  t.match(await reasons(always.row.id), { 'a.txt': 'waiting' })
  const due = await sql<{ seconds: number }[]>`
    select extract(epoch from due - now())::int as seconds from import_files where import_id = ${always.row.id} and state = 'waiting'`
  t.ok(
    due.every(({ seconds }) => seconds > 400),
    'all its files wait',
  )
  await sql`update imports set finished = now() - interval '4 days' where id = ${always.row.id}`
  await sql`update import_files set due = now() where import_id = ${always.row.id} and state = 'waiting'`
  await downloaded(always.row.id)
  t.match(await reasons(always.row.id), { 'a.txt': 'the source has been busy for days' })
})

t.test('lost files are tried once more, with a token or with the archive', async t => {
  const { row, file } = await imported(
    { '__uploads/FD/d.txt': 'zither', '__uploads/FE/large.txt': randomBytes(1_100_000) },
    [message('Retried', [at('t.txt', '/token'), { id: 'FE', name: 'large.txt' }, { id: 'FD', name: 'd.txt' }])],
  )
  await downloaded(row.id)
  t.match(await contents('Retried'), [
    /^\*\(t\.txt: the source asks for a sign-in.*\n\*\(large\.txt: larger than 1 MiB.*\n\[d\.txt\]/,
  ])
  const retry = (archive: string | null, token: string | null) =>
    retryFiles(ctx, row, { archive, token, signal: never })
  await retry(null, 'wrong')
  t.match(await reasons(row.id), { 't.txt': /sign-in/ }, 'a wrong token')
  await t.rejects(retry(await writeArchive(folder, 'other.zip', { 'users.json': [] }), null), new UnusableArchive())
  await retry(file, 'good')
  t.match(await reasons(row.id), { 't.txt': 'stored', 'large.txt': /larger/, 'd.txt': 'stored' })
  t.match(await contents('Retried'), [/^\[t\.txt\]\(here\)\n\*\(large\.txt: .*\n\[d\.txt\]\(here\)$/])
  t.notOk(
    (await sql<{ address: string }[]>`select address from import_files where address like '%good%'`).length,
    'a token is not kept',
  )
})

t.test('a message that was changed during the download, and a full organization, get no file', async t => {
  const { row } = await imported({}, [
    message('Changed', [at('shot.png', '/gated')]),
    message('Deleted', [at('notes.txt', '/gated')]),
  ])
  const before = await sql`select from attachments`
  const running = downloadDue(ctx, never)
  await until(() => host.asked.filter(one => one.includes('/gated')).length === 2)
  await sql`update messages set content = 'Changed by hand' where content like 'Changed%'`
  await sql`delete from messages where content like 'Deleted%'`
  openGate()
  await running
  await downloaded(row.id)
  t.same(await reasons(row.id), {
    'shot.png': 'its message was changed or deleted',
    'notes.txt': 'its message was changed or deleted',
  })
  t.equal((await sql`select from attachments`).length, before.length)
  await setOrganization(sql, { upload_quota_mib: 0 })
  await ctx.directory.fresh()
  const full = await imported({ '__uploads/FQ/q.txt': 'zither' }, [
    message('Full', [at('shot.png', '/shot'), { id: 'FQ', name: 'q.txt' }]),
  ])
  await downloaded(full.row.id)
  const why = 'the space for files is used up'
  t.same(await contents('Full'), [`*(shot.png: ${why}.)*\n*(q.txt: ${why}.)*`])
  await setOrganization(sql, { upload_quota_mib: null })
  await ctx.directory.fresh()
  await retryFiles(ctx, full.row, { archive: full.file, token: null, signal: never })
  t.same(await contents('Full'), ['[shot.png](here)\n[q.txt](here)'], 'another attempt')
})

t.test('an import that was interrupted at a file goes on with the others', async t => {
  const file = await writeArchive(folder, 'interrupted.zip', {
    'users.json': [{ id: 'U1', real_name: 'Alice', profile: { email: 'alice@acme.example' } }],
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'general/2024-03-04.json': [
      message('Interrupted', [
        { id: 'F1', name: '1.txt' },
        { id: 'F2', name: '2.txt' },
      ]),
    ],
    '__uploads/F1/1.txt': 'one',
    '__uploads/F2/2.txt': 'two',
  })
  const options = { outOfOrder: true }
  let writes = 0
  const write = (key: string, source: AsyncIterable<Uint8Array>) => {
    if (++writes === 2) throw new Error('the machine stops')
    return ctx.storage.write(key, source)
  }
  const storage = new Proxy(ctx.storage, {
    get: (of, name) =>
      name === 'write' ? write : (Reflect.get(of, name, of) as (...args: unknown[]) => unknown).bind(of),
  })
  await t.rejects(runImport({ ...ctx, storage }, file, options), /the machine stops/)
  t.same(await contents('Interrupted'), ['[1.txt](here)\n*(2.txt: not here yet.)*'])
  t.match(await runImport(ctx, file, options), { state: 'finished' })
  t.same(await contents('Interrupted'), ['[1.txt](here)\n[2.txt](here)'])
  t.equal((await sql`select from attachments where name = '1.txt'`).length, 1, 'each is stored once')
})
