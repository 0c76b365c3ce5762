import type { Jobs } from '../../ctx.js'
import { decideNotifications } from '../../job-types/notify.js'
import type { OutboxedEmission, Realtime } from '../../realtime/realtime.js'
import type { OnInserted } from '../../store/sending/message-writer.js'

/** Publishes the stored messages of one insert statement, in their order, and has it decided who is notified of them. */
export function publishInserted(realtime: Pick<Realtime, 'publish'>, jobs: Pick<Jobs, 'wake'>): OnInserted {
  return messages => {
    const emissions: OutboxedEmission[] = []
    for (const { message, inserted } of messages) {
      message.entries.forEach((entry, i) => {
        const outboxId = inserted.outboxIds[i]
        if (outboxId === undefined) return
        emissions.push({ entry, outboxId, xid: inserted.xid, messageId: inserted.id, trace: message.trace })
      })
    }
    realtime.publish(emissions)
    jobs.wake(decideNotifications)
  }
}
