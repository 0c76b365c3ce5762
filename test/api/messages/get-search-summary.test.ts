import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, type Loose, people, refused, say } from './scene.js'

const server = await startServer(t)
const path = '/messages/search_summary'

t.test('the messages of a narrow are counted, up to 1,000', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const id = await say(reader, channel.id, 'a walk')
  await say(reader, channel.id, 'a talk')
  const count = (narrow: unknown) => reader.ok('GET', path, { narrow })
  t.match(await count([['search', 'walk']]), { count: 1, has_more: false, relevant: [] })
  t.match(await count([['channel', channel.name]]), { count: 2, has_more: false })
  t.match(await count([['search', '???']]), { count: 0, has_more: false })
  const copies = (many: number) => server.sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version, search)
    select sender_id, channel_id, topic, content, rendered_content, renderer_version, search
    from messages, generate_series(1, ${many}) where messages.id = ${id}`
  await copies(999)
  t.match(await count([['search', 'walk']]), { count: 1000, has_more: false })
  await copies(1)
  t.match(await count([['search', 'walk']]), { count: 1000, has_more: true })
})

t.test('the most relevant messages come first: the words near to each other, as written, in the topic', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const far = await say(reader, channel.id, `boiler ${'and so on '.repeat(40)} valve`)
  const near = await say(reader, channel.id, 'the boiler valve leaks')
  const topic = await say(reader, channel.id, 'closed again', 'boiler valve')
  const other = await say(reader, channel.id, 'boilers have valves')
  const best = async (words: string, num_relevant: number) =>
    (await reader.ok('GET', path, { narrow: [['search', words]], num_relevant })).relevant
  t.same(await best('boiler valve', 100), [topic, near, other, far])
  t.same(await best('boiler valve', 2), [topic, near])
  t.same(await best('-boiler', 1), [], 'nothing to rank among none')
  const signs = [await say(reader, channel.id, 'a -> b'), await say(reader, channel.id, 'b -> c')]
  t.same(await best('->', 5), signs.reverse(), 'without words the newest come first')
})

t.test('a search without messages is offered with near words, as they are written', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  await say(reader, channel.id, 'Die Kündigung kam zum lunch, mit Bread.', 'Frist & Größe')
  const meant = async (words: string, further: readonly unknown[] = []) =>
    (await reader.ok('GET', path, { narrow: [['search', words], ...further] })).meant
  t.equal(await meant('kündigug'), 'Kündigung')
  t.equal(await meant('lunhc  braed'), 'lunch  Bread')
  t.equal(await meant('grözse'), 'Größe', 'a word of the topic')
  t.equal(await meant('lunhc "mit bread"'), 'lunch "mit bread"')
  for (const words of ['lunch', '"lunhc"', 'lunhc -bread', 'lunhc elephant', 'xyzzyx', '4711', '東京', 'lu', '???'])
    t.equal(await meant(words), undefined, words)
  t.equal(await meant('lunhc', [['channel', channel.name]]), 'lunch')
  t.equal(await meant('lunhc', [['is', 'starred']]), undefined)
  t.equal(await meant('lunhc', [['search', 'braed']]), undefined, 'of two searches')
})

t.test('what the caller may not see is neither counted nor offered', async t => {
  const [author, stranger] = await people(server, 2)
  const channel = await channelOf([author], { invite_only: true })
  await say(author, channel.id, 'the secret falconry')
  for (const words of ['falconry', 'falconyr']) {
    const narrow = [['search', words]]
    t.strictSame(await stranger.ok('GET', path, { narrow, num_relevant: 10 }).then(facts), { count: 0, relevant: [] })
    t.match(await author.ok('GET', path, { narrow }), words === 'falconry' ? { count: 1 } : { meant: 'falconry' })
  }
})

const facts = ({ count, relevant, meant }: Loose) => ({ count, relevant, ...(meant !== undefined && { meant }) })

t.test('refused: no narrow, a malformed one, and a wrong number', async t => {
  const [reader] = await people(server, 1)
  const refusals: [Loose, string][] = [
    [{}, 'REQUEST_VARIABLE_MISSING'],
    [{ narrow: 'all' }, 'BAD_REQUEST'],
    [{ narrow: [['colour', 'red']] }, 'BAD_NARROW'],
    [{ narrow: [['search', ' ']] }, 'BAD_NARROW'],
    [{ narrow: [['search', 'x'.repeat(1001)]] }, 'BAD_NARROW'],
    [{ narrow: [['channel', 'no such channel']] }, 'BAD_NARROW'],
    [{ narrow: [], num_relevant: -1 }, 'BAD_REQUEST'],
    [{ narrow: [], num_relevant: 101 }, 'BAD_REQUEST'],
    [{ narrow: [], num_relevant: 'all' }, 'BAD_REQUEST'],
  ]
  for (const [params, code] of refusals)
    t.match(await reader.get(path, params), refused(code), JSON.stringify(params).slice(0, 60))
  t.equal((await server.api(null).get(path, { narrow: [] })).status, 401)
})
