import { createEffect, createResource, createSignal, type JSX, Show } from 'solid-js'
import { codePoints, limits } from '../../../../shared/limits.js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import type { Message } from '../../state/chat-state.js'
import { useChat } from '../chat.js'
import { editingKey, isNewLine } from '../composer/editing.js'
import { CharactersLeft, FormatBar } from '../composer/format-bar.js'
import { Preview } from '../composer/preview.js'
import { useView } from '../view.js'

/** Edits a message's Markdown source. Enter saves, Escape cancels; on a touch screen the buttons do. */
export function EditBox(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [isBusy, setBusy] = createSignal(false)
  const [source] = createResource(async () => {
    const query = { apply_markdown: false, allow_empty_topic_name: true }
    const answer = await chat.ask('GET', `/messages/${props.message.id}`, query)
    return (answer.message as { content: string }).content
  })
  const [content, setContent] = createSignal('')
  const [isPreview, setPreview] = createSignal(false)
  createEffect(() => setContent(source.error ? '' : (source() ?? '')))
  const left = () => limits.max_message_length - codePoints(content().trim())
  let text: HTMLTextAreaElement | undefined
  const leave = () => {
    view.edit(undefined)
    view.focusComposer()
  }
  const save = async () => {
    if (content() === source()) return leave()
    if (left() < 0) return
    setBusy(true)
    try {
      await chat.ask('PATCH', `/messages/${props.message.id}`, { content: content() })
      leave()
    } catch (error) {
      chat.sayFailure(error)
      setBusy(false)
    }
  }
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (text && editingKey(text, event)) return
    if (event.key === 'Escape') leave()
    if (event.key !== 'Enter' || isNewLine(event) || event.isComposing) return
    event.preventDefault()
    void save()
  }
  return (
    <Show when={!source.error} fallback={<p class="notice bad">{String(source.error?.message)}</p>}>
      <Show when={source() !== undefined}>
        <div class="edit-box">
          <textarea
            class="input"
            dir="auto"
            aria-label={t('message.editBox')}
            rows={Math.min(12, (source() ?? '').split('\n').length + 1)}
            ref={element => {
              text = element
              queueMicrotask(() => element.focus())
            }}
            value={source()}
            classList={{ gone: isPreview() }}
            onInput={event => setContent(event.currentTarget.value)}
            onKeyDown={keys}
          />
          <Show when={isPreview()}>
            <Preview content={content().trim()} />
          </Show>
          <p class="edit-choices">
            <button type="button" class="button primary" disabled={isBusy() || left() < 0} onClick={() => void save()}>
              {t('words.save')}
            </button>
            <button type="button" class="button" onClick={leave}>
              {t('words.cancel')}
            </button>
            <FormatBar box={() => text} isDisabled={isPreview()} />
            <IconButton
              icon="eye"
              label={t('composer.preview')}
              isPressed={isPreview()}
              isDisabled={content().trim() === ''}
              work={() => setPreview(!isPreview())}
            />
            <Show when={props.message.last_edit_timestamp}>
              <IconButton
                icon="info"
                label={t('message.earlier')}
                work={() => view.open({ aboutMessage: props.message.id })}
              />
            </Show>
            <CharactersLeft left={left()} />
          </p>
        </div>
      </Show>
    </Show>
  )
}
