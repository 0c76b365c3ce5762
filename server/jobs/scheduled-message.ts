import { scheduledMessagesRemove, scheduledMessagesUpdate } from '../../shared/events/scheduled-messages.js'
import { scheduledMessage as type } from '../job-types/scheduled.js'
import * as store from '../store/personal/scheduled-messages.js'
import { jobKind } from './job-kind.js'
import { runTimed, timed } from './timed.js'

/**
 * Sends a scheduled message, checked with the permissions of this moment. One that is refused or too late stays in the list of its sender,
 * who gets a notice (docs/protocol/scheduled.md#delivery).
 */
export const scheduledMessage = jobKind(type, {
  ...timed,
  async run(ctx, { id }, run) {
    await runTimed(ctx, run, await store.scheduledRow(ctx.sql, id), {
      what: 'The message that you scheduled',
      markFailed: store.markScheduledFailed,
      emitFailure: (emit, failed) =>
        emit(scheduledMessagesUpdate, { scheduled_message: store.scheduledObject(failed) }, [failed.user_id]),
      send: row =>
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
        }),
    })
  },
})
