import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from '../../server/api/route.js'
import { projectRoot } from '../../server/config/paths.js'
import { featureLevel } from '../../shared/limits.js'

export interface WireParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'form' | 'multipart'
  readonly required?: true
  readonly default?: unknown
  /** A closed set; beside integers, the words that are allowed too. */
  readonly values?: readonly unknown[]
  /** Feature level of its introduction. */
  readonly since?: number
  /** Not confirmed by a source. */
  readonly unsure?: true
}

/** A reference operation: one that existing clients know. Any working client needs those of tier 1. */
export interface WireOperation {
  readonly id: string
  readonly tier: 1 | 2 | 3
  readonly method: string
  /** Below /api/v1; `<root>/…` and `<payload_url>` are outside of it. */
  readonly path: string
  readonly params: readonly WireParameter[]
}

const allOperations: readonly WireOperation[] = JSON.parse(
  readFileSync(join(projectRoot, 'test/support/wire/operations.json'), 'utf8'),
)

/** Every reference operation, with the parameters of the announced feature level. */
export const wireOperations: readonly WireOperation[] = allOperations.map(operation => ({
  ...operation,
  params: operation.params.filter(({ since = 0 }) => since <= featureLevel),
}))

/** Routes that are no reference operations, and why they are there. */
export const ownOperations: Readonly<Record<string, string>> = {
  get_audit_log: 'who changed what, for the settings of the page',
  get_own_sessions: 'sessions of pages, for the settings of the page',
  end_own_session: 'as `get_own_sessions`',
  end_other_sessions: 'as `get_own_sessions`',
  end_sessions_of_user: 'how an administrator signs a person out',
  renew_stream_email_address: 'how an account ends an address of a channel that others have, for the page',
  request_user_export: 'the right of a person to its data',
  get_user_exports: 'as `request_user_export`',
  delete_user_export: 'as `request_user_export`',
  request_import: 'how a team brings its history from another chat server, for the page',
  get_imports: 'as `request_import`',
  get_import: 'as `request_import`',
  start_import: 'as `request_import`',
  undo_import: 'as `request_import`',
  delete_import: 'as `request_import`',
  get_user_upload_space: 'the space for files of one account, for administrators',
  update_user_upload_quota: 'as `get_user_upload_space`',
  erase_user: 'how an owner erases a person without the operator',
  get_user_erasure: 'as `erase_user`',
  update_do_not_disturb: 'quiet times, for the page and for pushes',
  get_search_summary: 'how many messages a search finds, the most relevant ones, and what it may have meant',
  append_to_message: 'messages that grow, for assistants (docs/protocol/streamed-messages.md)',
  end_streamed_message: 'as `append_to_message`',
  get_streamed_text: 'as `append_to_message`',
  update_sidebar: 'the sidebar of the page, on all devices',
  send_password_reset: 'how an administrator gives a person a new password',
  get_own_factors: 'second factors, for the settings of the page',
  prove_own_identity: 'as `get_own_factors`',
  begin_authenticator_app: 'as `get_own_factors`',
  add_authenticator_app: 'as `get_own_factors`',
  remove_authenticator_app: 'as `get_own_factors`',
  renew_recovery_codes: 'as `get_own_factors`',
  begin_passkey: 'as `get_own_factors`',
  add_passkey: 'as `get_own_factors`',
  rename_passkey: 'as `get_own_factors`',
  remove_passkey: 'as `get_own_factors`',
  remove_factors: 'for people who have lost their second factors',
  get_event_subscriptions: 'events for programs that wait for requests, and hold no connection',
  create_event_subscription: 'as `get_event_subscriptions`',
  update_event_subscription: 'as `get_event_subscriptions`',
  delete_event_subscription: 'as `get_event_subscriptions`',
  get_push_devices: 'notifications by Web Push, for the settings of the page and for other clients',
  add_push_device: 'as `get_push_devices`',
  remove_push_device: 'as `get_push_devices`',
  test_push_device: 'as `get_push_devices`',
  set_second_factor_requirement: 'who needs a second factor is no setting that existing clients know',
  get_emoji_data: 'where `server_emoji_data_url` of the register answer leads',
  post_subscription_setting: 'another verb for a single channel; clients send PATCH',
  update_display_settings: 'older path of `update_settings`',
  update_notification_settings: 'older path of `update_settings`',
}

/** Where a parameter differs from the reference, and why: by `operation.parameter`. */
export const ownParameters: Readonly<Record<string, string>> = {
  'update_status.expires_at': 'the time at which the status ends',
  'send_message.streamed': 'the message grows',
  'send_message.subject': 'older name of `topic`',
  'update_message.subject': 'older name of `topic`',
  'set_typing.subject': 'older name of `topic`',
  'update_message_flags_narrow.anchor_date': 'the anchor `date` needs it here as in `get_messages`',
  'get_events.queue_id': 'required, but its absence is BAD_REQUEST: the operation tells it itself',
  'get_events.last_event_id': 'required, but its absence is BAD_REQUEST: the operation tells it itself',
  'register.slim_users': 'a page of a large organization starts with what it shows',
  'register.all_public_streams': 'the default is a setting of the account, which starts as false',
  'register.narrow': 'the default is a setting of the account, which starts as []',
  'update_custom_profile_field.use_for_user_matching': 'not confirmed by a source, as in `create_custom_profile_field`',
  'create_bot.service_name': 'for bots that the server runs, of which there is none',
  'create_bot.config_data': 'for bots that the server runs, of which there is none',
  'update_bot.config_data': 'for bots that the server runs, of which there is none',
  'export_realm.since_export_id': 'exports that build on each other',
  'update_realm.search_languages': 'in which languages searches find other forms of words',
  'update_realm.upload_quota_mib': 'owners set the space for files in the page',
  'remove_reaction.reaction_type': 'the default is said in words',
}

/** Reference operations that no route serves, with the test of what serves them. */
export const servedBeside: Readonly<Record<string, string>> = {
  serve_upload: 'test/http/files/serve-upload.test.ts',
  get_avatar: 'test/http/avatar-redirects.test.ts',
  tus_upload: 'test/http/files/tus.test.ts',
  outgoing_webhook: 'test/jobs/outgoing-webhook.test.ts',
}

/** As the router tells places apart: an id is digits, anything else a name. */
const placeOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace(/\{\w+?(_id)?\*?\}/g, '{$1}')}`

/** Each reference operation with the route that serves it, if there is one. */
export function pairs(routes: readonly Route[]): { wire: WireOperation; route: Route | undefined }[] {
  const byPlace = new Map(routes.map(route => [placeOf(route), route]))
  return wireOperations.map(wire => ({ wire, route: byPlace.get(placeOf(wire)) }))
}

/** Routes that are no reference operations. */
export function beyondTheWire(routes: readonly Route[]): Route[] {
  const known = new Set(wireOperations.map(placeOf))
  return routes.filter(route => !known.has(placeOf(route)))
}
