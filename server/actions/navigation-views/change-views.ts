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
  lockNavigationViews,
  updateNavigationView,
} from '../../store/personal/navigation-views.js'

/** @throws {ApiError} BAD_REQUEST */
export async function addView(ctx: Ctx, { user }: Actor, view: NavigationView): Promise<void> {
  const { fragment, name } = view
  await ctx.write(async (tx, emit) => {
    const views = await lockNavigationViews(tx, user.id)
    if (views.some(other => other.fragment === fragment)) throw badRequest('Navigation view already exists.')
    requireFree(name, views)
    if (views.length >= budgets.navigationViews.most)
      throw badRequest(`There may be at most ${budgets.navigationViews.most} navigation views.`)
    await insertNavigationView(tx, user.id, view)
    emit(navigationViewAdd, { navigation_view: view }, [user.id])
  })
}

/** An undefined field stays as it is. @throws {ApiError} BAD_REQUEST, NOT_FOUND */
export async function editView(
  ctx: Ctx,
  { user }: Actor,
  fragment: string,
  { is_pinned, name }: Partial<Pick<NavigationView, 'is_pinned' | 'name'>>,
): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const views = await lockNavigationViews(tx, user.id)
    const view = views.find(other => other.fragment === fragment)
    if (!view) throw missing()
    requireFree(
      name,
      views.filter(other => other !== view),
    )
    const data = {
      ...(is_pinned !== undefined && is_pinned !== view.is_pinned && { is_pinned }),
      ...(name !== undefined && name !== view.name && { name }),
    }
    if (Object.keys(data).length === 0) return
    await updateNavigationView(tx, user.id, fragment, data)
    emit(navigationViewUpdate, { fragment, data }, [user.id])
  })
}

/** @throws {ApiError} NOT_FOUND */
export async function removeView(ctx: Ctx, { user }: Actor, fragment: string): Promise<void> {
  await ctx.write(async (tx, emit) => {
    if (!(await deleteNavigationView(tx, user.id, fragment))) throw missing()
    emit(navigationViewRemove, { fragment }, [user.id])
  })
}

function requireFree(name: string | undefined, others: readonly NavigationView[]): void {
  if (name !== undefined && others.some(other => other.name === name)) {
    throw badRequest('Another navigation view has this name already.')
  }
}

const missing = () => new ApiError('NOT_FOUND', 'Navigation view does not exist.')
