import t from 'tap'
import { type AuditEntry, insertAuditEntries } from '../../../server/store/organization/audit-log.js'
import type { Loose } from '../../support/in-step.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const administrator = await server.person({ role: 200 })
const owner = await server.person({ role: 100 })
const person = await server.person()

const entry = (id: number, given: Partial<AuditEntry> = {}): AuditEntry => ({
  actor_id: owner.id,
  operation: 'update_user',
  request_id: 'r',
  address: '192.0.2.7',
  event: 'realm_user/update',
  subject: { user_id: person.id },
  before: { role: 400 },
  after: { role: id },
  ...given,
})
const rows = [
  entry(0),
  entry(1, { actor_id: administrator.id }),
  entry(2, { event: 'user_group/add', subject: { group_id: 9 }, before: null }),
  entry(3, { actor_id: null, operator: 'alice', operation: 'admin' }),
  entry(4, { subject: { user_id: owner.id } }),
]
await insertAuditEntries(server.sql, rows)
// One day each, the first row the oldest.
await server.sql`
  with old as (select id, row_number() over (order by id) as day from audit_log)
  update audit_log set at = to_timestamp(day * 86400) from old where audit_log.id = old.id`

const get = (query: Record<string, unknown>, who = administrator) => who.get('/realm/audit_log', query)
/** Which of the rows the answer lists. */
const listed = async (query: Record<string, unknown>) =>
  (await get(query)).body.entries.map(({ after }: Loose) => after.role)

t.test('lists entries, the newest first, page by page', async t => {
  const { body } = await get({ limit: 2 })
  t.match(body.entries, [
    { time: 5 * 86400, actor_id: owner.id, operator: '', event: 'realm_user/update', subject: { user_id: owner.id } },
    { time: 4 * 86400, actor_id: null, operator: 'alice', operation: 'admin', before: { role: 400 } },
  ])
  t.notOk('request_id' in body.entries[0], 'what the log of the server is searched by is not for the page')
  const second = (await get({ limit: 2, before: body.next_before }, owner)).body
  const third = (await get({ limit: 2, before: second.next_before })).body
  t.same(
    [body, second, third].map(({ entries }) => entries.map(({ after }: Loose) => after.role)),
    [[4, 3], [2, 1], [0]],
  )
  t.equal(third.next_before, null)
  t.equal((await get({ limit: 5 })).body.next_before, null, 'a page that ends with the oldest entry')
})

t.test('filters by caller, changed user, kind and time, each with the others', async t => {
  t.same(await listed({ actor_id: administrator.id }), [1])
  t.same(await listed({ user_id: person.id }), [3, 1, 0])
  t.same(await listed({ event: 'user_group/add' }), [2])
  t.same(await listed({ since: 2 * 86400, until: 4 * 86400 }), [2, 1], 'from the first second, before the last')
  t.same(await listed({ actor_id: owner.id, user_id: person.id, event: 'realm_user/update', until: 5 * 86400 }), [0])
  t.same(await listed({ user_id: 999_999 }), [])
  t.same(await listed({ event: "' or true --" }), [])
  t.equal(await queriesOf(server, () => get({ limit: 1 })), await queriesOf(server, () => get({ limit: 1000 })))
})

t.test('only administrators read it', async t => {
  const callers: Record<string, [who: Parameters<typeof get>[1], status: number]> = {
    owner: [owner, 200],
    administrator: [administrator, 200],
    moderator: [await server.person({ role: 300 }), 400],
    full: [await server.person({ date_joined: new Date(0) }), 400],
    new: [person, 400],
    guest: [await server.person({ role: 600 }), 400],
    bot: [await server.person({ bot_type: 1, bot_owner_id: owner.id }), 400],
    deactivated: [await server.person({ is_active: false }), 401],
  }
  for (const [name, [who, status]] of Object.entries(callers)) {
    const answer = await get({}, who)
    t.equal(answer.status, status, name)
    if (status === 400) t.equal(answer.body.code, 'UNAUTHORIZED_PRINCIPAL', name)
  }
  t.equal((await server.api(null).get('/realm/audit_log')).status, 401, 'none')
})

t.test('input that is refused', async t => {
  const wrong: Record<string, readonly unknown[]> = {
    actor_id: ['x', -1, 1.5, 2 ** 31],
    user_id: ['x', -1, '[1]'],
    event: ['e'.repeat(2000)],
    since: ['yesterday', -1, 1e15],
    until: ['2026-01-01', 0.5],
    before: ['x', -1, 2 ** 60],
    limit: [0, 1001, 'all', -5],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      t.match(await get({ [name]: value }), { status: 400, body: { code: 'BAD_REQUEST' } }, `${name}=${value}`)
    }
  }
})
