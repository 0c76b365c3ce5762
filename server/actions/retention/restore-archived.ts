import { attachmentAdd } from '../../../shared/events/attachment.js'
import { limits } from '../../../shared/limits.js'
import type { Ctx, Origin } from '../../ctx.js'
import { restoreFiles } from '../../store/files/archived-files.js'
import { addSpace, attachmentsById } from '../../store/files/attachments.js'
import {
  type ArchivedFilter,
  type ArchivedPlace,
  archivedPlaces,
  restoreMessages,
} from '../../store/messages/archived-messages.js'
import { holdChannels } from '../../store/messages/message-audience.js'
import { emitUses } from '../files/uses.js'
import { notifyFirstMessage } from '../messages/first-message.js'
import { daysThatApply, directPlace, limitOf } from './terms.js'

/** What a restore did. */
export interface RestoreOutcome {
  readonly restored: number
  /** Messages that stay in the archive, because they would expire at once. */
  readonly expired: number
}

/**
 * Brings archived messages back, with their ids, reactions, flags, history and files, in batches with a transaction each. No event shows the
 * messages: clients have them when they read the history again (docs/retention.md#restore).
 */
export async function restoreArchived(ctx: Ctx, filter: ArchivedFilter, origin?: Origin): Promise<RestoreOutcome> {
  let [restored, expired] = [0, 0]
  for (let after = 0; ; ) {
    const found = await archivedPlaces(ctx.sql, filter, { after, most: limits.delete_topic_batch })
    const kept = await notExpired(ctx, found)
    expired += found.length - kept.length
    if (kept.length > 0) restored += await restoreBatch(ctx, kept, origin)
    if (found.length < limits.delete_topic_batch) return { restored, expired }
    after = found.at(-1)?.id ?? after
  }
}

/** Archived messages of the filter that would expire at once, and others. */
export async function notExpired(ctx: Ctx, found: readonly ArchivedPlace[]): Promise<ArchivedPlace[]> {
  const days = await daysThatApply(ctx)
  return found.filter(({ channel_id, date_sent }) => {
    const limit = limitOf(ctx, days.get(channel_id ?? directPlace) ?? -1)
    return limit === null || date_sent >= limit
  })
}

function restoreBatch(ctx: Ctx, places: readonly ArchivedPlace[], origin?: Origin): Promise<number> {
  const ids = places.map(place => place.id)
  const channelIds = [...new Set(places.flatMap(({ channel_id }) => channel_id ?? []))]
  return ctx.write(
    async (tx, emit, { audit }) => {
      await ctx.directory.hold(tx, 'share')
      await holdChannels(tx, channelIds, 'update')
      const files = await restoreFiles(tx, ids)
      const back = await restoreMessages(tx, ids)
      for (const id of channelIds) await notifyFirstMessage(ctx, tx, emit, id)
      const size = files.reduce((sum, file) => sum + file.size, 0)
      const upload_space_used = await addSpace(tx, size, -size)
      const again = new Set(files.map(file => file.id))
      for (const { user_id, attachment } of await attachmentsById(tx, [...again])) {
        emit(attachmentAdd, { attachment, upload_space_used }, [user_id])
      }
      const used = new Set(back.flatMap(message => message.file_ids))
      await emitUses(
        tx,
        emit,
        [...used].filter(id => !again.has(id)),
      )
      audit('message/restored', { subject: {}, before: null, after: { messages: back.length } })
      return back.length
    },
    undefined,
    origin,
  )
}
