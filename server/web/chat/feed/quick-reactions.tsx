import { For, type JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Message } from '../../state/chat-state.js'
import type { Emoji } from '../../state/reacting.js'
import { useChat } from '../chat.js'
import { toggleReaction } from '../emoji/toggle-reaction.js'
import { useView } from '../view.js'

const reaction = (emoji_name: string, emoji_code: string, character: string) => ({
  emoji_name,
  emoji_code,
  character,
  reaction_type: 'unicode_emoji',
})

/** The reaction of the button beside a message. */
export const thumbsUp = reaction('+1', '1f44d', '👍')

const quick = [
  thumbsUp,
  reaction('heart', '2764', '❤️'),
  reaction('joy', '1f602', '😂'),
  reaction('tada', '1f389', '🎉'),
  reaction('eyes', '1f440', '👀'),
]

/** The most usual reactions, above the entries of the menu of a message, and the way to all others. */
export function QuickReactions(props: { message: Message; close(): void }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const react = (emoji: Emoji) => {
    props.close()
    void toggleReaction(chat, props.message, emoji)
  }
  const others = () => {
    props.close()
    view.react(props.message.id)
  }
  return (
    <fieldset class="quick-reactions" aria-label={t('message.reactions')}>
      <For each={quick}>
        {emoji => (
          <button
            type="button"
            class="icon-button"
            role="menuitem"
            aria-label={t('message.reactWith', emoji.emoji_name.replaceAll('_', ' '))}
            onClick={() => react(emoji)}
          >
            <span class="emoji">{emoji.character}</span>
          </button>
        )}
      </For>
      <button type="button" class="icon-button" role="menuitem" aria-label={t('message.react')} onClick={others}>
        <Icon name="smile" />
      </button>
    </fieldset>
  )
}
