import { createResource, createSignal, type JSX, Show } from 'solid-js'
import type { Message } from '../../state/chat-state.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'

/** Edits a message's Markdown source. Enter saves, Escape cancels. */
export function EditBox(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [isBusy, setBusy] = createSignal(false)
  const [source] = createResource(async () => {
    const query = { apply_markdown: false, allow_empty_topic_name: true }
    const answer = await chat.ask('GET', `/messages/${props.message.id}`, query)
    return (answer.message as { content: string }).content
  })
  let text: HTMLTextAreaElement | undefined
  const leave = () => {
    view.edit(undefined)
    view.focusComposer()
  }
  const save = async () => {
    const content = text?.value ?? ''
    if (content === source()) return leave()
    setBusy(true)
    try {
      await chat.ask('PATCH', `/messages/${props.message.id}`, { content })
      leave()
    } catch (error) {
      chat.say((error as Error).message, 'bad')
      setBusy(false)
    }
  }
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') leave()
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void save()
  }
  return (
    <Show when={!source.error} fallback={<p class="notice bad">{String(source.error?.message)}</p>}>
      <Show when={source() !== undefined}>
        <div class="edit-box">
          <textarea
            class="input"
            aria-label="Edit message"
            rows={Math.min(12, (source() ?? '').split('\n').length + 1)}
            ref={element => {
              text = element
              queueMicrotask(() => element.focus())
            }}
            value={source()}
            onKeyDown={keys}
          />
          <p class="edit-choices">
            <button type="button" class="button primary" disabled={isBusy()} onClick={() => void save()}>
              Save
            </button>
            <button type="button" class="button" onClick={leave}>
              Cancel
            </button>
          </p>
        </div>
      </Show>
    </Show>
  )
}
