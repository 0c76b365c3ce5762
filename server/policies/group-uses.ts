import { type ChannelPermission, realmPermissions } from '../../shared/resources/permission-settings.js'
import type { Directory } from '../memory/directory.js'
import type { ChannelRow } from '../store/channels/channels.js'

/** A setting whose value is a group. */
export type SettingPlace =
  | { readonly of: 'realm'; readonly setting: string }
  | { readonly of: 'channel'; readonly id: number; readonly setting: string }
  | { readonly of: 'user_group'; readonly id: number; readonly setting: string }

/** The settings whose value is the group; an index that is built once per version of the directory. */
export function placesOf(directory: Directory, groupId: number): readonly SettingPlace[] {
  return directory.derived(places).get(groupId) ?? []
}

function places(directory: Directory): Map<number, SettingPlace[]> {
  const found = new Map<number, SettingPlace[]>()
  const note = (groupId: unknown, place: SettingPlace) => {
    if (typeof groupId !== 'number') return
    const list = found.get(groupId)
    if (list) list.push(place)
    else found.set(groupId, [place])
  }
  for (const setting of Object.keys(realmPermissions)) {
    note(directory.organization.settings[setting], { of: 'realm', setting })
  }
  for (const { id, settings } of directory.channels.values()) {
    for (const [setting, groupId] of Object.entries(settings)) note(groupId, { of: 'channel', id, setting })
  }
  for (const { id, settings } of directory.groups.values()) {
    for (const [setting, groupId] of Object.entries(settings)) note(groupId, { of: 'user_group', id, setting })
  }
  return found
}

/** Ids of the groups that have the group as a direct subgroup, nameless ones (values of settings) included. */
export function supergroupsOf(directory: Directory, groupId: number): readonly number[] {
  return directory.derived(supergroups).get(groupId) ?? []
}

function supergroups(directory: Directory): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const { id, subgroups } of directory.groups.values()) {
    for (const subgroup of subgroups) {
      const list = found.get(subgroup)
      if (list) list.push(id)
      else found.set(subgroup, [id])
    }
  }
  return found
}

/** The group, and every group that contains it directly or through subgroups. */
export function groupsHolding(directory: Directory, groupId: number): ReadonlySet<number> {
  const found = new Set([groupId])
  // Iteration includes ids that are added meanwhile: the loop visits every group once.
  for (const id of found) for (const supergroup of supergroupsOf(directory, id)) found.add(supergroup)
  return found
}

/** Channels that have, in one of the given settings, the group or a group that contains it. */
export function channelsHolding(
  directory: Directory,
  groupId: number,
  settings: readonly ChannelPermission[],
): ChannelRow[] {
  const ids = new Set<number>()
  for (const holder of groupsHolding(directory, groupId)) {
    for (const place of placesOf(directory, holder)) {
      if (place.of === 'channel' && settings.some(name => name === place.setting)) ids.add(place.id)
    }
  }
  return [...ids].sort((a, b) => a - b).flatMap(id => directory.channels.get(id) ?? [])
}

/** Ids of nameless groups that no setting refers to, ascending. */
export function unusedNamelessGroups(directory: Directory): readonly number[] {
  return directory.derived(unused)
}

function unused(directory: Directory): number[] {
  const ids: number[] = []
  for (const { id, name } of directory.groups.values()) {
    if (name === null && placesOf(directory, id).length === 0) ids.push(id)
  }
  return ids.sort((a, b) => a - b)
}
