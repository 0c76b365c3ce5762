import type { JSX } from 'solid-js'
import type { Channel } from '../../../../../shared/events/client-state.js'
import { type ChannelPermission, channelPermissions } from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { channelOf } from '../../../state/channels.js'
import { mayAdminister } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { PermissionList } from '../holders/permission-list.js'

const names: readonly ChannelPermission[] = [
  'can_send_message_group',
  'can_create_topic_group',
  'can_subscribe_group',
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_move_messages_within_channel_group',
  'can_move_messages_out_of_channel_group',
  'can_delete_own_message_group',
  'can_delete_any_message_group',
  'can_administer_channel_group',
]

/** Who may do what in a channel: for its administrators with choices, for all others to read. */
export function ChannelPermissions(props: { channelId: number }): JSX.Element {
  const chat = useChat()
  const path = () => `/streams/${props.channelId}`
  return (
    <PermissionList
      names={names}
      rules={channelPermissions}
      path={path()}
      mayChange={mayAdminister(chat.state, props.channelId)}
      title={name => t(`channel.permission.${name}`)}
      value={name => channelOf(chat.state, props.channelId)?.[name] ?? -1}
      show={(name, value) =>
        chat.change(state => {
          const channel = channelOf(state, props.channelId)
          if (channel) Object.assign(channel, { [name]: value })
        })
      }
      fetch={async name => ((await chat.ask('GET', path())).stream as Channel)[name]}
    />
  )
}
