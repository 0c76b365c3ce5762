import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import type { Message } from '../../state/chat-state.js'
import { CharactersLeft, FormatBar } from '../composer/format-bar.js'
import { Preview, PreviewButton } from '../composer/preview.js'
import { growWithText } from '../composer/text-box.js'
import { useView } from '../view.js'
import { useEditingMessage } from './editing-message.js'

/** Edits a message's Markdown source. Enter saves, Escape cancels and asks before it loses a change; on a touch screen the buttons do. */
export function EditBox(props: { message: Message }): JSX.Element {
  const view = useView()
  const editing = useEditingMessage(() => props.message)
  const { source } = editing
  const [isPreview, setPreview] = createSignal(false)
  let text: HTMLTextAreaElement | undefined
  let cancel: HTMLButtonElement | undefined
  growWithText(
    editing.content,
    () => text,
    box => box.closest('.edit-box')?.scrollIntoView({ block: 'nearest' }),
  )
  createEffect(on(editing.isSure, isSure => isSure && cancel?.focus(), { defer: true }))
  const cancelKeys = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') text?.focus()
  }
  return (
    <Show when={!source.error} fallback={<p class="notice bad">{String(source.error?.message)}</p>}>
      <Show when={source() !== undefined}>
        <div class="edit-box">
          <textarea
            class="input"
            dir="auto"
            aria-label={t('message.editBox')}
            rows={1}
            ref={element => {
              text = element
              queueMicrotask(() => element.focus())
            }}
            value={source()}
            classList={{ gone: isPreview() }}
            onInput={event => editing.setContent(event.currentTarget.value)}
            onKeyDown={editing.key}
          />
          <Show when={isPreview()}>
            <Preview content={editing.content().trim()} />
          </Show>
          <p class="edit-choices">
            <button
              type="button"
              class="button primary"
              disabled={editing.isBusy() || editing.left() < 0}
              onClick={() => void editing.save()}
            >
              {t('words.save')}
            </button>
            <button
              type="button"
              class="button"
              classList={{ danger: editing.isSure() }}
              ref={cancel}
              onClick={editing.leave}
              onBlur={editing.stay}
              onKeyDown={cancelKeys}
            >
              {editing.isSure() ? t('message.discardChange') : t('words.cancel')}
            </button>
            <FormatBar box={() => text} isDisabled={isPreview()} />
            <PreviewButton isPreview={isPreview()} isEmpty={editing.content().trim() === ''} setPreview={setPreview} />
            <Show when={props.message.last_edit_timestamp}>
              <IconButton
                icon="info"
                label={t('message.earlier')}
                work={() => view.open({ aboutMessage: props.message.id })}
              />
            </Show>
            <CharactersLeft left={editing.left()} />
          </p>
        </div>
      </Show>
    </Show>
  )
}
