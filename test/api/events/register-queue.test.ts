import t from 'tap'
import type { QueueOptions } from '../../../server/realtime/realtime.js'
import { changeDirectory } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { createChannel } from '../users/scene.js'

t.test('the queue has what the client requested, and otherwise the defaults of its account', async t => {
  const server = await startServer(t)
  const { realtime } = server.ctx
  const asked: QueueOptions[] = []
  const register = realtime.register.bind(realtime)
  realtime.register = (options, read) => {
    asked.push(options)
    return register(options, read)
  }
  const person = await server.person()
  const guest = await server.person({ role: 600 })
  const channelId = await createChannel(server.sql, 'Bots Only', [person.id])
  const queueOf = async (who: typeof person, params: Record<string, unknown> = {}) => {
    await who.ok('POST', '/register', { fetch_event_types: [], ...params })
    return asked.at(-1) as QueueOptions
  }

  const plain = await queueOf(person)
  t.match(plain, { userId: person.id, eventTypes: null, narrow: null, allPublicStreams: false, idleSeconds: 600 })
  t.match(plain.view, {
    apply_markdown: false,
    client_gravatar: true,
    slim_presence: false,
    include_subscribers: 'false',
    empty_topic_name: false,
    names_user_topic: false,
  })
  const full = await queueOf(person, {
    apply_markdown: true,
    client_gravatar: false,
    slim_presence: true,
    include_subscribers: true,
    event_types: ['message', 'user_topic'],
    all_public_streams: true,
    narrow: [
      ['stream', 'bots only'],
      ['is', 'unread'],
    ],
    client_capabilities: { empty_topic_name: true, no_such_thing: true },
  })
  t.match(full, { eventTypes: ['message', 'user_topic'], allPublicStreams: true })
  t.same(full.narrow, { channel_ids: [channelId], is: ['unread'] })
  t.match(full.view, {
    apply_markdown: true,
    client_gravatar: false,
    slim_presence: true,
    include_subscribers: 'true',
    empty_topic_name: true,
    bulk_message_deletion: false,
    names_user_topic: true,
  })
  t.notOk('no_such_thing' in full.view)
  t.equal((await queueOf(person, { include_subscribers: 'partial' })).view.include_subscribers, 'partial')
  t.same((await queueOf(person, { event_types: [] })).eventTypes, [])
  t.equal((await queueOf(person, { fetch_event_types: ['message'] })).eventTypes, null, 'fetching narrows no queue')

  const defaults = { default_all_public_streams: true, default_events_register_stream_id: channelId }
  await changeDirectory(server.sql, (tx, version) => tx`update users set ${tx({ ...defaults, version })}`)
  await server.ctx.directory.fresh()
  const byAccount = await queueOf(person)
  t.equal(byAccount.allPublicStreams, true)
  t.same(byAccount.narrow, { channel_ids: [channelId] })
  const despite = await queueOf(person, { all_public_streams: false, narrow: [] })
  t.equal(despite.allPublicStreams, false)
  t.equal(despite.narrow, null)
  t.equal((await queueOf(guest)).allPublicStreams, false, 'never for guests')
})
