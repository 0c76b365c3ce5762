import t from 'tap'
import { until } from '../../http/until.js'
import { startServer } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

const server = await startServer(t)
const admin = async (...args: string[]) => {
  const { code, stdout, stderr } = await runAdmin(server.organization, ['retention', ...args, '--json'])
  return { code, out: JSON.parse(stdout || stderr) }
}

t.test('the preview counts, and deleted messages come back', async t => {
  const owner = await server.person({ role: 100 })
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
  const { id } = await owner.ok('POST', '/messages', { type: 'channel', to: 'design', topic: 'a', content: 'old' })
  await server.sql`update messages set date_sent = now() - interval '10 days' where id = ${id}`
  t.match(await admin('preview'), { code: 0, out: { expired: [], archive: { messages: 0 } } })
  t.match(await admin('preview', '--days', '5'), { out: { expired: [{ name: 'design', days: 5, messages: 1 }] } })
  t.match(await admin('preview', '--channel', 'none'), { code: 1, out: { code: 'NOT_FOUND' } })
  t.match(await admin('preview', '--days', '0'), { code: 2 })

  t.match(await admin('restore', '--message', `${id}`, '--yes'), { code: 1, out: { code: 'NOT_FOUND' } })
  t.match(await admin('restore', '--yes'), { code: 1, out: { code: 'NOTHING_NAMED' } })
  t.match(await admin('restore', '--since', 'today', '--yes'), { code: 2 })
  await owner.ok('DELETE', `/messages/${id}`)
  t.match(await admin('restore', '--direct', '--yes'), { code: 1, out: { code: 'NOT_FOUND' } })
  t.match(await admin('restore', '--message', `${id}`), { code: 1, out: { code: 'CONFIRMATION_NEEDED' } })
  t.same(await admin('restore', '--channel', 'design', '--sender', `${owner.id}`, '--since', '2020-01-01', '--yes'), {
    code: 0,
    out: { restored: 1, expired: 0 },
  })
  await owner.ok('GET', `/messages/${id}`)
  t.match(await server.sql`select operation, after from audit_log where event = 'message/restored'`, [
    { operation: 'admin', after: { messages: 1 } },
  ])
})

t.test('a person is counted, and then erased', async t => {
  const erase = async (...args: string[]) => {
    const { code, stdout, stderr } = await runAdmin(server.organization, ['user', 'erase', ...args, '--json'])
    return { code, out: JSON.parse(stdout || stderr) }
  }
  const person = await server.person()
  t.match(await erase(person.email, '--preview'), {
    out: { has_begun: false, messages: 'keep', found: { profile: 1 } },
  })
  t.match(await erase(person.email), { code: 1, out: { code: 'CONFIRMATION_NEEDED' } })
  t.match(await erase(person.email, '--messages', 'some', '--yes'), { code: 2 })
  t.match(await erase(person.email, '--as', person.email, '--yes'), {
    code: 1,
    out: { code: 'UNAUTHORIZED_PRINCIPAL' },
  })
  t.match(await erase(person.email, '--yes'), { code: 0, out: { has_begun: true } })
  const done = () =>
    server.sql`select from audit_log where event = 'user/erased' and subject -> 'user_id' = to_jsonb(${person.id}::int)`
  await until(async () => (await done()).length === 1)
  t.match(await erase(`${person.id}`, '--preview'), { out: { found: {} } })
})
