import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { StartError } from '../failures/start-error.js'
import { type Account, giveTo } from './account.js'

/** The database role that owns all objects of the database. */
export const user = 'parley'

/**
 * The argument for the data directory of a program that runs in it. PostgreSQL makes the path absolute, and the account may have no
 * access to the directories above (for example /root); on Linux this path always leads to the working directory of the process.
 */
export function dataArgument(directory: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : directory
}

/** Creates the cluster under another name and renames it, so that a killed first start leaves no partial cluster. */
export async function createCluster(
  directory: string,
  initdb: string,
  {
    account,
    password,
    sync,
  }: { readonly account: Account | undefined; readonly password: string; readonly sync: boolean },
): Promise<void> {
  const draft = `${directory}.new`
  const passwordFile = `${directory}.password`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  if (account) await giveTo(draft, account)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) await giveTo(passwordFile, account)
  const passwordFd = openSync(passwordFile, 'r')
  try {
    const made = spawnSync(
      initdb,
      [
        `--pgdata=${dataArgument(draft)}`,
        `--username=${user}`,
        `--pwfile=${process.platform === 'linux' ? '/proc/self/fd/3' : passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Collation and case mapping come from PostgreSQL itself, so an update of the machine's C library cannot corrupt an index.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        // The text search parser asks the C library which characters are letters; in the locale C it treats all of Unicode as letters.
        `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
        '--no-instructions',
        // One flush of the file system instead of one per file: about a thousand flushes take seconds on a busy disk.
        ...(sync && process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
        ...(sync ? [] : ['--no-sync']),
      ],
      {
        cwd: draft,
        ...account,
        env: { PATH: process.env.PATH, LC_ALL: '', LANG: 'C' },
        stdio: ['ignore', 'pipe', 'pipe', passwordFd],
      },
    )
    if (made.status !== 0)
      throw new StartError(
        `The PostgreSQL database could not be created: ${lastLine(made.stderr) || made.error?.message}`,
      )
  } finally {
    closeSync(passwordFd)
    rmSync(passwordFile)
  }
  await chmod(draft, 0o700)
  await rename(draft, directory)
}

function lastLine(output: Buffer | null): string {
  return output?.toString().trim().split('\n').at(-1) ?? ''
}
