import t from 'tap'
import { insertAuditEntries } from '../../../server/store/organization/audit-log.js'
import { Browser, givePassword } from '../../support/browser.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const administrator = await server.person({ role: 200 })
const member = await server.person()
await givePassword(server.sql, administrator, member)

const entry = {
  actor_id: administrator.id,
  operation: 'update_user',
  request_id: 'r',
  address: '192.0.2.7',
  event: 'realm_user/update',
  subject: { user_id: member.id },
  before: null,
  after: { full_name: '=1+1, "x"' },
}
await insertAuditEntries(server.sql, [
  { ...entry, operator: '=cmd|calc' },
  { ...entry, event: 'user_group/add' },
])

const get = (path: string, who: Person | null = administrator, method = 'GET') =>
  fetch(server.url + path, {
    method,
    headers: who ? { Authorization: `Basic ${btoa(`${who.email}:${who.api_key}`)}` } : {},
  })

t.test('the log is a table for spreadsheets, whose cells run nothing, or lines of JSON', async t => {
  const answer = await get('/audit-log.csv')
  t.match(answer.headers.get('content-type'), /^text\/csv/)
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="audit-log.csv"')
  t.equal(answer.headers.get('cache-control'), 'no-store')
  const [head, newest, oldest, ...more] = (await answer.text()).split('\r\n')
  t.equal(head, 'id,time,actor_id,operator,operation,address,event,subject,before,after')
  const object = `"{""user_id"":${member.id}}",,"{""full_name"":""=1+1, \\""x\\""""}"`
  t.match(newest, `${administrator.id},,update_user,192.0.2.7,user_group/add,${object}`)
  t.match(oldest, `${administrator.id},'=cmd|calc,update_user,192.0.2.7,realm_user/update,${object}`)
  t.same(more, [''])
  const lines = (await (await get('/audit-log.jsonl?event=realm_user/update')).text()).trimEnd().split('\n')
  t.match(
    lines.map(line => JSON.parse(line)),
    [{ operator: '=cmd|calc', time: /Z$/, after: entry.after }],
  )
  t.equal((await get('/audit-log.csv', administrator, 'HEAD')).status, 200)
})

t.test('a long log comes whole, page by page, and each row once', async t => {
  await server.sql`
    insert into audit_log (actor_id, operation, event, subject)
    select ${administrator.id}, 'many', 'many', '{}' from generate_series(1, 1234)`
  const text = await (await get('/audit-log.jsonl?event=many')).text()
  const ids = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).id)
  t.equal(ids.length, 1234)
  t.equal(new Set(ids).size, 1234)
  t.same(
    ids,
    [...ids].sort((a, b) => b - a),
  )
})

t.test('a page of an administrator downloads it by its session; nothing else may', async t => {
  const page = await new Browser(server.url).signIn(administrator)
  t.equal((await page.page('GET', '/audit-log.csv')).status, 200)
  const other = await new Browser(server.url).signIn(member)
  const owners: readonly [name: string, who: Person | null, status: number][] = [
    ['owner', await server.person({ role: 100 }), 200],
    ['moderator', await server.person({ role: 300 }), 400],
    ['member', member, 400],
    ['guest', await server.person({ role: 600 }), 400],
    ['bot', await server.person({ bot_type: 1, bot_owner_id: administrator.id }), 400],
    ['deactivated', await server.person({ is_active: false }), 401],
    ['none', null, 401],
  ]
  for (const [name, who, status] of owners) t.equal((await get('/audit-log.csv', who)).status, status, name)
  t.equal((await other.page('GET', '/audit-log.csv')).status, 400, 'the session of a member')
  for (const query of ['actor_id=x', 'user_id=-1', 'since=yesterday', 'until=0.5', `event=${'e'.repeat(2000)}`]) {
    t.equal((await get(`/audit-log.csv?${query}`)).status, 400, query.slice(0, 20))
  }
  t.equal((await get('/audit-log.csv', administrator, 'PUT')).status, 405)
})
