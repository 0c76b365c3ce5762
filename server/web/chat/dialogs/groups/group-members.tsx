import type { JSX } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { UserGroup } from '../../../../../shared/events/client-state.js'
import { t } from '../../../language/language.js'
import { suggestedMembers } from '../../../state/group-members.js'
import { mayAddToGroup, mayRemoveFromGroup } from '../../../state/group-permissions.js'
import { groupTitle, type Holder } from '../../../state/holders.js'
import { useChat } from '../../chat.js'
import { MemberList } from '../holders/member-list.js'
import { useSaving } from '../saving.js'

/** The people and subgroups of a group; who may, adds and removes them. */
export function GroupMembers(props: { group: UserGroup }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const suggest = (words: string) => {
    const found = suggestedMembers(unwrap(chat.state), props.group.id, words)
    const idsOf = (kind: Holder['kind']) => found.filter(one => one.kind === kind).map(({ id }) => id)
    return { groups: idsOf('group'), people: idsOf('person') }
  }
  const change = (params: Record<string, number[]>) => save('POST', `/user_groups/${props.group.id}/members`, params)
  return (
    <MemberList
      members={{ groups: props.group.direct_subgroup_ids, people: props.group.members }}
      mayAdd={mayAddToGroup(chat.state, props.group)}
      mayRemove={member => mayRemoveFromGroup(chat.state, props.group, member)}
      suggest={suggest}
      add={({ kind, id }) => change(kind === 'person' ? { add: [id] } : { add_subgroups: [id] })}
      remove={({ kind, id }) => change(kind === 'person' ? { delete: [id] } : { delete_subgroups: [id] })}
      leaving={t('userGroups.leave', groupTitle(props.group))}
    />
  )
}
