import { t } from '../../../language/language.js'
import type { ChatState } from '../../../state/chat-state.js'
import { holderName } from '../../../state/holders.js'
import { channelName } from '../../names.js'

/** Why the server does not deactivate a group (docs/protocol/permissions.md#objections). */
export type Objection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number }
  | { readonly type: 'user_group'; readonly group_id: number }
  | { readonly type: 'realm' }

/** Where a group is used, in words. */
export function usesOf(state: ChatState, objections: readonly Objection[]): string[] {
  const group = (id: number) => holderName(state, { kind: 'group', id })
  const words = objections.flatMap(one => {
    if (one.type === 'subgroup') return one.supergroup_ids.map(group)
    if (one.type === 'channel') return `#${channelName(state, one.channel_id)}`
    return one.type === 'user_group' ? group(one.group_id) : t('userGroups.organization')
  })
  return [...new Set(words)]
}
