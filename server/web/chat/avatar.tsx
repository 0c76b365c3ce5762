import { type JSX, Show } from 'solid-js'
import { personOf, presenceOf } from '../state/people.js'
import { useChat } from './chat.js'
import { nameOf } from './names.js'
import { useNow } from './now.js'

const hues = 10

/** The user's initials on the user's color, and the user's presence. */
export function Avatar(props: { userId: number; size?: 'small' | 'large'; hasPresence?: boolean }): JSX.Element {
  const chat = useChat()
  const now = useNow()
  const initials = () => {
    const words = nameOf(chat.state, props.userId).split(/\s+/).filter(Boolean)
    const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(word => [...(word ?? '')][0] ?? '')
    return letters.join('').toUpperCase()
  }
  const presence = () => presenceOf(chat.state, props.userId, now())
  const isBot = () => personOf(chat.state, props.userId)?.is_bot
  return (
    <span class={`avatar hue-${props.userId % hues} ${props.size ?? ''}`} aria-hidden="true">
      {initials()}
      <Show when={props.hasPresence && !isBot()}>
        <i class={`presence ${presence()}`} />
      </Show>
    </span>
  )
}
