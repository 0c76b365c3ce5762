import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { freePort } from './ports.js'

/** Where a database server listens, and its password. */
export interface Credentials {
  port: number
  password: string
}

/**
 * The password of a database server and its port, the same at every start if it is still free, so that a client's
 * address stays right. Kept in a file that only its owner reads.
 */
export async function loadCredentials(file: string, fixedPort?: number): Promise<Credentials> {
  const known = await readFile(file, 'utf8').then(
    text => JSON.parse(text) as Credentials,
    () => undefined,
  )
  const port = fixedPort ?? (await freePort(known?.port))
  const credentials = { port, password: known?.password ?? randomBytes(24).toString('base64url') }
  if (known?.port !== port) await saveCredentials(file, credentials)
  return credentials
}

/** Written aside and renamed: a file cut off in the middle would lock us out of the data. */
async function saveCredentials(file: string, credentials: Credentials): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(credentials)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
