import { isDeepStrictEqual } from 'node:util'
import { badRequest } from '../../../shared/errors.js'
import { doNotDisturbEvent } from '../../../shared/events/do-not-disturb.js'
import type { DoNotDisturb } from '../../../shared/resources/do-not-disturb.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { doNotDisturbName, doNotDisturbOf } from '../../policies/quiet.js'
import { userSetting } from '../../policies/settings.js'
import { moveMissedMails } from '../notify/missed-mails.js'
import { type Prepare, storeUser } from '../store-user.js'

type Change = { readonly [Name in keyof DoNotDisturb]?: DoNotDisturb[Name] | undefined }

/** Absent parts stay. @throws {ApiError} BAD_REQUEST for a time that is over */
export async function changeDoNotDisturb(ctx: Ctx, actor: Actor, { until, quiet_hours }: Change): Promise<void> {
  const { directory, clock } = ctx
  if (until != null && until * 1000 <= clock.now()) throw badRequest('The end of do not disturb must be in the future.')
  const prepare: Prepare = async (_, emit) => {
    const user = currentUser(directory, actor.user)
    const before = doNotDisturbOf(user)
    const after = {
      until: until === undefined ? before.until : until,
      quiet_hours: quiet_hours === undefined ? before.quiet_hours : quiet_hours,
    }
    if (isDeepStrictEqual(before, after)) return null
    emit(doNotDisturbEvent, after, [user.id])
    return { user, change: { settings: { ...user.settings, [doNotDisturbName]: after } } }
  }
  const rows = await ctx.write(async (tx, emit, { store, after }) => {
    const stored = await storeUser(ctx, tx, { emit, store }, prepare)
    // A mail that waits for the end of a quiet time looks again.
    for (const user of stored) {
      const seconds = userSetting(user, 'email_notifications_batching_period_seconds')
      await moveMissedMails(tx, after, [user.id], seconds)
    }
    return stored
  })
  directory.adopt({ users: rows })
}
