import { ApiError } from '../../shared/errors.js'
import { scheduledMessagesRemove, scheduledMessagesUpdate } from '../../shared/events/scheduled-messages.js'
import { addNotices } from '../job-types/notice.js'
import { scheduledMessage as type } from '../job-types/scheduled.js'
import * as store from '../store/personal/scheduled-messages.js'
import { jobKind } from './job-kind.js'
import type { JobRun } from './job-run.js'
import { failureNotice, isTooLate, missedTime, timed } from './timed.js'

/**
 * Sends a scheduled message, checked with the permissions of this moment. One that is refused or too late stays in the list of its sender,
 * who gets a notice (docs/protocol/scheduled.md#delivery).
 */
export const scheduledMessage = jobKind(type, {
  ...timed,
  async run(ctx, { id }, run) {
    const row = await store.scheduledRow(ctx.sql, id)
    if (!row || row.failed) return
    await ctx.directory.fresh()
    if (!ctx.directory.users.get(row.user_id)?.is_active) return failSilently(row, run)
    if (isTooLate(ctx, row.due)) return fail(row, run, missedTime)
    try {
      await send(row, run)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      await fail(row, run, error.message)
    }
  },
})

const send = (row: store.ScheduledRow, run: JobRun): Promise<void> =>
  run.send({
    senderId: row.user_id,
    client: row.client,
    to: row.channel_id === null ? { people: row.recipients } : { channel: row.channel_id, topic: row.topic },
    content: row.content,
    readBySender: row.read_by_sender,
    async alongside(tx, emit) {
      await store.deleteScheduled(tx, row.user_id, row.id)
      emit(scheduledMessagesRemove, { scheduled_message_id: row.id }, [row.user_id])
    },
  })

const fail = (row: store.ScheduledRow, run: JobRun, reason: string): Promise<void> =>
  run.write(async (tx, emit, { after }) => {
    const failed = await store.markScheduledFailed(tx, row.id)
    if (!failed) return
    emit(scheduledMessagesUpdate, { scheduled_message: store.scheduledObject(failed) }, [row.user_id])
    addNotices(after, [failureNotice('The message that you scheduled', row, reason)])
  })

/** The account is deactivated, so it has no queues. */
const failSilently = (row: store.ScheduledRow, run: JobRun): Promise<void> =>
  run.write(async tx => {
    await store.markScheduledFailed(tx, row.id)
  })
