import { lchown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** An account of the operating system. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * The account for a database server with its data in `directory`; undefined: the account of this process. A database server never
 * runs as root (PostgreSQL refuses to, and an exploited database must not control the machine): it runs as the owner of the data,
 * or else as `postgres` or `nobody`.
 */
export async function databaseAccount(directory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat(directory)
  if (uid !== 0) return { uid, gid }
  const accounts = new Map(
    (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => {
      const [name, , uid, gid] = line.split(':')
      return [name, { uid: Number(uid), gid: Number(gid) }]
    }),
  )
  return accounts.get('postgres') ?? accounts.get('nobody') ?? { uid: 65534, gid: 65534 }
}

/** Changes the owner of a directory and its contents to an account, unless the account owns the directory already. */
export async function giveTo(path: string, account: Account): Promise<void> {
  const entry = await lstat(path)
  if (entry.uid === account.uid) return
  // The directory itself comes last, so that the next start continues an interrupted change.
  if (entry.isDirectory()) for (const name of await readdir(path)) await giveTo(join(path, name), account)
  await lchown(path, account.uid, account.gid)
}
