// After an upgrade a job makes the words of messages again; searches find them before, during and after it.
import t from 'tap'
import { rebuildSearch } from '../../server/actions/messages/rebuild-search.js'
import type { Tx } from '../../server/store/driver/db.js'
import { isSearchRebuilt } from '../../server/store/messages/search-rebuild.js'
import { channelOf, people, say } from '../api/messages/scene.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
// Each test decides when the words are made.
await server.jobs.stop()
const { ctx, sql } = server
const [reader] = await people(server, 1)
const channel = await channelOf([reader])
const found = async (text: string) => {
  const params = { anchor: 'newest', num_before: 100, narrow: [['search', text]] }
  return (await reader.ok('GET', '/messages', params)).messages.map(({ id }: { id: number }) => id)
}
const running = new AbortController().signal
/** The database, with more happening around each transaction. */
const around = (more: (store: () => Promise<unknown>) => Promise<void>): typeof sql =>
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
  await sql`update search_rebuild set next_id = 0, last_id = (select max(id) from messages)`
  const recent = await say(reader, channel.id, 'walked here, 上海')
  t.same(await found('walks'), [ids[0], recent], 'old and new words by their stems')
  t.same(await found('"walking far"'), [ids[0]])
  t.same(await found('4711'), [])
  t.same(await found('上海'), [recent])
  const ended = new AbortController()
  const ending = around(async store => {
    await store()
    ended.abort()
  })
  const run = rebuildSearch({ ...ctx, sql: ending }, ended.signal)
  await t.rejects(run, { name: 'AbortError' })
  const [state] = await sql<{ next_id: number }[]>`select next_id from search_rebuild`
  t.ok((state?.next_id ?? 0) > (ids[0] as number) && (state?.next_id ?? 0) <= (ids.at(-1) as number))
  t.notOk(await isSearchRebuilt(sql))
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
  const [left] = await sql<
    { count: number }[]
  >`select count(*)::int as count from messages where search @@ '#before'::tsquery`
  t.equal(left?.count, 0)
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
    await store()
  })
  await rebuildSearch({ ...ctx, sql: changing }, running)
  t.same(await found('afterwards'), [id])
  t.same(await found('between'), [])
})
