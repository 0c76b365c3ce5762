import type { NavigationView } from '../../../shared/resources/navigation-view.js'
import type { ISql, Query, Tx } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'
import { lockUser } from './lock-user.js'

type ViewRow = Omit<NavigationView, 'name'> & { name: string | null }

/** The rows of the user's views in the order in which they were added. */
export function navigationViewRows(sql: ISql, userId: UserId): Query<ViewRow> {
  return sql<ViewRow[]>`select fragment, is_pinned, name from navigation_views where user_id = ${userId} order by id`
}

/** The view of a row. */
export const navigationViewOf = ({ name, ...view }: ViewRow): NavigationView =>
  name === null ? view : { ...view, name }

/** The user's views in the order in which they were added. */
export async function readNavigationViews(sql: ISql, userId: number): Promise<NavigationView[]> {
  return (await navigationViewRows(sql, userId)).map(navigationViewOf)
}

/** Locks this user's views until the transaction ends, and returns them. */
export async function lockNavigationViews(sql: Tx, userId: number): Promise<NavigationView[]> {
  await lockUser(sql, userId)
  return readNavigationViews(sql, userId)
}

export async function insertNavigationView(sql: ISql, userId: number, view: NavigationView): Promise<void> {
  await sql`
    insert into navigation_views (user_id, fragment, is_pinned, name)
    values (${userId}, ${view.fragment}, ${view.is_pinned}, ${view.name ?? null})`
}

export async function updateNavigationView(
  sql: ISql,
  userId: number,
  fragment: string,
  { is_pinned, name }: Partial<Pick<NavigationView, 'is_pinned' | 'name'>>,
): Promise<void> {
  await sql`
    update navigation_views set is_pinned = coalesce(${is_pinned ?? null}, is_pinned), name = coalesce(${name ?? null}, name)
    where user_id = ${userId} and fragment = ${fragment}`
}

/** False: the user has no such view. */
export async function deleteNavigationView(sql: ISql, userId: number, fragment: string): Promise<boolean> {
  const { count } = await sql`delete from navigation_views where user_id = ${userId} and fragment = ${fragment}`
  return count > 0
}
