import t from 'tap'
import { type OrganizationSetting, setForOrganization } from '../../server/actions/settings/change-organization.js'
import { EventWaiter } from '../platform/admin/event-waiter.js'
import { runAdmin } from '../platform/admin/run-admin.js'
import { Listener, type Loose } from '../support/in-step.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const run = (...args: string[]) => runAdmin(server.organization, ['setting', ...args])
const set = (name: OrganizationSetting, value: unknown) => setForOrganization(server.ctx, name, value)

t.test('settings are listed with their meanings and set, and clients get the event', async t => {
  const ear = await Listener.start(server.ctx, owner)
  const told = await EventWaiter.start(owner, ['realm'])
  const all: Loose[] = JSON.parse((await run('list', '--json')).stdout)
  t.ok(all.length > 100)
  t.same(
    all.filter(one => !one.meaning || !one.type),
    [],
    'each has a type and a meaning',
  )
  const done = await run('set', 'waiting_period_threshold', '3', '--json')
  t.match(JSON.parse(done.stdout), { name: 'waiting_period_threshold', value: 3, default: 0, changeable: true })
  await told.of(event => event.property === 'waiting_period_threshold')
  await ear.inStep(t)
  t.match((await run('get', 'waiting_period_threshold')).stdout, /^value +3$/m)
  t.match((await run('set', 'can_create_groups', 'role:moderators')).stdout, 'can_create_groups is "role:moderators"\n')
  t.match((await run('set', 'user.enter_sends', 'true')).stdout, 'user.enter_sends is true\n')
  const changed: Loose[] = JSON.parse((await run('list', '--changed', '--json')).stdout)
  t.same(changed.map(one => one.name).sort(), ['can_create_groups', 'waiting_period_threshold'])
})

t.test('the quota and the retention of the organization are set by commands', async t => {
  const told = await EventWaiter.start(owner, ['realm'])
  t.match(await run('set', 'upload_quota_mib', '500'), { code: 0, stdout: 'upload_quota_mib is 500\n' })
  await told.of(event => event.data?.upload_quota_mib === 500)
  t.match(await owner.ok('POST', '/register', { fetch_event_types: ['realm'] }), { realm_upload_quota_mib: 500 })
  t.match(await run('set', 'upload_quota_mib', 'null'), { code: 0, stdout: 'upload_quota_mib is null\n' })
  t.match(await run('set', 'message_retention_days', '365', '--yes'), { code: 0 })
  await told.of(event => event.property === 'message_retention_days' && event.value === 365)
  t.match(await run('set', 'message_retention_days', '-1'), { code: 0, stdout: 'message_retention_days is -1\n' })
})

t.test('each kind of setting makes events that keep a client in step', async t => {
  const [guest, newcomer] = [await server.person({ role: 600 }), await server.person()]
  const { stream_id } = await channel('board', { invite_only: true })
  await set('waiting_period_threshold', 0)
  const ears = await Promise.all([owner, guest, newcomer].map(one => Listener.start(server.ctx, one)))
  const values: [OrganizationSetting, unknown][] = [
    ['name', 'Another name'],
    ['description', 'What *for*'],
    ['allow_message_editing', false],
    ['message_content_edit_limit_seconds', null],
    ['topics_policy', 'disable_empty_topic'],
    ['search_languages', 'none'],
    ['authentication_methods', { Email: { enabled: false, available: true } }],
    ['jitsi_server_url', 'https://calls.example.com'],
    ['jitsi_server_url', null],
    ['jitsi_server_url', 'https://meet.example.com'],
    ['message_edit_history_visibility_policy', 'none'],
    ['moderation_request_channel_id', stream_id],
    ['service_update_announcements_stream_id', -1],
    ['waiting_period_threshold', 30],
    ['upload_quota_mib', 500],
    ['upload_quota_mib', null],
    ['message_retention_days', 365],
    ['message_retention_days', -1],
    ['waiting_period_threshold', 0],
    ['can_access_all_users_group', groupId('role:members')],
    ['can_access_all_users_group', groupId('role:everyone')],
    ['can_create_groups', { direct_members: [owner.id, newcomer.id], direct_subgroups: [] }],
    ['can_create_groups', groupId('role:nobody')],
  ]
  for (const [name, value] of values) await set(name, value)
  for (const ear of ears) t.ok((await ear.inStep(t)).length >= values.length - 1)
})

const channel = async (name: string, more: Loose) => {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...more })
  return owner.ok('GET', '/get_stream_id', { stream: name })
}

const groupId = (name: string) => server.ctx.directory.groupsByName.get(name)?.id

t.test('what a setting may not be is refused, and nothing changes', async t => {
  const { stream_id } = await channel('open', {})
  const refused: [OrganizationSetting, unknown][] = [
    ['name', ''],
    ['name', 'x'.repeat(41)],
    ['allow_message_editing', 'yes'],
    ['message_content_edit_limit_seconds', 0],
    ['message_retention_days', 0],
    ['message_retention_days', -2],
    ['message_retention_days', null],
    ['upload_quota_mib', -1],
    ['upload_quota_mib', 1.5],
    ['search_languages', 'en,xx'],
    ['inline_url_embed_preview', 'yes'],
    ['digest_emails_enabled', 'weekly'],
    ['send_welcome_emails', 1],
    ['default_avatar_source', 'J'],
    ['require_e2ee_push_notifications', true],
    ['welcome_message_custom_text', 'x'.repeat(8001)],
    ['waiting_period_threshold', -1],
    ['gif_rating_policy', 6],
    ['jitsi_server_url', 'javascript:1'],
    ['moderation_request_channel_id', stream_id],
    ['signup_announcements_stream_id', 99_999],
    ['can_access_all_users_group', groupId('role:moderators')],
    ['can_create_groups', groupId('role:internet')],
    ['can_create_groups', 99_999],
    ['can_create_groups', { direct_members: [99_999], direct_subgroups: [] }],
    ['can_manage_all_groups', groupId('role:nobody')],
    ['can_summarize_topics_group', groupId('role:administrators')],
    ['can_summarize_topics_group', { direct_members: [owner.id], direct_subgroups: [] }],
  ]
  const before = JSON.stringify(server.ctx.directory.organization.settings)
  for (const [name, value] of refused) {
    const outcome = await set(name, value).then(
      () => 'done',
      error => error.status,
    )
    t.equal(outcome, 400, `${name} ${JSON.stringify(value)}`)
  }
  t.equal(JSON.stringify(server.ctx.directory.organization.settings), before)
  for (const args of [
    ['set', 'plan_type', '2'],
    ['set', 'shoe_size', '44'],
    ['set', 'user.enter_sends', 'maybe'],
    // Not without --yes, because it deletes messages.
    ['set', 'message_retention_days', '30'],
    ['set', 'upload_quota_mib', 'much'],
  ]) {
    const { code, stdout, stderr } = await run(...args)
    t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: /^[^\n]+\n$/ }, args.join(' '))
  }
})
