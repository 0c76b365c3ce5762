import { isDeepStrictEqual } from 'node:util'
import { ApiError, badRequest } from '../../../shared/errors.js'
import { savedSnippetsAdd, savedSnippetsRemove, savedSnippetsUpdate } from '../../../shared/events/saved-snippets.js'
import { codePoints } from '../../../shared/limits.js'
import type { SavedSnippet } from '../../../shared/resources/saved-snippet.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { isAlone, isUnchanged, openOwn } from '../../store/personal/own-row.js'
import {
  deleteSavedSnippet,
  insertSavedSnippet,
  type KnownSnippet,
  knownSnippet,
  type NewSnippet,
  newSnippet,
  type SnippetTotals,
  snippetTotals,
  updateSavedSnippet,
} from '../../store/personal/saved-snippets.js'
import { writeOwn } from '../write-own.js'

type SnippetText = Pick<SavedSnippet, 'title' | 'content'>

/** Returns the new id. @throws {ApiError} BAD_REQUEST when there are too many snippets or their total length is too large */
export async function createSnippet(ctx: Ctx, actor: Actor, { title, content }: SnippetText): Promise<{ id: number }> {
  const done = await writeOwn<{ id: number }>(ctx, actor, async (sql, user, emit) => {
    const more = sql`${snippetTotals(sql)} ${newSnippet(sql)}`
    const opened = await openOwn<SnippetTotals & NewSnippet>(sql, user.id, more)
    requireRoom(opened.count + 1, opened.characters + codePoints(content))
    const { id, date_created } = opened
    const saved_snippet = { id, title, content, date_created }
    emit(savedSnippetsAdd, { saved_snippet }, [user.id])
    return within => within`${isAlone(within, user, opened)}, ${insertSavedSnippet(within, saved_snippet)}`
  })
  if (!done) throw new Error('no id of a snippet came back')
  return done
}

/** An undefined field stays as it is. @throws {ApiError} BAD_REQUEST with status 404 if the user has no snippet of this id */
export async function editSnippet(ctx: Ctx, actor: Actor, id: number, change: Partial<SnippetText>): Promise<void> {
  let isSame = false
  const done = await writeOwn(ctx, actor, async (sql, user, emit) => {
    const more = sql`${snippetTotals(sql)} ${knownSnippet(sql, id)}`
    const opened = await openOwn<SnippetTotals & KnownSnippet>(sql, user.id, more)
    const { snippet: before } = opened
    if (!before) throw missing()
    const { title = before.title, content = before.content } = change
    const saved_snippet = { ...before, title, content }
    isSame = isDeepStrictEqual(saved_snippet, before)
    if (isSame) return null
    const characters = opened.characters - codePoints(before.content) + codePoints(content)
    if (change.content !== undefined) requireRoom(opened.count, characters)
    emit(savedSnippetsUpdate, { saved_snippet }, [user.id])
    return within => within`${isAlone(within, user, opened)}, ${updateSavedSnippet(within, saved_snippet)}`
  })
  if (!done && !isSame) throw missing()
}

/** @throws {ApiError} BAD_REQUEST with status 404 if the user has no snippet of this id */
export async function deleteSnippet(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  const done = await writeOwn(ctx, actor, async (_, user, emit) => {
    emit(savedSnippetsRemove, { saved_snippet_id: id }, [user.id])
    return within => within`${isUnchanged(within, user)}, ${deleteSavedSnippet(within, id)}`
  })
  if (!done) throw missing()
}

function requireRoom(count: number, characters: number): void {
  const { savedSnippets, savedSnippetCharacters } = budgets
  if (count > savedSnippets.most) throw badRequest(`There may be at most ${savedSnippets.most} saved snippets.`)
  if (characters > savedSnippetCharacters.most) {
    throw badRequest(`Saved snippets may have at most ${savedSnippetCharacters.most} characters together.`)
  }
}

const missing = () => new ApiError('BAD_REQUEST', 'Saved snippet does not exist.', {}, 404)
