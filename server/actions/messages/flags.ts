import { badRequest } from '../../../shared/errors.js'
import { flagsAdd, flagsRemove } from '../../../shared/events/update-message-flags.js'
import type { SettableFlag } from '../../../shared/resources/message.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayReadMessage, type Reader } from '../../policies/reading.js'
import { flagBit } from '../../store/messages/message-flags.js'
import { placedMessages } from '../../store/messages/message-rows.js'
import { flaggedAmong, flagParts, holdFlags, unflagParts } from '../../store/reading/flags.js'
import { holdPlaces, placesOf } from '../../store/reading/held-places.js'
import { writeAtOnce } from '../write-at-once.js'
import { markRead, type ReadBefore } from './mark-read.js'
import { type FlagsChanged, markUnread } from './mark-unread.js'

interface FlagChange {
  readonly op: 'add' | 'remove'
  readonly flag: SettableFlag
}

type PlainFlag = Exclude<SettableFlag, 'read'>

/** Changes a flag of the user on messages and emits the ids of those that changed to the user. @throws {ApiError} */
export async function changeFlags(
  ctx: Ctx,
  reader: Reader,
  { op, flag }: FlagChange,
  given: { readonly ids: readonly number[]; readonly state: ReadBefore },
): Promise<FlagsChanged> {
  const ids = [...new Set(given.ids)].sort((a, b) => a - b)
  if (flag === 'read' && op === 'remove') return markUnread(ctx, reader, ids)
  const change = op === 'add' ? setFlag : clearFlag
  const changed = await (flag === 'read' ? markRead(ctx, reader, ids, given.state) : change(ctx, reader, flag, ids))
  return { changed, ignoredChannels: [] }
}

/** A user may star every message that it can see, including one that it did not receive. */
async function setFlag(ctx: Ctx, reader: Reader, flag: PlainFlag, ids: readonly number[]): Promise<readonly number[]> {
  const { directory } = ctx
  const { userId } = reader
  const bit = flagBit[flag]
  let changed: readonly number[] = []
  await writeAtOnce(ctx, {
    async hold(tx) {
      await directory.hold(tx, 'share')
      await holdPlaces(tx, userId, ids)
    },
    async prepare(sql, emit) {
      const user = reader.user && currentUser(directory, reader.user)
      const rows = await placedMessages(sql, userId, ids)
      const readable = rows.filter(row => mayReadMessage(directory, user, row))
      if (flag === 'starred' && readable.length < ids.length) throw badRequest('Invalid message(s)')
      const unflagged = readable.filter(row => (row.bits & bit) === 0)
      changed = unflagged.map(row => row.id)
      if (changed.length === 0) return null
      emit(flagsAdd, { flag, messages: changed, all: false }, [userId])
      const historical = unflagged.filter(row => !row.is_received).map(row => row.id)
      return (within, version) => flagParts(within, userId, placesOf(unflagged, version), { bit, historical })
    },
  })
  return changed
}

async function clearFlag(
  ctx: Ctx,
  { userId }: Reader,
  flag: PlainFlag,
  ids: readonly number[],
): Promise<readonly number[]> {
  const bit = flagBit[flag]
  let changed = ids
  let isFirst = true
  await writeAtOnce(ctx, {
    hold: tx => holdFlags(tx, userId, ids),
    async prepare(sql, emit) {
      // Usually all of the messages have the flag: the statement checks it.
      if (!isFirst) changed = await flaggedAmong(sql, userId, bit, ids)
      isFirst = false
      if (changed.length === 0) return null
      emit(flagsRemove, { flag, messages: changed }, [userId])
      return within => unflagParts(within, userId, bit, changed)
    },
  })
  return changed
}
