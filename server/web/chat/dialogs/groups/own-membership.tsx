import { type JSX, Show } from 'solid-js'
import type { UserGroup } from '../../../../../shared/events/client-state.js'
import { t } from '../../../language/language.js'
import { mayJoinGroup, mayRemoveFromGroup } from '../../../state/group-permissions.js'
import { groupTitle } from '../../../state/holders.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../saving.js'

/** Joins a group or leaves it, where the user may. */
export function OwnMembership(props: { group: UserGroup }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const own = chat.state.user_id
  const isMember = () => props.group.members.includes(own)
  const mayChange = () =>
    isMember()
      ? mayRemoveFromGroup(chat.state, props.group, { kind: 'person', id: own })
      : mayJoinGroup(chat.state, props.group)
  const change = () =>
    save('POST', `/user_groups/${props.group.id}/members`, isMember() ? { delete: [own] } : { add: [own] })
  return (
    <Show when={mayChange()}>
      <button
        type="button"
        class="button"
        aria-label={t(isMember() ? 'userGroups.leave' : 'userGroups.join', groupTitle(props.group))}
        onClick={() => void change()}
      >
        {isMember() ? t('words.leave') : t('words.join')}
      </button>
    </Show>
  )
}
