import { setOrganization } from '../../support/organization.js'
import type { TestServer } from '../../support/server.js'
import type { Cast } from './cast.js'

/** The year 2100, in UNIX seconds. */
const distant = 4_102_444_800

/** A conversation in the channel `design`, and the events of a client that listens. */
export async function showMessages({ ada, ben, cleo }: Cast, design: number, { sql }: TestServer): Promise<void> {
  const { queue_id } = await ben.ok('POST', '/register', {
    event_types: ['message', 'reaction'],
    fetch_event_types: ['message', 'starred_messages'],
    apply_markdown: true,
    client_gravatar: true,
  })
  const { id } = await ada.ok('POST', '/messages', {
    type: 'channel',
    to: design,
    topic: 'colors',
    content: 'Which **blue** do we take?',
  })
  await ben.ok('GET', '/events', { queue_id, last_event_id: -1 })
  await ben.ok('DELETE', '/events', { queue_id })

  await ben.ok('POST', '/messages', { type: 'channel', to: design, topic: 'colors', content: 'The dark one.' })
  await ben.ok('POST', '/messages', { type: 'channel', to: design, topic: 'fonts', content: 'And which font?' })
  await cleo.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'thumbs_up' })
  await ada.ok('PATCH', `/messages/${id}`, { content: 'Which **blue** do we take for the page?' })
  await ben.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  const narrow = [
    { operator: 'channel', operand: design },
    { operator: 'topic', operand: 'colors' },
  ]
  const colors = { anchor: 'newest', num_before: 10, num_after: 0, narrow }
  await ben.ok('GET', '/messages', colors)
  await ben.ok('POST', '/messages/flags/narrow', { ...colors, op: 'add', flag: 'read' })
  await ben.ok('GET', `/messages/${id}`)
  await ben.ok('GET', `/messages/${id}/history`)
  await ada.ok('GET', `/messages/${id}/read_receipts`)
  await ben.ok('GET', '/messages/matches_narrow', { msg_ids: [id], narrow: [{ operator: 'search', operand: 'blue' }] })
  await ben.ok('GET', '/messages/search_summary', {
    narrow: [{ operator: 'search', operand: 'blue' }],
    num_relevant: 10,
  })
  await ben.ok('POST', '/messages/render', { content: 'A *list*:\n\n- one\n- two' })
  await ben.ok('POST', '/typing', { type: 'direct', op: 'start', to: [ada.id] })
  await ada.ok('POST', `/messages/${id}/typing`, { op: 'start' })
  await setOrganization(sql, { moderation_request_channel_id: design })
  await ben.ok('POST', `/messages/${id}/report`, { report_type: 'spam', description: 'It is sent every day.' })
  await cleo.ok('DELETE', `/messages/${id}/reactions`, { emoji_name: 'thumbs_up' })

  const streamed = await ada.ok('POST', '/messages', {
    type: 'channel',
    to: design,
    topic: 'answers',
    content: 'The answer ',
    streamed: true,
  })
  await ada.ok('POST', `/messages/${streamed.id}/text`, { position: 11, text: 'is blue.' })
  await ben.ok('GET', `/messages/${streamed.id}/text`)
  await ada.ok('POST', `/messages/${streamed.id}/end`)
  await ada.ok('DELETE', `/messages/${streamed.id}`)

  const poll = await ada.ok('POST', '/messages', {
    type: 'channel',
    to: design,
    topic: 'lunch',
    content: '/poll Lunch?\nsoup\nbread',
  })
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  await ben.ok('POST', '/submessage', { message_id: poll.id, msg_type: 'widget', content: vote })
  await ada.ok('DELETE', `/messages/${poll.id}`)
}

export async function showDrafts({ ben }: Cast, design: number): Promise<void> {
  const draft = {
    type: 'stream',
    to: [design],
    topic: 'colors',
    content: 'What about green?',
    timestamp: 1_767_225_600,
  }
  const { ids } = await ben.ok('POST', '/drafts', { drafts: [draft] })
  await ben.ok('PATCH', `/drafts/${ids[0]}`, { draft: { ...draft, content: 'What about a dark green?' } })
  await ben.ok('GET', '/drafts')
  await ben.ok('DELETE', `/drafts/${ids[0]}`)
}

export async function showScheduled({ ben }: Cast, design: number): Promise<void> {
  const { scheduled_message_id: id } = await ben.ok('POST', '/scheduled_messages', {
    type: 'channel',
    to: design,
    topic: 'colors',
    content: 'Have you decided?',
    scheduled_delivery_timestamp: distant,
  })
  await ben.ok('PATCH', `/scheduled_messages/${id}`, { scheduled_delivery_timestamp: distant + 3600 })
  await ben.ok('GET', '/scheduled_messages')
  await ben.ok('DELETE', `/scheduled_messages/${id}`)
  const message = await ben.ok('POST', '/messages', {
    type: 'channel',
    to: design,
    topic: 'colors',
    content: 'On Monday.',
  })
  const params = { message_id: message.id, scheduled_delivery_timestamp: distant, note: 'Order the paint.' }
  const { reminder_id } = await ben.ok('POST', '/reminders', params)
  await ben.ok('GET', '/reminders')
  await ben.ok('DELETE', `/reminders/${reminder_id}`)
}

export async function showFiles({ ben, picture }: Cast): Promise<void> {
  const { url } = await ben.sendFile('/user_uploads', { name: 'map.png', type: 'image/png', bytes: picture })
  await ben.ok('GET', url)
  await ben.ok('GET', url.replace('/user_uploads', '/thumbnail/status'))
  const { attachments } = await ben.ok('GET', '/attachments')
  await ben.ok('DELETE', `/attachments/${attachments[0].id}`)
}
