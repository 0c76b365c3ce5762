import { invitesChanged } from '../../../shared/events/invites-changed.js'
import type { Directory } from '../../memory/directory.js'
import { activeAdministrators } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'

/** Notifies administrators, and active accounts among those that made the invitations, that the list has changed. */
export function noteInvitations(emit: Emit, directory: Directory, inviterIds: readonly number[]): void {
  const inviters = inviterIds.filter(id => directory.users.get(id)?.is_active)
  emit(invitesChanged, {}, [...new Set([...directory.derived(activeAdministrators), ...inviters])])
}
