import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../config/paths.js'
import { lockKey } from './advisory-lock.js'
import { openDatabase } from './db.js'

const directory = join(projectRoot, 'server/store/migrations')

/** Applies the missing files of migrations/ in order and in one transaction. */
export async function migrate(databaseUrl: string, schema: string): Promise<void> {
  const files = (await readdir(directory)).filter(name => name.endsWith('.sql')).sort()
  const sql = openDatabase(databaseUrl, schema, 1)
  try {
    await sql.begin(async tx => {
      // Two servers that start at once do not both migrate.
      await tx`select pg_advisory_xact_lock(${lockKey(tx, 'migration')})`
      await tx`create schema if not exists ${tx(schema)}`
      await tx`create table if not exists migrations (name text primary key, applied timestamptz not null default now())`
      const applied = new Set((await tx<{ name: string }[]>`select name from migrations`).map(row => row.name))
      for (const name of files) {
        if (applied.has(name)) continue
        await tx.unsafe(await readFile(join(directory, name), 'utf8'))
        await tx`insert into migrations (name) values (${name})`
      }
    })
  } finally {
    await sql.end()
  }
}
