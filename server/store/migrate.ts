import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../config/paths.js'
import { lockKey } from './advisory-lock.js'
import { openDatabase } from './open-database.js'

const ownMigrations = join(projectRoot, 'server/store/migrations')

/**
 * Creates the schema if it does not exist, and applies the files of a folder that it lacks: in the order of their numbers, in one
 * transaction, and under a lock of the schema, because two servers may start at the same time.
 * @throws if two files have the same number, or the name of one has none
 */
export async function migrate(databaseUrl: string, schema: string, folder = ownMigrations): Promise<void> {
  const files = inOrder((await readdir(folder)).filter(name => name.endsWith('.sql')))
  const sql = openDatabase(databaseUrl, schema, 1)
  try {
    await sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(${lockKey(tx, 'migration')})`
      await tx`create schema if not exists ${tx(schema)}`
      await tx`create table if not exists migrations (name text primary key, applied timestamptz not null default now())`
      const applied = new Set((await tx<{ name: string }[]>`select name from migrations`).map(row => row.name))
      for (const name of files) {
        if (applied.has(name)) continue
        await tx.unsafe(await readFile(join(folder, name), 'utf8'))
        await tx`insert into migrations (name) values (${name})`
      }
    })
  } finally {
    await sql.end()
  }
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
