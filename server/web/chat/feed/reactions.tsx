import { createMemo, For, type JSX, Show } from 'solid-js'
import { listText, numberText } from '../../language/format.js'
import { t } from '../../language/language.js'
import type { Message } from '../../state/chat-state.js'
import { emojiCharacter } from '../../state/emoji.js'
import { reactionsOf } from '../../state/reacting.js'
import { useChat } from '../chat.js'
import { EmojiSign } from '../emoji/emoji-sign.js'
import { toggleReaction } from '../emoji/toggle-reaction.js'
import { nameOf } from '../names.js'

/** The reactions to a message with their counts; the user's own are marked. */
export function Reactions(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const shown = () => reactionsOf(chat.state, props.message)
  const keys = createMemo(() => [...new Set(shown().map(one => `${one.reaction_type}:${one.emoji_code}`))], [], {
    equals: (a, b) => a.join() === b.join(),
  })
  const of = (key: string) => shown().filter(one => `${one.reaction_type}:${one.emoji_code}` === key)
  return (
    <Show when={keys().length > 0}>
      <ul class="reactions" aria-label={t('message.reactions')}>
        <For each={keys()}>
          {key => {
            const first = () => of(key)[0]
            const name = () => first()?.emoji_name ?? ''
            const isOwn = () => of(key).some(one => one.user_id === chat.state.user_id)
            const who = () => listText(of(key).map(one => nameOf(chat.state, one.user_id)))
            const custom = () =>
              key.startsWith('realm_emoji:') ? chat.state.realm_emoji[first()?.emoji_code ?? ''] : undefined
            const character = () =>
              (key.startsWith('unicode_emoji:') && emojiCharacter(first()?.emoji_code ?? '')) || `:${name()}:`
            return (
              <li>
                <button
                  type="button"
                  class="reaction"
                  aria-pressed={isOwn()}
                  title={t('message.reactionHint', who(), name())}
                  aria-label={t('message.reaction', name().replaceAll('_', ' '), of(key).length, who())}
                  onClick={() => {
                    const one = first()
                    if (one) void toggleReaction(chat, props.message, one)
                  }}
                >
                  <EmojiSign custom={custom()} character={character()} /> {numberText(of(key).length)}
                </button>
              </li>
            )
          }}
        </For>
      </ul>
    </Show>
  )
}
