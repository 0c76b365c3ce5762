import { ApiError } from '../../shared/errors.js'
import { remindersAdd, remindersRemove } from '../../shared/events/reminders.js'
import { notificationBot } from '../actions/messages/system-bots.js'
import { readableMessage } from '../actions/scheduled/readable-message.js'
import { reminderText } from '../actions/scheduled/reminder-text.js'
import { addNotices } from '../job-types/notice.js'
import { reminder as type } from '../job-types/scheduled.js'
import * as store from '../store/personal/reminders.js'
import { jobKind } from './job-kind.js'
import type { JobRun } from './job-run.js'
import { failureNotice, isTooLate, missedTime, timed } from './timed.js'

/** Sends a reminder, with the text of the message as it is now (docs/protocol/scheduled.md#reminders). */
export const reminder = jobKind(type, {
  ...timed,
  async run(ctx, { id }, run) {
    const row = await store.reminderRow(ctx.sql, id)
    if (!row || row.failed) return
    await ctx.directory.fresh()
    const user = ctx.directory.users.get(row.user_id)
    if (!user?.is_active) return failSilently(row, run)
    if (isTooLate(ctx, row.due)) return fail(row, run, missedTime)
    const { id: senderId } = await notificationBot(ctx)
    const reminded = { messageId: row.message_id, note: row.note }
    const content = reminderText(ctx, reminded, await readableMessage(ctx, user, row.message_id))
    try {
      await run.send({
        senderId,
        client: 'Internal',
        to: { people: [user.id] },
        content,
        readBySender: true,
        async alongside(tx, emit) {
          await store.deleteReminder(tx, user.id, row.id)
          emit(remindersRemove, { reminder_id: row.id }, [user.id])
        },
      })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      await fail(row, run, error.message)
    }
  },
})

/** Clients know no change of a reminder, so it is removed and added. */
const fail = (row: store.ReminderRow, run: JobRun, reason: string): Promise<void> =>
  run.write(async (tx, emit, { after }) => {
    const failed = await store.markReminderFailed(tx, row.id)
    if (!failed) return
    emit(remindersRemove, { reminder_id: row.id }, [row.user_id])
    emit(remindersAdd, { reminders: [store.reminderObject(failed)] }, [row.user_id])
    addNotices(after, [failureNotice('The reminder that you asked for', row, reason)])
  })

/** The account is deactivated, so it has no queues. */
const failSilently = (row: store.ReminderRow, run: JobRun): Promise<void> =>
  run.write(async tx => {
    await store.markReminderFailed(tx, row.id)
  })
