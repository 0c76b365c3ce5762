import type { Route } from '../../server/api/route.js'
import type { JsonSchema } from '../../server/openapi/json-schema.js'
import { jsonSchemas } from '../../server/openapi/json-schemas.js'
import { parametersOf } from '../../server/openapi/parameters.js'
import { sampleOf } from './growths.js'

/** Ids and names of an organization that honest requests are about. */
export interface Subjects {
  readonly channelId: number
  readonly channelName: string
  /** A channel whose settings may change without harm to other requests. */
  readonly changedChannelId: number
  /** A channel that people may be unsubscribed from without harm to other requests. */
  readonly leftChannelName: string
  readonly firstUserId: number
  /** Active people other than those that requests name elsewhere. */
  readonly otherUserIds: readonly number[]
  readonly groupId: number
  readonly ownMessageId: number
  readonly firstMessageId: number
  readonly linkifierId: number
  readonly playgroundId: number
  readonly botId: number
  readonly domain: string
  readonly snippetId: number
  readonly queueId: string
  readonly deviceId: number
  readonly ownerId: number
  /** In none of the groups. */
  readonly memberId: number
  /** Address of that member. */
  readonly email: string
  /** Of a navigation view that is there. */
  readonly fragment: string
}

const knownSchemas = new Map<Route, Readonly<Record<string, JsonSchema>>>()

/** Schemas of an operation's parameters, by name. Making those of a large operation takes longer than its request. */
export function schemasOf(route: Route): Readonly<Record<string, JsonSchema>> {
  const known = knownSchemas.get(route)
  if (known) return known
  const { params } = jsonSchemas([['params', route.params]], 'input')
  const schemas = (params?.properties ?? {}) as Record<string, JsonSchema>
  knownSchemas.set(route, schemas)
  return schemas
}

/** First of the ids that a list in this parameter holds. */
export function firstIdFor(name: string, subjects: Subjects): number {
  if (name === 'messages' || name === 'message_ids') return subjects.firstMessageId
  if (/subgroups$/.test(name)) return subjects.groupId
  if (name === 'subscription_data') return subjects.channelId
  return subjects.firstUserId
}

/**
 * What an honest request of the operation carries, `grown` excepted: its required parameters, and what gives `grown` a meaning.
 * `round` makes names new that must be.
 */
export function honestParams(route: Route, grown: string, subjects: Subjects, round: number): Record<string, unknown> {
  const schemas = schemasOf(route)
  const known = knownValues(subjects, round)
  const wanted = parametersOf(route).filter(
    ({ name, required }) => required || companions[route.operation]?.includes(name),
  )
  return Object.fromEntries(
    wanted
      .filter(({ name }) => name !== grown)
      .map(({ name }) => [
        name,
        byOperation(route.operation, subjects, round)[name] ??
          known[name] ??
          sampleOf(schemas[name] ?? {}, firstIdFor(name, subjects), 0),
      ]),
  )
}

// Optional parameters without which others have no effect.
const companions: Readonly<Record<string, readonly string[]>> = {
  send_message: ['topic'],
  create_scheduled_message: ['topic'],
  update_scheduled_message: ['content'],
  get_messages: ['anchor', 'num_before'],
  get_events: ['queue_id', 'last_event_id', 'dont_block'],
  subscribe: ['send_new_subscription_messages'],
  mute_topic: ['stream_id'],
  set_typing: ['type', 'stream_id', 'topic'],
  add_navigation_view: ['name'],
  create_custom_profile_field: ['name'],
  update_message: ['content'],
  update_subscriptions: ['delete'],
  update_user_group: ['description'],
  update_user_group_members: ['add'],
  remove_reaction: ['emoji_name'],
  update_status: ['status_text'],
  update_status_for_user: ['status_text'],
}

/** Operations whose honest request is refused, and what it lacks. Others must accept one. */
export const refusedHonestly: Readonly<Record<string, string>> = {
  fetch_api_key: 'a password',
  jwt_fetch_api_key: 'a token',
  end_own_session: 'a session',
  prove_own_identity: 'a password',
  begin_authenticator_app: 'a proof',
  add_authenticator_app: 'a setup',
  remove_authenticator_app: 'a proof',
  renew_recovery_codes: 'a proof',
  begin_passkey: 'a proof',
  add_passkey: 'a passkey',
  rename_passkey: 'a passkey',
  remove_passkey: 'a passkey',
  remove_factors: 'a second factor',
  remove_push_device: 'a device for pushes',
  append_to_message: 'a message that grows',
  end_streamed_message: 'a message that grows',
  update_event_subscription: 'an event subscription',
  delete_event_subscription: 'an event subscription',
  register_push_device: 'a push service for mobile apps',
  e2ee_test_notify: 'a mobile device',
  test_notify: 'a mobile device',
  remove_apns_token: 'a mobile device',
  remove_fcm_token: 'a mobile device',
  test_push_device: 'a device for pushes',
  resend_email_invite: 'an invitation',
  revoke_email_invite: 'an invitation',
  revoke_invite_link: 'an invitation link',
  report_message: 'a channel for reports',
  remove_reaction: 'a reaction that is there',
  update_user_group_members: 'a user who is no member',
  deactivate_user_group: 'a group that no group holds',
  update_scheduled_message: 'a scheduled message',
  delete_scheduled_message: 'a scheduled message',
  delete_reminder: 'a reminder',
  export_realm: 'fewer than five requests in a week',
  delete_realm_export: 'an export',
  request_user_export: 'fewer than two requests in a week',
  delete_user_export: 'an export',
  request_import: 'a file that no message uses',
  get_import: 'an archive',
  start_import: 'an archive that was checked',
  undo_import: 'an archive that was imported',
  delete_import: 'an archive',
  edit_draft: 'a draft',
  delete_draft: 'a draft',
  unmute_user: 'a user that is muted',
  reorder_linkifiers: 'the ids of all linkifiers',
  reorder_channel_folders: 'the ids of all folders',
  reorder_custom_profile_fields: 'the ids of all fields',
  update_default_stream_group: 'a group of default channels',
  upload_file: 'a file',
  set_avatar: 'a file',
  upload_realm_icon: 'a file',
  upload_realm_logo: 'a file',
  upload_custom_emoji: 'a file',
  deactivate_custom_emoji: 'an emoji',
  get_file_temporary_url: 'a file',
  thumbnail_status: 'a picture',
  reactivate_user: 'a deactivated account',
  remove_attachment: 'a file',
  update_user_group_subgroups: 'a group without that subgroup',
}

/** The year 2100, in UNIX seconds. */
const distant = 4_102_444_800

/** The keys are those of the example of RFC 8291. */
const receiver = {
  endpoint: 'https://push.example/1',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const draft = { type: '', to: [], topic: '', content: 'content' }

function knownValues(subjects: Subjects, round: number): Readonly<Record<string, unknown>> {
  return {
    stream_id: subjects.channelId,
    stream: subjects.channelName,
    user_id: subjects.firstUserId,
    user_id_or_email: subjects.firstUserId,
    user_group_id: subjects.groupId,
    message_id: subjects.ownMessageId,
    filter_id: subjects.linkifierId,
    playground_id: subjects.playgroundId,
    bot_id: subjects.botId,
    short_name: `bot${round}`,
    saved_snippet_id: subjects.snippetId,
    device_id: subjects.deviceId,
    queue_id: subjects.queueId,
    last_event_id: -1,
    dont_block: true,
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'starred',
    messages: [subjects.firstMessageId],
    type: 'channel',
    to: subjects.channelName,
    topic: 'topic',
    topic_name: 'topic',
    content: 'content',
    title: 'title',
    description: 'description',
    name: `name ${round}`,
    email: `person${round}@new.example`,
    invitee_emails: `invited${round}@new.example`,
    stream_ids: [],
    username: subjects.email,
    password: 'a long password of no meaning',
    full_name: `Person ${round}`,
    members: [subjects.firstUserId],
    subscribers: [subjects.firstUserId],
    delete: [subjects.leftChannelName],
    subscriptions: [{ name: subjects.channelName }],
    send_new_subscription_messages: false,
    storage: { key: 'value' },
    property: 'color',
    value: '#abcdef',
    pattern: `P${round}-(?P<id>[0-9]+)`,
    url_template: 'https://example.com/{id}',
    emoji_name: 'tada',
    alert_words: ['deploy'],
    draft,
    drafts: [draft],
    status_text: 'at lunch',
    report_type: 'spam',
    fragment: `narrow/topic/${round}`,
    is_pinned: true,
    status: 'active',
    visibility_policy: 1,
    onboarding_step: 'intro_inbox_view_modal',
    until: distant + round,
    quiet_hours: { from: 1320, to: 420 + (round % 2) },
    expires_at: distant,
  }
}

/** Where one name means several things. */
function byOperation(operation: string, subjects: Subjects, round: number): Readonly<Record<string, unknown>> {
  const otherUser = { user_id: subjects.otherUserIds[round % subjects.otherUserIds.length] }
  if (operation === 'create_scheduled_message') return { to: subjects.channelId, scheduled_delivery_timestamp: distant }
  if (operation === 'add_push_device') return receiver
  if (operation === 'create_event_subscription') return { url: 'https://bot.example/events', event_types: ['message'] }
  if (/_(apns|fcm)_token$/.test(operation)) return { token: 'dG9rZW4=', appid: 'org.example.app' }
  if (operation === 'create_reminder') return { scheduled_delivery_timestamp: distant }
  if (operation === 'set_typing') return { type: 'stream', op: 'start' }
  if (operation === 'update_stream' || operation === 'archive_stream') return { stream_id: subjects.changedChannelId }
  if (operation === 'update_user_group') return { user_group_id: subjects.groupId, description: `text ${round}` }
  if (operation === 'update_user_group_members') return { add: [subjects.memberId] }
  if (/_by_email$/.test(operation)) return { email: subjects.email }
  if (operation === 'get_user_presence') return { user_id_or_email: subjects.ownerId }
  if (/^(update|remove)_navigation_view$/.test(operation)) return { fragment: subjects.fragment }
  if (operation === 'zcommand') return { command: '/ping' }
  if (operation === 'append_to_message') return { position: 0, text: 'a' }
  if (operation === 'submessage') return { content: '{}', msg_type: 'widget' }
  if (operation === 'set_edit_typing') return { op: 'start' }
  if (operation === 'unsubscribe') return { subscriptions: [subjects.leftChannelName] }
  if (operation === 'delete_topic') return { topic_name: 'another topic' }
  if (operation === 'mute_user') return { muted_user_id: otherUser.user_id }
  if (operation === 'deactivate_user') return otherUser
  if (operation === 'add_realm_domain') return { domain: `team${round}.example`, allow_subdomains: true }
  if (/_realm_domain$/.test(operation)) return { domain: subjects.domain, allow_subdomains: true }
  if (operation === 'add_playground')
    return { pygments_language: 'Rust', url_template: 'https://example.com/?code={code}' }
  return {}
}
