import { createSignal, type JSX, lazy, onMount, Show, Suspense } from 'solid-js'
import { placeOf } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Message } from '../../state/chat-state.js'
import { useChat } from '../chat.js'
import { toggleReaction } from '../emoji/toggle-reaction.js'
import { quote } from '../message-deeds.js'
import { setTabStop, stepInToolbar } from '../toolbar.js'
import { useView } from '../view.js'

// Loaded on first use, because it contains several thousand emoji.
const EmojiPicker = lazy(async () => ({ default: (await import('../emoji/emoji-picker.js')).EmojiPicker }))

const quick = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

/** Actions on a message, as one stop of the Tab key: with one for each action, it would be a long way from message to message. */
export function MessageTools(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [isPicking, setPicking] = createSignal(false)
  let bar!: HTMLDivElement
  onMount(() => setTabStop(bar))
  const isOwn = () => props.message.sender_id === chat.state.user_id
  const channelPlace = () => {
    const place = placeOf(props.message, chat.state.user_id)
    return 'direct' in place ? undefined : place
  }
  const isStarred = () => props.message.flags.includes('starred')
  const attempt = (work: Promise<unknown>) => void work.catch(error => chat.say((error as Error).message, 'bad'))
  const setFlag = (flag: string, isSet: boolean) =>
    attempt(chat.ask('POST', '/messages/flags', { messages: [props.message.id], op: isSet ? 'add' : 'remove', flag }))
  return (
    <div
      class="message-tools"
      role="toolbar"
      aria-label={t('message.tools')}
      tabIndex={-1}
      ref={bar}
      onKeyDown={stepInToolbar}
      onFocusIn={event => setTabStop(bar, event.target)}
    >
      <button
        type="button"
        class="icon-button"
        aria-label={t('message.thumbsUp')}
        title={t('message.thumbsUp')}
        onClick={() => void toggleReaction(chat, props.message, quick)}
      >
        <span class="emoji">👍</span>
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('message.react')}
        title={t('message.react')}
        aria-expanded={isPicking()}
        onClick={() => setPicking(!isPicking())}
      >
        <Icon name="smile" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={isStarred() ? t('message.unstar') : t('message.star')}
        title={isStarred() ? t('message.unstar') : t('message.star')}
        aria-pressed={isStarred()}
        onClick={() => setFlag('starred', !isStarred())}
      >
        <Icon name="star" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('message.quote')}
        title={t('message.quote')}
        onClick={() => attempt(quote(chat, view, props.message))}
      >
        <Icon name="quote" />
      </button>
      <Show when={channelPlace()}>
        {place => (
          <button
            type="button"
            class="icon-button"
            aria-label={t('message.move')}
            title={t('message.moveHint')}
            onClick={() => view.open({ move: { ...place(), messageId: props.message.id } })}
          >
            <Icon name="forth" />
          </button>
        )}
      </Show>
      <Show when={isOwn()}>
        <button
          type="button"
          class="icon-button"
          aria-label={t('message.edit')}
          title={t('message.edit')}
          onClick={() => view.edit(props.message.id)}
        >
          <Icon name="edit" />
        </button>
      </Show>
      <button
        type="button"
        class="icon-button"
        aria-label={t('message.more')}
        title={t('message.more')}
        aria-haspopup="menu"
        aria-expanded={view.contextMenu()?.messageId === props.message.id}
        onClick={event => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          view.openContextMenu({ messageId: props.message.id, x: left, y: bottom, opener: event.currentTarget })
        }}
      >
        <Icon name="more" />
      </button>
      <Show when={isPicking()}>
        <Suspense>
          <EmojiPicker
            close={() => setPicking(false)}
            choose={emoji => {
              setPicking(false)
              void toggleReaction(chat, props.message, emoji)
            }}
          />
        </Suspense>
      </Show>
    </div>
  )
}
