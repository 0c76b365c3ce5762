import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js'
import { codePoints, limits } from '../../../../shared/limits.js'
import type { Place } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { channelOf } from '../../state/channels.js'
import { draftAt } from '../../state/drafts.js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import { placeOfNarrow } from '../../state/place.js'
import { useChat } from '../chat.js'
import { conversationName, topicName } from '../names.js'
import { useView } from '../view.js'
import { createCompletion } from './completion-list.js'
import { ComposerTools } from './composer-tools.js'
import { editingKey, isNewLine } from './editing.js'
import { createPasteOffer } from './paste-offer.js'
import { Preview } from './preview.js'
import { createTypingNotices } from './typing-notices.js'
import { createUploads } from './uploads.js'

/**
 * The box for writing messages. Enter sends, Shift+Enter begins a new line, arrow up edits the user's last message. On a touch screen Enter
 * begins a new line, and the button sends.
 */
export function Composer(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [text, setText] = createSignal('')
  const [topic, setTopic] = createSignal('')
  const [isPreview, setPreview] = createSignal(false)
  const [isOver, setOver] = createSignal(false)
  let box: HTMLTextAreaElement | undefined
  const completion = createCompletion(() => box)
  const pasteOffer = createPasteOffer(() => box)
  const notices = createTypingNotices(chat)
  const needsTopic = () => props.narrow.kind === 'channel'
  const channelId = () => (props.narrow.kind === 'channel' ? props.narrow.channelId : undefined)
  const place = createMemo<Place | undefined>(() => {
    const { narrow } = props
    if (narrow.kind === 'channel')
      return topic().trim() ? { channelId: narrow.channelId, topic: topic().trim() } : undefined
    return placeOfNarrow(narrow)
  })
  const address = () => addressOf(props.narrow)
  createEffect(
    on(address, (now, before) => {
      if (before !== undefined) notices.stopped()
      setPreview(false)
      setText(view.drafts.read(now))
      // A link to a message leads to that one.
      if (view.target()?.near !== undefined) return
      if (matchMedia('(hover: hover)').matches) queueMicrotask(() => box?.focus({ preventScroll: true }))
    }),
  )
  /** The draft that another window or device has changed. */
  const changedElsewhere = createMemo(() => {
    const to = placeOfNarrow(props.narrow)
    return to && draftAt(chat.state, to)?.content
  })
  createEffect(
    on(changedElsewhere, () => !view.drafts.isUnsaved(address()) && setText(view.drafts.read(address())), {
      defer: true,
    }),
  )
  const grow = () => {
    if (!box) return
    box.style.height = 'auto'
    box.style.height = `${Math.min(box.scrollHeight + 2, 260)}px`
  }
  createEffect(on(text, () => queueMicrotask(grow)))
  const changed = (value: string) => {
    setText(value)
    view.drafts.keep(address(), value)
    const to = place()
    if (to && value.trim()) notices.typed(to)
    completion.look()
    pasteOffer.changed()
  }
  const left = () => limits.max_message_length - codePoints(text().trim())
  const send = () => {
    const to = place()
    const content = text().trim()
    if (content === '') return
    if (left() < 0) return chat.say(t('composer.tooLong', -left()), 'bad')
    if (!to) return chat.say(t('composer.needsTopic'), 'bad')
    notices.stopped()
    view.sending.send(to, content)
    setText('')
    view.drafts.keep(address(), '')
    setPreview(false)
    if (needsTopic()) view.go({ kind: 'topic', ...(to as { channelId: number; topic: string }) })
    box?.focus()
  }
  const editLast = () => {
    const ids = chat.state.feeds[address()]?.ids ?? []
    const last = ids.findLast(id => chat.state.messages[id]?.sender_id === chat.state.user_id)
    if (last !== undefined) view.edit(last)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.isComposing || completion.key(event) || (box && editingKey(box, event))) return
    if (event.key === 'Enter' && !isNewLine(event)) {
      event.preventDefault()
      send()
    } else if (event.key === 'ArrowUp' && text() === '') {
      event.preventDefault()
      editLast()
    } else if (event.key === 'Escape') box?.blur()
  }
  const uploads = createUploads(chat, (link, at) => {
    if (at !== address()) view.drafts.keep(at, joined(view.drafts.read(at), link))
    else if (box) {
      const before = box.value.slice(0, box.selectionStart)
      box.setRangeText(
        `${before === '' || /\s$/.test(before) ? '' : ' '}${link} `,
        box.selectionStart,
        box.selectionEnd,
        'end',
      )
      changed(box.value)
    }
  })
  const takeFiles = (files: FileList | undefined | null, event: Event) => {
    if (!files || files.length === 0) return
    event.preventDefault()
    uploads.add(files, address())
  }
  const label = () => {
    const to = place()
    if (!to) return t('composer.toChannel', channelOf(chat.state, channelId() ?? -1)?.name ?? '')
    return t('composer.to', 'direct' in to ? conversationName(chat.state, to.direct) : topicName(chat.state, to.topic))
  }
  return (
    <Show when={place() || needsTopic()} fallback={<NowhereToWrite />}>
      <form
        class="composer card"
        classList={{ over: isOver() }}
        onDragOver={event => {
          if (!event.dataTransfer?.types.includes('Files')) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => {
          setOver(false)
          takeFiles(event.dataTransfer?.files, event)
        }}
        onPaste={event => {
          // A program that copies text may add a picture of it.
          if (!event.clipboardData?.types.includes('text/plain')) takeFiles(event.clipboardData?.files, event)
          else if (event.target === box) pasteOffer.pasted(event)
        }}
        onSubmit={event => {
          event.preventDefault()
          send()
        }}
      >
        {completion.list()}
        <Show when={needsTopic()}>
          <input
            class="composer-topic"
            dir="auto"
            aria-label={t('composer.topic')}
            placeholder={t('composer.newTopic')}
            maxLength={60}
            value={topic()}
            onInput={event => setTopic(event.currentTarget.value)}
          />
        </Show>
        <Show when={isPreview()}>
          <Preview content={text().trim()} />
        </Show>
        <textarea
          class="composer-text"
          classList={{ gone: isPreview() }}
          dir="auto"
          rows={1}
          aria-label={label()}
          placeholder={label()}
          aria-autocomplete="list"
          aria-controls={completion.isOpen() ? 'offers' : undefined}
          aria-activedescendant={completion.activeId()}
          ref={element => {
            box = element
            view.composer = element
          }}
          value={text()}
          onInput={event => changed(event.currentTarget.value)}
          onClick={completion.look}
          onBlur={completion.close}
          onKeyDown={keys}
        />
        {pasteOffer.list()}
        {uploads.list()}
        <ComposerTools
          box={() => box}
          isEmpty={text().trim() === ''}
          left={left()}
          isPreview={isPreview()}
          setPreview={setPreview}
          takeFiles={takeFiles}
        />
      </form>
    </Show>
  )
}

const joined = (text: string, link: string): string => (text === '' ? link : `${text} ${link}`)

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
