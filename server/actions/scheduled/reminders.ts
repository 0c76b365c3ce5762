import { ApiError, badRequest } from '../../../shared/errors.js'
import { remindersAdd, remindersRemove } from '../../../shared/events/reminders.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { reminder as job, reminderKey } from '../../job-types/scheduled.js'
import { findMessage } from '../../lookups/find-message.js'
import { cancelJobs } from '../../store/jobs/jobs.js'
import * as store from '../../store/personal/reminders.js'
import { renderFor } from '../messages/render.js'
import { notificationBot } from '../messages/system-bots.js'
import { requireFuture } from './due.js'
import { holdOwner } from './hold-owner.js'
import { reminderHead } from './reminder-text.js'

interface NewReminder {
  readonly messageId: number
  /** May be empty. */
  readonly note: string
  /** UNIX seconds. */
  readonly due: number
}

/** The notification bot will remind the caller of the message. Returns the id. @throws {ApiError} BAD_REQUEST */
export async function remind(ctx: Ctx, actor: Actor, { messageId, note, due }: NewReminder): Promise<number> {
  requireFuture(ctx, due)
  const { message } = await findMessage(ctx, ctx.sql, actor, messageId)
  const content = reminderHead(ctx, { reader: actor.user, messageId, note }, message)
  const { id: authorId } = await notificationBot(ctx)
  const { html } = await renderFor(ctx, ctx.sql, { authorId, content, channelId: null })
  const row = { user_id: actor.user.id, message_id: messageId, note, content, rendered_content: html, due }
  return ctx.write(async (tx, emit, { after }) => {
    const user = await holdOwner(ctx, tx, actor)
    const { most } = budgets.reminders
    if ((await store.countReminders(tx, user.id)) >= most) throw badRequest(`There may be at most ${most} reminders.`)
    const id = await store.insertReminder(tx, row)
    after(job, { id }, { key: reminderKey(id), at: new Date(due * 1000) })
    emit(remindersAdd, { reminders: [store.reminderObject({ ...row, id, failed: false })] }, [user.id])
    return id
  })
}

/** @throws {ApiError} BAD_REQUEST with status 404 if the caller has no such reminder */
export async function deleteReminder(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  await ctx.write(async (tx, emit) => {
    const user = await holdOwner(ctx, tx, actor)
    // First of all rows of the reminder, as when it is sent.
    await cancelJobs(tx, [reminderKey(id)])
    if (!(await store.deleteReminder(tx, user.id, id))) {
      throw new ApiError('BAD_REQUEST', 'Reminder does not exist', {}, 404)
    }
    emit(remindersRemove, { reminder_id: id }, [user.id])
  })
}
