import { createEffect, createResource, createSignal, type Resource } from 'solid-js'
import type { Message } from '../../state/chat-state.js'
import { type Chat, useChat } from '../chat.js'
import { editingKey, isNewLine } from '../composer/editing.js'
import { charactersLeft } from '../composer/writing.js'
import { useView } from '../view.js'

/** The change of a message that the user writes. */
interface EditingMessage {
  /** The Markdown source of the message as it is. */
  readonly source: Resource<string>
  readonly content: () => string
  setContent(content: string): void
  /** How many more characters it may have; below 0 it is too long. */
  readonly left: () => number
  readonly isBusy: () => boolean
  /** Stores the change, and shows why the server refuses it. */
  save(): Promise<void>
  /** The next `leave` gives a change up. */
  readonly isSure: () => boolean
  /** Asks whether a change is to be lost; without one, or asked already, gives the editing up. */
  leave(): void
  /** The change is to be kept. */
  stay(): void
  key(event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }): void
}

export function useEditingMessage(message: () => Message): EditingMessage {
  const chat = useChat()
  const view = useView()
  const [isBusy, setBusy] = createSignal(false)
  const [source] = createResource(() => sourceOf(chat, message().id))
  const [content, setContent] = createSignal('')
  createEffect(() => setContent(source.error ? '' : (source() ?? '')))
  const [isSure, setSure] = createSignal(false)
  const left = () => charactersLeft(content())
  const close = () => {
    view.edit(undefined)
    view.focusComposer()
  }
  const leave = () => (content() === source() || isSure() ? close() : setSure(true))
  const save = async () => {
    if (content() === source()) return close()
    if (left() < 0) return
    setBusy(true)
    try {
      await chat.ask('PATCH', `/messages/${message().id}`, { content: content() })
      close()
    } catch (error) {
      chat.sayFailure(error)
      setBusy(false)
    }
  }
  return {
    source,
    content,
    setContent,
    left,
    isBusy,
    save,
    isSure,
    leave,
    stay: () => setSure(false),
    key(event) {
      event.stopPropagation()
      if (editingKey(event.currentTarget, event)) return
      if (event.key === 'Escape') leave()
      if (event.key !== 'Enter' || isNewLine(event) || event.isComposing) return
      event.preventDefault()
      void save()
    },
  }
}

async function sourceOf(chat: Chat, id: number): Promise<string> {
  const answer = await chat.ask('GET', `/messages/${id}`, { apply_markdown: false, allow_empty_topic_name: true })
  return (answer.message as { content: string }).content
}
