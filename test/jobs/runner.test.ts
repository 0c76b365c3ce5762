import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { createWrite } from '../../server/actions/write.js'
import type { WorkerCtx } from '../../server/ctx.js'
import { jobType } from '../../server/job-types/job-type.js'
import { type JobKind, jobKind, periodicKind } from '../../server/jobs/job-kind.js'
import type { JobRun } from '../../server/jobs/job-run.js'
import { JobRunner } from '../../server/jobs/runner.js'
import { stuckKeys } from '../../server/store/jobs/jobs.js'
import { until } from '../http/until.js'
import { startServer } from '../support/server.js'

const server = await startServer(t, { LOG_LEVEL: 'fatal' })
const { sql } = server
await sql`create table notes (text text not null)`

const type = jobType('test', z.object({ text: z.string() }))
type Payload = z.output<typeof type.payload>
type Given = Partial<JobKind<Payload>> & Pick<JobKind<Payload>, 'run'>

/** A worker's runner of the one kind. */
async function start(
  t: Test,
  given: Given,
  more: readonly JobKind[] = [],
): Promise<{ ctx: WorkerCtx; runner: JobRunner }> {
  const runner = new JobRunner([jobKind(type, given) as JobKind, ...more])
  const ctx = { ...server.ctx, jobs: runner, write: createWrite({ ...server.ctx, jobs: runner }) }
  await runner.start(ctx)
  t.teardown(async () => {
    await runner.stop()
    await sql`delete from jobs where kind like 'test%'`
    await sql`delete from notes`
  })
  return { ctx, runner }
}

const add = (ctx: WorkerCtx, texts: readonly string[], options: { key?: string; at?: Date } = {}) =>
  ctx.write(async (_, __, { after }) => {
    for (const text of texts) after(type, { text }, options)
  })
const rows = () => sql`select key, state, attempts, error from jobs where kind = 'test' order by id`
const isDone = async () => (await rows()).length === 0
const notes = async () => (await sql<{ text: string }[]>`select text from notes`).map(row => row.text)
const note = async (ctx: WorkerCtx, { text }: Payload) =>
  void (await ctx.sql`insert into notes (text) values (${text})`)
const noteOnce = (_: WorkerCtx, { text }: Payload, run: JobRun) =>
  run.write(async tx => void (await tx`insert into notes (text) values (${text})`))
/** Fails the first `times` attempts. */
const failing = (times: number): Given['run'] => {
  let left = times
  return async (ctx, payload) => {
    if (left-- > 0) throw new Error('not yet\0')
    await note(ctx, payload)
  }
}
/** Waits without the pauses of jobs that have failed. */
const untilSoon = (runner: JobRunner, isSo: () => Promise<boolean>) =>
  until(async () => {
    await sql`update jobs set due = now() where kind = 'test' and error is not null and state = 'due'`
    runner.look()
    return isSo()
  })

t.test('a job runs after the commit of its transaction, and not without it', async t => {
  const ran: string[] = []
  const { ctx } = await start(t, { run: async (_, { text }) => void ran.push(text) })
  await t.rejects(
    ctx.write(async (_, __, { after }) => {
      after(type, { text: 'undone' })
      throw new Error('the change is refused')
    }),
  )
  await add(ctx, ['done'])
  await until(isDone)
  t.same(ran, ['done'])
})

t.test('exactly once: the work of a run and the end of its job are one transaction', async t => {
  let left = 2
  const { ctx, runner } = await start(t, {
    guarantee: 'exactly once',
    run: (_, { text }, run) =>
      run.write(async tx => {
        await tx`insert into notes (text) values (${text})`
        if (left-- > 0) throw new Error('after the work')
      }),
  })
  await add(ctx, ['once'])
  await untilSoon(runner, isDone)
  t.same(await notes(), ['once'])
})

t.test('exactly once: a worker whose claim has run out undoes its work', async t => {
  let goOn = () => {}
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  let begun = 0
  const run = async (ctx: WorkerCtx, payload: Payload, run: JobRun) => {
    if (++begun === 1) await held
    await noteOnce(ctx, payload, run)
  }
  const { ctx, runner } = await start(t, { atOnce: 2, run })
  await add(ctx, ['once'])
  await until(() => begun === 1)
  await sql`update jobs set due = now() where kind = 'test'`
  runner.look()
  await until(isDone)
  goOn()
  await sleep(50)
  t.equal(begun, 2)
  t.same(await notes(), ['once'])
})

t.test(
  'jobs with one key run one after the other in the order of their commits, those of other keys meanwhile',
  async t => {
    const running = new Map<string, number>()
    const order: string[] = []
    let most = 0
    const { ctx } = await start(t, {
      atOnce: 8,
      async run(_, { text }) {
        const [key = ''] = text
        running.set(key, (running.get(key) ?? 0) + 1)
        most = Math.max(most, running.size)
        if ((running.get(key) ?? 0) > 1) throw new Error('two of one key')
        await sleep(Math.random() * 10)
        running.delete(key)
        order.push(text)
      },
    })
    const numbers = Array.from({ length: 12 }, (_, n) => n)
    await Promise.all(
      ['a', 'b', 'c'].map(async key => {
        for (const n of numbers) await add(ctx, [`${key}${n}`], { key })
      }),
    )
    await until(isDone)
    for (const key of ['a', 'b', 'c']) {
      const own = order.filter(text => text.startsWith(key))
      t.same(
        own,
        numbers.map(n => `${key}${n}`),
      )
    }
    t.ok(most > 1, `${most} keys at once`)
  },
)

t.test('a job that fails is tried again after a pause, then dead; it blocks neither its kind nor its key', async t => {
  const { ctx, runner } = await start(t, {
    attempts: 3,
    async run(ctx, payload) {
      if (payload.text === 'poison') throw new Error('it is poison')
      await note(ctx, payload)
    },
  })
  await add(ctx, ['poison', 'behind'], { key: 'k' })
  await add(ctx, ['other'])
  await until(async () => (await notes()).includes('other'))
  await until(async () => (await rows())[0]?.error === 'Error: it is poison')
  t.match(await rows(), [{ state: 'due', attempts: 1 }, { state: 'behind' }])
  await untilSoon(runner, async () => (await notes()).length === 2)
  await until(async () => (await rows()).length === 1)
  t.match(await rows(), [{ state: 'dead', attempts: 3 }])
  const { outcomes } = runner.lanes.get('test')?.counts ?? {}
  t.match(outcomes, { done: 2, failed: 2, dead: 1 })
})

t.test('a job that fails a few times is done at last', async t => {
  const { ctx, runner } = await start(t, { run: failing(2) })
  await add(ctx, ['late'])
  await untilSoon(runner, isDone)
  t.same(await notes(), ['late'])
})

t.test('a payload that its schema refuses is dead at once', async t => {
  const { runner } = await start(t, { run: note })
  await sql`insert into jobs (kind, payload) values ('test', '{"text":1}')`
  runner.look()
  await until(async () => (await rows())[0]?.state === 'dead')
  t.equal((await rows())[0]?.attempts, 1)
})

t.test('a job at which workers die is dead after its attempts', async t => {
  const { runner } = await start(t, { attempts: 3, run: note })
  await sql`insert into jobs (kind, payload, attempts) values ('test', '{"text":"deadly"}', 3)`
  runner.look()
  await until(async () => (await rows())[0]?.state === 'dead')
  t.same(await notes(), [])
})

t.test('an attempt that takes too long has failed, and its signal aborts', async t => {
  let aborted = false
  const { ctx } = await start(t, {
    seconds: 0.05,
    run: (_, __, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
      }),
  })
  await add(ctx, ['endless'])
  await until(async () => (await rows())[0]?.error === 'Error: it took too long')
  t.ok(aborted)
})

t.test('a job runs at its time, and not before', async t => {
  const { ctx } = await start(t, { run: note })
  const at = new Date(Date.now() + 300)
  await add(ctx, ['later'], { at })
  await until(isDone)
  t.ok(Date.now() >= at.getTime() - 5)
  t.same(await notes(), ['later'])
})

t.test('a place rests after a job, so that other work goes on while many jobs are due', async t => {
  const order: string[] = []
  const { ctx } = await start(t, {
    atOnce: 1,
    async run(_, { text }) {
      order.push(text)
      // The rest is at least as long.
      await sleep(20)
      setTimeout(() => order.push(`work beside ${text}`), 10)
    },
  })
  await add(ctx, ['1', '2', '3'])
  await until(() => order.length === 6)
  t.same(order, ['1', 'work beside 1', '2', 'work beside 2', '3', 'work beside 3'])
})

t.test('a worker that stops gives back what it has not ended', async t => {
  const { ctx, runner } = await start(t, {
    run: (_, __, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('the worker stops')))),
  })
  await add(ctx, ['begun'])
  await until(() => runner.lanes.get('test')?.running.size === 1)
  await runner.stop()
  t.match(await rows(), [{ state: 'due', attempts: 0, error: null }])
})

t.test('a request of a worker that has stopped its jobs waits for none', async t => {
  const { runner } = await start(t, { run: note })
  const added = (): number => {
    const awaited: Promise<void>[] = []
    runner.added([{ id: 1, kind: 'test', isAwaited: true }], awaited)
    return awaited.length
  }
  t.equal(added(), 1)
  await runner.stop()
  t.equal(added(), 0)
})

t.test('two workers share the jobs, and each job runs once', async t => {
  const { ctx } = await start(t, { atOnce: 3, run: noteOnce })
  await start(t, { atOnce: 3, run: noteOnce })
  const texts = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
  await add(ctx, texts)
  await until(isDone)
  t.same((await notes()).sort(), texts)
})

t.test('a key whose worker died before the next job of it became due is found', async t => {
  const { ctx, runner } = await start(t, { run: note })
  await sql`insert into jobs (kind, key, payload, state) values ('test', 'k', '{"text":"left"}', 'behind')`
  t.same(await stuckKeys(sql), ['k'])
  runner.added([{ kind: 'test', key: 'k' }])
  await until(isDone)
  t.same(await notes(), ['left'])
  t.same(await stuckKeys(ctx.sql), [])
})

t.test('a kind with a schedule has one row, and a missed run is made up once', async t => {
  let runs = 0
  const yearly = () => periodicKind('test-yearly', '0 0 1 1 *', { run: async () => void runs++ })
  const { runner } = await start(t, { run: note }, [yearly()])
  await start(t, { run: note }, [yearly()])
  const find = () => sql<{ due: Date; attempts: number }[]>`select due, attempts from jobs where kind = 'test-yearly'`
  const [row, ...others] = await find()
  t.same(others, [])
  t.ok(row && row.due > new Date())
  await sql`update jobs set due = now() - interval '3 years' where kind = 'test-yearly'`
  runner.look()
  await until(() => runs === 1)
  await until(async () => (await find())[0]?.attempts === 0)
  t.same(await find(), [row])
  t.equal(runs, 1)
})

t.test('jobs that are due later cost a claim nothing', async t => {
  await start(t, { run: note })
  await sql`
    insert into jobs (kind, payload, due)
    select 'test', '{"text":""}', now() + interval '1 day' from generate_series(1, 20000)`
  await sql`analyze jobs`
  const lines = await sql<{ 'QUERY PLAN': string }[]>`
    explain select id from jobs where kind = 'test' and state = 'due' and due <= now() order by due limit 5`
  t.match(lines.map(line => line['QUERY PLAN']).join('\n'), /Index (?:Only )?Scan using jobs_due/)
})
