import { isDeepStrictEqual } from 'node:util'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { draftsAdd, draftsRemove, draftsUpdate } from '../../../shared/events/drafts.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { userSetting } from '../../policies/settings.js'
import type { Tx } from '../../store/driver/db.js'
import * as store from '../../store/personal/drafts.js'
import { checkedDraft, type GivenDraft } from './checked-draft.js'

/** Stores all drafts or none, and returns their ids in the same order. @throws {ApiError} BAD_REQUEST */
export async function createDrafts(ctx: Ctx, actor: Actor, given: readonly GivenDraft[]): Promise<number[]> {
  await requireDrafts(ctx, actor)
  const checked: store.NewDraft[] = []
  for (const one of given) checked.push(await checkedDraft(ctx, actor, one))
  if (checked.length === 0) return []
  return writing(ctx, actor, async (tx, emit) => {
    const drafts = await store.insertDrafts(tx, actor.user.id, checked)
    await requireRoom(tx, actor.user.id)
    emit(draftsAdd, { drafts }, [actor.user.id])
    return drafts.map(draft => draft.id)
  })
}

/** @throws {ApiError} BAD_REQUEST, with status 404 if the caller has no draft of this id */
export async function editDraft(ctx: Ctx, actor: Actor, id: number, given: GivenDraft): Promise<void> {
  await requireDrafts(ctx, actor)
  const checked = await checkedDraft(ctx, actor, given)
  await writing(ctx, actor, async (tx, emit) => {
    const before = await store.findDraft(tx, actor.user.id, id)
    if (isDeepStrictEqual(before, { ...checked, id })) return
    const draft = await store.updateDraft(tx, actor.user.id, id, checked)
    if (!draft) throw missing()
    await requireRoom(tx, actor.user.id)
    emit(draftsUpdate, { draft }, [actor.user.id])
  })
}

/** @throws {ApiError} BAD_REQUEST, with status 404 if the caller has no draft of this id */
export async function deleteDraft(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  await writing(ctx, actor, async (tx, emit) => {
    if (!(await store.deleteDraft(tx, actor.user.id, id))) throw missing()
    emit(draftsRemove, { draft_id: id }, [actor.user.id])
  })
}

/** @throws {ApiError} BAD_REQUEST if the user has switched drafts off */
export async function requireDrafts({ directory }: Ctx, { user }: Actor): Promise<void> {
  await directory.fresh()
  refuseWithout(userSetting(currentUser(directory, user), 'enable_drafts_synchronization'))
}

function refuseWithout(isOn: boolean): void {
  if (!isOn) throw badRequest('User has disabled synchronizing drafts.')
}

/** Holds the user's row, which a change of the setting changes: no draft is stored after the setting was switched off. */
function writing<T>(ctx: Ctx, { user }: Actor, work: Parameters<typeof ctx.write<T>>[0]): Promise<T> {
  return ctx.write(async (tx, ...others) => {
    refuseWithout(await store.lockDrafts(tx, user.id))
    return work(tx, ...others)
  })
}

/** Called after the change, which an error rolls back. The transaction holds the user's row. */
async function requireRoom(tx: Tx, userId: number): Promise<void> {
  const { drafts, draftCharacters } = budgets
  const { count, characters } = await store.draftTotals(tx, userId)
  if (count > drafts.most) throw badRequest(`There may be at most ${drafts.most} drafts.`)
  if (characters > draftCharacters.most) {
    throw badRequest(`Drafts may have at most ${draftCharacters.most} characters together.`)
  }
}

const missing = () => new ApiError('BAD_REQUEST', 'Draft does not exist', {}, 404)
