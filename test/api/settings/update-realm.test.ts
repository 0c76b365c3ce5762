import t from 'tap'
import { type PermissionSetting, realmPermissions } from '../../../shared/resources/permission-settings.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { groupId, setOrganization } from '../../support/organization.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const second = await startServer(t, {}, server.organization)
const { sql } = server
const owner = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })
const guest = await server.person({ role: 600 })
const bot = await server.person({ role: 200, bot_type: 1, bot_owner_id: owner.id })
const members = await groupId(sql, 'role:members')
const moderators = await groupId(sql, 'role:moderators')
const nobody = await groupId(sql, 'role:nobody')
const patch = (sent: Loose, who = owner) => who.patch('/realm', sent)
const realm = async (): Promise<Loose> => owner.ok('POST', '/register', { fetch_event_types: ['realm'] })
const channel = async (name: string, more: Loose = {}, who = owner): Promise<number> => {
  await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...more })
  return (await who.ok('GET', '/get_stream_id', { stream: name })).stream_id
}

// Of each setting a value that differs from the one before, and what the answer shows.
const changes: [name: string, sent: unknown, shown: unknown, stored?: unknown][] = [
  ['name', '12', 'updated', '12'],
  ['description', 'What *for*: "x"', 'updated'],
  ['default_code_block_language', 'true', 'updated', 'true'],
  ['default_language', 'de', 'updated'],
  ['search_languages', 'fr,en,fr', 'updated', 'en,fr'],
  ['message_edit_history_visibility_policy', 'moves', 'updated'],
  ['topics_policy', 'disable_empty_topic', 'updated'],
  ['jitsi_server_url', '"https://calls.example"', 'updated', 'https://calls.example'],
  ['jitsi_server_url', 'default', null, null],
  ['welcome_message_custom_text', 'Welcome *here*', 'updated'],
  ['digest_weekday', 6, 6],
  ['gif_rating_policy', 0, 0],
  ['media_preview_size', 200, 200],
  ['org_type', 20, 20],
  ['video_chat_provider', 0, 0],
  ['waiting_period_threshold', 3, 3],
  ['message_retention_days', 90, 90],
  ['message_retention_days', '"unlimited"', -1, -1],
  ['upload_quota_mib', 500, 500],
  ['upload_quota_mib', 'unlimited', null, null],
  ['message_content_delete_limit_seconds', 'unlimited', null, null],
  ['message_content_edit_limit_seconds', '"unlimited"', null, null],
  ['move_messages_within_stream_limit_seconds', 5, 5],
  ['move_messages_between_streams_limit_seconds', 2_147_483_647, 2_147_483_647],
]
for (const [name, value] of Object.entries({
  allow_message_editing: false,
  avatar_changes_disabled: true,
  digest_emails_enabled: true,
  send_welcome_emails: false,
  email_changes_disabled: true,
  emails_restricted_to_domains: true,
  enable_guest_user_dm_warning: false,
  enable_guest_user_indicator: false,
  enable_read_receipts: true,
  enable_spectator_access: true,
  inline_image_preview: false,
  inline_url_embed_preview: true,
  message_content_allowed_in_email_notifications: false,
  name_changes_disabled: true,
  require_unique_names: true,
  send_channel_events_messages: true,
  invite_required: false,
  want_advertise_in_communities_directory: true,
})) {
  changes.push([name, value, value])
}

t.test('each value is changed, shown in the answer, emitted to all and stored', async t => {
  const ears = await Promise.all([owner, admin, guest, bot].map(one => Listener.start(server.ctx, one)))
  for (const [name, sent, shown, stored = sent] of changes) {
    const { result: _, msg: __, ...answer } = await owner.ok('PATCH', '/realm', { [name]: sent })
    t.same(answer, { [name]: shown }, name)
    t.same((await realm())[`realm_${name}`], stored, `${name} is stored`)
    const again = (await patch({ [name]: sent })).body
    t.same(again[name], name === 'org_type' ? shown : undefined, `${name} again changes nothing`)
  }
  for (const ear of ears) {
    const events = await ear.inStep(t)
    const told = events
      .filter(({ type }) => type === 'realm')
      .flatMap(one => (one.property === 'default' ? Object.keys(one.data)[0] : one.property))
    t.same(
      told,
      changes.map(([name]) => name),
      'one event for each',
    )
  }
})

t.test('channels: only one that the caller can read; -1 is shown each time', async t => {
  const open = await channel('open')
  const closed = await channel('closed', { invite_only: true })
  const hidden = await channel('hidden', { invite_only: true }, admin)
  const gone = await channel('gone')
  await owner.ok('DELETE', `/streams/${gone}`)
  const names = ['new_stream_announcements_stream_id', 'signup_announcements_stream_id']
  names.push('service_update_announcements_stream_id', 'moderation_request_channel_id')
  for (const name of names) {
    const ear = await Listener.start(server.ctx, guest)
    t.equal((await owner.ok('PATCH', '/realm', { [name]: closed }))[name], closed, name)
    t.equal((await owner.ok('PATCH', '/realm', { [name]: closed }))[name], undefined)
    for (const id of [hidden, gone, 99_999, 2 ** 40, 'x', 1.5, ...(name.startsWith('mod') ? [open] : [])]) {
      t.match(await patch({ [name]: id }), { status: 400, body: { code: 'BAD_REQUEST' } }, `${name} ${id}`)
    }
    for (const none of [-1, -1, -7]) t.equal((await owner.ok('PATCH', '/realm', { [name]: none }))[name], -1)
    t.match(await ear.inStep(t), [
      { op: 'update', property: name, value: closed },
      { op: 'update', property: name, value: -1 },
    ])
  }
})

t.test('permissions are groups or sets of people; the change is emitted as its value', async t => {
  const ears = await Promise.all([owner, guest].map(one => Listener.start(server.ctx, one)))
  const set = { direct_members: [admin.id, owner.id, admin.id], direct_subgroups: [moderators] }
  const sorted = { direct_members: [owner.id, admin.id].sort((a, b) => a - b), direct_subgroups: [moderators] }
  const one = { direct_members: [], direct_subgroups: [moderators] }
  const steps: [Loose, unknown][] = [
    [{ new: moderators }, moderators],
    [{ new: moderators, old: moderators }, undefined],
    [{ new: one }, undefined],
    [{ new: set, old: one }, sorted],
    [{ new: { direct_members: sorted.direct_members, direct_subgroups: [moderators] }, old: set }, undefined],
    [{ new: {} }, nobody],
    [{ new: { direct_members: [], direct_subgroups: [] } }, undefined],
    [{ new: members }, members],
  ]
  for (const [sent, shown] of steps) {
    t.same(
      (await owner.ok('PATCH', '/realm', { can_create_groups: sent })).can_create_groups,
      shown,
      JSON.stringify(sent),
    )
  }
  const told = steps.flatMap(([, shown]) => (shown === undefined ? [] : [{ can_create_groups: shown }]))
  for (const ear of ears)
    t.same(
      (await ear.inStep(t)).map(({ data }) => data),
      told,
    )
  const both = { can_add_subscribers_group: { new: set }, can_resolve_topics_group: { new: set } }
  const answer = await owner.ok('PATCH', '/realm', both)
  t.match(answer, { can_add_subscribers_group: sorted, can_resolve_topics_group: sorted })
  for (const ear of ears) t.equal((await ear.inStep(t)).length, 2)
})

t.test('each permission is given to other holders, and is shown with them', async t => {
  const before = await realm()
  for (const [name, { fixed_group, allowed_system_groups }] of Object.entries(realmPermissions) as [
    string,
    PermissionSetting,
  ][]) {
    if (fixed_group !== undefined) {
      t.equal((await patch({ [name]: { new: await groupId(sql, fixed_group) } })).status, 200, `${name} as it is`)
      continue
    }
    const other = await groupId(sql, allowed_system_groups[0] ?? 'role:moderators')
    const value =
      other === before[`realm_${name}`] ? await groupId(sql, allowed_system_groups[1] ?? 'role:members') : other
    t.equal((await owner.ok('PATCH', '/realm', { [name]: { new: value } }))[name], value, name)
    t.equal((await realm())[`realm_${name}`], value, `${name} is stored`)
    t.equal((await patch({ [name]: { new: before[`realm_${name}`] } })).status, 200, `${name} as it was`)
  }
})

t.test('values of permissions that are refused', async t => {
  const everyone = await groupId(sql, 'role:everyone')
  const internet = await groupId(sql, 'role:internet')
  const away = await server.person()
  await owner.ok('DELETE', `/users/${away.id}`)
  const { group_id: off } = await owner.ok('POST', '/user_groups/create', { name: 'off', description: '', members: [] })
  await owner.ok('POST', `/user_groups/${off}/deactivate`)
  const before = await realm()
  const refused: [string, unknown, string?][] = [
    ['can_create_groups', members],
    ['can_create_groups', 'role:members'],
    ['can_create_groups', {}],
    ['can_create_groups', []],
    ['can_create_groups', { old: members }],
    ['can_create_groups', { new: null }],
    ['can_create_groups', { new: 'role:members' }],
    ['can_create_groups', { new: -1 }],
    ['can_create_groups', { new: 1.5 }],
    ['can_create_groups', { new: 2 ** 40 }],
    ['can_create_groups', { new: [] }],
    ['can_create_groups', { new: 99_999 }],
    ['can_create_groups', { new: off }],
    ['can_create_groups', { new: internet }],
    ['can_create_groups', { new: everyone }],
    ['can_create_groups', { new: { direct_members: [99_999], direct_subgroups: [] } }],
    ['can_create_groups', { new: { direct_members: [away.id], direct_subgroups: [] } }],
    ['can_create_groups', { new: { direct_members: ['x'], direct_subgroups: [] } }],
    ['can_create_groups', { new: { direct_members: 1 } }],
    ['can_create_groups', { new: { direct_members: [owner.id], direct_subgroups: [internet] } }],
    ['can_create_groups', { new: moderators, old: nobody }, 'EXPECTATION_MISMATCH'],
    ['can_manage_all_groups', { new: nobody }],
    ['can_manage_all_groups', { new: {} }],
    ['can_access_all_users_group', { new: { direct_members: [owner.id] } }, 'SYSTEM_GROUP_REQUIRED'],
    ['can_access_all_users_group', { new: moderators }],
    ['can_create_web_public_channel_group', { new: members }],
    ['workplace_users_group', { new: members }],
  ]
  for (const [name, sent, code = 'BAD_REQUEST'] of refused) {
    t.match(await patch({ [name]: sent }), { status: 400, body: { code } }, `${name} ${JSON.stringify(sent)}`)
  }
  t.same({ ...(await realm()), queue_id: 0 }, { ...before, queue_id: 0 })
})

t.test('values of settings that are refused', async t => {
  const before = await realm()
  const long = 'x'.repeat(200_000)
  const bad: Record<string, unknown[]> = {
    name: ['', ' ', 'x'.repeat(41), 'a\0b', long],
    description: ['x'.repeat(1001), 'a\0b', long],
    search_languages: ['', 'xx', 'de en', 'de,', 'none,en', 'de,en,fr,it', '["de"]', 'DE', long],
    default_language: ['DE', 'deutsch!', '', long, '../en'],
    default_code_block_language: ['x'.repeat(31), '\0'],
    allow_message_editing: ['yes', 1, '"true"', '[]', '{}'],
    invite_required: ['no', 2],
    welcome_message_custom_text: ['x'.repeat(8001), '\0', long],
    digest_weekday: [7, -1, 'Monday', 1.5],
    gif_rating_policy: [6, '"2"', -1],
    media_preview_size: [110, '{}'],
    org_type: [1, 'x'],
    video_chat_provider: [3, 99],
    topics_policy: ['inherit', 1],
    message_edit_history_visibility_policy: ['some', 1],
    waiting_period_threshold: [-1, 'x', 2 ** 40],
    jitsi_server_url: ['javascript:1', 'calls', '"ftp://x"', `https://x.example/${'x'.repeat(200)}`, 5],
    authentication_methods: [
      'x',
      '[]',
      { LDAP: true },
      { Email: false },
      { Email: 'yes' },
      { Email: {} },
      { __proto__x: true },
    ],
    string_id: ['other'],
  }
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const found = await patch({ [name]: value })
      t.match(found, { status: 400, body: { code: 'BAD_REQUEST' } }, `${name} ${JSON.stringify(value).slice(0, 50)}`)
    }
  }
  const limits = [
    'message_content_edit_limit_seconds',
    'message_content_delete_limit_seconds',
    'message_retention_days',
    'upload_quota_mib',
  ]
  limits.push('move_messages_within_stream_limit_seconds', 'move_messages_between_streams_limit_seconds')
  for (const var_name of limits) {
    for (const bad_value of [0, -1, 'forever', 2 ** 40, 'realm_default']) {
      const wanted = { status: 400, body: { code: 'REQUEST_VARIABLE_INVALID', var_name, bad_value } }
      t.match(await patch({ [var_name]: bad_value }), wanted, `${var_name} ${bad_value}`)
    }
    for (const value of ['[]', '{}', 'true', '1.5']) {
      t.match(
        await patch({ [var_name]: value }),
        { status: 400, body: { code: 'BAD_REQUEST' } },
        `${var_name} ${value}`,
      )
    }
  }
  // What would have no effect in this server is refused with the reason.
  for (const [name, value] of Object.entries({
    default_avatar_source: 'J',
    require_e2ee_push_notifications: true,
  })) {
    t.match(await patch({ [name]: value }), { status: 400, body: { code: 'BAD_REQUEST', msg: /the server / } }, name)
    t.equal((await patch({ [name]: before[`realm_${name}`] })).status, 200, `${name} as it is`)
  }
  const { body } = await patch({ mandatory_topics: true, giphy_rating: 1, invite_to_realm_policy: 1, plan_type: 2 })
  t.same(body.ignored_parameters_unsupported, [
    'giphy_rating',
    'invite_to_realm_policy',
    'mandatory_topics',
    'plan_type',
  ])
  t.same({ ...(await realm()), queue_id: 0 }, { ...before, queue_id: 0 })
})

t.test('all or nothing: one wrong value, and nothing is changed or emitted', async t => {
  await setOrganization(sql, { allow_message_editing: true })
  const before = await realm()
  const ear = await Listener.start(server.ctx, owner)
  const good = { name: 'Half', allow_message_editing: false, can_create_groups: { new: nobody } }
  for (const wrong of [
    { can_manage_all_groups: { new: nobody } },
    { can_add_custom_emoji_group: { new: moderators, old: nobody } },
    { message_content_edit_limit_seconds: 0 },
    { signup_announcements_stream_id: 99_999 },
    { authentication_methods: { Email: false } },
  ]) {
    t.equal((await patch({ ...good, ...wrong })).status, 400, JSON.stringify(wrong))
  }
  t.equal((await patch({ name: 'Half', waiting_period_threshold: 9 }, admin)).status, 400, 'one that is for owners')
  t.same(await ear.inStep(t), [])
  t.same({ ...(await realm()), queue_id: 0 }, { ...before, queue_id: 0 })
  t.same(await second.api(owner.who).ok('PATCH', '/realm', good), {
    result: 'success',
    msg: '',
    name: 'updated',
    allow_message_editing: false,
    can_create_groups: nobody,
  })
  t.equal((await ear.inStep(t)).length, 3)
})

t.test('who may change what', async t => {
  const open = { enable_read_receipts: false }
  const others = [await server.person({ role: 300 }), await server.person(), guest]
  others.push(await server.person({ bot_type: 1, bot_owner_id: owner.id }))
  const unauthorized = { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }
  for (const who of others) {
    t.match(await patch(open, who), unauthorized, who.full_name)
    t.match(await patch({}, who), unauthorized, who.full_name)
  }
  t.equal((await server.api(null).patch('/realm', open)).status, 401)
  for (const who of [owner, admin, bot]) t.equal((await patch(open, who)).status, 200, who.full_name)
  const forOwners: Loose = {
    authentication_methods: { Email: true },
    message_retention_days: 30,
    upload_quota_mib: 100,
    invite_required: true,
    waiting_period_threshold: 1,
    emails_restricted_to_domains: false,
    disallow_disposable_email_addresses: false,
    create_multiuse_invite_group: { new: nobody },
    can_create_groups: { new: members },
    can_invite_users_group: { new: nobody },
    can_manage_all_groups: { new: await groupId(sql, 'role:owners') },
    can_manage_billing_group: { new: moderators },
  }
  for (const [name, value] of Object.entries(forOwners)) {
    for (const who of [admin, bot]) t.match(await patch({ [name]: value }, who), unauthorized, name)
    t.equal((await patch({ [name]: value })).status, 200, name)
  }
  t.match(await owner.ok('PATCH', '/realm', {}), { result: 'success' })
})

t.test('the waiting period moves people into and out of the full members', async t => {
  const newcomer = await server.person()
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 0 })
  const ear = await Listener.start(server.ctx, owner)
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 30 })
  const events = await ear.inStep(t)
  t.match(events, [
    { property: 'waiting_period_threshold', value: 30 },
    { type: 'user_group', op: 'remove_members' },
  ])
  t.ok(events[1]?.user_ids.includes(newcomer.id))
  await owner.ok('PATCH', '/realm', { waiting_period_threshold: 0 })
  t.match(await ear.inStep(t), [
    { property: 'waiting_period_threshold', value: 0 },
    { op: 'remove_members' },
    { op: 'add_members' },
  ])
})

t.test('many values are about as many statements as one, and the audit log has each', async t => {
  const one = await queriesOf(server, () => owner.ok('PATCH', '/realm', { digest_weekday: 1 }))
  const many = { digest_weekday: 2, gif_rating_policy: 3, media_preview_size: 150, name: 'Many', description: 'many' }
  const groups = { can_create_bots_group: { new: nobody }, can_add_custom_emoji_group: { new: moderators } }
  t.equal(await queriesOf(server, () => owner.ok('PATCH', '/realm', { ...many, ...groups })), one)
  const rows = await sql`
    select event, before, after from audit_log where operation = 'update_realm' and actor_id = ${owner.id}
    order by id desc limit 7`
  t.match(rows.map(({ after }) => Object.keys(after)[0]).reverse(), [
    'name',
    'description',
    'digest_weekday',
    'gif_rating_policy',
    'media_preview_size',
    'can_add_custom_emoji_group',
    'can_create_bots_group',
  ])
})
