// I3: PostgreSQL's work for a message does not grow with the number of subscribers.
import t from 'tap'
import { setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const writer = await server.person()

async function channelOf(name: string, members: number): Promise<void> {
  const people = await Promise.all(Array.from({ length: members }, () => server.person()))
  await writer.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: [writer.id, ...people.map(person => person.id)],
    send_new_subscription_messages: false,
  })
}

// The rows of the outbox are deleted after publishing. Mails to people who are away are decided later, by another transaction.
const others = ['outbox', 'jobs', 'missed_messages', 'missed_mails']

/** Number of rows in all other tables of the schema. */
async function rows(): Promise<number> {
  const tables = await server.sql<{ name: string }[]>`
    select tablename as name from pg_tables 
    where schemaname = ${server.organization.schema} and tablename <> all(${others})`
  let sum = 0
  for (const { name } of tables) {
    const [row] = await server.sql<{ rows: number }[]>`select count(*)::int as rows from ${server.sql(name)}`
    sum += row?.rows ?? 0
  }
  return sum
}

async function rowsWrittenBy(to: string, content: string): Promise<number> {
  const before = await rows()
  await writer.ok('POST', '/messages', { type: 'stream', to, topic: 'count', content })
  return (await rows()) - before
}

await channelOf('few', 2)
await channelOf('many', 60)

t.test('I3: a user who starts a topic follows it: one row more, for 2 subscribers as for 60', async t => {
  t.equal(await rowsWrittenBy('few', 'hello'), 2)
  t.equal(await rowsWrittenBy('many', 'hello'), 2)
})

t.test('I3: a message is one row, for 2 subscribers as for 60', async t => {
  t.equal(await rowsWrittenBy('few', 'hello'), 1)
  t.equal(await rowsWrittenBy('many', 'hello'), 1)
})

t.test('I3: also with a mention of all subscribers', async t => {
  await setOrganization(server.sql, { can_mention_many_users_group: 2 })
  t.equal(await rowsWrittenBy('few', 'hello @**all**'), 1)
  t.equal(await rowsWrittenBy('many', 'hello @**all**'), 1)
})
