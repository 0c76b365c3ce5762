import { type JSX, Show } from 'solid-js'
import { peopleOf } from '../../../shared/resources/place.js'
import { ownPicture } from '../look/own-picture.js'
import { personOf, presenceOf } from '../state/people.js'
import { useChat } from './chat.js'
import { nameOf } from './names.js'
import { useNow } from './now.js'

const hues = 10

/** The user's picture, otherwise the initials on the user's color; and the user's presence. */
export function Avatar(props: { userId: number; size?: 'small' | 'large'; hasPresence?: boolean }): JSX.Element {
  const chat = useChat()
  const now = useNow()
  const initials = () => {
    const words = nameOf(chat.state, props.userId).split(/\s+/).filter(Boolean)
    const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(word => [...(word ?? '')][0] ?? '')
    return letters.join('').toUpperCase()
  }
  const presence = () => presenceOf(chat.state, props.userId, now())
  const person = () => personOf(chat.state, props.userId)
  const isBot = () => person()?.is_bot
  const picture = () => pictureOf(person()?.avatar_url, props.size === 'large')
  return (
    // The stylesheet writes the initials, because they are a picture: a button that contains them has another name.
    <span
      class={`avatar hue-${props.userId % hues} ${props.size ?? ''}`}
      data-initials={picture() ? undefined : initials()}
      aria-hidden="true"
    >
      <Show when={picture()}>{address => <img class="avatar-picture" src={address()} alt="" loading="lazy" />}</Show>
      <Show when={props.hasPresence && !isBot()}>
        <i class={`presence ${presence()}`} />
      </Show>
    </span>
  )
}

/** The face of the other person of a conversation, or those of several. */
export function ConversationFaces(props: { of: string }): JSX.Element {
  const ids = () => peopleOf(props.of)
  return (
    <Show when={ids().length === 1} fallback={<GroupFaces ids={ids()} />}>
      <Avatar userId={ids()[0] as number} size="small" hasPresence />
    </Show>
  )
}

/** The first two people of a group conversation; of a larger one, the first and the number of the others. */
function GroupFaces(props: { ids: readonly number[] }): JSX.Element {
  return (
    <span class="group-faces" aria-hidden="true">
      <Avatar userId={props.ids[0] as number} size="small" />
      <Show when={props.ids.length === 2} fallback={<span class="group-sign">{props.ids.length - 1}</span>}>
        <Avatar userId={props.ids[1] as number} size="small" />
      </Show>
    </span>
  )
}

function pictureOf(url: string | null | undefined, isLarge: boolean): string | undefined {
  const own = ownPicture(url)
  return isLarge ? own?.replace('.png', '-medium.png') : own
}
