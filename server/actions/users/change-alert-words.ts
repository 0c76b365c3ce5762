import { badRequest } from '../../../shared/errors.js'
import { alertWordsEvent } from '../../../shared/events/alert-words.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { changeUser } from '../store-user.js'

/** Returns all words. @throws {ApiError} BAD_REQUEST for too many words */
export function addAlertWords(ctx: Ctx, actor: Actor, words: readonly string[]): Promise<string[]> {
  return change(ctx, actor, known => {
    const keys = new Set(known.map(keyOf))
    const added = words.filter(word => !keys.has(keyOf(word)) && keys.add(keyOf(word)))
    const { most } = budgets.alertWords
    if (added.length > 0 && known.length + added.length > most) throw badRequest(`At most ${most} alert words.`)
    return [...known, ...added]
  })
}

/** Returns the remaining words. */
export function removeAlertWords(ctx: Ctx, actor: Actor, words: readonly string[]): Promise<string[]> {
  const keys = new Set(words.map(keyOf))
  return change(ctx, actor, known => known.filter(word => !keys.has(keyOf(word))))
}

const keyOf = (word: string): string => word.toLowerCase()

async function change(ctx: Ctx, actor: Actor, edit: (known: readonly string[]) => string[]): Promise<string[]> {
  let alert_words: string[] = []
  await changeUser(ctx, async (_, emit) => {
    const user = currentUser(ctx.directory, actor.user)
    alert_words = edit(user.alert_words)
    if (alert_words.length === user.alert_words.length) return null
    emit(alertWordsEvent, { alert_words }, [user.id])
    return { user, change: { alert_words } }
  })
  return alert_words
}
