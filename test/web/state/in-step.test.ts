import t from 'tap'
import { eventTypes } from '../../../server/web/state/apply-event.js'
import { capabilities, fetchTypes, stateFrom } from '../../../server/web/state/from-register.js'
import { startServer } from '../../support/server.js'
import { play } from './state.js'

t.test('the state begins with what the server tells, and goes on with its events', async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada' })
  const bob = await server.person({ full_name: 'Bob' })
  const admin = await server.person({ role: 200 })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, bob.id],
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const write = (content: string) =>
    bob.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'talk', content })
  await write('before')
  await bob.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'you' })
  const options = { apply_markdown: true, slim_presence: true, client_capabilities: capabilities }
  const register = () =>
    ada.ok('POST', '/register', { ...options, fetch_event_types: fetchTypes, event_types: eventTypes })
  const answer = await register()
  const state = stateFrom(answer)
  t.match(state, { user_id: ada.id, subscriptions: { [channel]: {} }, unread_msgs: { direct: { [bob.id]: [Number] } } })
  t.equal(state.realm_users[bob.id]?.full_name, 'Bob')

  // All actions that change the page's state, one after the other.
  await write('after @**Ada**')
  await bob.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'again' })
  const { id } = await write('to be moved')
  await bob.ok('PATCH', `/messages/${id}`, { topic: 'elsewhere' })
  await bob.ok('DELETE', `/messages/${(await write('to be deleted')).id}`).catch(() => undefined)
  await ada.ok('POST', '/user_topics', { stream_id: channel, topic: 'talk', visibility_policy: 1 })
  await bob.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'second' }],
    principals: [ada.id, bob.id],
    send_new_subscription_messages: false,
  })
  await ada.ok('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel, property: 'pin_to_top', value: true }],
  })
  for (const name of ['Teams', 'Projects']) await admin.ok('POST', '/channel_folders/create', { name, description: '' })
  const { channel_folders } = await admin.ok('GET', '/channel_folders')
  const [teams, projects] = channel_folders.map((folder: { id: number }) => folder.id)
  await admin.ok('PATCH', `/channel_folders/${teams}`, { name: 'All teams' })
  await admin.ok('PATCH', '/channel_folders', { order: [projects, teams] })
  await bob.ok('PATCH', '/settings', { full_name: 'Robert' })
  for (const name of ['readers', 'writers'])
    await bob.ok('POST', '/user_groups/create', { name, description: '', members: [bob.id] })
  const { user_groups } = await bob.ok('GET', '/user_groups')
  const [readers, writers] = ['readers', 'writers'].map(
    name => user_groups.find((group: { name: string }) => group.name === name).id,
  )
  await bob.ok('POST', `/user_groups/${readers}/members`, { add: [ada.id], delete: [bob.id] })
  await bob.ok('POST', `/user_groups/${readers}/subgroups`, { add: [writers] })
  await bob.ok('PATCH', `/user_groups/${writers}`, { description: 'of all texts' })
  await ada.ok('PATCH', '/users/me/sidebar', { sections: ['direct'], collapsed: ['pinned'], unread_only: true })
  const late = await register()
  const { events } = await ada.ok('GET', '/events', { queue_id: answer.queue_id, last_event_id: -1, dont_block: true })
  play(state, ...events)
  const fresh = stateFrom(late)
  t.same(state.realm_users, fresh.realm_users)
  // Deleting the newest message does not lower the id that the page has seen.
  t.ok(state.max_message_id >= fresh.max_message_id)
  for (const part of [
    'subscriptions',
    'channel_folders',
    'sidebar',
    'realm_user_groups',
    'unsubscribed',
    'never_subscribed',
    'user_topics',
    'unread_msgs',
    'recent_private_conversations',
    'starred_messages',
  ] as const) {
    t.same(state[part], fresh[part], part)
  }
})
