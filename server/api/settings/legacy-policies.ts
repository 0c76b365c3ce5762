import type { Directory } from '../../memory/directory.js'
import { realmGroup } from '../../policies/groups.js'

// The numbers by which legacy clients know the holders of a permission. A group without a number is shown as
// administrators or owners.
const codes = {
  creation: { 'role:members': 1, 'role:administrators': 2, 'role:fullmembers': 3, 'role:moderators': 4 },
  webPublic: { 'role:administrators': 2, 'role:moderators': 4, 'role:nobody': 6, 'role:owners': 7 },
  mention: {
    'role:everyone': 1,
    'role:members': 2,
    'role:fullmembers': 3,
    'role:administrators': 5,
    'role:nobody': 6,
    'role:moderators': 7,
  },
} as const satisfies Record<string, Record<string, number>>

export function legacyPolicies(directory: Directory): Record<string, number> {
  const code = (kind: keyof typeof codes, permission: Parameters<typeof realmGroup>[1], narrowest: number): number => {
    const name = directory.groups.get(realmGroup(directory, permission))?.name
    return (name && (codes[kind] as Record<string, number>)[name]) || narrowest
  }
  return {
    realm_create_public_stream_policy: code('creation', 'can_create_public_channel_group', 2),
    realm_create_private_stream_policy: code('creation', 'can_create_private_channel_group', 2),
    realm_create_web_public_stream_policy: code('webPublic', 'can_create_web_public_channel_group', 7),
    realm_wildcard_mention_policy: code('mention', 'can_mention_many_users_group', 5),
  }
}
