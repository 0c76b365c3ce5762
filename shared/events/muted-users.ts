import { z } from 'zod'
import { type MutedUser, mutedUser } from '../resources/muted-user.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

export const mutedUsersEvent = defineEvent('muted_users', {
  doc: 'The receiver muted or unmuted a user; the event contains the whole list.',
  fields: z.object({ muted_users: z.array(mutedUser) }),
  changesDirectory: true,
  apply: applyMutedUsers,
})

export function applyMutedUsers(
  state: ClientState & { muted_users?: MutedUser[] },
  event: { muted_users: MutedUser[] },
): void {
  if (state.muted_users) state.muted_users = event.muted_users
}
