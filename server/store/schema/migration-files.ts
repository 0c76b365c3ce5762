import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a folder of migrations. */
export interface Migration {
  readonly name: string
  readonly text: string
  /** SHA-256 of the file, in hexadecimal. */
  readonly checksum: string
  /** The oldest version whose workers run on the schema after this migration; null: it needs a stop of all servers. */
  readonly worksWith: string | null
}

/**
 * Reads the migrations of a folder, in the order of their numbers. The first line of each but the first one says beside which workers it may
 * be applied (docs/CONTRIBUTING.md#add-a-migration).
 * @throws if two files have the same number, the name of one has none, or a file does not begin with that line
 */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = inOrder((await readdir(folder)).filter(name => name.endsWith('.sql')))
  return Promise.all(
    names.map(async (name, i) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, checksum: checksumOf(text), worksWith: i === 0 ? null : worksWith(name, text) }
    }),
  )
}

export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function worksWith(name: string, text: string): string | null {
  const [line = ''] = text.split('\n', 1)
  if (line === '-- needs a stop') return null
  const version = /^-- works with (\d+\.\d+\.\d+)$/.exec(line)?.[1]
  if (version !== undefined) return version
  throw new Error(`The first line of the migration ${name} is neither "-- works with <version>" nor "-- needs a stop".`)
}

/** Sorted by number. Two branches may each add a file with the next number; their order would depend on the rest of the names. */
function inOrder(files: readonly string[]): string[] {
  const numbers = new Map<string, string>()
  for (const name of files) {
    const number = /^(\d{4})-/.exec(name)?.[1]
    if (number === undefined) throw new Error(`The name of the migration ${name} does not begin with a number.`)
    const other = numbers.get(number)
    if (other !== undefined) throw new Error(`The migrations ${other} and ${name} have the same number.`)
    numbers.set(number, name)
  }
  return [...files].sort()
}
