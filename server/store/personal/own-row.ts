import type { ISql, Tx } from '../driver/db.js'
import type { Parts } from '../organization/outbox.js'
import type { UserRow } from '../users/users.js'

/** Locks the user's row. Changes of the user's drafts, snippets, views and devices take this lock. */
export async function lockUser(tx: Tx, userId: number): Promise<void> {
  await tx`select id from users where id = ${userId} for no key update`
}

/** What a statement reads before a change that rests on own rows, beside the columns `more`, which begin with a comma. */
export async function openOwn<More extends object>(
  sql: ISql,
  userId: number,
  more: Parts,
): Promise<{ user_xmin: string } & More> {
  const [row] = await sql<({ user_xmin: string } & More)[]>`
    select xmin::text as user_xmin ${more} from users where id = ${userId}`
  if (!row) throw new Error('the user has no row')
  return row
}

/** The part `checked` of a change: locks the user's row if it has the version that the worker knows. */
export const isUnchanged = (sql: ISql, { id, version }: UserRow): Parts => sql`
  checked as materialized (select id from users where id = ${id} and version = ${version} for no key update)`

/**
 * As `isUnchanged`, for a change that rests on what `openOwn` has read. It stores the user's row again, and so gives it another xmin: of two
 * such changes that have read the same rows, the second one finds another xmin, so `checked` has no row. A statement cannot read them again
 * when it has the lock, because its snapshot is older.
 */
export const isAlone = (
  sql: ISql,
  { id, version }: UserRow,
  { user_xmin }: { readonly user_xmin: string },
): Parts => sql`
  checked as (
    update users set version = version where id = ${id} and version = ${version} and xmin = ${user_xmin}::xid returning id
  )`
