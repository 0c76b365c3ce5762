import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { type ChannelPermission, channelPermissions } from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { channelOf } from '../../../state/channels.js'
import { groupTitle, holderChoices, holdersTitle } from '../../../state/holders.js'
import { mayAdminister } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../settings/saving.js'

const permissions: readonly ChannelPermission[] = [
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
  return (
    <Show
      when={mayAdminister(chat.state, props.channelId)}
      fallback={
        <dl class="facts">
          <For each={permissions}>
            {name => (
              <div>
                <dt>{t(`channel.permission.${name}`)}</dt>
                <dd>{holdersTitle(chat.state, channelOf(chat.state, props.channelId)?.[name] ?? -1)}</dd>
              </div>
            )}
          </For>
        </dl>
      }
    >
      <p class="quiet">{t('channel.alsoOrganization')}</p>
      <For each={permissions}>{name => <Permission channelId={props.channelId} name={name} />}</For>
    </Show>
  )
}

function Permission(props: { channelId: number; name: ChannelPermission }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const id = createUniqueId()
  const value = () => channelOf(chat.state, props.channelId)?.[props.name] ?? -1
  const choices = () => holderChoices(chat.state, channelPermissions[props.name])
  const isListed = () => choices().some(group => group.id === value())
  const choose = async (element: HTMLSelectElement) => {
    const change = { new: Number(element.value), old: value() }
    const isSaved = await save('PATCH', `/streams/${props.channelId}`, { [props.name]: change })
    if (!isSaved) element.value = isListed() ? String(value()) : ''
  }
  return (
    <div class="field">
      <label for={id}>{t(`channel.permission.${props.name}`)}</label>
      <select class="input" id={id} onChange={event => void choose(event.currentTarget)}>
        <Show when={!isListed()}>
          <option value="" selected>
            {holdersTitle(chat.state, value())}
          </option>
        </Show>
        <For each={choices()}>
          {group => (
            <option value={group.id} selected={group.id === value()}>
              {groupTitle(group)}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}
