import { remindersAdd, remindersRemove } from '../../shared/events/reminders.js'
import { notificationBot } from '../actions/messages/system-bots.js'
import { readableMessage } from '../actions/scheduled/readable-message.js'
import { reminderText } from '../actions/scheduled/reminder-text.js'
import { SharedQuestion } from '../concurrency/shared-question.js'
import { reminder as type } from '../job-types/scheduled.js'
import * as store from '../store/personal/reminders.js'
import { type JobKind, jobKind } from './job-kind.js'
import { runTimed, timed } from './timed.js'

/** Sends a reminder, with the text of the message as it is now (docs/protocol/scheduled.md#reminders). */
export function reminderKind(): JobKind {
  let rows: SharedQuestion<number, store.ReminderRow> | undefined
  return jobKind(type, {
    ...timed,
    async run(ctx, { id }, run) {
      rows ??= new SharedQuestion(ids => store.reminderRows(ctx.sql, ids))
      await runTimed(ctx, run, await rows.of(id), {
        what: {
          en: time => `The reminder for ${time} that you asked for`,
          de: time => `Die Erinnerung, um die du für ${time} gebeten hast,`,
        },
        markFailed: store.markReminderFailed,
        // Clients know no change of a reminder, so it is removed and added.
        emitFailure(emit, failed) {
          emit(remindersRemove, { reminder_id: id }, [failed.user_id])
          emit(remindersAdd, { reminders: [store.reminderObject(failed)] }, [failed.user_id])
        },
        async send(row, user) {
          const { id: senderId } = await notificationBot(ctx)
          const reminded = { reader: user, messageId: row.message_id, note: row.note }
          await run.send({
            senderId,
            client: 'Internal',
            to: { people: [user.id] },
            content: reminderText(ctx, reminded, await readableMessage(ctx, user, row.message_id)),
            readBySender: true,
            due: {
              row: { table: 'reminders', id },
              removal: { def: remindersRemove, payload: { reminder_id: id }, audience: [user.id] },
            },
          })
        },
      })
    },
  })
}
