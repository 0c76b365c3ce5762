import type { UserGroup } from '../../../shared/events/client-state.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../../shared/resources/permission-settings.js'
import { byText, listText } from '../language/format.js'
import { type TextKey, t } from '../language/language.js'
import type { ChatState } from './chat-state.js'
import { personOf } from './people.js'

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

/** The holders of a permission in words. */
export function holdersTitle(state: ChatState, value: GroupSettingValue): string {
  const groupName = (id: number): string => {
    const group = state.realm_user_groups[id]
    return group ? groupTitle(group) : t('groups.gone')
  }
  if (typeof value === 'number') return groupName(value)
  const people = value.direct_members.map(id => personOf(state, id)?.full_name ?? t('words.unknownUser'))
  return listText([...value.direct_subgroups.map(groupName), ...people]) || t('groups.none')
}

/** The groups that may become holders of a permission: those of the system from wide to narrow, then all others by name. */
export function holderChoices(state: ChatState, rule: PermissionSetting): UserGroup[] {
  const groups = Object.values(state.realm_user_groups)
  const system = Object.keys(systemTitles)
    .filter(name => isAllowed(rule, name))
    .flatMap(name => groups.find(group => group.is_system_group && group.name === name) ?? [])
  if (rule.require_system_group) return system
  const named = groups.filter(group => !group.is_system_group && !group.deactivated)
  return [...system, ...named.sort((a, b) => byText(a.name, b.name))]
}

function isAllowed(rule: PermissionSetting, name: string): boolean {
  if (rule.allowed_system_groups.length > 0) return rule.allowed_system_groups.includes(name)
  if (name === 'role:internet') return false
  if (name === 'role:everyone') return rule.allow_everyone_group
  return name !== 'role:nobody' || rule.allow_nobody_group
}
