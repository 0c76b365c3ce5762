import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../server/config/paths.js'
import { digestOfImports, writeArchive } from '../support/archive.js'
import { type TestOrganization, testOrganization } from '../support/server.js'
import { records, workspace } from './support/slack-workspace.js'
import { eventually } from './support/wait.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

const kills = 20
const file = await writeArchive(folder, 'slack.zip', workspace())

function start(organization: TestOrganization): { process: ChildProcess; ended: Promise<number | null> } {
  const program = join(projectRoot, process.env.TEST_DIST ?? 'dist', 'server/admin/main.js')
  const env = { ...process.env, ...organization.env({ DATA_DIR: folder }) }
  const child = spawn(process.execPath, [program, 'import', 'run', file], { env, stdio: 'ignore' })
  return { process: child, ended: once(child, 'exit').then(([code]) => code as number | null) }
}

t.test('an import that is killed goes on where it was, and stores each message once', async t => {
  const [undisturbed, organization] = [await testOrganization(t), await testOrganization(t)]
  t.equal(await start(undisturbed).ended, 0)
  const { sql } = organization
  /** How far it is: accounts, records of the archive, channels. */
  const progress = async () => {
    const [row] = await sql<{ steps: number }[]>`
      select (select count(*) from users)::int * 20 + coalesce((select sum(done) from imports), 0)::int + (select count(*) from channels)::int * 100 as steps`
    return row?.steps ?? 0
  }
  const whole = 62 * 20 + records + 12 * 100
  let killed = 0
  for (let i = 0; i < kills; i++) {
    const wanted = Math.max(
      1 + Math.floor((whole * i) / kills + (Math.random() * whole) / kills),
      (await progress()) + 1,
    )
    const run = start(organization)
    const end = run.ended.then(() => true)
    await Promise.race([eventually(`${wanted} steps`, async () => (await progress()) >= wanted), end])
    run.process.kill('SIGKILL')
    if ((await run.ended) === null) killed++
  }
  t.ok(killed > kills / 2, `${killed} runs were killed`)
  t.equal(await start(organization).ended, 0)
  t.equal(await digestOfImports(sql), await digestOfImports(undisturbed.sql), 'the same rows as in one run')
  t.equal(await start(organization).ended, 0)
  t.equal(await digestOfImports(sql), await digestOfImports(undisturbed.sql), 'once more adds nothing')
})
