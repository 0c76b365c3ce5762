// A request that sets what is set already changes nothing: no event, no new version of the organization, no entry in the audit log.
import t from 'tap'
import { Listener, type Loose } from '../support/in-step.js'
import { setOrganization } from '../support/organization.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const { sql } = server
await setOrganization(sql, { enable_spectator_access: true })
const owner = await server.person({ role: 100 })
const other = await server.person()
const third = await server.person()
const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
await sql`update users set can_change_user_emails = true where id = ${owner.id}`

const made = async (path: string, params: Loose): Promise<Loose> => await owner.ok('POST', path, params)
const channel = (await made('/channels/create', { name: 'unchanged', subscribers: [owner.id, other.id] })).id
await made('/channels/create', { name: 'second', subscribers: [owner.id] })
const group = (await made('/user_groups/create', { name: 'crew', description: 'd', members: [owner.id] })).group_id
const inner = (await made('/user_groups/create', { name: 'inner', description: '', members: [] })).group_id
const message = (await made('/messages', { type: 'channel', to: channel, topic: 'talk', content: 'as *before*' })).id
const mine = (await made('/messages', { type: 'direct', to: [other.id], content: 'to you' })).id
const draft = { type: 'stream', to: [channel], topic: 'talk', content: 'a draft', timestamp: 1_700_000_000 }
const draftId = (await made('/drafts', { drafts: [draft] })).ids[0]
const snippet = (await made('/saved_snippets', { title: 'title', content: 'text' })).saved_snippet_id
await made('/navigation_views', { fragment: 'narrow/topic/talk', is_pinned: true, name: 'mine' })
const folders = [(await made('/channel_folders/create', { name: 'one', description: '' })).channel_folder_id]
folders.push((await made('/channel_folders/create', { name: 'two', description: '' })).channel_folder_id)
const linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example/{id}' }
const filters = [(await made('/realm/filters', linkifier)).id]
filters.push((await made('/realm/filters', { pattern: 'T(?P<id>[0-9]+)', url_template: 'https://t.example/{id}' })).id)
await made('/realm/domains', { domain: 'team.example', allow_subdomains: false })
const fieldOf = async (name: string) => (await made('/realm/profile_fields', { name, field_type: 1 })).id
const fields = [await fieldOf('nick'), await fieldOf('town')]
await made('/default_stream_groups/create', { group_name: 'starters', description: 'd', stream_names: ['second'] })
const { realm_default_stream_groups: starters } = await owner.ok('POST', '/register', {
  fetch_event_types: ['default_stream_groups'],
})
const starter = starters[0].id
const device = (await made('/register_client_device', {})).device_id

/** Requests that are sent twice, the second time without effect. */
const requests: readonly (readonly [method: string, path: string, params: Loose, who?: Person])[] = [
  ['PATCH', `/messages/${message}`, { content: 'as *before*' }],
  ['PATCH', `/messages/${message}`, { content: 'as *before*\n ' }],
  ['PATCH', `/messages/${mine}`, { content: '' }],
  ['POST', '/messages/flags', { messages: [message, mine], op: 'add', flag: 'starred' }],
  ['POST', '/messages/flags', { messages: [message, mine], op: 'remove', flag: 'starred' }],
  ['POST', '/messages/flags', { messages: [message, mine], op: 'remove', flag: 'read' }],
  ['POST', '/mark_all_as_read', {}],
  ['POST', '/mark_stream_as_read', { stream_id: channel }, other],
  ['POST', '/mark_topic_as_read', { stream_id: channel, topic_name: 'talk' }, other],
  [
    'PATCH',
    '/settings',
    { full_name: 'Olga Owner', timezone: 'Europe/Berlin', enter_sends: true, presence_enabled: false },
  ],
  ['PATCH', '/settings', { email_address_visibility: 3 }],
  ['PATCH', '/settings/display', { twenty_four_hour_time: true }],
  ['PATCH', '/settings', { starred_message_counts: false, target_users: { user_ids: [other.id] } }],
  ['PATCH', '/realm/user_settings_defaults', { enter_sends: true, twenty_four_hour_time: true }],
  ['PATCH', `/users/${third.id}`, { full_name: 'Theo Third', role: 300, new_email: 'theo@test.example' }],
  ['PATCH', `/users/${other.id}`, { profile_data: [{ id: fields[0], value: 'otto' }] }],
  ['PATCH', `/users/${bot.id}`, { full_name: 'Botty' }],
  ['PATCH', '/users/me/profile_data', { data: [{ id: fields[0], value: 'olga' }] }],
  ['DELETE', '/users/me/profile_data', { data: [fields[1]] }],
  ['POST', '/users/me/status', { status_text: 'busy', emoji_name: 'car' }],
  ['POST', `/users/${other.id}/status`, { status_text: 'away' }],
  ['POST', '/users/me/alert_words', { alert_words: ['tea', 'Tea'] }],
  ['DELETE', '/users/me/alert_words', { alert_words: ['none'] }],
  ['POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' }],
  ['DELETE', '/users/me/avatar', {}],
  ['DELETE', '/realm/icon', {}],
  ['DELETE', '/realm/logo', { night: false }],
  [
    'PATCH',
    `/streams/${channel}`,
    { description: 'what *it* is', topics_policy: 'disable_empty_topic', folder_id: folders[0] },
  ],
  ['PATCH', `/streams/${channel}`, { is_private: true, history_public_to_subscribers: false }],
  ['PATCH', `/streams/${channel}`, { is_private: false }],
  ['PATCH', `/streams/${channel}`, { can_send_message_group: { new: group } }],
  [
    'PATCH',
    `/streams/${channel}`,
    { can_send_message_group: { new: { direct_members: [owner.id], direct_subgroups: [] } } },
  ],
  ['PATCH', `/streams/${channel}`, { message_retention_days: 30 }],
  ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'unchanged' }] }],
  ['DELETE', '/users/me/subscriptions', { subscriptions: ['second'] }],
  ['PATCH', `/users/me/subscriptions/${channel}`, { property: 'pin_to_top', value: true }],
  ['PATCH', `/users/me/subscriptions/${channel}`, { property: 'color', value: '#abcdef' }],
  ['PATCH', `/users/me/subscriptions/${channel}`, { property: 'desktop_notifications', value: false }],
  [
    'POST',
    '/users/me/subscriptions/properties',
    { subscription_data: [{ stream_id: channel, property: 'is_muted', value: true }] },
  ],
  ['PATCH', '/users/me/subscriptions/muted_topics', { stream_id: channel, topic: 'talk', op: 'add' }],
  ['POST', '/user_topics', { stream_id: channel, topic: 'talk', visibility_policy: 3 }],
  ['POST', '/user_topics', { stream_id: channel, topic: 'talk', visibility_policy: 0 }],
  ['POST', `/users/me/muted_users/${other.id}`, {}],
  ['DELETE', `/users/me/muted_users/${other.id}`, {}],
  ['PATCH', `/user_groups/${group}`, { name: 'team', description: 'new' }],
  ['PATCH', `/user_groups/${group}`, { can_mention_group: { new: inner } }],
  ['POST', `/user_groups/${group}/members`, { add: [other.id] }],
  ['POST', `/user_groups/${group}/members`, { delete: [other.id] }],
  ['POST', `/user_groups/${group}/subgroups`, { add: [inner] }],
  ['POST', `/user_groups/${group}/subgroups`, { delete: [inner] }],
  ['PATCH', `/drafts/${draftId}`, { draft: { ...draft, content: 'edited' } }],
  ['PATCH', `/saved_snippets/${snippet}`, { title: 'new title', content: 'new text' }],
  ['PATCH', '/navigation_views/narrow/topic/talk', { is_pinned: false, name: 'yours' }],
  [
    'PATCH',
    '/users/me/sidebar',
    { sections: ['direct', 'pinned'], collapsed: ['channels'], pinned_channels: [channel], unread_only: true },
  ],
  ['PATCH', `/channel_folders/${folders[0]}`, { name: 'first', description: 'of *all*' }],
  ['PATCH', `/channel_folders/${folders[1]}`, { is_archived: true }],
  ['PATCH', `/channel_folders/${folders[1]}`, { is_archived: false }],
  ['PATCH', '/channel_folders', { order: folders.toReversed() }],
  ['PATCH', `/realm/filters/${filters[0]}`, { ...linkifier, url_template: 'https://new.example/{id}' }],
  ['PATCH', '/realm/domains/team.example', { allow_subdomains: true }],
  ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: filters.toReversed() }],
  ['PATCH', `/realm/profile_fields/${fields[0]}`, { name: 'nickname', hint: 'short' }],
  ['PATCH', '/realm/profile_fields', { order: fields.toReversed() }],
  ['POST', '/default_streams', { stream_id: channel }],
  ['PATCH', `/default_stream_groups/${starter}`, { new_group_name: 'beginners', new_description: 'e' }],

  ['DELETE', '/default_streams', { stream_id: channel }],
  ['POST', '/remove_client_device', { device_id: device }],
  ['DELETE', `/realm/filters/${filters[1]}`, {}],
]

for (const [method, path, params, who = owner] of requests) {
  t.test(`${method} ${path} ${JSON.stringify(params)} again changes nothing`, async t => {
    const first = await who.call(method, path, params)
    t.equal(first.status, 200, JSON.stringify(first.body))
    const state = async () => {
      const [row] = await sql`
        select (select version from organization)::int as version, (select count(*) from audit_log)::int as audited,
          (select count(*) from message_edits)::int as edits`
      return row
    }
    const ears = [
      await Listener.start(server.ctx, who, {}),
      await Listener.start(server.ctx, who === owner ? other : owner, {}),
    ]
    const before = await state()
    const again = await who.call(method, path, params)
    t.ok(again.status === 200 || again.status === 400, `${again.status}`)
    for (const ear of ears) {
      // Presence goes through Redis, beside the order of other events: that of the first request may come now.
      const events = (await ear.events()).filter(({ type }) => type !== 'presence')
      t.same(
        events.map(({ type, op }) => `${type} ${op ?? ''}`),
        [],
        'events',
      )
    }
    t.same(await state(), before)
  })
}
