import { type JSX, Match, Switch } from 'solid-js'
import { Icon } from '../../../look/icon.js'
import type { Holder } from '../../../state/holders.js'
import { Avatar } from '../../avatar.js'
import { useChat } from '../../chat.js'

/** The picture of a person, or the sign of a group: people may give a group the title of one that follows from a role. */
export function HolderSign(props: { holder: Holder }): JSX.Element {
  const chat = useChat()
  return (
    <Switch fallback={<span class="group-sign">@</span>}>
      <Match when={props.holder.kind === 'person'}>
        <Avatar userId={props.holder.id} size="small" />
      </Match>
      <Match when={chat.state.realm_user_groups[props.holder.id]?.is_system_group}>
        <span class="group-sign">
          <Icon name="people" size={14} />
        </span>
      </Match>
    </Switch>
  )
}
