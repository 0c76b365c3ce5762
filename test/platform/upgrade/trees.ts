import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { program as ownProgram, projectRoot } from '../../../server/config/paths.js'
import { type Release, releases } from '../../support/releases.js'
import { dataDirectory } from '../places.js'

/** A folder with a program that can be started. */
export interface Tree {
  readonly folder: string
  /** The file that node runs. */
  readonly program: string
}

const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' })

/** The last release that this program can be upgraded from. */
export function lastRelease(): Release & { readonly commit: string } {
  const release = releases().findLast(({ commit }) => commit !== null)
  if (!release?.commit) throw new Error('test/support/releases.json has no commit')
  return { ...release, commit: release.commit }
}

/** Why a release cannot be taken out of git; false: it can. */
export function whyNot({ version, commit }: { version: string; commit: string }): string | false {
  if (git('rev-parse', '--git-dir').status !== 0) return 'needs a git checkout'
  return (
    git('cat-file', '-e', `${commit}^{commit}`).status !== 0 &&
    `needs the commit of release ${version}: the clone is shallow`
  )
}

/** Takes a release out of git and builds it, as docs/deployment.md says. It installs its own packages, if they are not those of this tree. */
export async function releasedTree(t: Test, { commit }: { commit: string }): Promise<Tree> {
  const folder = dataDirectory(t)
  const archive = execFileSync('git', ['archive', commit], { cwd: projectRoot, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive })
  if (packagesOf(folder) === packagesOf(projectRoot))
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  await promisify(execFile)(process.execPath, [join(folder, 'server/bin/build.mjs')], { cwd: folder })
  return { folder, program: join(folder, 'dist/server/main.js') }
}

/** What is installed: the packages of the lock file, and the changes to them. */
function packagesOf(folder: string): string {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const { version: _, ...root } = lock.packages['']
  const changes = readFileSync(join(folder, 'server/bin/packages.mjs'), 'utf8')
  return JSON.stringify([{ ...lock.packages, '': root }, changes])
}

/** A copy of this program, with another version and further files below server/store/migrations. */
export function changedTree(t: Test, version: string, migrations: Readonly<Record<string, string>>): Tree {
  const folder = dataDirectory(t)
  const dist = dirname(dirname(ownProgram))
  for (const name of ['server', 'shared', 'redis.conf'])
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true })
  mkdirSync(join(folder, 'dist'))
  for (const name of ['server', 'shared', 'web'].filter(name => existsSync(join(dist, name))))
    cpSync(join(dist, name), join(folder, 'dist', name), { recursive: true })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
  for (const [name, text] of Object.entries(migrations))
    writeFileSync(join(folder, 'server/store/migrations', name), text)
  return { folder, program: join(folder, 'dist/server/main.js') }
}

/** Runs an administration command of a program. */
export async function admin(
  { folder }: Tree,
  env: Record<string, string>,
  ...args: readonly string[]
): Promise<string> {
  const file = join(folder, 'dist/server/admin/main.js')
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
  return stdout
}
