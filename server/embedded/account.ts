import { lchown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** An account of the machine by its numbers. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * Who shall run a database server whose data lies in `directory`: undefined means ourselves. Root never does (PostgreSQL
 * refuses to, and a hole in a database should not be a hole in the machine): the owner of the data does, or else
 * `postgres` or `nobody`.
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

/** Gives a directory and all that is in it to an account, unless it has it already. */
export async function giveTo(path: string, account: Account): Promise<void> {
  const entry = await lstat(path)
  if (entry.uid === account.uid) return
  // The directory itself comes last: if this is cut off, the next start goes on.
  if (entry.isDirectory()) for (const name of await readdir(path)) await giveTo(join(path, name), account)
  await lchown(path, account.uid, account.gid)
}
