import { createEffect, createMemo, createSignal, on } from 'solid-js'
import type { Place } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { whyNotEdit } from '../../state/message-rights.js'
import { type Narrow, narrowOfPlace } from '../../state/narrow.js'
import type { Chat } from '../chat.js'
import type { View } from '../view.js'
import { createDraftText } from './draft-text.js'
import { editingKey, isNewLine } from './editing.js'
import { focusWhenOpened, growWithText } from './text-box.js'
import { createTypingNotices } from './typing-notices.js'
import { charactersLeft, composerAct, lastOwnMessage, obstacleTo, placeWritten } from './writing.js'

type Box = () => HTMLTextAreaElement | undefined

/** The message that the user writes in a view. */
export interface Composing {
  /** The view, as drafts name it. */
  readonly address: () => string
  /** The whole text, with the links to its files behind the words. */
  readonly text: () => string
  /** What stands in the box. */
  readonly words: () => string
  write(words: string): void
  /** Links to the uploaded files. */
  readonly files: () => readonly string[]
  /** Takes away the file at this place. */
  removeFile(index: number): void
  readonly topic: () => string
  setTopic(topic: string): void
  /** Where the message will be; undefined: its topic is missing, or the view has several places. */
  readonly place: () => Place | undefined
  readonly isPreview: () => boolean
  setPreview(isPreview: boolean): void
  /** Sends the message, or says what is missing. */
  send(): void
  /** Asks for the time at which the server sends it. */
  sendLater(): void
}

export function createComposing(chat: Chat, view: View, narrow: () => Narrow, box: Box): Composing {
  const [topic, setTopic] = createSignal('')
  const [isPreview, setPreview] = createSignal(false)
  const notices = createTypingNotices(chat)
  const draft = createDraftText(view, narrow)
  const place = createMemo(() => placeWritten(narrow(), topic()))
  createEffect(
    on(draft.address, (_, before) => {
      if (before !== undefined) notices.stopped()
      setPreview(false)
    }),
  )
  focusWhenOpened(view, draft.address, box)
  growWithText(draft.words, box)
  const write = (words: string) => {
    draft.change({ words })
    const to = place()
    if (to && words.trim()) notices.typed(to)
  }
  const finish = (work: (to: Place, content: string) => void) => {
    const content = draft.text().trim()
    const to = place()
    const obstacle = obstacleTo(content, to)
    if (obstacle === 'tooLong') return chat.say(t('composer.tooLong', -charactersLeft(content)), 'bad')
    if (obstacle === 'noPlace') return chat.say(t('composer.needsTopic'), 'bad')
    if (!to || obstacle) return
    if (view.attaching.isUnderWay(draft.address())) return chat.say(t('composer.filesUnderWay'), 'bad')
    notices.stopped()
    work(to, content)
  }
  const clear = () => {
    draft.change({ words: '', files: [] })
    setPreview(false)
  }
  const send = () =>
    finish((to, content) => {
      view.sending.send(to, content)
      clear()
      if (narrow().kind === 'channel') view.go(narrowOfPlace(to))
      box()?.focus()
    })
  const sendLater = () => finish((to, content) => view.open({ sendLater: { place: to, content, done: clear } }))
  return {
    address: draft.address,
    text: draft.text,
    words: draft.words,
    write,
    files: draft.files,
    removeFile: index => draft.change({ files: draft.files().toSpliced(index, 1) }),
    topic,
    setTopic,
    place,
    isPreview,
    setPreview,
    send,
    sendLater,
  }
}

/** Handles the keys of the box that mean the whole message. */
export function composeByKey(
  chat: Chat,
  view: View,
  composing: Composing,
  event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement },
): void {
  if (editingKey(event.currentTarget, event)) return
  const act = composerAct(event.key, isNewLine(event), composing.text() === '')
  if (act === 'leave') event.currentTarget.blur()
  if (!act || act === 'leave') return
  event.preventDefault()
  if (act === 'send') composing.send()
  else editLast(chat, view, composing.address())
}

function editLast(chat: Chat, view: View, address: string): void {
  const last = lastOwnMessage(chat.state, address)
  const message = last === undefined ? undefined : chat.state.messages[last]
  if (!message) return
  const obstacle = whyNotEdit(chat.state, message, chat.now())
  if (!obstacle) view.edit(message.id)
  else if (obstacle !== 'notOwn') chat.say(t(`message.noEdit.${obstacle}`))
}
