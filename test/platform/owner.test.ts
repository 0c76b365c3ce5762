// Everything in DATA_DIR belongs to its owner, also what root creates there: the server of another account has to use it.
import { chownSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Account } from '../../server/embedded/account.js'
import { until } from '../http/until.js'
import { upload } from '../support/files.js'
import { Api } from '../support/http.js'
import { testOrganization } from '../support/server.js'
import { runWith } from './admin/run-admin.js'
import { dataDirectory } from './places.js'
import { runProgram } from './program.js'

const options = { skip: process.getuid?.() !== 0 && 'needs root' }
const nobody = { uid: 65534, gid: 65534 }
const owner = { email: 'owner@x.example', full_name: 'Olga Ownby' }
const create = ['user', 'create', '--email', owner.email, '--full-name', owner.full_name, '--role', 'owner', '--json']

function directoryOf(t: Test, account: Account): string {
  const directory = dataDirectory(t)
  chownSync(directory, account.uid, account.gid)
  return directory
}

/** Paths in the directory that belong to another account. */
function foreign(directory: string): string[] {
  const all = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return all.filter(path => lstatSync(join(directory, path)).uid !== nobody.uid)
}

async function ok(settings: Record<string, string>, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runWith(settings, args)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

t.test('what root has mailed is written by the server, when it starts', options, async t => {
  const organization = await testOrganization(t)
  const dataDir = directoryOf(t, nobody)
  const settings = organization.env({ DATA_DIR: dataDir, WORKERS: '1' })
  const who = JSON.parse(await ok(settings, create))
  await ok(settings, ['user', 'password', owner.email, '--mail', '--yes'])
  t.same(foreign(dataDir), [])
  t.notOk(existsSync(join(dataDir, 'mail')))

  const program = runProgram(t, settings, { account: nobody })
  const api = new Api((await program.ready).trim().replace(/^ready /, ''), who)
  await api.ok('PATCH', '/settings', { email: 'new@x.example' })
  await until(async () => (await organization.sql`select from jobs where kind = 'mail'`).length === 0)
  t.equal(readdirSync(join(dataDir, 'mail')).length, 3, 'the welcome, too')
  t.same(foreign(dataDir), [])
})

t.test('a database that root made for an import, and exports into the directory', options, async t => {
  const organization = await testOrganization(t)
  await ok(organization.env(), create)
  const dataDir = directoryOf(t, nobody)
  const file = join(dataDir, 'organization.jsonl')
  await ok(organization.env({ DATA_DIR: dataDir }), ['export', '--with-secrets', file])
  await ok({ DATA_DIR: dataDir }, ['import', file])
  t.same(foreign(dataDir), [])

  const program = runProgram(t, { DATA_DIR: dataDir, WORKERS: '1' }, { account: nobody })
  t.match(await program.ready, /^ready /)
})

t.test('what a server of root creates', options, async t => {
  const dataDir = directoryOf(t, nobody)
  const program = runProgram(t, { DATA_DIR: dataDir, WORKERS: '1', DEMO: '1' })
  const url = (await program.ready).trim().replace(/^ready /, '')
  const [who] = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  await upload(url, who, { name: 'a.txt', type: 'text/plain', bytes: 'abc' })
  t.same(foreign(dataDir), [], 'while it runs')
  t.ok(readdirSync(join(dataDir, 'files/1')).length > 0)
  program.process.kill('SIGTERM')
  t.equal((await program.ended).how, 0)

  const next = runProgram(t, { DATA_DIR: dataDir, WORKERS: '1', DEMO: '1' }, { account: nobody })
  t.match(await next.ready, /^ready /, 'its owner goes on with it')
})
