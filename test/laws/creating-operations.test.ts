// A client may repeat any POST after an answer was lost: each creates something and takes an Idempotency-Key, or is harmless to repeat.
import t from 'tap'
import { areas, routes } from '../../server/api/index.js'
import { openApiDocument } from '../../server/openapi/document.js'

interface Documented {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<Record<string, unknown>>
}

/** POST operations without `creates`, and why. */
const harmless: Readonly<Record<string, string>> = {
  add_authenticator_app: 'a repeated request is refused; the recovery codes, which are not stored, can be replaced',
  add_alert_words: 'adds to a set',
  add_apns_token: 'changes nothing',
  add_default_stream: 'adds to a set',
  add_fcm_token: 'changes nothing',
  add_passkey: 'a repeated request is refused, because its challenge was used',
  add_push_device: 'an endpoint is one device',
  add_reaction: 'adds to a set',
  append_to_message: 'its position says whether the text has the piece already',
  begin_authenticator_app: 'stores nothing',
  deactivate_realm: 'sets a state, in which the repeated request is refused',
  begin_passkey: 'stores nothing',
  deactivate_user_group: 'sets a state',
  delete_topic: 'sets a state',
  e2ee_test_notify: 'sends the caller the test again',
  end_streamed_message: 'sets a state',
  erase_user: 'sets a state',
  fetch_api_key: 'reads',
  jwt_fetch_api_key: 'reads',
  mark_all_as_read: 'sets a state',
  mark_onboarding_step: 'adds to a set',
  mark_stream_as_read: 'sets a state',
  mark_topic_as_read: 'sets a state',
  mute_user: 'adds to a set',
  post_subscription_setting: 'sets a state',
  prove_own_identity: 'stores nothing',
  reactivate_user: 'sets a state',
  regenerate_bot_api_key: 'the key of a repeated request replaces that of the lost answer',
  regenerate_own_api_key:
    'its answer is a secret, which is not stored; the former key of a repeated request is refused',
  register: 'makes a queue in Redis, which is collected when no client reads it',
  register_push_device: 'is refused',
  remove_client_device: 'removes from a set',
  renew_stream_email_address: 'the address of a repeated request replaces that of the lost answer',
  renew_recovery_codes: 'the codes of a repeated request replace those of the lost answer',
  render_message: 'reads',
  request_import: 'the file of a repeated request belongs to the first one',
  request_user_export: 'while the export is pending, a repeated request gets the same one; two in seven days',
  resend_email_invite: 'mails the same link again',
  send_password_reset: 'its answer is a secret, which is not stored; a repeated request mails another link',
  set_avatar: 'sets a state',
  set_edit_typing: 'announces a state',
  set_typing: 'announces a state',
  start_import: 'sets a state',
  test_notify: 'sends the caller the test again',
  test_push_device: 'sends the caller the test again',
  test_welcome_bot_message: 'sends the caller the test again',
  undo_import: 'sets a state',
  update_message_flags: 'sets a state',
  update_message_flags_narrow: 'sets a state',
  update_own_presence: 'announces a state',
  update_status: 'sets a state',
  update_status_for_user: 'sets a state',
  update_subscription_settings: 'sets a state',
  update_user_group_members: 'sets a state',
  update_user_group_subgroups: 'sets a state',
  update_user_topic: 'sets a state',
  upload_realm_icon: 'sets a state',
  upload_realm_logo: 'sets a state',
  zcommand: 'sets a state',
}

t.test('each POST takes an Idempotency-Key or is harmless to repeat', async t => {
  const without = routes.filter(({ method, creates }) => method === 'POST' && !creates)
  t.same(without.map(({ operation }) => operation).sort(), Object.keys(harmless).sort())
})

t.test('the OpenAPI document names the header where it has an effect, and nowhere else', async t => {
  const document = openApiDocument(areas, { brand: 'service', url: '/api/v1' })
  const paths = Object.values(document.paths as Record<string, Record<string, Documented>>)
  const announced = paths
    .flatMap(place => Object.values(place))
    .filter(({ parameters = [] }) => parameters.some(one => one.in === 'header' && one.name === 'Idempotency-Key'))
  const creating = routes.filter(({ creates }) => creates)
  t.same(announced.map(({ operationId }) => operationId).sort(), creating.map(({ operation }) => operation).sort())
  for (const { operationId, responses } of announced) t.ok(responses['422'] && responses['409'], operationId)
})
