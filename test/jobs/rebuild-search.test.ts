// After an upgrade a job makes the words of messages again; searches find them before, during and after it.
import t from 'tap'
import { rebuildSearch } from '../../server/actions/messages/rebuild-search.js'
import type { Tx } from '../../server/store/driver/db.js'
import { readRebuild } from '../../server/store/messages/search-rebuild.js'
import { channelOf, people, say } from '../api/messages/scene.js'
import { upload } from '../support/files.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
// Each test decides when the words are made.
await server.jobs.stop()
const { ctx, sql } = server
const [reader] = await people(server, 1)
const owner = await server.person({ role: 100 })
const channel = await channelOf([reader])
const found = async (text: string) => {
  const params = { anchor: 'newest', num_before: 100, narrow: [['search', text]] }
  return (await reader.ok('GET', '/messages', params)).messages.map(({ id }: { id: number }) => id)
}
const running = new AbortController().signal
/** How many messages wait for their words. */
const marked = async () => {
  const rows = await sql`select from messages where search @@ '#before'::tsquery`
  return rows.length
}
/** The database, with more happening around each transaction. */
const around = (more: (store: () => Promise<unknown>) => Promise<unknown>): typeof sql =>
  new Proxy(sql, {
    get: (target, name) =>
      name === 'begin'
        ? (work: (tx: Tx) => Promise<unknown>) => more(() => target.begin(work))
        : Reflect.get(target, name),
  })

t.test('searches use what 0.1.0 stored until the job is done; a run that ends early is continued', async t => {
  const ids: number[] = []
  for (const text of ['walking far', '我家在上海东边。', '"quoted" PROJ-4711'])
    ids.push(await say(reader, channel.id, text))
  for (let i = 0; i < 250; i++) ids.push(await say(reader, channel.id, `number ${i}`))
  await sql`
    update messages set search = to_tsvector('english', topic || ' ' || content) || search_marks(id, has_link, has_image, has_attachment)`
  await sql`update search_rebuild set next_id = 0, last_id = (select max(id) from messages), languages = null`
  const recent = await say(reader, channel.id, 'walked here, 上海')
  t.same(await found('walks'), [ids[0], recent], 'old and new words by their stems')
  t.same(await found('"walking far"'), [ids[0]])
  t.same(await found('4711'), [])
  t.same(await found('上海'), [recent])
  const ended = new AbortController()
  const ending = around(async store => {
    const stored = await store()
    ended.abort()
    return stored
  })
  const run = rebuildSearch({ ...ctx, sql: ending }, ended.signal)
  await t.rejects(run, { name: 'AbortError' })
  const [state] = await sql<{ next_id: number }[]>`select next_id from search_rebuild`
  t.ok((state?.next_id ?? 0) > (ids[0] as number) && (state?.next_id ?? 0) <= (ids.at(-1) as number))
  t.notOk((await readRebuild(sql)).is_rebuilt)
  await rebuildSearch(ctx, running)
  t.same(await found('4711'), [ids[2]])
  t.same(await found('上海'), [ids[1], recent])
  t.same((await found('number')).length, 100)
  t.same(await found('"walking far"'), [ids[0]])
})

t.test('what an older worker stores or changes is found at once, and gets its words within a run', async t => {
  const id = await say(reader, channel.id, 'a hedgehog')
  await sql`update messages set content = 'two porcupines', rendered_content = '<p>two porcupines</p>' where id = ${id}`
  await sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    values (${reader.id}, ${channel.id}, 'zoo', 'a porcupine in 東京タワー', '<p>a porcupine in 東京タワー</p>', 1)`
  t.equal((await found('porcupine')).length, 2)
  t.same(await found('hedgehog'), [])
  t.same(await found('タワー'), [])
  await rebuildSearch(ctx, running)
  t.equal((await found('porcupine')).length, 2)
  t.equal((await found('タワー')).length, 1)
  t.equal(await marked(), 0)
})

const languages = (search_languages: string) => owner.ok('PATCH', '/realm', { search_languages })

t.test(
  'other languages: old messages keep their stems until they have the new ones, which new messages have at once',
  async t => {
    const old = await say(reader, channel.id, 'il mangeait, the horses were jumping')
    t.same([await found('jumped'), await found('manger')], [[old], []])
    await languages('fr')
    const recent = await say(reader, channel.id, 'elle mangeait')
    t.same(await found('jumped'), [old], 'by the stem of before')
    t.same(await found('manger'), [recent], 'by the stem of now, which the old message has not')
    await languages('fr,es')
    t.same(await found('jumped'), [old], 'also after another change')
    await rebuildSearch(ctx, running)
    t.same([await found('jumped'), await found('jumping')], [[], [old]], 'English forms are found no more')
    t.same(await found('manger'), [old, recent])
    t.match(await readRebuild(sql), { is_rebuilt: true, languages: [] })
    const page = { anchor: 'newest', num_before: 1, narrow: [['search', 'manger']] }
    const { messages } = await reader.ok('GET', '/messages', page)
    t.match(messages, [{ match_content: '<p>elle <span class="highlight">mangeait</span></p>' }])
  },
)

t.test('a change of the languages while the words are made: all are made again, in the newest ones', async t => {
  const id = await say(reader, channel.id, 'the gardeners were digging')
  await languages('it')
  let changes = 0
  const changing = around(async store => {
    if (changes++ === 0) await languages('en')
    return await store()
  })
  await rebuildSearch({ ...ctx, sql: changing }, running)
  t.same(await found('digs'), [id])
  t.match(await readRebuild(sql), { is_rebuilt: true, languages: [] })
  await languages('none')
  await rebuildSearch(ctx, running)
  t.same([await found('digs'), await found('digging')], [[], [id]])
  await languages('de,en')
  await rebuildSearch(ctx, running)
  t.same(await found('digs'), [id])
})

t.test('what changes while its words are made, but not its words, gets them, too', async t => {
  const id = await say(reader, channel.id, 'untouched hedgerows')
  await sql`update messages set search = ts_delete(search, 'hedgerow') || '#before'::tsvector where id = ${id}`
  let changes = 0
  const changing = around(async store => {
    if (changes++ === 0) await sql`update messages set read_by_all = true where id = ${id}`
    return await store()
  })
  await rebuildSearch({ ...ctx, sql: changing }, running)
  t.equal(changes, 2)
  const [row] = await sql`select search @@ 'hedgerow'::tsquery as has_stem from messages where id = ${id}`
  t.same(row, { has_stem: true })
  t.equal(await marked(), 0)
})

t.test('an edit, a move of a topic and a new picture keep the words right', async t => {
  const id = await say(reader, channel.id, 'first words', 'old place')
  const other = await say(reader, channel.id, 'more words here', 'old place')
  await reader.ok('PATCH', `/messages/${id}`, { content: 'second words' })
  t.same(await found('first'), [])
  t.same(await found('second'), [id])
  await reader.ok('PATCH', `/messages/${id}`, { topic: 'renamed 上海', propagate_mode: 'change_all' })
  t.same(await found('"old place"'), [])
  t.same(await found('"renamed 上海"'), [id, other])
  t.same(await found('"words here"'), [other])
  await reader.ok('PATCH', `/messages/${id}`, { content: 'third', topic: 'last corner', propagate_mode: 'change_all' })
  t.same(await found('corner'), [id, other])
  t.same(await found('third'), [id])
  const [left] = await sql<
    { count: number }[]
  >`select count(*)::int as count from messages where search @@ '#before'::tsquery`
  t.equal(left?.count, 0, 'all by the worker itself')
})

t.test('a message that changes while its words are made keeps the new ones', async t => {
  const id = await say(reader, channel.id, 'before')
  await sql`update messages set content = 'between', rendered_content = '<p>between</p>' where id = ${id}`
  const changing = around(async store => {
    await reader.ok('PATCH', `/messages/${id}`, { content: 'afterwards' })
    return await store()
  })
  await rebuildSearch({ ...ctx, sql: changing }, running)
  t.same(await found('afterwards'), [id])
  t.same(await found('between'), [])
})

t.test(
  'options that people add to a poll are found, and still after an edit; votes and acts on forms are no words',
  async t => {
    const id = await say(reader, channel.id, '/poll Lunch?\nsoup')
    const act = (content: unknown, message_id = id) =>
      reader.ok('POST', '/submessage', { message_id, msg_type: 'widget', content: JSON.stringify(content) })
    await act({ type: 'new_option', option: 'Pumpernickel', idx: 1 })
    await act({ type: 'question', question: 'Brunch in Wien?' })
    t.same(await found('soup'), [id], 'what it had is found at once')
    await rebuildSearch(ctx, running)
    for (const word of ['pumpernickel', 'brunch', 'soup']) t.same(await found(word), [id], word)
    await act({ type: 'vote', key: 'canned,0', vote: 1 })
    t.equal(await marked(), 0, 'a vote makes no work')
    for (const word of ['vote', 'canned', 'type']) t.same(await found(word), [], word)
    const tasks = await say(reader, channel.id, '/todo Garden')
    await act({ type: 'new_task', key: 1, task: 'mow', desc: 'the hillside', completed: false }, tasks)
    await rebuildSearch(ctx, running)
    t.same(await found('hillside'), [tasks])
    await reader.ok('PATCH', `/messages/${tasks}`, { topic: 'outside' })
    t.same(await found('mow'), [tasks], 'after a move')
  },
)

t.test(
  'small files of text are found by their words and names where the message may be read, and no longer once they are removed',
  async t => {
    const [other] = await people(server, 1)
    const hidden = await channelOf([reader], { invite_only: true })
    const file = (name: string, bytes: Buffer) =>
      upload(server.url, reader, { name, type: 'application/octet-stream', bytes: Uint8Array.from(bytes) })
    const notes = await file('plan-aardvark.TXT', Buffer.from('the narwhal sings in Łódź'))
    const id = await say(reader, hidden.id, `see [the plan](${notes})`)
    t.same(await found('aardvark'), [id], 'the name at once')
    t.same(await found('narwhal'), [])
    await rebuildSearch(ctx, running)
    for (const words of ['narwhal', '"narwhal sings"', 'lodz', 'plan']) t.same(await found(words), [id], words)
    const page = { anchor: 'newest', num_before: 9, narrow: [['search', 'narwhal']] }
    t.same((await other.ok('GET', '/messages', page)).messages, [])
    await reader.ok('PATCH', `/messages/${id}`, { content: `look at [it](${notes})` })
    await rebuildSearch(ctx, running)
    t.same(await found('narwhal look'), [id], 'after an edit')
    const none = [
      await file('picture.bin', Buffer.from('the narwhal2')),
      await file('large.txt', Buffer.from(`${'x '.repeat(60_000)} narwhal2`)),
      await file('utf16.txt', Buffer.from('narwhal2', 'utf16le')),
      await file('latin.txt', Buffer.from('narwhal2 Größe', 'latin1')),
      await file('empty.txt', Buffer.from(' ')),
    ]
    const many = await say(reader, hidden.id, none.map(url => `[file](${url})`).join(' '))
    const long = await file('long.csv', Buffer.from(`first ${'word '.repeat(12_000)} narwhal2`))
    const cut = await say(reader, hidden.id, `[file](${long})`)
    await rebuildSearch(ctx, running)
    t.same(await found('narwhal2'), [])
    t.same(await found('first word'), [cut])
    t.ok((await found('utf16')).includes(many))
    const { attachments } = await reader.ok('GET', '/attachments')
    const idOf = (url: string) => attachments.find((one: { path_id: string }) => url.endsWith(one.path_id)).id
    await reader.ok('DELETE', `/attachments/${idOf(notes)}`)
    await ctx.storage.remove([long.replace('/user_uploads/', '')])
    await sql`update messages set search = search || '#before' where id = ${cut}`
    await rebuildSearch(ctx, running)
    t.same(await found('narwhal'), [], 'the file is removed')
    t.same(await found('look'), [id])
    t.same(await found('first word'), [], 'its bytes are gone')
    t.equal(await marked(), 0)
  },
)
