import type { JSX } from 'solid-js'
import type { UserGroup } from '../../../../../shared/events/client-state.js'
import { type GroupPermission, groupPermissions } from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { mayManageGroup } from '../../../state/group-permissions.js'
import { useChat } from '../../chat.js'
import { PermissionList } from '../holders/permission-list.js'

const names: readonly GroupPermission[] = [
  'can_mention_group',
  'can_join_group',
  'can_leave_group',
  'can_add_members_group',
  'can_remove_members_group',
  'can_manage_group',
]

/** Who may do what with a group: for its managers with choices, for all others to read. */
export function GroupPermissions(props: { group: UserGroup }): JSX.Element {
  const chat = useChat()
  return (
    <PermissionList
      names={names}
      rules={groupPermissions}
      path={`/user_groups/${props.group.id}`}
      mayChange={mayManageGroup(chat.state, props.group)}
      title={name => t(`userGroups.permission.${name}`)}
      value={name => props.group[name]}
      show={(name, value) =>
        chat.change(state => {
          const group = state.realm_user_groups[props.group.id]
          if (group) Object.assign(group, { [name]: value })
        })
      }
      fetch={async name => {
        const { user_groups } = await chat.ask('GET', '/user_groups')
        return ((user_groups as UserGroup[]).find(one => one.id === props.group.id) ?? props.group)[name]
      }}
    />
  )
}
