import { isForOwners } from '../../../shared/resources/organization-rights.js'
import type { ChatState } from './chat-state.js'
import { personOf } from './people.js'
import { isAdministrator } from './permissions.js'

const ownerRole = 100

export const isOwner = (state: ChatState): boolean => personOf(state, state.user_id)?.role === ownerRole

/** Whether the user of the page may change this setting or permission of the organization. */
export const mayChangeSetting = (state: ChatState, name: string): boolean =>
  isForOwners(name) ? isOwner(state) : isAdministrator(state)
