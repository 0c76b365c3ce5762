import type { Sql } from './db.js'

/** @throws if PostgreSQL does not answer or rejects the credentials. */
export async function pingDatabase(sql: Sql): Promise<void> {
  await sql`select 1`
}
