import { ApiError, badRequest } from '../../../shared/errors.js'
import { savedSnippetsAdd, savedSnippetsRemove, savedSnippetsUpdate } from '../../../shared/events/saved-snippets.js'
import type { SavedSnippet } from '../../../shared/resources/saved-snippet.js'
import type { Actor } from '../../access/actor.js'
import type { Ctx } from '../../ctx.js'
import {
  countSavedSnippets,
  deleteSavedSnippet,
  insertSavedSnippet,
  updateSavedSnippet,
} from '../../store/saved-snippets.js'

type SnippetText = Pick<SavedSnippet, 'title' | 'content'>

// All of them come with each register answer.
const maxSnippets = 1000

/** Its id. @throws {ApiError} BAD_REQUEST when there are too many */
export function createSnippet(ctx: Ctx, { user }: Actor, snippet: SnippetText): Promise<number> {
  return ctx.write(async (tx, emit) => {
    if ((await countSavedSnippets(tx, user.id)) >= maxSnippets) {
      throw badRequest(`There may be at most ${maxSnippets} saved snippets.`)
    }
    const saved_snippet = await insertSavedSnippet(tx, user.id, snippet)
    emit(savedSnippetsAdd, { saved_snippet }, [user.id])
    return saved_snippet.id
  })
}

/** What is undefined stays. @throws {ApiError} BAD_REQUEST with 404 when the owner has none of this id */
export function editSnippet(ctx: Ctx, { user }: Actor, id: number, change: Partial<SnippetText>): Promise<void> {
  return ctx.write(async (tx, emit) => {
    const saved_snippet = await updateSavedSnippet(tx, user.id, id, change)
    if (!saved_snippet) throw missing()
    emit(savedSnippetsUpdate, { saved_snippet }, [user.id])
  })
}

/** @throws {ApiError} BAD_REQUEST with 404 when the owner has none of this id */
export function deleteSnippet(ctx: Ctx, { user }: Actor, id: number): Promise<void> {
  return ctx.write(async (tx, emit) => {
    if (!(await deleteSavedSnippet(tx, user.id, id))) throw missing()
    emit(savedSnippetsRemove, { saved_snippet_id: id }, [user.id])
  })
}

const missing = () => new ApiError('BAD_REQUEST', 'Saved snippet does not exist.', {}, 404)
