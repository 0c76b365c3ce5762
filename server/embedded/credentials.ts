import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { inheritOwner } from '../disk/owned-paths.js'
import { freePort } from './ports.js'

/** Port and password of a database server. */
export interface Credentials {
  port: number
  password: string
}

/**
 * Loads or creates the password and the port of a database server. The port stays the same at every start if it is free, so that
 * the addresses of clients stay valid. The file is readable by its owner only.
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

/** Writes a new file and renames it: without the complete file the server could not log in to its data. */
async function saveCredentials(file: string, credentials: Credentials): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(credentials)}\n`, { mode: 0o600 })
  await inheritOwner(`${file}.new`)
  await rename(`${file}.new`, file)
}
