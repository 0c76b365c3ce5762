import { realmUserRemove } from '../../../shared/events/realm-user.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { limitedGuests } from '../../policies/users.js'
import { unknownName } from '../../presenters/addresses.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { acquaintancesLost, acquaintancesMade } from '../../store/users/acquaintances.js'
import { gather } from '../gather.js'
import { notifyOfUser } from './users.js'

// The name of the placeholder that replaces the user.

type Pairs = readonly { readonly user_id: number; readonly channel_id: number }[]

/**
 * Emits realm_user/add to guests with limited access who now share a channel with a user that they did not see before. `directory`: as in
 * `announceSubscriptions`.
 */
export async function notifyOfNewAcquaintances(
  tx: Tx,
  emit: Emit,
  ctx: Ctx,
  { added, directory = ctx.directory }: { readonly added: Pairs; readonly directory?: Directory },
): Promise<void> {
  const guests = limitedGuests(directory)
  if (guests.length === 0 || added.length === 0) return
  for (const [other, rows] of gather(await acquaintancesMade(tx, guests, added), row => row.other)) {
    const user = directory.users.get(other)
    const receivers = rows.map(row => row.guest)
    if (user) notifyOfUser(emit, ctx, user, { known: receivers })
  }
}

/** Emits realm_user/remove to guests with limited access who share no other channel or conversation with a user. */
export async function notifyOfLostAcquaintances(tx: Tx, emit: Emit, ctx: Ctx, removed: Pairs): Promise<void> {
  const guests = limitedGuests(ctx.directory)
  if (guests.length === 0) return
  for (const [user_id, rows] of gather(await acquaintancesLost(tx, guests, removed), row => row.other)) {
    const receivers = rows.map(row => row.guest)
    emit(realmUserRemove, { person: { user_id, full_name: unknownName } }, receivers)
  }
}
