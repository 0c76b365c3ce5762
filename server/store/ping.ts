import type { Sql } from './db.js'

/** @throws when the database does not answer or does not let us in. */
export async function pingDatabase(sql: Sql): Promise<void> {
  await sql`select 1`
}
