import { badRequest } from '../../shared/errors.js'
import type { Actor } from '../auth/actor.js'
import { budgets } from '../config/budgets.js'
import type { Ctx } from '../ctx.js'
import { mayReadMessage } from '../policies/reading.js'
import type { ISql } from '../store/driver/db.js'
import { type AnswerMessage, answerMessages, type SeenMessage, seenMessages } from '../store/messages/message-rows.js'
import type { UserRow } from '../store/users/users.js'
import { currentUser } from './find-user.js'

/**
 * A message that the caller (null: a spectator) may read.
 * @throws {ApiError} BAD_REQUEST, the same for a missing message and for one that the caller may not see.
 */
export function findMessage(
  ctx: Ctx,
  sql: ISql,
  actor: Actor | null,
  messageId: number,
): Promise<{ message: SeenMessage; user: UserRow | null }> {
  return findRow(ctx, sql, actor, userId => seenMessages(sql, userId, [messageId]))
}

/** findMessage with all fields that an answer shows. @throws {ApiError} BAD_REQUEST */
export function findAnswerMessage(
  ctx: Ctx,
  actor: Actor | null,
  messageId: number,
): Promise<{ message: AnswerMessage; user: UserRow | null }> {
  // Reads all edits: the directory, which says which of them the organization shows, is refreshed at the same time.
  const room = { near: 0, bytes: budgets.answerBytes.most, edits: 'all', texts: 'both' } as const
  return findRow(ctx, ctx.sql, actor, userId => answerMessages(ctx.sql, userId, [messageId], room))
}

async function findRow<Row extends SeenMessage>(
  ctx: Ctx,
  sql: ISql,
  actor: Actor | null,
  read: (userId: number) => Promise<readonly Row[]>,
): Promise<{ message: Row; user: UserRow | null }> {
  // Inside a transaction the caller refreshes the directory: fresh() would wait for a second connection.
  const [[message]] = await Promise.all([
    read(actor?.user.id ?? 0),
    sql === ctx.sql ? ctx.directory.fresh() : undefined,
  ])
  const user = actor && currentUser(ctx.directory, actor.user)
  if (!message || !mayReadMessage(ctx.directory, user, message)) throw badRequest('Invalid message(s)')
  return { message, user }
}
