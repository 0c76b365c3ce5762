// A chat of two clients that refuse fields which the announced feature level does not have, and null where the protocol has none.
import t from 'tap'
import { setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { answers } from './answers.js'
import { nullsIn, withNull, withSurplus } from './changed.js'
import { StrictClient } from './client.js'
import type { Decoded } from './decoder.js'
import { nullable } from './nullable.js'

const server = await startServer(t)
await setOrganization(server.sql, { enable_read_receipts: true })
const owner = await server.person({ full_name: 'Olga Owner', role: 100 })
const member = await server.person({ full_name: 'Mia Member' })
const [olga, mia] = [owner, member].map(who => new StrictClient(server.url, who)) as [StrictClient, StrictClient]
const capabilities = {
  bulk_message_deletion: true,
  user_settings_object: true,
  stream_typing_notifications: true,
  linkifier_url_template: true,
  empty_topic_name: true,
  notification_settings_null: true,
  simplified_presence_events: true,
  archived_channels: true,
  include_deactivated_groups: true,
  individual_emoji_changes: true,
}
const registration = { client_capabilities: capabilities, include_subscribers: 'true', client_gravatar: false }

t.test('a chat with all that clients do', async t => {
  for (const client of [olga, mia]) {
    await client.ask('GET /server_settings')
    await client.register(registration)
  }
  const stream_id = await channels()
  await messages(stream_id)
  await people()
  await personalLists()
  await organization()
  await olga.ask('POST /users/me/status', { status_text: 'the end' })
  for (const client of [olga, mia]) {
    const events = await client.read(event => event.type === 'user_status' && event.status_text === 'the end')
    t.ok(events.length > 40, `${events.length} events`)
    await client.register(registration)
    await client.ask('DELETE /events', { queue_id: client.queueId })
  }
  const asked = new Set([...olga.decoded, ...mia.decoded].map(({ what }) => what))
  t.same(
    Object.keys(answers).filter(operation => !asked.has(operation)),
    [],
    'each operation that the clients know was called',
  )
})

t.test('each object of these answers and events is refused with a field more', t => {
  t.same(accepted(withSurplus, 250), [])
  t.end()
})

t.test('null is refused but for the values that may be null', t => {
  const seen = [...olga.decoded, ...mia.decoded].flatMap(({ what, body }) =>
    nullsIn(body).map(place => `${what} ${place}`),
  )
  t.same([...new Set([...accepted(withNull, 1000), ...seen])].sort(), Object.values(nullable).flat().sort())
  t.end()
})

t.test('a field, a value and an event of a later feature level are refused', t => {
  const one = (what: string) => [...olga.decoded, ...mia.decoded].find(decoded => decoded.what === what) as Decoded
  const subscriptions = one('GET /users/me/subscriptions')
  const [first, ...others] = subscriptions.body.subscriptions
  const later = { ...subscriptions.body, subscriptions: [{ ...first, default_push_notifications: false }, ...others] }
  t.match(subscriptions.problems(later), [/default_push_notifications/])
  const sent = one('POST /messages')
  t.match(sent.problems({ ...sent.body, message_url: 'x' }), [/message_url/])
  const event = one('event message')
  t.match(event.problems({ ...event.body, type: 'message_sent' }), [/there is no event/])
  t.end()
})

/** The kinds of places where a changed body is taken all the same, of more than `least`. */
function accepted(changed: typeof withNull, least: number): string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  for (const { what, body, problems } of [...olga.decoded, ...mia.decoded]) {
    for (const { place, body: other } of changed(body)) {
      const name = `${what} ${place}`
      if (seen.has(name)) continue
      seen.add(name)
      if (problems(other).length === 0) found.add(name)
    }
  }
  t.ok(seen.size > least, `${seen.size} places`)
  return [...found].sort()
}

async function channels(): Promise<number> {
  const subscriptions = [{ name: 'plans', description: 'what *comes*' }]
  await olga.ask('POST /users/me/subscriptions', { subscriptions, principals: [owner.id, member.id] })
  const { stream_id } = await olga.ask('GET /get_stream_id', { stream: 'plans' })
  const { channel_folder_id } = await olga.ask('POST /channel_folders/create', { name: 'work', description: 'x' })
  await olga.ask('PATCH /streams/{stream_id}', { stream_id, description: 'new', folder_id: channel_folder_id })
  const subscription_data = [{ stream_id, property: 'color', value: '#c2c2c2' }]
  await mia.ask('POST /users/me/subscriptions/properties', { subscription_data })
  await mia.ask('POST /users/me/subscriptions', { subscriptions: [{ name: 'short-lived' }] })
  await mia.ask('DELETE /users/me/subscriptions', { subscriptions: ['short-lived'] })
  for (const operation of ['GET /streams', 'GET /users/me/subscriptions', 'GET /channel_folders'])
    await mia.ask(operation)
  for (const operation of ['GET /streams/{stream_id}', 'GET /streams/{stream_id}/members'])
    await mia.ask(operation, { stream_id })
  return stream_id
}

async function messages(stream_id: number): Promise<void> {
  const { url } = await olga.upload('notes.txt', 'some notes')
  const say = async (content: string, topic = 'launch') =>
    (await olga.ask('POST /messages', { type: 'channel', to: stream_id, topic, content })).id
  const first = await say(`@**${'Mia Member'}** @**all** see [notes](${url})`)
  const poll = await say('/poll Lunch?\n- soup', 'lunch')
  const gone = await say('gone soon', 'other')
  await mia.ask('POST /messages', { type: 'direct', to: [owner.id], content: 'to you alone' })
  await mia.ask('POST /typing', { type: 'direct', op: 'start', to: [owner.id] })
  await mia.ask('POST /typing', { type: 'stream', op: 'start', stream_id, topic: 'launch' })
  await mia.ask('POST /messages/{message_id}/reactions', { message_id: first, emoji_name: 'tada' })
  await olga.ask('POST /messages/{message_id}/reactions', { message_id: first, emoji_name: 'eyes' })
  await olga.ask('DELETE /messages/{message_id}/reactions', { message_id: first, emoji_name: 'eyes' })
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  await mia.ask('POST /submessage', { message_id: poll, msg_type: 'widget', content: vote })
  await olga.ask('POST /messages/{message_id}/typing', { message_id: first, op: 'start' })
  await olga.ask('PATCH /messages/{message_id}', {
    message_id: first,
    content: 'edited #**plans>lunch**',
    topic: 'landing',
  })
  await olga.ask('DELETE /messages/{message_id}', { message_id: gone })
  await mia.ask('POST /messages/flags', { op: 'add', flag: 'starred', messages: [first] })
  await mia.ask('POST /messages/flags', { op: 'add', flag: 'read', messages: [first] })
  await mia.ask('POST /messages/flags', { op: 'remove', flag: 'read', messages: [first] })
  const narrow = [{ operator: 'channel', operand: stream_id }]
  const page = { anchor: 'oldest', num_before: 0, num_after: 50, narrow }
  await mia.ask('POST /messages/flags/narrow', { ...page, op: 'add', flag: 'read' })
  await mia.ask('GET /messages', page)
  await mia.ask('GET /messages', { ...page, narrow: [{ operator: 'search', operand: 'lunch' }] })
  await mia.ask('GET /messages', { ...page, narrow: [{ operator: 'is', operand: 'dm' }] })
  await mia.ask('GET /messages/{message_id}', { message_id: first })
  await mia.ask('GET /messages/{message_id}/history', { message_id: first })
  await olga.ask('GET /messages/{message_id}/read_receipts', { message_id: first })
  await mia.ask('POST /messages/render', { content: '**bold**' })
  await mia.ask('GET /users/me/{stream_id}/topics', { stream_id })
  await mia.ask('POST /user_topics', { stream_id, topic: 'lunch', visibility_policy: 1 })
  await mia.ask('POST /user_topics', { stream_id, topic: 'lunch', visibility_policy: 3 })
  await olga.ask('POST /streams/{stream_id}/delete_topic', { stream_id, topic_name: 'lunch' })
  await olga.ask('GET /attachments')
}

async function people(): Promise<void> {
  await olga.ask('GET /users')
  await olga.ask('GET /users', { include_custom_profile_fields: true })
  await mia.ask('GET /users/{user_id}', { user_id: owner.id, include_custom_profile_fields: true })
  await mia.ask('POST /users/me/presence', { status: 'active', new_user_input: true, last_update_id: -1 })
  await olga.ask('POST /users/me/presence', { status: 'idle', ping_only: true })
  await mia.ask('GET /users/{user_id}/presence', { user_id: owner.id })
  await mia.ask('GET /realm/presence')
  await mia.ask('POST /users/me/status', { status_text: 'busy', emoji_name: 'car' })
  await mia.ask('GET /users/{user_id}/status', { user_id: member.id })
  await olga.ask('POST /users/me/muted_users/{muted_user_id}', { muted_user_id: member.id })
  await olga.ask('DELETE /users/me/muted_users/{muted_user_id}', { muted_user_id: member.id })
  await mia.ask('PATCH /settings', {
    twenty_four_hour_time: true,
    full_name: 'Mia M. Member',
    timezone: 'Europe/Vienna',
  })
  const created = await olga.ask('POST /user_groups/create', { name: 'crew', description: 'x', members: [owner.id] })
  const user_group_id = created.group_id
  await olga.ask('POST /user_groups/{user_group_id}/members', { user_group_id, add: [member.id] })
  await olga.ask('PATCH /user_groups/{user_group_id}', { user_group_id, description: 'y' })
  await mia.ask('GET /user_groups')
  await mia.ask('GET /user_groups/{user_group_id}/members', { user_group_id })
  await olga.ask('POST /user_groups/{user_group_id}/deactivate', { user_group_id })
}

async function personalLists(): Promise<void> {
  const draft = { type: 'private', to: [owner.id], topic: '', content: 'not yet', timestamp: 1_700_000_000 }
  const { ids } = await mia.ask('POST /drafts', { drafts: [draft] })
  await mia.ask('PATCH /drafts/{draft_id}', { draft_id: ids[0], draft: { ...draft, content: 'soon' } })
  await mia.ask('GET /drafts')
  await mia.ask('DELETE /drafts/{draft_id}', { draft_id: ids[0] })
  const { saved_snippet_id } = await mia.ask('POST /saved_snippets', { title: 'hi', content: 'hello' })
  await mia.ask('PATCH /saved_snippets/{saved_snippet_id}', { saved_snippet_id, title: 'ho' })
  await mia.ask('GET /saved_snippets')
  await mia.ask('DELETE /saved_snippets/{saved_snippet_id}', { saved_snippet_id })
  await mia.ask('POST /users/me/alert_words', { alert_words: ['launch', 'lunch'] })
  await mia.ask('DELETE /users/me/alert_words', { alert_words: ['lunch'] })
  await mia.ask('GET /users/me/alert_words')
  await mia.ask('POST /navigation_views', { fragment: 'narrow/has/link', is_pinned: true, name: 'links' })
  await mia.ask('GET /navigation_views')
  await mia.ask('DELETE /navigation_views/{fragment}', { fragment: 'narrow/has/link' })
}

async function organization(): Promise<void> {
  const { id } = await olga.ask('POST /realm/filters', {
    pattern: '#(?P<id>\\d+)',
    url_template: 'https://x.example/{id}',
  })
  await mia.ask('GET /realm/linkifiers')
  await olga.ask('DELETE /realm/filters/{filter_id}', { filter_id: id })
  const field = await olga.ask('POST /realm/profile_fields', { field_type: 1, name: 'Town', hint: 'where' })
  await mia.ask('PATCH /users/me/profile_data', { data: [{ id: field.id, value: 'Linz' }] })
  await mia.ask('GET /realm/profile_fields')
  await mia.ask('GET /users/{user_id}', { user_id: member.id, include_custom_profile_fields: true })
  await mia.ask('GET /realm/emoji')
}
