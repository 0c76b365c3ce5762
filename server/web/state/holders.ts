import type { UserGroup } from '../../../shared/events/client-state.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../../shared/resources/permission-settings.js'
import { byText, listText } from '../language/format.js'
import { type TextKey, t } from '../language/language.js'
import type { ChatState } from './chat-state.js'
import { bestMatches } from './completion.js'
import { personOf } from './people.js'
import { suggestedPeople } from './people-panel.js'

/** System groups from the widest to the narrowest. */
const systemTitles: Readonly<Record<string, TextKey>> = {
  'role:internet': 'groups.internet',
  'role:everyone': 'groups.allUsers',
  'role:members': 'groups.members',
  'role:fullmembers': 'groups.fullmembers',
  'role:moderators': 'groups.moderators',
  'role:administrators': 'groups.administrators',
  'role:owners': 'groups.owners',
  'role:nobody': 'groups.none',
}

export function groupTitle({ name, is_system_group }: UserGroup): string {
  const title = is_system_group ? systemTitles[name] : undefined
  return title ? t(title) : name
}

/** A group or a person that holds a permission. */
export interface Holder {
  readonly kind: 'group' | 'person'
  readonly id: number
}

/** The holders of a permission: groups first; an empty list for no holder. */
export function holdersOf(state: ChatState, value: GroupSettingValue): Holder[] {
  if (typeof value === 'number') return value === emptyGroup(state)?.id ? [] : [{ kind: 'group', id: value }]
  return [
    ...value.direct_subgroups.map((id): Holder => ({ kind: 'group', id })),
    ...value.direct_members.map((id): Holder => ({ kind: 'person', id })),
  ]
}

/** The value of a permission with these holders, in the form in which the server writes it. */
export function valueFor(state: ChatState, holders: readonly Holder[]): GroupSettingValue {
  const idsOf = (kind: Holder['kind']) => holders.filter(one => one.kind === kind).map(({ id }) => id)
  const set = { direct_members: idsOf('person'), direct_subgroups: idsOf('group') }
  const [only] = holders
  if (only === undefined) return emptyGroup(state)?.id ?? set
  return only.kind === 'group' && holders.length === 1 ? only.id : set
}

const emptyGroup = (state: ChatState): UserGroup | undefined =>
  Object.values(state.realm_user_groups).find(group => group.is_system_group && group.name === 'role:nobody')

/** The name of a holder as the page shows it. */
export function holderName(state: ChatState, { kind, id }: Holder): string {
  if (kind === 'person') return personOf(state, id)?.full_name ?? t('words.unknownUser')
  const group = state.realm_user_groups[id]
  return group ? groupTitle(group) : t('groups.gone')
}

/** The holders of a permission in words. */
export const holdersTitle = (state: ChatState, value: GroupSettingValue): string =>
  listText(holdersOf(state, value).map(one => holderName(state, one))) || t('groups.none')

/** Which groups may hold a permission. */
export type HolderRule = Omit<PermissionSetting, 'default_group_name' | 'default_for_system_groups'>

/** The groups that may become holders of a permission: those of the system from wide to narrow, then all others by name. */
export function holderChoices(state: ChatState, rule: HolderRule): UserGroup[] {
  const groups = Object.values(state.realm_user_groups)
  const system = Object.keys(systemTitles)
    .filter(name => isAllowed(rule, name))
    .flatMap(name => groups.find(group => group.is_system_group && group.name === name) ?? [])
  if (rule.require_system_group) return system
  return [...system, ...namedGroups(state)]
}

/** The groups that people made, by name. */
export const namedGroups = (state: ChatState): UserGroup[] =>
  Object.values(state.realm_user_groups)
    .filter(group => !group.is_system_group && !group.deactivated)
    .sort((a, b) => byText(a.name, b.name))

const suggestedAtMost = 8

/** What may be added to the chosen holders of a permission, by the beginning of a word of its name: groups, then people. */
export function suggestedHolders(
  state: ChatState,
  rule: HolderRule,
  chosen: readonly Holder[],
  words: string,
): Holder[] {
  const taken = {
    group: new Set(chosen.map(one => one.kind === 'group' && one.id)),
    person: new Set(chosen.map(one => one.kind === 'person' && one.id)),
  }
  const empty = emptyGroup(state)
  const groups = holderChoices(state, rule).filter(group => group !== empty && !taken.group.has(group.id))
  const people = suggestedPeople(state).filter(one => !one.is_system_bot && !taken.person.has(one.user_id))
  return [
    ...bestMatches(groups, groupTitle, words, suggestedAtMost).map(({ id }): Holder => ({ kind: 'group', id })),
    ...bestMatches(people, person => person.full_name, words, suggestedAtMost).map(
      ({ user_id }): Holder => ({ kind: 'person', id: user_id }),
    ),
  ]
}

function isAllowed(rule: HolderRule, name: string): boolean {
  if (name === rule.refused_system_group) return false
  if (rule.allowed_system_groups.length > 0) return rule.allowed_system_groups.includes(name)
  if (name === 'role:internet') return false
  if (name === 'role:everyone') return rule.allow_everyone_group
  return name !== 'role:nobody' || rule.allow_nobody_group
}
