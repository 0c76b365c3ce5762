import { realmUserUpdate } from '../../../shared/events/realm-user.js'
import type { Emit } from '../../realtime/emission.js'
import type { UserRow } from '../../store/users/users.js'

/** Emits each value of a custom profile field that differs. */
export function notifyOfProfile(emit: Emit, before: UserRow, after: UserRow, audience: readonly number[]): void {
  const ids = new Set([...Object.keys(before.profile_data), ...Object.keys(after.profile_data)])
  for (const id of ids) {
    if (before.profile_data[id]?.value === after.profile_data[id]?.value) continue
    const custom_profile_field = { id: Number(id), ...(after.profile_data[id] ?? { value: null }) }
    emit(realmUserUpdate, { person: { user_id: after.id, custom_profile_field } }, audience)
  }
}
