import { z } from 'zod'
import { createWrite } from '../../../server/actions/write.js'
import { startApp } from '../../../server/app.js'
import { readConfig } from '../../../server/config.js'
import { jobType } from '../../../server/job-types/job-type.js'
import { jobKind } from '../../../server/jobs/job-kind.js'
import { JobRunner } from '../../../server/jobs/runner.js'
import { createLog } from '../../../server/log.js'

// A worker in a process of its own with two kinds of jobs more, which count. It adds such jobs all the time, each with a row that is its cause.
const cause = z.object({ n: z.int() })
const once = jobType('test-once', cause)
const again = jobType('test-again', cause)
const ordered = jobType('test-ordered', cause)

const config = readConfig(process.env)
const app = await startApp(config, createLog(config.logLevel, 'worker'))
const runner = new JobRunner([
  jobKind(once, {
    guarantee: 'exactly once',
    atOnce: 4,
    attempts: 100,
    run: (_, { n }, run) => run.write(async tx => void (await tx`insert into counted (kind, n) values ('once', ${n})`)),
  }),
  jobKind(ordered, {
    guarantee: 'exactly once',
    atOnce: 4,
    attempts: 100,
    run: (_, { n }, run) =>
      run.write(async tx => void (await tx`insert into counted (kind, n) values ('ordered', ${n})`)),
  }),
  jobKind(again, {
    guarantee: 'at least once',
    atOnce: 4,
    attempts: 100,
    run: async ({ sql }, { n }, { stableId }) =>
      void (await sql`insert into counted (kind, n, id) values ('again', ${n}, ${stableId})`),
  }),
])
const ctx = { ...app.ctx, jobs: runner, write: createWrite({ ...app.ctx, jobs: runner }) }
await runner.start(ctx)

const add = () =>
  ctx.write(async (tx, _, { after }) => {
    const [row] = await tx<[{ n: number }]>`insert into causes default values returning n`
    after(once, row)
    after(again, row)
    after(ordered, row, { key: String(row.n % 3) })
  })
const timer = setInterval(() => {
  // Without PostgreSQL there is no cause.
  add().catch(() => {})
}, 20)
process.on('message', () => clearInterval(timer))
process.on('disconnect', () => process.exit(0))
process.send?.({ port: app.port })
