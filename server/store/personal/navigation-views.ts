import type { NavigationView } from '../../../shared/resources/navigation-view.js'
import type { ISql, Query } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'
import type { Parts } from '../organization/outbox.js'

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

/** What `openOwn` reads with `knownViews`, in any order. */
export interface KnownViews {
  readonly views: readonly { readonly fragment: string; readonly is_pinned: boolean; readonly name: string | null }[]
}

export const knownViews = (sql: ISql): Parts => sql`
  , coalesce((
    select json_agg(json_build_object('fragment', fragment, 'is_pinned', is_pinned, 'name', name))
    from navigation_views where user_id = users.id
  ), '[]') as views`

/** The part `done`. */
export const insertNavigationView = (sql: ISql, { fragment, is_pinned, name }: NavigationView): Parts => sql`
  done as (
    insert into navigation_views (user_id, fragment, is_pinned, name)
    select checked.id, ${fragment}, ${is_pinned}, ${name ?? null} from checked
    returning id
  )`

/** The part `done`: no row if the user has no such view. */
export const updateNavigationView = (
  sql: ISql,
  fragment: string,
  { is_pinned, name }: Partial<Pick<NavigationView, 'is_pinned' | 'name'>>,
): Parts => sql`
  done as (
    update navigation_views set is_pinned = coalesce(${is_pinned ?? null}, is_pinned), name = coalesce(${name ?? null}, name)
    from checked where user_id = checked.id and fragment = ${fragment} returning navigation_views.id
  )`

/** The part `done`: no row if the user has no such view. */
export const deleteNavigationView = (sql: ISql, fragment: string): Parts => sql`
  done as (
    delete from navigation_views using checked where user_id = checked.id and fragment = ${fragment}
    returning navigation_views.id
  )`
