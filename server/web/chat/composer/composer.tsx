import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js'
import type { Place } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { channelOf } from '../../state/channels.js'
import type { ChatState } from '../../state/chat-state.js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { conversationName, topicName } from '../names.js'
import { useView } from '../view.js'
import { createCompletion } from './completion-list.js'
import { ComposerTools } from './composer-tools.js'
import { createDraftText } from './draft-text.js'
import { editingKey, isNewLine } from './editing.js'
import { createPasteOffer } from './paste-offer.js'
import { Preview } from './preview.js'
import { createTakingFiles } from './taking-files.js'
import { focusWhenOpened, growWithText, insertLink } from './text-box.js'
import { createTypingNotices } from './typing-notices.js'
import { createUploads } from './uploads.js'
import { charactersLeft, lastOwnMessage, placeWritten, withLink } from './writing.js'

/**
 * The box for writing messages. Enter sends, Shift+Enter begins a new line, arrow up edits the user's last message. On a touch screen Enter
 * begins a new line, and the button sends.
 */
export function Composer(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [topic, setTopic] = createSignal('')
  const [isPreview, setPreview] = createSignal(false)
  let element: HTMLTextAreaElement | undefined
  const box = () => element
  const completion = createCompletion(box)
  const pasteOffer = createPasteOffer(box)
  const notices = createTypingNotices(chat)
  const draft = createDraftText(chat, view, () => props.narrow)
  const place = createMemo(() => placeWritten(props.narrow, topic()))
  const needsTopic = () => props.narrow.kind === 'channel'
  createEffect(
    on(draft.address, (_, before) => {
      if (before !== undefined) notices.stopped()
      setPreview(false)
    }),
  )
  focusWhenOpened(view, draft.address, box)
  growWithText(draft.text, box)
  const changed = (text: string) => {
    draft.write(text)
    const to = place()
    if (to && text.trim()) notices.typed(to)
    completion.look()
    pasteOffer.changed()
  }
  const send = () => {
    const content = draft.text().trim()
    const to = place()
    const left = charactersLeft(content)
    if (content === '') return
    if (left < 0) return chat.say(t('composer.tooLong', -left), 'bad')
    if (!to) return chat.say(t('composer.needsTopic'), 'bad')
    notices.stopped()
    view.sending.send(to, content)
    draft.write('')
    setPreview(false)
    if (needsTopic()) view.go({ kind: 'topic', ...(to as { channelId: number; topic: string }) })
    box()?.focus()
  }
  const keys = (event: KeyboardEvent) => {
    if (event.isComposing || completion.key(event) || (element && editingKey(element, event))) return
    if (event.key === 'Enter' && !isNewLine(event)) {
      event.preventDefault()
      send()
    } else if (event.key === 'ArrowUp' && draft.text() === '') {
      event.preventDefault()
      const last = lastOwnMessage(chat.state, draft.address())
      if (last !== undefined) view.edit(last)
    } else if (event.key === 'Escape') box()?.blur()
  }
  const uploads = createUploads(chat, (link, at) => {
    if (at !== draft.address()) view.drafts.keep(at, withLink(view.drafts.read(at), link))
    else if (element) changed(insertLink(element, link))
  })
  const files = createTakingFiles(chosen => uploads.add(chosen, draft.address()))
  return (
    <Show when={place() || needsTopic()} fallback={<NowhereToWrite />}>
      <form
        class="composer card"
        classList={{ over: files.isOver() }}
        onDragOver={files.dragOver}
        onDragLeave={files.dragLeave}
        onDrop={files.drop}
        onPaste={event => {
          if (!files.paste(event) && event.target === element) pasteOffer.pasted(event)
        }}
        onSubmit={event => {
          event.preventDefault()
          send()
        }}
      >
        {completion.list()}
        <Show when={needsTopic()}>
          <TopicInput topic={topic()} change={setTopic} />
        </Show>
        <Show when={isPreview()}>
          <Preview content={draft.text().trim()} />
        </Show>
        <textarea
          class="composer-text"
          classList={{ gone: isPreview() }}
          dir="auto"
          rows={1}
          aria-label={labelOf(chat.state, props.narrow, place())}
          placeholder={labelOf(chat.state, props.narrow, place())}
          aria-autocomplete="list"
          aria-controls={completion.isOpen() ? 'offers' : undefined}
          aria-activedescendant={completion.activeId()}
          ref={given => {
            element = given
            view.composer = given
          }}
          value={draft.text()}
          onInput={event => changed(event.currentTarget.value)}
          onClick={completion.look}
          onBlur={completion.close}
          onKeyDown={keys}
        />
        {pasteOffer.list()}
        {uploads.list()}
        <ComposerTools
          box={box}
          isEmpty={draft.text().trim() === ''}
          left={charactersLeft(draft.text())}
          isPreview={isPreview()}
          setPreview={setPreview}
          takeFiles={files.take}
        />
      </form>
    </Show>
  )
}

/** Names the recipient of the text, as the label of the box. */
function labelOf(state: ChatState, narrow: Narrow, to: Place | undefined): string {
  if (to) return t('composer.to', 'direct' in to ? conversationName(state, to.direct) : topicName(state, to.topic))
  const channelId = narrow.kind === 'channel' ? narrow.channelId : -1
  return t('composer.toChannel', channelOf(state, channelId)?.name ?? '')
}

function TopicInput(props: { topic: string; change(topic: string): void }): JSX.Element {
  return (
    <input
      class="composer-topic"
      dir="auto"
      aria-label={t('composer.topic')}
      placeholder={t('composer.newTopic')}
      maxLength={60}
      value={props.topic}
      onInput={event => props.change(event.currentTarget.value)}
    />
  )
}

function NowhereToWrite(): JSX.Element {
  const view = useView()
  return (
    <p class="nowhere">
      {t('composer.nowhere')}
      <button type="button" class="button" onClick={() => view.open('new-topic')}>
        {t('composer.newTopic')}
      </button>
      <button type="button" class="button" onClick={() => view.open('new-direct')}>
        {t('composer.direct')}
      </button>
    </p>
  )
}
