import t from 'tap'
import type { Loose } from '../../support/in-step.js'
import { testOrganization } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

// No worker runs, so jobs stay as they are.
const organization = await testOrganization(t)
const { sql } = organization
const run = (...args: string[]) => runAdmin(organization, ['job', ...args])
const json = async (...args: string[]): Promise<Loose> => {
  const { code, stdout, stderr } = await run(...args, '--json')
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
const insert = async (kind: string, state: string, key: string | null = null): Promise<number> => {
  const [row] = await sql<[{ id: number }]>`
    insert into jobs (kind, key, payload, state, attempts, error)
    values (${kind}, ${key}, '{"to":"a@example.com"}', ${state}, 3, 'Error: refused') returning id`
  return row.id
}
const stateOf = async (id: number) => (await sql`select state, attempts from jobs where id = ${id}`)[0]

t.test('jobs are listed, shown, repeated and discarded', async t => {
  const [mail, first, second] = [
    await insert('mail', 'dead'),
    await insert('notice', 'dead', 'channel 1'),
    await insert('notice', 'behind', 'channel 1'),
  ]
  t.match(await json('list'), { total: 3, jobs: [{ id: mail }, { id: first }, { id: second }] })
  t.match(await json('list', '--state', 'dead', '--kind', 'mail'), {
    total: 1,
    jobs: [{ id: mail, error: 'Error: refused' }],
  })
  t.match(await json('list', '--limit', '1', '--offset', '1'), { total: 3, jobs: [{ id: first }] })
  t.match(await json('show', String(mail)), { id: mail, kind: 'mail', payload: { to: 'a@example.com' }, attempts: 3 })
  t.match((await run('list')).stdout, /notice +channel 1 +behind/)

  t.same(await json('repeat', '--kind', 'notice'), { repeated: [first] })
  t.same(await stateOf(first), { state: 'due', attempts: 0 }, 'the first of its key')
  t.same(await stateOf(mail), { state: 'dead', attempts: 3 })
  t.same(await json('repeat', String(second)), { repeated: [] }, 'it is not dead')
  t.equal((await run('discard', String(mail))).code, 1, 'only with --yes')
  t.same(await json('discard', String(mail), '--yes'), { discarded: [mail] })
  t.same(await json('discard', '--yes'), { discarded: [] }, 'none is dead')
  t.same(await json('list', '--kind', 'mail'), { total: 0, jobs: [] })
})

t.test('a job with a schedule is not discarded', async t => {
  const [row] = await sql<[{ id: number }]>`
    insert into jobs (kind, payload, is_periodic) values ('remove-files', '{}', true) returning id`
  t.same(await json('discard', String(row.id), '--yes'), { discarded: [] })
})

t.test('an impossible command gets one sentence', async t => {
  const refused: [code: number, ...args: string[]][] = [
    [1, 'show', '999999'],
    [2, 'show', 'x'],
    [2, 'list', '--state', 'asleep'],
    [2, 'list', '--kind', 'tea'],
    [2, 'repeat', '1', 'x'],
  ]
  for (const [code, ...args] of refused) {
    const answer = await run(...args)
    t.equal(answer.code, code, args.join(' '))
    t.match(answer.stderr, /^[^\n]+\n$/)
    t.equal(answer.stdout, '')
  }
})
