// Two organizations, each in its own schema, share a database and never wait for each other.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import t from 'tap'
import type { Sql, Tx } from '../../server/store/driver/db.js'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { whilePreparing } from '../../server/store/organization/organization-changes.js'
import { migrate } from '../../server/store/schema/migrate.js'
import { holdPolicies, holdStart } from '../../server/store/topics/user-topics.js'
import { services } from '../support/services.js'

const { databaseUrl } = await services(t)
const names = ['a', 'b'].map(end => `t${randomUUID().replaceAll('-', '').slice(0, 15)}${end}`)
const [here, there] = names as [string, string]
for (const name of names) await migrate(databaseUrl, name)
const ours = openDatabase(databaseUrl, here, 3)
const theirs = openDatabase(databaseUrl, there, 3)
t.teardown(async () => {
  for (const name of names) await ours.unsafe(`drop schema ${name} cascade`)
  await Promise.all([ours.end(), theirs.end()])
})

const user = 7
const manyUsers = Array.from({ length: 51 }, (_, i) => i + 1)

/** Each lock, and a lock that must wait for it in the same schema. */
const locks: Record<string, [hold: (tx: Tx) => Promise<unknown>, rival: (tx: Tx) => Promise<unknown>]> = {
  'topic policies of a user': [tx => holdPolicies(tx, [user]), tx => holdPolicies(tx, [user])],
  'topic policies of many users': [tx => holdPolicies(tx, manyUsers), tx => holdPolicies(tx, [user])],
  'topic policies of many users, after one': [tx => holdPolicies(tx, [user]), tx => holdPolicies(tx, manyUsers)],
}

/** SQLSTATE of the failure if `work` has to wait for a lock; otherwise undefined. */
async function waits(sql: Sql, work: (tx: Tx) => Promise<unknown>): Promise<string | undefined> {
  try {
    await sql.begin(async tx => {
      await tx`set local lock_timeout = 300`
      await work(tx)
    })
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  }
}

for (const [name, [hold, rival]] of Object.entries(locks)) {
  t.test(`${name}: a lock of one schema, not of the database`, async t => {
    await ours.begin(async tx => {
      await hold(tx)
      t.equal(await waits(ours, rival), '55P03', 'the same schema waits')
      t.equal(await waits(theirs, rival), undefined, 'the other schema does not')
    })
  })
}

t.test('locks of different users and of different purposes are different locks', async t => {
  await ours.begin(async tx => {
    await holdStart(tx, { channelId: 1, topic: 'a' })
    await holdPolicies(tx, [user])
    t.equal(await waits(ours, other => holdStart(other, { channelId: 2, topic: 'a' })), undefined)
    t.equal(await waits(ours, other => holdPolicies(other, [user + 1])), undefined)
  })
})

t.test('one organization is prepared while another one is', async t => {
  const order: string[] = []
  await whilePreparing(ours, async () => {
    const second = whilePreparing(ours, async () => order.push('ours again'))
    await whilePreparing(theirs, async () => order.push('theirs'))
    order.push('ours')
    return { second }
  }).then(({ second }) => second)
  t.same(order, ['theirs', 'ours', 'ours again'])
})

t.test('a preparation may take longer than a transaction may be idle, and another one waits for it', async t => {
  const impatient = { idle_in_transaction_session_timeout: 50, lock_timeout: 50, statement_timeout: 50 }
  // The cast: without the types of the server's own pools, which the function does not use.
  const sql = postgres(databaseUrl, { connection: { ...impatient, search_path: here } }) as unknown as Sql
  t.teardown(() => sql.end())
  const order: string[] = []
  const prepare = (name: string) => whilePreparing(sql, () => sleep(200).then(() => order.push(name)))
  await Promise.all([prepare('first'), prepare('second')])
  t.equal(order.length, 2)
})

t.test('one organization is migrated while the migration of another one waits', { timeout: 10_000 }, async t => {
  const order: string[] = []
  let first = Promise.resolve()
  await ours.begin(async tx => {
    await tx`lock table migrations`
    first = migrate(databaseUrl, here).then(() => void order.push('ours'))
    await untilWaiting(theirs, `${here}.migrations`)
    await migrate(databaseUrl, there)
    order.push('theirs')
  })
  await first
  t.same(order, ['theirs', 'ours'])
})

/** Waits until a transaction waits for a lock on the table. */
async function untilWaiting(sql: Sql, table: string): Promise<void> {
  for (;;) {
    const rows = await sql`select from pg_locks where relation = ${table}::regclass and not granted`
    if (rows.length > 0) return
  }
}
