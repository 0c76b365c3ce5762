import { plainSidebar, type Sidebar } from '../../../shared/resources/sidebar.js'
import type { ISql, Query } from '../driver/db.js'
import type { UserId } from '../driver/read-together.js'
import type { Parts } from '../organization/outbox.js'

/** The row of the user's sidebar, if it was ever changed. */
export const sidebarRows = (sql: ISql, userId: UserId): Query<Sidebar> => sql<Sidebar[]>`
  select sections, collapsed, pinned_channels, unread_only from sidebars where user_id = ${userId}`

export const sidebarOf = (rows: readonly Sidebar[]): Sidebar => rows[0] ?? plainSidebar

/** What `openOwn` reads with `knownSidebar`. */
export interface KnownSidebar {
  readonly sidebar: Sidebar | null
}

export const knownSidebar = (sql: ISql): Parts => sql`
  , (
    select json_build_object(
      'sections', sections, 'collapsed', collapsed, 'pinned_channels', pinned_channels, 'unread_only', unread_only
    ) from sidebars where user_id = users.id
  ) as sidebar`

/** The part `done`. */
export const storeSidebar = (sql: ISql, { sections, collapsed, pinned_channels, unread_only }: Sidebar): Parts => sql`
  done as (
    insert into sidebars (user_id, sections, collapsed, pinned_channels, unread_only)
    select checked.id, ${sections}::text[], ${collapsed}::text[], ${pinned_channels}::int[], ${unread_only} from checked
    on conflict (user_id) do update set
      sections = excluded.sections, collapsed = excluded.collapsed, pinned_channels = excluded.pinned_channels,
      unread_only = excluded.unread_only
    returning user_id
  )`
