import type { UserObject } from '../resources/user.js'
import { defineEvent } from './event.js'
import { forgetMember } from './forget-member.js'

/**
 * With is_active, a human's profile_data, and an avatar_url that is never null. `people`: one wire event per user.
 * `isUnknown`: a placeholder, sent only to clients that need a complete list of users.
 */
export type RealmUserAddPayload =
  | { person: UserObject; isUnknown?: boolean }
  | { people: readonly UserObject[]; isUnknown?: never }

/** Each event has one of these sets of keys. */
export type PersonChange =
  | { avatar_source: string; avatar_url: string; avatar_url_medium: string; avatar_version: number }
  | { bot_owner_id: number }
  | { custom_profile_field: { id: number; value: string | null; rendered_value?: string } }
  | { date_joined: string }
  | { delivery_email: string | null }
  | { new_email: string }
  | { full_name: string }
  | { role: number }
  | { timezone: string; email: string }
  | { is_active: boolean }
  | { is_imported_stub: boolean }

type ChangedPerson = { user_id: number } & PersonChange

/** `people`: one wire event per user, in this order. */
export type RealmUserUpdatePayload = { person: ChangedPerson } | { people: readonly ChangedPerson[] }

interface RemovedPerson {
  user_id: number
  full_name: string
}

export type RealmUserRemovePayload = { person: RemovedPerson } | { people: readonly RemovedPerson[] }

type People = Record<string, unknown>[]

// An event about many users is stored once and rendered as one wire event per user.
const forms = <Person>(payload: { person: Person } | { people: readonly Person[] }) =>
  'people' in payload ? payload.people.map(person => ({ person })) : { person: payload.person }
const width = (payload: { people?: readonly unknown[] } | object): number =>
  'people' in payload ? (payload.people?.length ?? 1) : 1

export const realmUserAdd = defineEvent<RealmUserAddPayload>('realm_user/add', {
  doc: 'A user joined, or became visible to a guest who may not see all users.',
  dependsOn: ['user_list_incomplete'],
  render: (payload, view) => (payload.isUnknown && view.user_list_incomplete ? null : forms(payload)),
  width,
  apply(state, event) {
    const { is_active, ...person } = event.person as UserObject
    dropPerson(state, person.user_id)
    const list = is_active === false ? state.realm_non_active_users : state.realm_users
    ;(list as People | undefined)?.push(person)
  },
})

export const realmUserUpdate = defineEvent<RealmUserUpdatePayload>('realm_user/update', {
  doc: 'Something about a user changed.',
  render: forms,
  width,
  apply(state, event) {
    const { user_id, ...change } = event.person as { user_id: number } & Record<string, unknown>
    const person = findPerson(state, user_id)
    if (person) changePerson(person, change)
    if (state.user_id === user_id) changeSelf(state, change)
    if (typeof change.is_active === 'boolean' && person) movePerson(state, person, change.is_active)
  },
})

export const realmUserRemove = defineEvent<RealmUserRemovePayload>('realm_user/remove', {
  doc: 'A guest who may not see all users no longer sees this user.',
  render: forms,
  width,
  apply: (state, event) => dropPerson(state, (event.person as { user_id: number }).user_id),
})

function findPerson(state: Record<string, unknown>, userId: number): Record<string, unknown> | undefined {
  for (const list of [state.realm_users, state.realm_non_active_users] as (People | undefined)[]) {
    const person = list?.find(one => one.user_id === userId)
    if (person) return person
  }
  return undefined
}

function dropPerson(state: Record<string, unknown>, userId: number): void {
  for (const key of ['realm_users', 'realm_non_active_users']) {
    if (state[key]) state[key] = (state[key] as People).filter(one => one.user_id !== userId)
  }
}

// A deactivated user leaves all groups, without separate events.
function movePerson(state: Record<string, unknown>, person: Record<string, unknown>, isActive: boolean): void {
  dropPerson(state, person.user_id as number)
  ;((isActive ? state.realm_users : state.realm_non_active_users) as People | undefined)?.push(person)
  if (!isActive) forgetMember(state, person.user_id as number)
}

function changePerson(person: Record<string, unknown>, change: Record<string, unknown>): void {
  const { new_email, custom_profile_field, is_active: _, avatar_source: __, avatar_url_medium: ___, ...rest } = change
  Object.assign(person, rest)
  if (new_email !== undefined) person.email = new_email
  if (typeof change.role === 'number') Object.assign(person, roleFlags(change.role))
  if (custom_profile_field) changeProfile(person, custom_profile_field as { id: number; value: string | null })
}

function changeProfile(person: Record<string, unknown>, { id, ...entry }: { id: number; value: string | null }): void {
  const { [id]: _, ...profile } = (person.profile_data ?? {}) as Record<string, unknown>
  person.profile_data = entry.value === null ? profile : { ...profile, [id]: entry }
}

const ownFields = ['avatar_source', 'avatar_url', 'avatar_url_medium', 'delivery_email', 'full_name'] as const

function changeSelf(state: Record<string, unknown>, change: Record<string, unknown>): void {
  for (const field of ownFields) if (change[field] !== undefined) state[field] = change[field]
  if (change.new_email !== undefined) state.email = change.new_email
  if (typeof change.role === 'number') {
    Object.assign(state, roleFlags(change.role), { is_moderator: change.role <= 300 })
  }
}

const roleFlags = (role: number) => ({ is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 })
