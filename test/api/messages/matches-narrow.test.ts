import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, type Loose, people, refused, say } from './scene.js'

const server = await startServer(t)
const path = '/messages/matches_narrow'

t.test('the messages of a narrow are named, with the matches of a search', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const [walk, talk] = [
    await say(reader, channel.id, 'Walking & more', 'the <walk>'),
    await say(reader, channel.id, 'Talking'),
  ]
  const msg_ids = [walk, talk, walk]
  const ask = async (narrow: unknown, params = {}) =>
    (await reader.ok('GET', path, { msg_ids, narrow, ...params })).messages
  t.same(await ask([['topic', 'talk']]), { [talk]: {} })
  t.same(await ask([]), { [walk]: {}, [talk]: {} })
  t.same(await ask([{ operator: 'search', operand: 'walked', negated: true }]), { [talk]: {} })
  const match = await ask([['search', 'walked']])
  t.same(Object.keys(match), [`${walk}`])
  t.match(match[walk].match_content, '<span class="highlight">Walking</span> &amp; more')
  t.equal(match[walk].match_subject, 'the &lt;<span class="highlight">walk</span>&gt;')
})

t.test('the empty topic has its display name unless the client knows it; a direct message has none', async t => {
  const [reader] = await people(server, 1)
  const channel = await channelOf([reader])
  const [empty, direct] = [await say(reader, channel.id, 'a word', ''), await say(reader, [reader], 'a word')]
  const ask = async (params = {}) =>
    (await reader.ok('GET', path, { msg_ids: [empty, direct], narrow: [['search', 'word']], ...params })).messages
  t.match(await ask(), { [empty]: { match_subject: 'general chat' }, [direct]: { match_subject: '' } })
  t.match(await ask({ allow_empty_topic_name: true }), { [empty]: { match_subject: '' } })
})

t.test('what the caller may not see matches nothing', async t => {
  const [author, stranger] = await people(server, 2)
  const channel = await channelOf([author], { invite_only: true })
  const msg_ids = [await say(author, channel.id, 'secret'), await say(author, [author], 'secret'), 2 ** 40, -1]
  for (const narrow of [[], [['search', 'secret']], [{ operator: 'sender', operand: author.id }]]) {
    t.same((await stranger.ok('GET', path, { msg_ids, narrow })).messages, {})
  }
  t.same((await author.ok('GET', path, { msg_ids: [], narrow: [] })).messages, {})
})

t.test('refused: a missing or malformed list, an unknown operator, an unknown user, a spectator', async t => {
  const [reader] = await people(server, 1)
  const good = { msg_ids: [1], narrow: [] }
  const refusals: [Loose, string][] = [
    [{ narrow: [] }, 'REQUEST_VARIABLE_MISSING'],
    [{ msg_ids: [1] }, 'REQUEST_VARIABLE_MISSING'],
    [{ ...good, msg_ids: ['one'] }, 'BAD_REQUEST'],
    [{ ...good, msg_ids: 1 }, 'BAD_REQUEST'],
    [{ ...good, msg_ids: Array.from({ length: 5001 }, (_, id) => id) }, 'BAD_REQUEST'],
    [{ ...good, narrow: 'all' }, 'BAD_REQUEST'],
    [{ ...good, narrow: [['colour', 'red']] }, 'BAD_NARROW'],
    [{ ...good, narrow: [{ operator: 'sender', operand: 2 ** 30 }] }, 'BAD_NARROW'],
    [{ ...good, allow_empty_topic_name: 'maybe' }, 'BAD_REQUEST'],
  ]
  for (const [params, code] of refusals) {
    t.match(await reader.get(path, params), refused(code), JSON.stringify(params).slice(0, 60))
  }
  t.equal((await server.api(null).get(path, good)).status, 401)
})

t.test('refused: matches that are too long for one answer', async t => {
  const [reader] = await people(server, 1)
  const ids: number[] = []
  for (let i = 0; i < 3; i++) ids.push(await say(reader, [reader], `word ${i}`))
  await server.sql`update messages set rendered_content = repeat('word ', 400000) where id = any(${ids}::bigint[])`
  const params = { msg_ids: ids, narrow: [['search', 'word']] }
  t.match(await reader.get(path, params), refused())
})
