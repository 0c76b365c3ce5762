import { ApiError, badRequest } from '../../../shared/errors.js'
import {
  navigationViewAdd,
  navigationViewRemove,
  navigationViewUpdate,
} from '../../../shared/events/navigation-view.js'
import type { NavigationView } from '../../../shared/resources/navigation-view.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import {
  deleteNavigationView,
  insertNavigationView,
  type KnownViews,
  knownViews,
  updateNavigationView,
} from '../../store/personal/navigation-views.js'
import { isAlone, isUnchanged, openOwn } from '../../store/personal/own-row.js'
import { writeOwn } from '../write-own.js'

/** @throws {ApiError} BAD_REQUEST */
export async function addView(ctx: Ctx, actor: Actor, view: NavigationView): Promise<void> {
  const { fragment, name } = view
  await writeOwn(ctx, actor, async (sql, user, emit) => {
    const opened = await openOwn<KnownViews>(sql, user.id, knownViews(sql))
    const { views } = opened
    if (views.some(other => other.fragment === fragment)) throw badRequest('Navigation view already exists.')
    requireFree(name, views)
    if (views.length >= budgets.navigationViews.most)
      throw badRequest(`There may be at most ${budgets.navigationViews.most} navigation views.`)
    emit(navigationViewAdd, { navigation_view: view }, [user.id])
    return within => within`${isAlone(within, user, opened)}, ${insertNavigationView(within, view)}`
  })
}

/** An undefined field stays as it is. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function editView(
  ctx: Ctx,
  actor: Actor,
  fragment: string,
  { is_pinned, name }: Partial<Pick<NavigationView, 'is_pinned' | 'name'>>,
): Promise<void> {
  let isSame = false
  const done = await writeOwn(ctx, actor, async (sql, user, emit) => {
    const opened = await openOwn<KnownViews>(sql, user.id, knownViews(sql))
    const view = opened.views.find(other => other.fragment === fragment)
    if (!view) throw missing()
    requireFree(
      name,
      opened.views.filter(other => other !== view),
    )
    const data = {
      ...(is_pinned !== undefined && is_pinned !== view.is_pinned && { is_pinned }),
      ...(name !== undefined && name !== view.name && { name }),
    }
    isSame = Object.keys(data).length === 0
    if (isSame) return null
    emit(navigationViewUpdate, { fragment, data }, [user.id])
    return within => within`${isAlone(within, user, opened)}, ${updateNavigationView(within, fragment, data)}`
  })
  if (!done && !isSame) throw missing()
}

/** @throws {ApiError} NOT_FOUND */
export async function removeView(ctx: Ctx, actor: Actor, fragment: string): Promise<void> {
  const done = await writeOwn(ctx, actor, async (_, user, emit) => {
    emit(navigationViewRemove, { fragment }, [user.id])
    return within => within`${isUnchanged(within, user)}, ${deleteNavigationView(within, fragment)}`
  })
  if (!done) throw missing()
}

function requireFree(name: string | undefined, others: KnownViews['views']): void {
  if (name !== undefined && others.some(other => other.name === name)) {
    throw badRequest('Another navigation view has this name already.')
  }
}

const missing = () => new ApiError('NOT_FOUND', 'Navigation view does not exist.')
