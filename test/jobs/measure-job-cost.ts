import { z } from 'zod'
import { usageBelow } from '../../bench/lib/cpu.js'
import { medianOf } from '../../bench/lib/figures.js'
import { readOptions } from '../../bench/lib/options.js'
import { createWrite } from '../../server/actions/write.js'
import { jobType } from '../../server/job-types/job-type.js'
import { type JobKind, jobKind } from '../../server/jobs/job-kind.js'
import { JobRunner } from '../../server/jobs/runner.js'
import { startServer } from '../support/server.js'

// What a job costs next to a bare insert, claim and delete of a row: `node dist/test/jobs/measure-job-cost.js [--jobs 2000] [--together 8]
// [--rounds 7]`. Each row is inserted in a transaction of its own, whose cost is measured by itself and does not count. CPU of the worker and of
// PostgreSQL, in microseconds; `--together` callers, each of which waits for the end of its job before it adds the next one.
const options = readOptions(process.argv.slice(2), { jobs: 2_000, together: 8, rounds: 7 })

const undo: (() => unknown)[] = []
const server = await startServer({ teardown: (clean: () => unknown) => void undo.push(clean) }, { LOG_LEVEL: 'fatal' })
const { sql } = server
await sql`create table bare (id bigint primary key generated always as identity, payload json not null, due timestamptz)`
const ends = new Map<number, () => void>()
const type = jobType('test', z.object({ n: z.int() }))
const runner = new JobRunner([
  jobKind(type, { atOnce: options.together * 2, run: async (_, { n }) => ends.get(n)?.() }) as JobKind,
])
const ctx = { ...server.ctx, jobs: runner, write: createWrite({ ...server.ctx, jobs: runner }) }
await runner.start(ctx)

const add = async (n: number, key?: string): Promise<void> => {
  const ended = new Promise<void>(resolve => ends.set(n, resolve))
  await ctx.write(async (_, __, { after }) => after(type, { n }, key === undefined ? {} : { key }))
  await ended
  ends.delete(n)
}
const variants: Readonly<Record<string, (n: number, caller: number) => Promise<void>>> = {
  'the transaction alone': () => ctx.write(async () => {}),
  'a bare row': async n => {
    await ctx.write(
      async tx => void (await tx`insert into bare (payload, due) values (${JSON.stringify({ n })}::text::json, now())`),
    )
    const [row] = await sql<{ id: number }[]>`
      update bare set due = now() + interval '15 s' where id = (
        select id from bare where due <= now() order by id limit 1 for update skip locked) returning id, payload`
    await sql`delete from bare where id = ${row?.id ?? 0}`
  },
  'a job without key': n => add(n),
  'a job with a key of its own': n => add(n, `own ${n}`),
  'a job with the key of its caller': (n, caller) => add(n, `caller ${caller}`),
  'a job with the key of all': n => add(n, 'all'),
}
const cpu = () => {
  const { user, system } = process.cpuUsage()
  return { worker: user + system, postgres: usageBelow(process.pid).postgres }
}

async function measure(run: (n: number, caller: number) => Promise<void>) {
  const before = cpu()
  let n = 0
  const caller = async (_: unknown, i: number) => {
    while (n < options.jobs) await run(n++, i)
  }
  await Promise.all(Array.from({ length: options.together }, caller))
  while ((await sql`select from jobs where kind = 'test'`).length > 0);
  const after = cpu()
  return {
    worker: (after.worker - before.worker) / options.jobs,
    postgres: (after.postgres - before.postgres) / options.jobs,
  }
}

const rounds = new Map<string, Awaited<ReturnType<typeof measure>>[]>()
for (let round = -1; round < options.rounds; round++) {
  for (const [name, run] of Object.entries(variants)) {
    const found = await measure(run)
    if (round >= 0) rounds.set(name, [...(rounds.get(name) ?? []), found])
  }
}
const figures = [...rounds].map(([name, found]) => ({
  name,
  worker: medianOf(found, one => one.worker),
  postgres: medianOf(found, one => one.postgres),
}))
const [alone, bare] = figures
const above = (one: typeof alone, of: 'worker' | 'postgres') => (one?.[of] ?? 0) - (alone?.[of] ?? 0)
const both = (one: typeof alone) => above(one, 'worker') + above(one, 'postgres')
for (const one of figures) {
  const times = one === alone ? '' : `, ${(both(one) / both(bare)).toFixed(2)} × a bare row`
  console.log(
    `${one.name}: worker ${above(one, 'worker').toFixed(0)} µs, postgres ${above(one, 'postgres').toFixed(0)} µs${times}`,
  )
}
await runner.stop()
for (const clean of undo.reverse()) await clean()
process.exit(0)
