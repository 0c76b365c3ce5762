import t from 'tap'
import type { ISql } from '../../server/store/driver/db.js'
import { every, type Fragment, joinFragments, ofFragments, q, unionAll } from '../../server/store/driver/fragment.js'
import { learnTypes, openDatabase } from '../../server/store/driver/open-database.js'
import { services } from '../support/services.js'

t.test('fragments are taken in with their values, in order', async t => {
  const inner = q`a = ${1} or b = ${2}`
  t.same(q`x ${inner} y ${3}`, { strings: ['x a = ', ' or b = ', ' y ', ''], values: [1, 2, 3] })
  t.same(every([q`a = ${1}`, q`b`, q`c = ${2}`]), { strings: ['a = ', ' and b and c = ', ''], values: [1, 2] })
  t.same(every([]), { strings: ['true'], values: [] })
  t.same(unionAll([q`a`, q`b`]), { strings: ['a union all b'], values: [] })
})

t.test('the work of joining grows with the number of fragments, not with its square', async t => {
  /** Milliseconds of CPU: the least of a few, for what else the machine does only adds to it. */
  const cost = (join: (all: readonly Fragment[]) => Fragment, count: number) => {
    const all = Array.from({ length: count }, (_, i) => q`a = ${i}`)
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage()
      join(all)
      return process.cpuUsage(before).user
    })
    return Math.min(...times) / 1000
  }
  for (const join of [every, unionAll, (all: readonly Fragment[]) => joinFragments(all, ' && ')]) {
    const [few, many] = [cost(join, 2_000), cost(join, 32_000)]
    t.ok(many < 64 * Math.max(few, 1), `16 times the fragments: ${few} ms, ${many} ms`)
  }
})

t.test('a pool of fragments runs what the driver would run', async t => {
  const { databaseUrl } = await services(t)
  const driver = openDatabase(databaseUrl, 'public', 1)
  t.teardown(() => driver.end({ timeout: 0 }))
  await learnTypes(driver)
  const sql = ofFragments(driver)
  const statement = (sql: ISql, bytes: Uint8Array) => sql`
    with ${sql('a "part"')} as (select ${1}::int as n ${sql`, ${[2, 3]}::int[] as list, ${null}::bigint as nothing`})
    select n, list, nothing, ${bytes}::bytea as bytes, ${sql.array([bytes], 17)}::bytea[] as all_bytes,
      ${new Date(0)}::timestamptz as at, ${true}::boolean as is_true, ${sql.json({ a: [1] })}::jsonb as value
    from ${sql('a "part"')}`
  for (const bytes of [Uint8Array.of(0, 92, 255), new Uint8Array()]) {
    const rows = await statement(sql, bytes)
    t.same([...rows], [...(await statement(driver, bytes))])
    t.match(rows, [{ n: 1, list: [2, 3], nothing: null, is_true: true, value: { a: [1] } }])
  }
  const prepared = await driver`select from pg_prepared_statements where statement ~ '^\\s*with'`
  t.equal(prepared.length, 1, 'the text is the same, and prepared')
  t.same([...(await sql`select 1 as a`)], [{ a: 1 }])
  await t.rejects(async () => sql`select ${1}::nothing`, { code: '42704' })
  await t.rejects(async () => sql`select ${undefined as never}::int`, { code: 'UNDEFINED_VALUE' })
  t.throws(() => sql`select ${driver`1`}`, /a fragment of the driver/)
})
