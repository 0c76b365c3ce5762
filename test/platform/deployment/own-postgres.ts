import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { databaseAccount, giveTo } from '../../../server/embedded/account.js'
import { startDaemon } from '../../../server/embedded/daemon.js'
import { freePort } from '../../../server/embedded/ports.js'
import { waitUntil } from '../../../server/embedded/processes.js'
import { dataDirectory } from '../places.js'

const programs = ['initdb', 'postgres', 'pg_isready', 'pg_dump', 'pg_restore', 'psql']
const places = [...debian(), '/usr/local/bin', '/usr/bin', '/opt/homebrew/bin']

/** Directory of the programs of an installed PostgreSQL, server and tools; undefined if there is none. */
export const bin = places.find(place => programs.every(name => existsSync(join(place, name))))

/** Debian has a directory per major version. */
function debian(): string[] {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).filter(name => Number(name) >= 15) : []
  return versions.map(version => join(root, version, 'bin'))
}

/**
 * A new PostgreSQL from the installed programs, like that of a user who sets DATABASE_URL; removed after the test. `superuser`: needs no password,
 * all other roles need one.
 */
export async function ownPostgres(t: Test, superuser = 'parley'): Promise<string> {
  const parent = dataDirectory(t)
  const directory = join(parent, 'postgres')
  mkdirSync(directory, { mode: 0o700 })
  // PostgreSQL's account, which differs if root runs the tests, needs access to the directory.
  chmodSync(parent, 0o711)
  const account = await databaseAccount(directory)
  if (account) await giveTo(directory, account)
  const command = (name: string) => join(bin ?? '', name)
  const cluster = ['-D', directory, '-U', superuser, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  const made = spawnSync(command('initdb'), cluster, { cwd: directory, ...account, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  writeFileSync(join(directory, 'pg_hba.conf'), `host all ${superuser} all trust\nhost all all all scram-sha-256\n`)
  const port = await freePort(undefined, '127.0.0.1')
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const daemon = await startDaemon({
    directory,
    command: command('postgres'),
    args: ['-D', directory, ...settings.flatMap(setting => ['-c', setting])],
    account,
    logFile: `${directory}.log`,
    stopSignal: 'SIGINT',
  })
  t.teardown(() => daemon.stop())
  const isReady = () => spawnSync(command('pg_isready'), ['--host=127.0.0.1', `--port=${port}`]).status === 0
  await waitUntil(() => daemon.hasExited() || isReady(), 60_000)
  if (!isReady()) throw new Error(`PostgreSQL did not start: see ${directory}.log`)
  return `postgres://${superuser}@127.0.0.1:${port}/postgres`
}
