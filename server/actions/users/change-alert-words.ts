import { badRequest } from '../../../shared/errors.js'
import { alertWordsEvent } from '../../../shared/events/alert-words.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { changeUsers } from '../../store/users/user-changes.js'

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

async function change(
  { directory, write }: Ctx,
  actor: Actor,
  edit: (known: readonly string[]) => string[],
): Promise<string[]> {
  const { words, rows } = await write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const user = currentUser(directory, actor.user)
    const after = edit(user.alert_words)
    if (after.length === user.alert_words.length) return { words: after, rows: [] }
    const rows = await changeUsers(tx, [user], { alert_words: after })
    emit(alertWordsEvent, { alert_words: after }, [user.id])
    return { words: after, rows }
  })
  directory.adopt({ users: rows })
  return words
}
