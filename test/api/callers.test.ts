// Every operation by which people come in and an organization is run × nine kinds of callers.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { areas } from '../../server/api/index.js'
import { hashPassword } from '../../server/auth/passwords.js'
import { password } from '../support/browser.js'
import type { Api } from '../support/http.js'
import type { Loose } from '../support/in-step.js'
import { Receiver } from '../support/push-service.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const day = 86_400_000
const owner = await server.person({ role: 100, date_joined: new Date(0) })
await owner.ok('PATCH', '/realm', { waiting_period_threshold: 3 })
const callers = {
  owner,
  administrator: await server.person({ role: 200, date_joined: new Date(0) }),
  moderator: await server.person({ role: 300, date_joined: new Date(0) }),
  'full member': await server.person({ date_joined: new Date(Date.now() - 4 * day) }),
  'new member': await server.person({ date_joined: new Date() }),
  guest: await server.person({ role: 600, date_joined: new Date(0) }),
  'bot of an administrator': await server.person({ role: 200, bot_type: 1, bot_owner_id: owner.id }),
  deactivated: await server.person({ role: 100, is_active: false }),
  none: server.api(null),
}
type Caller = keyof typeof callers
await server.sql`update users set password_hash = ${await hashPassword(password)}`

const owners: readonly Caller[] = ['owner']
const administrators: readonly Caller[] = [...owners, 'administrator']
const administratorsAndBots: readonly Caller[] = [...administrators, 'bot of an administrator']
const members: readonly Caller[] = [...administrators, 'moderator', 'full member', 'new member']
const people: readonly Caller[] = [...members, 'guest']
const accounts: readonly Caller[] = [...people, 'bot of an administrator']

let made = 0
const unique = () => `one${++made}`
const notMine = async (kind: 'mail' | 'link'): Promise<number> => {
  const invitee_emails = `${unique()}@test.example`
  const params = kind === 'mail' ? { invitee_emails, stream_ids: [] } : {}
  await owner.ok('POST', kind === 'mail' ? '/invites' : '/invites/multiuse', params)
  const { invites } = await owner.ok('GET', '/invites')
  return invites.filter((one: Loose) => one.is_multiuse === (kind === 'link')).at(-1).id
}
const domain = async (): Promise<string> => {
  const name = `${unique()}.example`
  await owner.ok('POST', '/realm/domains', { domain: name, allow_subdomains: false })
  return name
}
const playground = () => ({
  name: unique(),
  pygments_language: 'Python',
  url_template: 'https://play.example/?c={code}',
})

// Another job of the key keeps imports waiting.
await server.sql`insert into jobs (kind, key, payload, due) values ('mail', 'imports', '{}', now() + interval '1 day')`
const checkedImport = async (): Promise<number> => {
  const [{ id }] = await server.sql<[{ id: number }]>`
    insert into import_requests (requester_id, requested, name, size, state, digest)
    values (${owner.id}, now(), 'x.zip', 1, 'ready', 'x') returning id`
  return id
}

interface Row {
  /** The request of a caller, with something of its own to act on. */
  readonly request: (who: Api) => Promise<{ status: number; body: Loose }>
  /** Who gets status 200; all others but the last two kinds get `code`. */
  readonly allowed: readonly Caller[]
  readonly code?: string
}

const rows: Readonly<Record<string, Row>> = {
  send_invites: {
    request: who => who.post('/invites', { invitee_emails: `${unique()}@test.example`, stream_ids: [] }),
    allowed: members,
    code: 'BAD_REQUEST',
  },
  create_invite_link: { request: who => who.post('/invites/multiuse'), allowed: administrators, code: 'BAD_REQUEST' },
  get_invites: { request: who => who.get('/invites'), allowed: members, code: 'BAD_REQUEST' },
  resend_email_invite: {
    request: async who => who.post(`/invites/${await notMine('mail')}/resend`),
    allowed: administrators,
    code: 'BAD_REQUEST',
  },
  revoke_email_invite: {
    request: async who => who.delete(`/invites/${await notMine('mail')}`),
    allowed: administrators,
    code: 'BAD_REQUEST',
  },
  revoke_invite_link: {
    request: async who => who.delete(`/invites/multiuse/${await notMine('link')}`),
    allowed: administrators,
    code: 'BAD_REQUEST',
  },
  update_realm: { request: who => who.patch('/realm', { name: unique() }), allowed: administratorsAndBots },
  'update_realm, of owners': { request: who => who.patch('/realm', { message_retention_days: 30 }), allowed: owners },
  get_realm_domains: { request: who => who.get('/realm/domains'), allowed: accounts },
  add_realm_domain: {
    request: who => who.post('/realm/domains', { domain: `${unique()}.example`, allow_subdomains: true }),
    allowed: owners,
  },
  patch_realm_domain: {
    request: async who => who.patch(`/realm/domains/${await domain()}`, { allow_subdomains: true }),
    allowed: owners,
  },
  delete_realm_domain: { request: async who => who.delete(`/realm/domains/${await domain()}`), allowed: owners },
  add_playground: { request: who => who.post('/realm/playgrounds', playground()), allowed: administratorsAndBots },
  remove_playground: {
    request: async who => {
      const { id } = await owner.ok('POST', '/realm/playgrounds', playground())
      return who.delete(`/realm/playgrounds/${id}`)
    },
    allowed: administratorsAndBots,
  },
  get_audit_log: { request: who => who.get('/realm/audit_log'), allowed: administratorsAndBots },
  get_export_consents: { request: who => who.get('/export/realm/consents'), allowed: administratorsAndBots },
  get_realm_exports: { request: who => who.get('/export/realm'), allowed: administratorsAndBots },
  export_realm: { request: who => who.post('/export/realm'), allowed: administratorsAndBots },
  delete_realm_export: {
    request: async who => {
      const [{ id }] = await server.sql<[{ id: number }]>`
        insert into exports (kind, requester_id, requested, state, token)
        values ('public', ${owner.id}, now() - interval '8 days', 'ready', ${randomBytes(24).toString('base64url')}) returning id`
      return who.delete(`/export/realm/${id}`)
    },
    allowed: administratorsAndBots,
  },
  request_import: {
    request: async who => {
      const { id: user_id } =
        Object.values(callers).find((one): one is typeof owner => one === who && 'id' in one) ?? owner
      const path_id = `1/00/${randomBytes(18).toString('base64url')}/x.zip`
      await server.sql`insert into attachments ${server.sql({ user_id, path_id, name: 'x.zip', content_type: 'application/zip', size: 0 })}`
      return who.post('/imports', { path_id })
    },
    allowed: administratorsAndBots,
  },
  get_imports: { request: who => who.get('/imports'), allowed: administratorsAndBots },
  get_import: { request: async who => who.get(`/imports/${await checkedImport()}`), allowed: administratorsAndBots },
  start_import: {
    request: async who => who.post(`/imports/${await checkedImport()}/start`),
    allowed: administratorsAndBots,
  },
  undo_import: {
    request: async who => {
      const id = await checkedImport()
      const digest = `digest ${id}`
      await server.sql`
        insert into imports (source, digest, state, first_id, last_id, checked) values ('Slack', ${digest}, 'finished', 1, 1, '{}')`
      await server.sql`update import_requests set state = 'finished', digest = ${digest} where id = ${id}`
      return who.post(`/imports/${id}/undo`)
    },
    allowed: administratorsAndBots,
  },
  delete_import: {
    request: async who => who.delete(`/imports/${await checkedImport()}`),
    allowed: administratorsAndBots,
  },
  request_user_export: {
    request: async who => who.post(`/users/${(await server.person()).id}/exports`),
    allowed: administratorsAndBots,
  },
  get_user_exports: {
    request: async who => who.get(`/users/${(await server.person()).id}/exports`),
    allowed: administratorsAndBots,
  },
  'get_user_exports, of an owner': { request: who => who.get(`/users/${owner.id}/exports`), allowed: owners },
  delete_user_export: {
    request: async who => {
      const { id: user } = await server.person()
      const [{ id }] = await server.sql<[{ id: number }]>`
        insert into exports (kind, user_id, requester_id, requested, state, token)
        values ('person', ${user}, ${owner.id}, now(), 'ready', ${randomBytes(24).toString('base64url')}) returning id`
      return who.delete(`/users/${user}/exports/${id}`)
    },
    allowed: administratorsAndBots,
  },
  get_user_upload_space: {
    request: async who => who.get(`/users/${(await server.person()).id}/upload_space`),
    allowed: administratorsAndBots,
  },
  update_user_upload_quota: {
    request: async who => who.patch(`/users/${(await server.person()).id}/upload_space`, { upload_quota_mib: 5 }),
    allowed: administratorsAndBots,
  },
  'update_user_upload_quota, of an owner': {
    request: who => who.patch(`/users/${owner.id}/upload_space`, { upload_quota_mib: 5 }),
    allowed: owners,
  },
  erase_user: {
    request: async who => who.post(`/users/${(await server.person()).id}/erase`),
    allowed: owners,
  },
  get_user_erasure: {
    request: async who => who.get(`/users/${(await server.person()).id}/erasure`),
    allowed: owners,
  },
  end_sessions_of_user: {
    request: async who => who.delete(`/users/${(await server.person()).id}/sessions`),
    allowed: administratorsAndBots,
  },
  'end_sessions_of_user, of an owner': { request: who => who.delete(`/users/${owner.id}/sessions`), allowed: owners },
  send_password_reset: {
    request: async who => who.post(`/users/${(await server.person()).id}/password_reset`),
    allowed: administratorsAndBots,
  },
  'send_password_reset, of an owner': {
    request: who => who.post(`/users/${owner.id}/password_reset`),
    allowed: owners,
  },
  get_own_factors: { request: who => who.get('/users/me/factors'), allowed: people, code: 'BAD_REQUEST' },
  prove_own_identity: {
    request: who => who.post('/users/me/factors/proof', { password }),
    allowed: people,
    code: 'BAD_REQUEST',
  },
  add_fcm_token: {
    request: who => who.post('/users/me/android_gcm_reg_id', { token: 'x' }),
    allowed: people,
    code: 'BAD_REQUEST',
  },
  test_notify: { request: who => who.post('/mobile_push/test_notification'), allowed: people, code: 'BAD_REQUEST' },
  get_push_devices: { request: who => who.get('/users/me/push_devices'), allowed: people, code: 'BAD_REQUEST' },
  'add, test and remove_push_device': {
    request: async who => {
      const added = await who.post('/users/me/push_devices', new Receiver().device(`https://push.example/${unique()}`))
      if (added.status !== 200) return added
      const tested = await who.post(`/users/me/push_devices/${added.body.id}/test`)
      return tested.status === 200 ? who.delete(`/users/me/push_devices/${added.body.id}`) : tested
    },
    allowed: people,
    code: 'BAD_REQUEST',
  },
  get_own_sessions: { request: who => who.get('/users/me/sessions'), allowed: people, code: 'BAD_REQUEST' },
  'end_own_session, of another account': {
    request: who => who.delete('/users/me/sessions/1000000'),
    allowed: [],
    code: 'BAD_REQUEST',
  },
  end_other_sessions: { request: who => who.delete('/users/me/sessions'), allowed: people, code: 'BAD_REQUEST' },
}

/** Who gets what: status 200, or the status and the code of a refusal. */
async function answersTo(request: Row['request'], asked = Object.entries(callers)): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const [name, who] of asked) {
    const { status, body } = await request(who)
    answers[name] = status === 400 ? `400 ${body.code}` : String(status)
  }
  return answers
}

function expected({ allowed, code = 'UNAUTHORIZED_PRINCIPAL' }: Row, asked = Object.keys(callers)) {
  const isUnknown = (name: string) => name === 'deactivated' || name === 'none'
  const answerTo = (name: string) => (isUnknown(name) ? '401' : `400 ${code}`)
  return Object.fromEntries(asked.map(name => [name, allowed.includes(name as Caller) ? '200' : answerTo(name)]))
}

for (const [operation, row] of Object.entries(rows)) {
  t.test(operation, async t => t.same(await answersTo(row.request), expected(row)))
}

t.test('deactivate_realm, after which all are refused', async t => {
  const row: Row = { request: who => who.post('/realm/deactivate'), allowed: owners }
  const others = Object.entries(callers).filter(([name]) => name !== 'owner')
  t.same(
    await answersTo(row.request, others),
    expected(
      row,
      others.map(([name]) => name),
    ),
  )
  t.equal((await row.request(owner)).status, 200)
  const none = Object.fromEntries(Object.keys(callers).map(name => [name, '401']))
  t.same(await answersTo(who => who.get('/users/me')), none)
})

t.test('each operation of these areas has a row', async t => {
  const listed = ['invites', 'domains', 'playgrounds', 'audit-log', 'exports', 'imports'].flatMap(
    area => areas[area] ?? [],
  )
  t.same(
    listed.map(({ operation }) => operation).filter(operation => !(operation in rows)),
    [],
  )
})
