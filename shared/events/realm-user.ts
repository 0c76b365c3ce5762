import { z } from 'zod'
import type { RealmBotObject } from '../resources/realm-bot.js'
import { roles, user } from '../resources/user.js'
import { changed, pick } from './audit.js'
import type { ClientState } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'
import { forgetMember } from './forget-member.js'

const added = z.object({
  person: user.describe(
    'Contains is_active, profile_data unless the user is a bot, and an avatar_url that is never null.',
  ),
})

/** The sets of fields that change together: each event has one of these sets. */
const personChange = z.object({
  avatar_source: z.string().optional(),
  avatar_url: z.string().optional(),
  avatar_url_medium: z.string().optional(),
  avatar_version: z.int().optional(),
  bot_owner_id: z.int().optional(),
  custom_profile_field: z
    .object({ id: z.int(), value: z.string().nullable(), rendered_value: z.string().optional() })
    .optional(),
  date_joined: z.string().optional(),
  delivery_email: z.string().nullable().optional(),
  new_email: z.string().optional(),
  full_name: z.string().optional(),
  role: z.int().meta({ enum: roles }).optional(),
  timezone: z.string().optional(),
  email: z.string().optional().describe('Only with `timezone`: the present address.'),
  is_active: z.boolean().optional(),
  is_imported_stub: z.boolean().optional(),
})

const updated = z.object({ person: personChange.extend({ user_id: z.int() }).describe('The changed fields.') })
const removed = z.object({ person: z.object({ user_id: z.int(), full_name: z.string() }) })

/** An event about one user, or about many: it is stored once and rendered as one wire event per user, in this order. */
type AboutPeople<Fields extends { readonly person: unknown }> =
  | { readonly person: Fields['person'] }
  | { readonly people: readonly Fields['person'][] }

/** `isUnknown`: a placeholder, sent only to clients that need a complete list of users. */
type RealmUserAddPayload = AboutPeople<FieldsOf<typeof added>> & { readonly isUnknown?: boolean }
type RealmUserUpdatePayload = AboutPeople<FieldsOf<typeof updated>>
type RealmUserRemovePayload = AboutPeople<FieldsOf<typeof removed>>
export type PersonChange = FieldsOf<typeof personChange>

const peopleOf = <Person>(payload: { readonly person: Person } | { readonly people: readonly Person[] }) =>
  'people' in payload ? payload.people : [payload.person]
const forms = <Person>(payload: { readonly person: Person } | { readonly people: readonly Person[] }) =>
  'people' in payload ? payload.people.map(person => ({ person })) : { person: payload.person }
const width = (payload: AboutPeople<{ person: unknown }>): number => peopleOf(payload).length

// The audited fields of an account: identity and permissions. Other fields are the user's own.
const audited = ['role', 'is_active', 'bot_owner_id', 'full_name', 'new_email', 'is_bot', 'bot_type'] as const

export const realmUserAdd = defineEvent('realm_user/add', {
  doc: 'A user joined, or became visible to a guest who may not see all users; with is_system_bot: the server created one of its own bots.',
  fields: added,
  dependsOn: ['user_list_incomplete'],
  changesDirectory: true,
  render: (payload: RealmUserAddPayload, view) =>
    payload.isUnknown && view.user_list_incomplete ? null : forms(payload),
  width,
  // A placeholder stands for a user whose true values are in another event.
  audit: (payload, { users }) =>
    (payload.isUnknown ? [] : peopleOf(payload))
      .filter(person => !users.has(person.user_id) && !person.is_system_bot)
      .map(person => ({ subject: { user_id: person.user_id }, before: null, after: pick(person, audited) })),
  apply: applyRealmUserAdd,
})

export const realmUserUpdate = defineEvent('realm_user/update', {
  doc: 'One or more fields of a user changed.',
  fields: updated,
  changesDirectory: true,
  render: (payload: RealmUserUpdatePayload) => forms(payload),
  width,
  audit: (payload, { users }) =>
    peopleOf(payload).flatMap(person => {
      const row: { delivery_email?: unknown } | undefined = users.get(person.user_id)
      const before = row && { ...row, new_email: row.delivery_email }
      return changed({ user_id: person.user_id }, before, pick(person, audited))
    }),
  apply: applyRealmUserUpdate,
})

export const realmUserRemove = defineEvent('realm_user/remove', {
  doc: 'A guest who may not see all users no longer sees this user, or the account was taken away with an import.',
  fields: removed,
  changesDirectory: true,
  render: (payload: RealmUserRemovePayload) => forms(payload),
  width,
  apply: applyRealmUserRemove,
})

export function applyRealmUserAdd(state: ClientState, event: z.output<typeof added>): void {
  const { is_active, ...person } = event.person
  dropPerson(state, person.user_id)
  const active = person.is_system_bot ? state.cross_realm_bots : state.realm_users
  const list = is_active === false ? state.realm_non_active_users : active
  if (list) list[person.user_id] = person
}

export function applyRealmUserUpdate(state: ClientState, event: z.output<typeof updated>): void {
  const { user_id, ...change } = event.person
  const person = state.realm_users?.[user_id] ?? state.realm_non_active_users?.[user_id]
  if (person) changePerson(person, change)
  if (state.user_id === user_id) changeSelf(state, change)
  const bot = state.realm_bots?.[user_id]
  if (bot) changeBot(bot, change)
  // The state has no status of a deactivated user.
  if (change.is_active === false) delete state.user_status?.[user_id]
  if (change.is_active === undefined || !person) return
  const list = change.is_active ? state.realm_users : state.realm_non_active_users
  dropPerson(state, user_id)
  if (list) list[user_id] = person
  // A deactivated user leaves all groups, without separate events.
  if (!change.is_active) forgetMember(state, user_id)
}

export function applyRealmUserRemove(state: ClientState, event: z.output<typeof removed>): void {
  const { user_id } = event.person
  dropPerson(state, user_id)
  delete state.user_status?.[user_id]
}

type Change = z.output<typeof personChange>

function dropPerson({ realm_users, realm_non_active_users }: ClientState, userId: number): void {
  delete realm_users?.[userId]
  delete realm_non_active_users?.[userId]
}

function changePerson(person: z.output<typeof user>, change: Change): void {
  const { new_email, custom_profile_field, is_active: _, avatar_source: __, avatar_url_medium: ___, ...rest } = change
  Object.assign(person, rest)
  if (new_email !== undefined) person.email = new_email
  if (change.role !== undefined) Object.assign(person, roleFlags(change.role))
  // A client that asked for users without profiles fetches the whole profile when it needs it.
  if (!custom_profile_field || !person.profile_data) return
  const { id, value, ...rendered } = custom_profile_field
  const { [id]: ____, ...profile } = person.profile_data
  person.profile_data = value === null ? profile : { ...profile, [id]: { value, ...rendered } }
}

function changeBot(bot: RealmBotObject, { new_email, bot_owner_id, ...change }: Change): void {
  for (const field of ['avatar_url', 'full_name', 'is_active'] as const)
    if (change[field] !== undefined) Object.assign(bot, { [field]: change[field] })
  if (new_email !== undefined) bot.email = new_email
  if (bot_owner_id !== undefined) bot.owner_id = bot_owner_id
}

const ownFields = ['avatar_source', 'avatar_url', 'avatar_url_medium', 'delivery_email', 'full_name'] as const

function changeSelf(state: ClientState, change: Change): void {
  for (const field of ownFields) if (change[field] !== undefined) Object.assign(state, { [field]: change[field] })
  if (change.new_email !== undefined) Object.assign(state, { email: change.new_email })
  if (change.role !== undefined) {
    Object.assign(state, roleFlags(change.role), { is_moderator: change.role <= 300 })
  }
}

const roleFlags = (role: number) => ({ is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 })
