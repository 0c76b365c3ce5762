import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { processesIn } from '../../../server/embedded/processes.js'
import { testOrganization } from '../../support/server.js'
import { runAdmin, runWith } from './run-admin.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-alone-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const dataDir = join(folder, 'data')
const alone = (...args: string[]) => runWith({ DATABASE_URL: '', REDIS_URL: '', DATA_DIR: dataDir, DEMO: '0' }, args)

t.test('where no server runs the database is started for the command alone, and made for an import', async t => {
  const organization = await testOrganization(t)
  const create = 'user create --email a@x.example --full-name Anna --role owner --json'.split(' ')
  const anna = JSON.parse((await runAdmin(organization, create)).stdout)
  const file = join(folder, 'small.jsonl')
  await runAdmin(organization, ['export', '--with-secrets', file])

  t.match(await alone('user', 'list'), { code: 1, stdout: '', stderr: /no database lies there/ })
  const read = await alone('import', file, '--json')
  t.equal(read.code, 0, read.stderr)
  const listed = await alone('user', 'list', '--json')
  t.match(JSON.parse(listed.stdout), { total: 1, users: [{ user_id: anna.user_id, email: 'a@x.example' }] })
  t.same(processesIn(join(dataDir, 'postgres'), ['postgres'], 'postmaster.pid'), [], 'nothing goes on running')
  t.match(await alone('queue', 'list', '--json'), { code: 1, stderr: /"code":"NO_REDIS"/ })
  t.match(await alone('user', 'unlock', 'a@x.example', '--json'), { code: 1, stderr: /"code":"NO_REDIS"/ })

  await writeFile(join(dataDir, 'server.lock'), '')
  t.equal((await alone('user', 'list')).code, 0, 'a lock that a killed server left does not matter')
})
