// Messages that grow: pieces, their positions, the end, and what readers see of each.
import t from 'tap'
import { limits } from '../../../shared/limits.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { allCapabilities } from '../../support/in-step.js'
import { channelOf, each, kinds, Listener, type Loose, people, refused, say, setChannel } from './scene.js'

const server = await startServer(t)
const { ctx } = server

const types = ['message', 'update_message', 'streamed_message', 'update_message_flags', 'default_streams']

const modern = (person: Person, params: Loose = {}) =>
  Listener.start(ctx, person, { event_types: types, client_capabilities: allCapabilities, ...params })
const older = (person: Person) => modern(person, { client_capabilities: {} })

/** Begins a message; returns its id. */
async function begin(who: Person, to: number, content: string, topic = 'answers'): Promise<number> {
  return (await who.ok('POST', '/messages', { type: 'channel', to, topic, content, streamed: true })).id
}

const append = (who: Person, id: number, position: number, text: string) =>
  who.post(`/messages/${id}/text`, { position, text })
const end = (who: Person, id: number) => who.post(`/messages/${id}/end`)
const contentOf = async (who: Person, id: number): Promise<string> =>
  (await who.ok('GET', `/messages/${id}`)).raw_content

t.test('a message grows by pieces, and is then a message like any other', async t => {
  const [author, reader] = await people(server, 2)
  const channel = await channelOf([author, reader])
  const [ears, old] = [await modern(reader), await older(reader)]
  const id = await begin(author, channel.id, 'The **ans')
  t.match(await append(author, id, 9, 'wer** is '), { status: 200, body: { length: 18 } })
  t.match(await append(author, id, 18, '42 \u{1f600}'), { status: 200, body: { length: 22 } })
  t.match(await reader.ok('GET', `/messages/${id}/text`), {
    text: 'The **answer** is 42 \u{1f600}',
    length: 22,
    is_growing: true,
  })
  t.equal((await end(author, id)).status, 200)
  const events = await ears.events(t)
  t.same(
    events.filter(one => one.type !== 'update_message' || one.content === 'The **answer** is 42 \u{1f600}').map(kinds),
    kindsOf('message', 'streamed_message/start', 'streamed_message/append', 'streamed_message/append', 'update_message', 'streamed_message/end'),
  )
  t.match(
    events.filter(one => one.type === 'streamed_message'),
    [
      { message_id: id, text: 'The **ans' },
      { message_id: id, position: 9, text: 'wer** is ' },
      { message_id: id, position: 18, text: '42 \u{1f600}' },
      { message_id: id, reason: 'finished', user_id: author.id },
    ],
  )
  const last = events.findLast(one => one.type === 'update_message')
  t.match(last, { rendering_only: true, user_id: null, rendered_content: /<strong>answer<\/strong> is 42/ })
  t.same((await old.events(t)).filter(one => one.type === 'streamed_message'), [])
  const { message } = await reader.ok('GET', `/messages/${id}`)
  t.notOk('last_edit_timestamp' in message)
  t.match(await reader.ok('GET', `/messages/${id}/history`), { message_history: { length: 1 } })
  t.match(await reader.ok('GET', `/messages/${id}/text`), { length: 22, is_growing: false })
})

const kindsOf = (...all: string[]) => all
