import t from 'tap'
import { addProfileField, type ProfileFieldDraft } from '../../../server/actions/users/profile-fields.js'
import type { ProfileFieldType } from '../../../shared/resources/custom-profile-field.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { limitGuests, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql, ctx } = server
const admin = await server.person({ role: 200 })
const person = await server.person()

const plain = { hint: '', options: [], urlPattern: null, required: false, editableByUser: true, inSummary: false }
const add = async (type: ProfileFieldType, change: Partial<ProfileFieldDraft> = {}) =>
  (await addProfileField(ctx, { ...plain, type, name: `${type} field`, ...change })).id
const ids = {
  SHORT_TEXT: await add('SHORT_TEXT'),
  LONG_TEXT: await add('LONG_TEXT', { editableByUser: false }),
  SELECT: await add('SELECT', { options: ['Red', 'Blue'] }),
  DATE: await add('DATE'),
  URL: await add('URL'),
  USER: await add('USER'),
  EXTERNAL_ACCOUNT: await add('EXTERNAL_ACCOUNT', { urlPattern: 'https://code.example/%(username)s' }),
  PRONOUNS: await add('PRONOUNS'),
}

const set = (value: unknown, id: number, whom = person) =>
  admin.patch(`/users/${whom.id}`, { profile_data: [{ id, value }] })
const profile = async (): Promise<Loose> => (await person.ok('GET', '/users/me')).profile_data
const refused = { status: 400, body: { code: 'BAD_REQUEST' } }

const good: Record<keyof typeof ids, unknown[]> = {
  SHORT_TEXT: ['x', '**bold** <b>', '😀'.repeat(50)],
  LONG_TEXT: ['x'.repeat(500), 'two\nlines'],
  SELECT: ['0', '1'],
  DATE: ['2024-02-29', '0001-01-01'],
  URL: ['https://example.com/a?b#c', 'http://localhost'],
  USER: [[person.id], [person.id, admin.id]],
  EXTERNAL_ACCOUNT: ['octocat'],
  PRONOUNS: ['they/them'],
}
const bad: Record<keyof typeof ids, unknown[]> = {
  SHORT_TEXT: ['x'.repeat(51), [1], 5, true, { a: 1 }, 'a\u0000b'],
  LONG_TEXT: ['x'.repeat(501), [1]],
  SELECT: ['2', 'Red', '__proto__', 'toString', [0]],
  DATE: ['2023-02-29', '2024-13-01', '24-01-01', '2024-01-01T00:00', 'today', [2024]],
  URL: [
    'example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https://a b',
    `https://x.example/${'y'.repeat(2100)}`,
    'https://x.example/\u0000',
  ],
  USER: ['1', `[${person.id}]`, [99_999_999], ['1'], [1.5], [-1]],
  EXTERNAL_ACCOUNT: ['x'.repeat(51), [1]],
  PRONOUNS: ['x'.repeat(51), 5],
}

for (const [type, id] of Object.entries(ids) as [keyof typeof ids, number][]) {
  t.test(`values of ${type}: what is accepted, reported and cleared`, async t => {
    const ear = await Listener.start(ctx, admin)
    for (const value of good[type]) {
      t.equal((await set(value, id)).status, 200, JSON.stringify(value))
      const stored = (await profile())[id]
      t.equal(stored.value, typeof value === 'string' ? value : JSON.stringify(value))
      const isMarkdown = type === 'SHORT_TEXT' || type === 'LONG_TEXT'
      t.equal('rendered_value' in stored, isMarkdown)
    }
    t.equal((await ear.inStep(t)).length, good[type].length)
    const before = await profile()
    for (const value of bad[type]) t.match(await set(value, id), refused, JSON.stringify(value))
    t.same(await profile(), before)
    await set(good[type].at(-1), id)
    t.same(await ear.inStep(t), [], 'the same value is no news')
    for (const empty of [null, '', []]) {
      await set(good[type][0], id)
      t.equal((await set(empty, id)).status, 200)
      t.notOk((await profile())[id], `${JSON.stringify(empty)} clears`)
    }
    const events = await ear.inStep(t)
    t.match(events.at(-1)?.person, { user_id: person.id, custom_profile_field: { id, value: null } })
  })
}

t.test('half a character is stored as what cannot be read', async t => {
  for (const [id, value] of [
    [ids.SHORT_TEXT, 'a\ud800'],
    [ids.URL, 'https://x.example/\ud800'],
  ] as const) {
    t.equal((await set(value, id)).status, 200)
    t.equal((await profile())[id].value, value.replace('\ud800', '\ufffd'))
  }
})

t.test('Markdown is rendered, and nothing in it comes through unescaped', async t => {
  await set('**bold** <script>', ids.SHORT_TEXT)
  t.match((await profile())[ids.SHORT_TEXT], { rendered_value: /<strong>bold<\/strong> &lt;script&gt;/ })
})

t.test('users that are no people of the organization', async t => {
  const bot = await server.person({ bot_type: 1, bot_owner_id: admin.id })
  const gone = await server.person({ is_active: false })
  for (const one of [bot, gone]) t.match(await set([one.id], ids.USER), refused)
})

t.test('all or nothing, unknown fields, malformed lists', async t => {
  const before = await profile()
  const bodies: unknown[] = [
    [
      { id: ids.DATE, value: '2024-01-01' },
      { id: 99_999, value: 'x' },
    ],
    [
      { id: ids.DATE, value: '2024-01-01' },
      { id: ids.SELECT, value: 'x' },
    ],
    [{ id: 99_999, value: null }],
    [{ id: ids.DATE }],
    [{ value: 'x' }],
    { id: ids.DATE, value: '2024-01-01' },
    'x',
    [null],
  ]
  for (const profile_data of bodies) {
    t.match(await admin.patch(`/users/${person.id}`, { profile_data }), refused, JSON.stringify(profile_data))
  }
  t.same(await profile(), before)
  const both = [
    { id: ids.DATE, value: '2024-01-01' },
    { id: ids.DATE, value: '2024-01-02' },
  ]
  await admin.ok('PATCH', `/users/${person.id}`, { profile_data: both })
  t.equal((await profile())[ids.DATE].value, '2024-01-02', 'the last one counts')
  const bot = await server.person({ bot_type: 1, bot_owner_id: admin.id })
  t.match(await set('x', ids.PRONOUNS, bot), refused, 'bots have no profile')
})

t.test('profile values are sent to users who may see the user, and included where requested', async t => {
  await limitGuests(sql)
  const guest = await server.person({ role: 600 })
  const ear = await Listener.start(ctx, guest)
  await set('ze', ids.PRONOUNS)
  t.same(await ear.inStep(t), [])
  await setOrganization(sql, { can_access_all_users_group: null })
  const path = `/users/${person.id}`
  t.notOk((await guest.ok('GET', path)).user.profile_data)
  const { user } = await guest.ok('GET', path, { include_custom_profile_fields: true })
  t.same(user.profile_data[ids.PRONOUNS], { value: 'ze' })
  const { members } = await guest.ok('GET', '/users', { include_custom_profile_fields: true, user_ids: [person.id] })
  t.same(members[0].profile_data, user.profile_data)
})

t.test('spectators receive no profile fields', async t => {
  await setOrganization(sql, { enable_spectator_access: true })
  const state = await server.api(null).ok('POST', '/register', { fetch_event_types: ['custom_profile_fields'] })
  t.same(state.custom_profile_fields, [])
  t.equal(state.custom_profile_field_types.PRONOUNS.id, 8)
})
