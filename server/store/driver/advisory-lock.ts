import type { ISql } from './db.js'

/**
 * What an advisory lock protects. `topic policies` locks one user, or all users with id 0; `topic start` locks a topic; the others
 * lock the organization.
 */
type AdvisoryLock =
  | 'migration'
  | 'preparation'
  | 'version'
  | 'lists'
  | 'files'
  | 'topic policies'
  | 'topic start'
  | 'import'

/**
 * The key of an advisory lock, as SQL for `pg_advisory_xact_lock`. PostgreSQL keeps these locks per database, so the key contains the
 * schema: two organizations in one database do not block each other. If two keys have the same hash, transactions only wait longer
 * than necessary.
 *
 * The key uses the setting `search_path`, because `current_schema()` is null before the first migration creates the schema, and a lock on
 * null locks nothing.
 * @param id SQL of type int or bigint; default: 0
 */
export function lockKey(sql: ISql, name: AdvisoryLock, id = sql`0`) {
  return sql`hashtextextended(current_setting('search_path') || ' ' || ${name}::text, ${id})`
}
