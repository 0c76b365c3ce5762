import { type DoNotDisturb, isQuietAt, notQuiet, quietEnd } from '../../shared/resources/do-not-disturb.js'
import type { UserRow } from '../store/users/users.js'

/** The name of a user's do not disturb among its stored settings. It is no setting of the protocol. */
export const doNotDisturbName = 'do_not_disturb'

export const doNotDisturbOf = ({ settings }: Pick<UserRow, 'settings'>): DoNotDisturb =>
  (settings[doNotDisturbName] as DoNotDisturb | undefined) ?? notQuiet

/** Whether the user wants no notifications at this moment. @param now in ms */
export const isQuiet = (user: Pick<UserRow, 'settings' | 'timezone'>, now: number): boolean =>
  isQuietAt(doNotDisturbOf(user), user.timezone, now)

/** When the quiet time of the user ends, in ms; null: notifications are welcome. @param now in ms */
export const quietUntil = (user: Pick<UserRow, 'settings' | 'timezone'>, now: number): number | null =>
  quietEnd(doNotDisturbOf(user), user.timezone, now)
