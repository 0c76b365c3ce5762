import type { Directory } from '../memory/directory.js'
import { placesOf, type SettingPlace, supergroupsOf } from './group-uses.js'
import { isNamed, type NamedGroup } from './groups.js'

/** Why a group cannot be deactivated (docs/protocol/permissions.md#objections). */
export type Objection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }

/**
 * All uses of the group: groups that contain it, and settings whose value names or contains it. Deactivated groups and archived channels
 * count, so that a reactivated one never names a deactivated group. The group's own settings may name it.
 */
export function objectionsTo(directory: Directory, group: NamedGroup): Objection[] {
  const supergroups = supergroupsOf(directory, group.id)
  const isGroup = (id: number) => isNamed(directory.groups.get(id))
  const supergroup_ids = supergroups.filter(isGroup).sort((a, b) => a - b)
  const values = [group.id, ...supergroups.filter(id => !isGroup(id))]
  const places = values.flatMap(id => placesOf(directory, id))
  const realm = places.filter(place => place.of === 'realm').map(place => place.setting)
  return [
    ...(supergroup_ids.length > 0 ? [{ type: 'subgroup', supergroup_ids } as const] : []),
    ...byId(places, 'channel').map(([channel_id, settings]) => ({ type: 'channel', channel_id, settings }) as const),
    ...byId(places, 'user_group')
      .filter(([id]) => id !== group.id)
      .map(([group_id, settings]) => ({ type: 'user_group', group_id, settings }) as const),
    ...(realm.length > 0 ? [{ type: 'realm', settings: realm.sort() } as const] : []),
  ]
}

function byId(places: readonly SettingPlace[], kind: 'channel' | 'user_group'): [number, string[]][] {
  const found = new Map<number, string[]>()
  for (const place of places) {
    if (place.of !== kind) continue
    found.set(place.id, [...(found.get(place.id) ?? []), place.setting].sort())
  }
  return [...found].sort(([a], [b]) => a - b)
}
