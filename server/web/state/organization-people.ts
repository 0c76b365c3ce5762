import type { AccountChange } from '../../../shared/resources/account-rights.js'
import type { UserObject } from '../../../shared/resources/user.js'
import type { ChatState } from './chat-state.js'
import { personOf } from './people.js'

/** Which accounts a list shows; `role` 0: people of all roles, `bots`: bots alone. */
interface PeopleFilter {
  /** Parts of the name or of the address, in any letter case. */
  readonly words: string
  readonly role: number | 'bots'
  readonly isActive: boolean
}

/** The accounts of the organization that the filter lets through, by name: their ids. */
export function filterPeople(state: ChatState, { words, role, isActive }: PeopleFilter): number[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean)
  const isMeant = (person: UserObject): boolean => {
    if (person.is_bot !== (role === 'bots')) return false
    if (role !== 'bots' && role !== 0 && person.role !== role) return false
    if (sought.length === 0) return true
    const text = `${person.full_name} ${person.delivery_email ?? ''}`.toLowerCase()
    return sought.every(word => text.includes(word))
  }
  return Object.values(isActive ? state.realm_users : state.realm_non_active_users)
    .filter(person => !person.is_system_bot && isMeant(person))
    .map(({ user_id, full_name }) => ({ user_id, name: full_name.toLowerCase() }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.user_id - b.user_id))
    .map(({ user_id }) => user_id)
}

const ownerRole = 100
const guestRole = 600

/** What the rules of a change of an account look at (shared/resources/account-rights.ts). */
export function accountChange(state: ChatState, userId: number): AccountChange {
  const counts = (one: UserObject) => one.role === ownerRole && !one.is_bot
  const user = state.realm_users[userId]
  const isOnlyOwner =
    user !== undefined &&
    counts(user) &&
    !Object.values(state.realm_users).some(one => one.user_id !== userId && counts(one))
  return {
    caller: personOf(state, state.user_id)?.role ?? guestRole,
    role: personOf(state, userId)?.role ?? guestRole,
    isOnlyOwner,
  }
}
