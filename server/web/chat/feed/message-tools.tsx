import { type JSX, onMount, Show } from 'solid-js'
import { placeOf } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import type { Message } from '../../state/chat-state.js'
import { useChat } from '../chat.js'
import { createEmojiPicking } from '../emoji/emoji-picking.js'
import { toggleReaction } from '../emoji/toggle-reaction.js'
import { quote } from '../message-deeds.js'
import { setTabStop, stepInToolbar } from '../toolbar.js'
import { useView } from '../view.js'

const quick = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }

/** Actions on a message, as one stop of the Tab key: with one for each action, it would be a long way from message to message. */
export function MessageTools(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const picking = createEmojiPicking(emoji => toggleReaction(chat, props.message, emoji))
  let bar!: HTMLDivElement
  onMount(() => setTabStop(bar))
  const isOwn = () => props.message.sender_id === chat.state.user_id
  const channelPlace = () => {
    const place = placeOf(props.message, chat.state.user_id)
    return 'direct' in place ? undefined : place
  }
  const isStarred = () => props.message.flags.includes('starred')
  const attempt = (work: Promise<unknown>) => void work.catch(chat.sayFailure)
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
      <IconButton icon="smile" label={t('message.react')} isExpanded={picking.isOpen()} work={picking.toggle} />
      <IconButton
        icon="star"
        label={isStarred() ? t('message.unstar') : t('message.star')}
        isPressed={isStarred()}
        work={() => setFlag('starred', !isStarred())}
      />
      <IconButton icon="quote" label={t('message.quote')} work={() => attempt(quote(chat, view, props.message))} />
      <Show when={channelPlace()}>
        {place => (
          <IconButton
            icon="forth"
            label={t('message.move')}
            title={t('message.moveHint')}
            work={() => view.open({ move: { ...place(), messageId: props.message.id } })}
          />
        )}
      </Show>
      <Show when={isOwn()}>
        <IconButton icon="edit" label={t('message.edit')} work={() => view.edit(props.message.id)} />
      </Show>
      <IconButton
        icon="more"
        label={t('message.more')}
        opens="menu"
        isExpanded={view.contextMenu()?.messageId === props.message.id}
        work={event => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          view.openContextMenu({ messageId: props.message.id, x: left, y: bottom, opener: event.currentTarget })
        }}
      />
      {picking.picker()}
    </div>
  )
}
