// Starts of a program whose migrations are not those of the database, or are being applied.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { version } from '../../../server/config/version.js'
import { freePort } from '../../../server/embedded/ports.js'
import { eventually } from '../../faults/support/wait.js'
import { type TestOrganization, testOrganization } from '../../support/server.js'
import { dataDirectory } from '../places.js'
import { type Program, runProgram } from '../program.js'
import { admin, changedTree, type Tree } from './trees.js'

const own: Tree = { folder: projectRoot, program: join(projectRoot, 'dist/server/main.js') }
const lastReleased = '0.1.0'

async function scene(t: Test) {
  const organization = await testOrganization(t)
  const port = await freePort(undefined, '127.0.0.1')
  const start = ({ program }: Tree, settings: Record<string, string> = {}): Program =>
    runProgram(
      t,
      organization.env({ PORT: String(port), SHARE_PORT: '1', WORKERS: '1', DATA_DIR: dataDirectory(t), ...settings }),
      { file: program },
    )
  return { organization, port, start }
}

/** The start ends with one sentence that matches. */
async function refused(t: Test, started: Program, pattern: RegExp): Promise<void> {
  started.ready.catch(() => undefined)
  const { how, errors } = await started.ended
  t.equal(how, 1)
  t.match(errors, pattern)
  t.match(errors, /^[^\n]+\n$/, 'one line')
}

const stop = async (t: Test, server: Program): Promise<void> => {
  server.process.kill('SIGTERM')
  t.equal((await server.ended).how, 0)
}

const appliedIn = async ({ sql }: TestOrganization): Promise<string[]> =>
  (await sql`select name from migrations order by name`).map(row => row.name)

t.test('a migration that needs a stop waits for it, and no older program starts after it', async t => {
  const { organization, port, start } = await scene(t)
  const next = changedTree(t, '99.0.0', { '9999-stop.sql': '-- needs a stop\nalter table messages drop column client' })
  const old = start(own)
  await old.ready
  const before = await appliedIn(organization)
  await refused(
    t,
    start(next),
    new RegExp(
      `9999-stop.sql cannot be applied while workers of version ${version.replaceAll('.', '\\.')} run: stop their servers`,
    ),
  )
  t.same(await appliedIn(organization), before)
  t.equal((await fetch(`http://127.0.0.1:${port}/health/ready`)).status, 200, 'the old one goes on')
  await stop(t, old)
  const renewed = start(next)
  await renewed.ready
  t.same(await appliedIn(organization), [...before, '9999-stop.sql'])
  await stop(t, renewed)
  await refused(
    t,
    start(own),
    /9999-stop\.sql of version 99\.0\.0, on which version .* does not run: start version 99\.0\.0 or newer, or restore/,
  )
  await t.rejects(admin(own, organization.env(), 'user', 'list'), {
    message: /\nThe database has the migration 9999-stop\.sql[^\n]+\n$/,
  })
})

t.test('the log names the version of the program at its start, and of each worker', async t => {
  const { start } = await scene(t)
  const server = start(changedTree(t, '99.0.0', {}), { LOG_LEVEL: 'info' })
  await server.ready
  server.process.kill('SIGTERM')
  const lines = (await server.ended).errors
    .split('\n')
    .flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []))
  t.match(lines[0], { msg: 'starting', version: '99.0.0', node: process.version })
  t.match(
    lines.find(({ msg }) => msg === 'listening'),
    { version: '99.0.0' },
  )
})

t.test('a start with a changed migration is refused', async t => {
  const { start } = await scene(t)
  const name = '0001-first-release.sql'
  const text = readFileSync(join(projectRoot, 'server/store/migrations', name), 'utf8')
  await refused(
    t,
    start(changedTree(t, version, { [name]: `${text}-- better\n` })),
    /^The migration 0001-first-release\.sql is not the file that/,
  )
})

t.test('two servers that start at the same moment apply a migration once', async t => {
  const { organization, start } = await scene(t)
  const next = changedTree(t, '99.0.0', {
    '9998-a.sql': `-- works with ${lastReleased}\ncreate table counted (times int); insert into counted values (0)`,
    '9999-b.sql': '-- needs a stop\nupdate counted set times = times + 1',
  })
  const [one, other] = [start(next, { PORT: '0' }), start(next, { PORT: '0' })]
  await Promise.all([one.ready, other.ready])
  t.same([...(await organization.sql`select times from counted`)], [{ times: 1 }])
})

t.test('a server that is killed while it migrates leaves nothing half applied', async t => {
  const { organization, start } = await scene(t)
  const { sql } = organization
  const before = await appliedIn(organization)
  const next = changedTree(t, '99.0.0', {
    '9999-slow.sql': `-- works with ${lastReleased}\ncreate table half (id int);\ndelete from audit_log;\ncreate table whole (id int)`,
  })
  const killed = start(next)
  killed.ready.catch(() => undefined)
  // The migration waits for this lock in its second statement.
  await sql.begin(async tx => {
    await tx`lock table audit_log in access exclusive mode`
    await eventually('a migration that waits', async () => {
      const waiting = await sql`
        select from pg_locks join pg_class on pg_class.oid = relation
        where relname = 'audit_log' and not granted and relnamespace = current_schema()::regnamespace`
      return waiting.length > 0
    })
    killed.process.kill('SIGKILL')
    await once(killed.process, 'close')
  })
  await eventually('the end of its transaction', async () => {
    const key = sql`hashtextextended(current_setting('search_path') || ' migration', 0)`
    const [row] = await sql`select pg_try_advisory_xact_lock(${key}) as is_free`
    return row?.is_free === true
  })
  t.same(await appliedIn(organization), before)
  t.same(
    [...(await sql`select to_regclass('half') as half, to_regclass('whole') as whole`)],
    [{ half: null, whole: null }],
  )
  await start(next).ready
  t.same(await appliedIn(organization), [...before, '9999-slow.sql'])
})
