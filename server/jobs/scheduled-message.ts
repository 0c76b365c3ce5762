import { scheduledMessagesRemove, scheduledMessagesUpdate } from '../../shared/events/scheduled-messages.js'
import { SharedQuestion } from '../concurrency/shared-question.js'
import { scheduledMessage as type } from '../job-types/scheduled.js'
import * as store from '../store/personal/scheduled-messages.js'
import { type JobKind, jobKind } from './job-kind.js'
import { runTimed, timed } from './timed.js'

/**
 * Sends a scheduled message, checked with the permissions of this moment. One that is refused or too late stays in the list of its sender,
 * who gets a notice (docs/protocol/scheduled.md#delivery).
 */
export function scheduledMessageKind(): JobKind {
  let rows: SharedQuestion<number, store.ScheduledRow> | undefined
  return jobKind(type, {
    ...timed,
    async run(ctx, { id }, run) {
      rows ??= new SharedQuestion(ids => store.scheduledRows(ctx.sql, ids))
      await runTimed(ctx, run, await rows.of(id), {
        what: {
          en: time => `The message that you scheduled for ${time}`,
          de: time => `Die Nachricht, die du für ${time} geplant hast,`,
        },
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
            due: {
              row: { table: 'scheduled_messages', id },
              removal: { def: scheduledMessagesRemove, payload: { scheduled_message_id: id }, audience: [row.user_id] },
            },
          }),
      })
    },
  })
}
