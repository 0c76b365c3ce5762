import { readFile } from 'node:fs/promises'
import { until } from '../http/until.js'
import { upload } from './files.js'
import type { Loose } from './in-step.js'
import type { Person } from './people.js'

/** Uploads an archive of another chat server and requests its check; returns the id of the request. */
export async function requested(who: Person, file: string): Promise<number> {
  const address = await upload(who.url, who, {
    name: 'slack.zip',
    bytes: await readFile(file),
    type: 'application/zip',
  })
  return (await who.ok('POST', '/imports', { path_id: pathIn(address) })).id
}

/** What follows `/user_uploads/` in the address of a file. */
export const pathIn = (address: string): string => address.replace(/^.*\/user_uploads\//, '')

/** Waits until no check, import or undoing works on the archive; what is known of it. */
export async function rested(who: Person, id: number): Promise<Loose> {
  let found: Loose = {}
  await until(async () => {
    found = (await who.ok('GET', `/imports/${id}`)).import
    return !['checking', 'running', 'undoing'].includes(found.state)
  })
  return found
}
