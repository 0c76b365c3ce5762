import { type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { t } from '../../../language/language.js'
import { channelOf } from '../../../state/channels.js'
import { bestMatches } from '../../../state/completion.js'
import type { Holder } from '../../../state/holders.js'
import { suggestedPeople } from '../../../state/people-panel.js'
import { mayAddMembers, mayRemoveMembers } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'
import { nameOf } from '../../names.js'
import { keepMembers } from '../../people/members.js'
import { MemberList } from '../holders/member-list.js'
import { useSaving } from '../saving.js'

const foundAtMost = 6

/** The members of a channel; who may, adds and removes them. */
export function ChannelMembers(props: { channelId: number }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const error = keepMembers(chat, () => props.channelId)
  const channel = () => channelOf(chat.state, props.channelId)
  const suggest = (words: string) => {
    const members = new Set(channel()?.subscribers)
    const others = suggestedPeople(unwrap(chat.state)).filter(
      person => !members.has(person.user_id) && !person.is_system_bot,
    )
    const found = bestMatches(others, person => person.full_name, words, foundAtMost)
    return { groups: [], people: found.map(person => person.user_id) }
  }
  const add = ({ id }: Holder) =>
    save('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel()?.name }], principals: [id] })
  const remove = ({ id }: Holder) =>
    save('DELETE', '/users/me/subscriptions', { subscriptions: [channel()?.name], principals: [id] })
  return (
    <>
      <Show when={error()}>
        <p class="notice bad">{error()}</p>
      </Show>
      <MemberList
        members={{ groups: [], people: channel()?.subscribers ?? [] }}
        mayAdd={mayAddMembers(chat.state, props.channelId)}
        mayRemove={({ id }) => id === chat.state.user_id || mayRemoveMembers(chat.state, props.channelId)}
        suggest={suggest}
        add={add}
        remove={remove}
        leaving={t('channel.leave', nameOf(chat.state, chat.state.user_id))}
      />
    </>
  )
}
