import { isDeepStrictEqual } from 'node:util'
import { sidebarEvent } from '../../../shared/events/sidebar.js'
import { plainSidebar, type Sidebar } from '../../../shared/resources/sidebar.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { isAlone, openOwn } from '../../store/personal/own-row.js'
import { type KnownSidebar, knownSidebar, storeSidebar } from '../../store/personal/sidebars.js'
import { writeOwn } from '../write-own.js'

type Change = { readonly [Name in keyof Sidebar]?: Sidebar[Name] | undefined }

/** Absent parts stay. */
export async function changeSidebar(ctx: Ctx, actor: Actor, change: Change): Promise<void> {
  await writeOwn(ctx, actor, async (sql, user, emit) => {
    const opened = await openOwn<KnownSidebar>(sql, user.id, knownSidebar(sql))
    const before = opened.sidebar ?? plainSidebar
    const after = {
      sections: change.sections ?? before.sections,
      collapsed: change.collapsed ?? before.collapsed,
      pinned_channels: change.pinned_channels ?? before.pinned_channels,
      unread_only: change.unread_only ?? before.unread_only,
    }
    if (isDeepStrictEqual(before, after)) return null
    emit(sidebarEvent, after, [user.id])
    return within => within`${isAlone(within, user, opened)}, ${storeSidebar(within, after)}`
  })
}
