import { badRequest } from '../../shared/errors.js'
import type { Ctx } from '../ctx.js'
import type { ISql } from '../store/db.js'
import { type SeenMessage, seenMessages } from '../store/message-rows.js'
import type { UserRow } from '../store/users.js'
import type { Actor } from './actor.js'
import { mayReadMessage } from './reader.js'

/**
 * A message that the caller (null: a visitor without an account) may read.
 * @throws {ApiError} BAD_REQUEST, the same for one that does not exist and one that the caller may not see.
 */
export async function findMessage(
  ctx: Ctx,
  sql: ISql,
  actor: Actor | null,
  messageId: number,
): Promise<{ message: SeenMessage; user: UserRow | null }> {
  // Inside a transaction the directory is the caller's affair: fresh() would wait for a second connection.
  const [[message]] = await Promise.all([
    seenMessages(sql, actor?.user.id ?? 0, [messageId]),
    sql === ctx.sql ? ctx.directory.fresh() : undefined,
  ])
  const user = actor ? (ctx.directory.users.get(actor.user.id) ?? actor.user) : null
  if (!message || !mayReadMessage(ctx.directory, user, message)) throw badRequest('Invalid message(s)')
  return { message, user }
}
