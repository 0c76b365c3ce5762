// Each operation that creates something takes an Idempotency-Key: repeated requests create once and get the first answer.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { routes } from '../../server/api/index.js'
import { botsOnly } from '../../server/policies/allow.js'
import type { Params } from '../support/http.js'
import { kinds, Listener } from '../support/in-step.js'
import { type KeyedAnswer, postKeyed } from '../support/keyed.js'
import { setOrganization, setUser } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { canvas } from './emoji/scene.js'

const server = await startServer(t)
const second = await startServer(t, {}, server.organization)
const owner = await server.person({ role: 100 })
const other = await server.person()
await setUser(server.sql, owner.id, { can_create_users: true })
// Exports wait behind it: their events would come in the middle of other tests.
await server.sql`insert into jobs (kind, key, payload, due) values ('mail', 'exports', '{}', now() + interval '1 day')`

const channelNamed = async (name: string, params: Params = {}): Promise<number> => {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...params })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}
await setOrganization(server.sql, {
  moderation_request_channel_id: await channelNamed('moderators', { invite_only: true }),
})
await channelNamed('offered')
const message = async (content: string): Promise<number> =>
  (await owner.ok('POST', '/messages', { type: 'direct', to: [other.id], content })).id
const reported = await message('hello')
const poll = await message('/poll Lunch?\n- soup')

function fileForm(name: string, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData()
  form.set('file', new Blob([bytes]), name)
  return form
}
const pictures = await Promise.all([10, 20].map(size => canvas(size, size).png().toBuffer()))

interface Request {
  readonly path: string
  readonly sent: Params | FormData
}

/** A request of each operation. `n` makes names new; `isOther` makes another request with the same names. */
const requests: Readonly<Record<string, (n: number, isOther: boolean) => Request>> = {
  send_message: (n, isOther) => ({
    path: '/messages',
    sent: { type: 'direct', to: [other.id], content: `text ${n} ${isOther}` },
  }),
  create_drafts: (n, isOther) => ({
    path: '/drafts',
    sent: { drafts: [{ type: '', to: [], topic: '', content: `text ${n} ${isOther}` }] },
  }),
  create_saved_snippet: (n, isOther) => ({
    path: '/saved_snippets',
    sent: { title: `snippet ${n}`, content: `text ${isOther}` },
  }),
  create_scheduled_message: (n, isOther) => ({
    path: '/scheduled_messages',
    sent: {
      type: 'direct',
      to: [other.id],
      content: `text ${n} ${isOther}`,
      scheduled_delivery_timestamp: 4_102_444_800,
    },
  }),
  export_realm: (_, isOther) => ({
    path: '/export/realm',
    sent: { export_type: isOther ? 'full_without_consent' : 'public' },
  }),
  create_reminder: (n, isOther) => ({
    path: '/reminders',
    sent: { message_id: reported, scheduled_delivery_timestamp: 4_102_444_800, note: `note ${n} ${isOther}` },
  }),
  create_channel: (n, isOther) => ({
    path: '/channels/create',
    sent: { name: `channel ${n}`, subscribers: [owner.id, other.id], description: `text ${isOther}` },
  }),
  subscribe: (n, isOther) => ({
    path: '/users/me/subscriptions',
    sent: {
      subscriptions: [{ name: `new ${n}` }, { name: 'offered' }],
      principals: [owner.id, other.id],
      announce: isOther,
    },
  }),
  create_user_group: (n, isOther) => ({
    path: '/user_groups/create',
    sent: { name: `group ${n}`, description: `text ${isOther}`, members: [owner.id] },
  }),
  upload_custom_emoji: (n, isOther) => ({
    path: `/realm/emoji/emoji${n}`,
    sent: fileForm('a.png', new Uint8Array(pictures[isOther ? 1 : 0] as Buffer)),
  }),
  add_linkifier: (n, isOther) => ({
    path: '/realm/filters',
    sent: { pattern: `p${n}-(?P<id>[0-9]+)`, url_template: `https://${isOther}.example/{id}` },
  }),
  add_playground: (n, isOther) => ({
    path: '/realm/playgrounds',
    sent: { name: `place ${n}`, pygments_language: 'Go', url_template: `https://${isOther}.example/{code}` },
  }),
  add_realm_domain: (n, isOther) => ({
    path: '/realm/domains',
    sent: { domain: `d${n}.example`, allow_subdomains: isOther },
  }),
  send_invites: (n, isOther) => ({
    path: '/invites',
    sent: { invitee_emails: `invited${n}@test.example`, stream_ids: [], invite_as: isOther ? 400 : 600 },
  }),
  create_invite_link: (_, isOther) => ({ path: '/invites/multiuse', sent: { invite_as: isOther ? 400 : 600 } }),
  create_custom_profile_field: (n, isOther) => ({
    path: '/realm/profile_fields',
    sent: { field_type: 1, name: `field ${n}`, hint: `text ${isOther}` },
  }),
  add_navigation_view: (n, isOther) => ({
    path: '/navigation_views',
    sent: { fragment: `narrow/is/${n}`, name: `view ${n}`, is_pinned: isOther },
  }),
  create_channel_folder: (n, isOther) => ({
    path: '/channel_folders/create',
    sent: { name: `folder ${n}`, description: `text ${isOther}` },
  }),
  create_user: (n, isOther) => ({
    path: '/users',
    sent: { email: `new${n}@test.example`, full_name: `Person No ${n} ${isOther}`, password: 'correct horse battery' },
  }),
  create_bot: (n, isOther) => ({
    path: '/bots',
    sent: { full_name: `Robot No ${n}`, short_name: `robot${n}`, bot_type: isOther ? 2 : 1 },
  }),
  create_default_stream_group: (n, isOther) => ({
    path: '/default_stream_groups/create',
    sent: { group_name: `defaults ${n}`, description: `text ${isOther}`, stream_names: ['offered'] },
  }),
  upload_file: (n, isOther) => ({
    path: '/user_uploads',
    sent: fileForm(`file ${n}.txt`, new Uint8Array(isOther ? 20 : 10)),
  }),
  report_message: (n, isOther) => ({
    path: `/messages/${reported}/report`,
    sent: { report_type: 'spam', description: `text ${n} ${isOther}` },
  }),
  submessage: (n, isOther) => ({
    path: '/submessage',
    sent: {
      message_id: poll,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'new_option', idx: n, option: `option ${isOther}` }),
    },
  }),
  register_client_device: () => ({ path: '/register_client_device', sent: {} }),
}

let made = 0
const workers = [server.api(owner.who), second.api(owner.who)]
const ask = (
  operation: string,
  n: number,
  key?: string,
  { isOther = false, worker = 0 } = {},
): Promise<KeyedAnswer> => {
  const { path, sent } = (requests[operation] as (typeof requests)[string])(n, isOther)
  return postKeyed(workers[worker] as (typeof workers)[0], path, sent, key)
}

t.test('the operations that create', async t => {
  // That of bots sends no event: see event-subscriptions/.
  const creating = routes.filter(({ creates, allow }) => creates && allow !== botsOnly)
  t.same(creating.map(({ operation }) => operation).sort(), Object.keys(requests).sort())
  for (const { operation, method, allow } of creating) t.same([method, typeof allow], ['POST', 'function'], operation)
})

for (const operation of Object.keys(requests)) {
  t.test(`${operation}: requests with one key at two workers create once and get the same answer`, async t => {
    // The first request makes more, for example the account of the notification bot.
    await ask(operation, ++made)
    const ear = await Listener.start([server.ctx, second.ctx], owner)
    t.equal((await ask(operation, ++made)).status, 200)
    const usual = kinds(await ear.inStep(t)).sort()
    t.not(usual.length, 0)

    const [key, n] = [randomUUID(), ++made]
    const together = await Promise.all([0, 1, 0, 1].map(worker => ask(operation, n, key, { worker })))
    const [first] = together as [KeyedAnswer]
    t.equal(first.status, 200, first.text)
    t.same(new Set(together.map(({ status, text }) => `${status} ${text}`)).size, 1, 'at the same time')
    t.same(kinds(await ear.inStep(t)).sort(), usual, 'the events of one request')
    for (const worker of [0, 1]) {
      t.equal((await ask(operation, n, key, { worker })).text, first.text, `later, at worker ${worker}`)
    }
    if (operation !== 'register_client_device') {
      const reused = await ask(operation, n, key, { isOther: true })
      t.match(reused, { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }, 'with other parameters')
    }
    t.same(await ear.inStep(t), [], 'no later request created anything')
    const unrelated = await ask(operation, ++made, randomUUID())
    t.equal(unrelated.status, 200, 'another key')
    t.same(kinds(await ear.inStep(t)).sort(), usual)
  })
}
