import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import type { Tx } from '../../../server/store/driver/db.js'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { freshName, type Loose, makeGroup, peopleOf, readGroup } from './scene.js'

const size = 5000
const server = await startServer(t)
// The statements of jobs, which may run at any time, are no statements of a request.
await server.jobs.stop()
const [manager, one] = await peopleOf(server)('administrator', 'member')
// The creator is not a member. The members are bots, because the server would send humans a message each.
const crowd = await server.sql.begin(tx => makeCrowd(tx, size))
await server.ctx.directory.fresh()

// Statements of the directory's refresh, which may run at any time.
const refresh = /^select version from organization$|^select 'organization' as kind/

/** The number of SQL statements of a request. */
async function count(who: Person, method: 'POST' | 'PATCH', path: string, params: Loose = {}): Promise<number> {
  const statements = await statementsOf(server, () => who.ok(method, path, params))
  return statements.filter(statement => !refresh.test(statement)).length
}

t.test('a group of thousands takes as many statements as a group of one', async t => {
  const make = (members: number[]) => ({ name: freshName(), description: '', members })
  // The first request also creates the nameless group of its creator, which all settings use.
  await makeGroup(manager)
  const small = await count(manager, 'POST', '/user_groups/create', make([one.id]))
  const large = await count(manager, 'POST', '/user_groups/create', make(crowd))
  t.equal(large, small)
  t.ok(large <= 8, `${large} statements`)
})

t.test('to change its members takes as many, too; so does a channel that its members come to know', async t => {
  const group = await makeGroup(manager)
  const path = `/user_groups/${group}/members`
  await manager.ok('POST', '/channels/create', {
    name: freshName('channel'),
    subscribers: [manager.id],
    invite_only: true,
    can_subscribe_group: group,
  })
  const [first, ...rest] = crowd as [number, ...number[]]
  const small = [
    await count(manager, 'POST', path, { add: [first] }),
    await count(manager, 'POST', path, { delete: [first] }),
  ]
  const large = [
    await count(manager, 'POST', path, { add: rest }),
    await count(manager, 'POST', path, { delete: rest }),
  ]
  t.strictSame(large, small)
  t.ok(
    large.every(statements => statements <= 16),
    `${large} statements`,
  )
  await manager.ok('POST', path, { add: rest })
  t.equal((await readGroup(manager, group)).members.length, rest.length)
  t.equal(await count(manager, 'POST', path, { add: [first] }), small[0], 'one more in a large group')
})

t.test('users who are added by another user get a message soon, however many they are', async t => {
  const people = await server.sql.begin(tx => makeCrowd(tx, 250, true))
  const group = await makeGroup(manager)
  const statements = await count(manager, 'POST', `/user_groups/${group}/members`, { add: people })
  t.ok(statements <= 16, `${statements} statements`)
  await startServer(t, {}, server.organization)
  for (;;) {
    const [row] = await server.sql<{ sent: number }[]>`
      select count(*)::int as sent from messages where content like ${`%added you to the group%`}`
    if (row?.sent === people.length) break
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  t.pass()
})

t.test('a change of more than a thousand people sends no messages', async t => {
  const people = await server.sql.begin(tx => makeCrowd(tx, budgets.memberNotices.most + 1, true))
  const group = await makeGroup(manager)
  await manager.ok('POST', `/user_groups/${group}/members`, { add: people })
  t.equal((await readGroup(manager, group)).members.length, people.length)
  const [row] = await server.sql`
    select count(*)::int as sent from messages join conversations on conversations.id = conversation_id
    where conversations.user_ids && ${people}::int[]`
  t.equal(row?.sent, 0)
})

async function makeCrowd(tx: Tx, many: number, arePeople = false): Promise<number[]> {
  const version = await bumpVersion(tx)
  const rows = await tx<{ id: number }[]>`
    insert into users (delivery_email, full_name, is_bot, bot_type, role, api_key, version)
    select 'crowd' || i || '-' || ${version}::int || '@test.example', 'Crowd ' || i, ${!arePeople},
      ${arePeople ? null : 1}, 400, md5(i || ' ' || ${version}::int), ${version}
    from generate_series(1, ${many}::int) as i returning id`
  return rows.map(row => row.id)
}
