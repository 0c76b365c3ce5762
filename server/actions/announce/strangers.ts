import { realmUpdateDict } from '../../../shared/events/realm.js'
import { streamUpdate } from '../../../shared/events/stream.js'
import { userGroupRemoveMembers, userGroupUpdate } from '../../../shared/events/user-group.js'
import type { Directory } from '../../memory/directory.js'
import { placesOf, type SettingPlace } from '../../policies/group-uses.js'
import { settingValue, systemGroup } from '../../policies/groups.js'
import { directRoleGroup } from '../../policies/role-groups.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import type { GroupRow } from '../../store/groups/groups.js'
import type { UserRow } from '../../store/users/users.js'
import { audiencesOfChannels } from './channel-audiences.js'

interface Deactivation {
  readonly before: Directory
  readonly after: Directory
  readonly user: UserRow
  /** Ids of users who receive the deactivation itself; their clients remove the user from groups and settings. */
  readonly know: readonly number[]
}

/**
 * Emits to all other users, guests who may not know the deactivated user, each group that the user leaves and each setting whose value
 * contained it (docs/protocol/events.md#deactivation).
 */
export async function notifyStrangers(tx: Tx, emit: Emit, { before, after, user, know }: Deactivation): Promise<void> {
  const informed = new Set(know)
  const strangers = after.derived(activeUsers).filter(id => !informed.has(id))
  if (strangers.length === 0) return
  const user_ids = [user.id]
  const role = directRoleGroup(before, user)
  if (role !== undefined) emit(userGroupRemoveMembers, { group_id: systemGroup(before, role), user_ids }, strangers)
  const own = [...after.groups.values()].filter(group => group.members.includes(user.id)).sort((a, b) => a.id - b.id)
  for (const { id, deactivated } of own.filter(group => group.name !== null)) {
    emit(userGroupRemoveMembers, { group_id: id, user_ids, of_deactivated: deactivated }, strangers)
  }
  await notifyOfSettings(tx, emit, after, { sets: own.filter(group => group.name === null), strangers })
}

/** Emits the new values of settings whose value is one of the sets. */
export async function notifyOfSettings(
  tx: Tx,
  emit: Emit,
  after: Directory,
  { sets, strangers }: { readonly sets: readonly GroupRow[]; readonly strangers: readonly number[] },
): Promise<void> {
  const changes = sets.flatMap(({ id }) => {
    const value = settingValue(after, id)
    return placesOf(after, id).map(place => ({ place, value }))
  })
  if (changes.length === 0) return
  const audiences = await audiencesOfChannels(tx, after, channelsOf(after, changes))
  for (const { place, value } of changes) {
    switch (place.of) {
      case 'realm':
        emit(realmUpdateDict, { property: 'default', data: { [place.setting]: value } }, strangers)
        break
      case 'user_group': {
        const of_deactivated = after.groups.get(place.id)?.deactivated ?? false
        emit(userGroupUpdate, { group_id: place.id, data: { [place.setting]: value }, of_deactivated }, strangers)
        break
      }
      case 'channel': {
        const { id: stream_id, name } = after.channels.get(place.id) as ChannelRow
        const knowing = new Set(audiences.get(stream_id))
        const property = place.setting as 'can_send_message_group'
        const payload = { stream_id, name, property, value }
        emit(
          streamUpdate,
          payload,
          strangers.filter(id => knowing.has(id)),
        )
      }
    }
  }
}

const channelsOf = (directory: Directory, changes: readonly { place: SettingPlace }[]): ChannelRow[] =>
  changes.flatMap(({ place }) => (place.of === 'channel' ? (directory.channels.get(place.id) ?? []) : []))
