import { type JSX, onMount, Show } from 'solid-js'
import { placeOf } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import type { Message } from '../../state/chat-state.js'
import { whyNotEdit } from '../../state/message-rights.js'
import { useChat } from '../chat.js'
import { createEmojiPicking } from '../emoji/emoji-picking.js'
import { toggleReaction } from '../emoji/toggle-reaction.js'
import { quote } from '../message-deeds.js'
import { setFlag } from '../set-flag.js'
import { setTabStop, stepInToolbar } from '../toolbar.js'
import { useView } from '../view.js'
import { thumbsUp } from './quick-reactions.js'

/** Actions on a message, as one stop of the Tab key: with one for each action, it would be a long way from message to message. */
export function MessageTools(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const picking = createEmojiPicking(
    emoji => toggleReaction(chat, props.message, emoji),
    [() => view.reacting() === props.message.id, isOpen => view.react(isOpen ? props.message.id : undefined)],
  )
  let bar!: HTMLDivElement
  onMount(() => setTabStop(bar))
  const mayEdit = () => whyNotEdit(chat.state, props.message, chat.now()) === undefined
  const isStarred = () => props.message.flags.includes('starred')
  const star = () => chat.attempt(() => setFlag(chat, [props.message.id], 'starred', !isStarred()))
  const openMenu = (opener: HTMLElement) => {
    const { left, bottom } = opener.getBoundingClientRect()
    view.openContextMenu({ messageId: props.message.id, x: left, y: bottom, opener })
  }
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
        onClick={() => void toggleReaction(chat, props.message, thumbsUp)}
      >
        <span class="emoji">👍</span>
      </button>
      <IconButton icon="smile" label={t('message.react')} isExpanded={picking.isOpen()} work={picking.toggle} />
      <IconButton
        icon="star"
        label={isStarred() ? t('message.unstar') : t('message.star')}
        isPressed={isStarred()}
        work={star}
      />
      <IconButton
        icon="quote"
        label={t('message.quote')}
        work={() => chat.attempt(() => quote(chat, view, props.message))}
      />
      <MoveButton message={props.message} />
      <Show when={mayEdit()}>
        <IconButton icon="edit" label={t('message.edit')} work={() => view.edit(props.message.id)} />
      </Show>
      <IconButton
        icon="more"
        label={t('message.more')}
        opens="menu"
        isExpanded={view.contextMenu()?.messageId === props.message.id}
        work={event => openMenu(event.currentTarget)}
      />
      {picking.picker()}
    </div>
  )
}

/** Moves a message of a channel. */
function MoveButton(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const channelPlace = () => {
    const place = placeOf(props.message, chat.state.user_id)
    return 'direct' in place ? undefined : place
  }
  return (
    <Show when={channelPlace()}>
      {place => (
        <IconButton
          icon="move"
          label={t('message.move')}
          title={t('message.moveHint')}
          work={() => view.open({ move: { ...place(), messageId: props.message.id } })}
        />
      )}
    </Show>
  )
}
