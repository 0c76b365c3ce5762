import { isDeepStrictEqual } from 'node:util'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { draftsAdd, draftsRemove, draftsUpdate } from '../../../shared/events/drafts.js'
import { codePoints } from '../../../shared/limits.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { userSetting } from '../../policies/settings.js'
import * as store from '../../store/personal/drafts.js'
import { isAlone, isUnchanged, openOwn } from '../../store/personal/own-row.js'
import type { UserRow } from '../../store/users/users.js'
import { writeOwn } from '../write-own.js'
import { checkedDraft, type GivenDraft } from './checked-draft.js'

/** Stores all drafts or none, and returns their ids in the same order. @throws {ApiError} BAD_REQUEST */
export async function createDrafts(
  ctx: Ctx,
  actor: Actor,
  given: readonly GivenDraft[],
): Promise<{ draft_ids: readonly number[] }> {
  await requireDrafts(ctx, actor)
  const checked: store.NewDraft[] = []
  for (const one of given) checked.push(await checkedDraft(ctx, actor, one))
  if (checked.length === 0) return { draft_ids: [] }
  const done = await writeOwn<{ draft_ids: number[] }>(ctx, actor, async (sql, user, emit) => {
    refuseWithoutDrafts(user)
    const more = sql`${store.draftTotals(sql)} ${store.newDraftIds(sql, checked.length)}`
    const opened = await openOwn<store.DraftTotals & store.NewDraftIds>(sql, user.id, more)
    const drafts = checked.map((draft, i) => ({ ...draft, id: opened.ids[i] as number }))
    const added = checked.reduce((sum, { content }) => sum + codePoints(content), 0)
    requireRoom(opened.count + checked.length, opened.characters + added)
    emit(draftsAdd, { drafts }, [user.id])
    return within => within`${isAlone(within, user, opened)}, ${store.insertDrafts(within, drafts)}`
  })
  if (!done) throw new Error('no ids of drafts came back')
  return done
}

/** @throws {ApiError} BAD_REQUEST, with status 404 if the caller has no draft of this id */
export async function editDraft(ctx: Ctx, actor: Actor, id: number, given: GivenDraft): Promise<void> {
  await requireDrafts(ctx, actor)
  const draft = { ...(await checkedDraft(ctx, actor, given)), id }
  let isSame = false
  const done = await writeOwn(ctx, actor, async (sql, user, emit) => {
    refuseWithoutDrafts(user)
    const more = sql`${store.draftTotals(sql)} ${store.knownDraft(sql, id)}`
    const opened = await openOwn<store.DraftTotals & store.KnownDraft>(sql, user.id, more)
    const { draft: before } = opened
    if (!before) throw missing()
    isSame = isDeepStrictEqual(before, draft)
    if (isSame) return null
    requireRoom(opened.count, opened.characters - codePoints(before.content) + codePoints(draft.content))
    emit(draftsUpdate, { draft }, [user.id])
    return within => within`${isAlone(within, user, opened)}, ${store.updateDraft(within, draft)}`
  })
  if (!done && !isSame) throw missing()
}

/** @throws {ApiError} BAD_REQUEST, with status 404 if the caller has no draft of this id */
export async function deleteDraft(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  const done = await writeOwn(ctx, actor, async (_, user, emit) => {
    refuseWithoutDrafts(user)
    emit(draftsRemove, { draft_id: id }, [user.id])
    return within => within`${isUnchanged(within, user)}, ${store.deleteDraft(within, id)}`
  })
  if (!done) throw missing()
}

/** @throws {ApiError} BAD_REQUEST if the user has switched drafts off */
export async function requireDrafts({ directory }: Ctx, { user }: Actor): Promise<void> {
  await directory.fresh()
  refuseWithoutDrafts(currentUser(directory, user))
}

/** Called for the user's row whose version the change compares: no draft is stored after the setting was switched off. */
function refuseWithoutDrafts(user: UserRow): void {
  if (!userSetting(user, 'enable_drafts_synchronization')) {
    throw badRequest('User has disabled synchronizing drafts.')
  }
}

function requireRoom(count: number, characters: number): void {
  const { drafts, draftCharacters } = budgets
  if (count > drafts.most) throw badRequest(`There may be at most ${drafts.most} drafts.`)
  if (characters > draftCharacters.most) {
    throw badRequest(`Drafts may have at most ${draftCharacters.most} characters together.`)
  }
}

const missing = () => new ApiError('BAD_REQUEST', 'Draft does not exist', {}, 404)
