import { type JSX, Show } from 'solid-js'
import type { UserStatus } from '../../../shared/resources/user-status.js'
import { emojiCharacter } from '../state/emoji.js'
import { useChat } from './chat.js'
import { EmojiSign } from './emoji/emoji-sign.js'

const mark = '\u{1f4ac}'

/** The emoji of a user's status, with its text beside it or as the title; a speech balloon for a text without emoji. */
export function StatusSign(props: { userId: number; hasText?: boolean }): JSX.Element {
  const chat = useChat()
  const status = () => {
    const known = chat.state.user_status[props.userId]
    return known?.status_text || known?.emoji_name ? known : undefined
  }
  return (
    <Show when={status()}>
      {given => (
        <span class="status-sign" title={given().status_text}>
          <StatusEmoji status={given()} />
          <span classList={{ unseen: !props.hasText }}>
            {given().status_text ?? given().emoji_name?.replaceAll('_', ' ')}
          </span>
        </span>
      )}
    </Show>
  )
}

function StatusEmoji(props: { status: UserStatus }): JSX.Element {
  const chat = useChat()
  const code = () => props.status.emoji_code ?? ''
  const custom = () => (props.status.reaction_type === 'realm_emoji' ? chat.state.realm_emoji[code()] : undefined)
  const character = () => (props.status.emoji_name ? emojiCharacter(code()) || `:${props.status.emoji_name}:` : mark)
  return <EmojiSign custom={custom()} character={character()} />
}
