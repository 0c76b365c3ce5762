import { isDeepStrictEqual } from 'node:util'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { savedSnippetsAdd, savedSnippetsRemove, savedSnippetsUpdate } from '../../../shared/events/saved-snippets.js'
import type { SavedSnippet } from '../../../shared/resources/saved-snippet.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/driver/db.js'
import { lockUser } from '../../store/personal/lock-user.js'
import {
  deleteSavedSnippet,
  findSavedSnippet,
  insertSavedSnippet,
  savedSnippetTotals,
  updateSavedSnippet,
} from '../../store/personal/saved-snippets.js'

type SnippetText = Pick<SavedSnippet, 'title' | 'content'>

/** Returns the new id. @throws {ApiError} BAD_REQUEST when there are too many snippets or their total length is too large */
export function createSnippet(ctx: Ctx, { user }: Actor, snippet: SnippetText): Promise<number> {
  return ctx.write(async (tx, emit) => {
    await lockUser(tx, user.id)
    const saved_snippet = await insertSavedSnippet(tx, user.id, snippet)
    await requireRoom(tx, user.id)
    emit(savedSnippetsAdd, { saved_snippet }, [user.id])
    return saved_snippet.id
  })
}

/** An undefined field stays as it is. @throws {ApiError} BAD_REQUEST with status 404 if the user has no snippet of this id */
export function editSnippet(ctx: Ctx, { user }: Actor, id: number, change: Partial<SnippetText>): Promise<void> {
  return ctx.write(async (tx, emit) => {
    await lockUser(tx, user.id)
    const before = await findSavedSnippet(tx, user.id, id)
    const saved_snippet = await updateSavedSnippet(tx, user.id, id, change)
    if (!saved_snippet) throw missing()
    if (isDeepStrictEqual(saved_snippet, before)) return
    if (change.content !== undefined) await requireRoom(tx, user.id)
    emit(savedSnippetsUpdate, { saved_snippet }, [user.id])
  })
}

/** @throws {ApiError} BAD_REQUEST with status 404 if the user has no snippet of this id */
export function deleteSnippet(ctx: Ctx, { user }: Actor, id: number): Promise<void> {
  return ctx.write(async (tx, emit) => {
    if (!(await deleteSavedSnippet(tx, user.id, id))) throw missing()
    emit(savedSnippetsRemove, { saved_snippet_id: id }, [user.id])
  })
}

/** Called after the change, which an error rolls back. The transaction holds the user's row. */
async function requireRoom(tx: Tx, userId: number): Promise<void> {
  const { savedSnippets, savedSnippetCharacters } = budgets
  const { count, characters } = await savedSnippetTotals(tx, userId)
  if (count > savedSnippets.most) throw badRequest(`There may be at most ${savedSnippets.most} saved snippets.`)
  if (characters > savedSnippetCharacters.most) {
    throw badRequest(`Saved snippets may have at most ${savedSnippetCharacters.most} characters together.`)
  }
}

const missing = () => new ApiError('BAD_REQUEST', 'Saved snippet does not exist.', {}, 404)
