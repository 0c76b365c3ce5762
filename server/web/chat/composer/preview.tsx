import { createEffect, createResource, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { useChat } from '../chat.js'
import { markupOf, readerOf } from '../markup.js'

/** A preview of the message, rendered by the server. */
export function Preview(props: { content: string }): JSX.Element {
  const chat = useChat()
  const [rendered] = createResource(
    () => props.content,
    async content => String((await chat.ask('POST', '/messages/render', { content })).rendered),
  )
  let place: HTMLElement | undefined
  createEffect(() => {
    if (rendered.error || rendered() === undefined) return
    place?.replaceChildren(markupOf(rendered() as string, readerOf(chat)))
  })
  return (
    <Show when={!rendered.error} fallback={<p class="notice bad">{String(rendered.error?.message)}</p>}>
      <Show when={/^\/(?:poll|todo)\b/.test(props.content)}>
        <p class="quiet">
          {props.content.startsWith('/poll') ? t('composer.becomesPoll') : t('composer.becomesTasks')}
        </p>
      </Show>
      <section
        class="preview content"
        ref={place}
        dir="auto"
        aria-label={t('composer.preview')}
        aria-busy={rendered.loading}
      />
    </Show>
  )
}

interface PreviewButtonProps {
  readonly isPreview: boolean
  /** There is nothing to show. */
  readonly isEmpty: boolean
  setPreview(isPreview: boolean): void
}

/** Shows the preview in place of the text, and the text again. */
export function PreviewButton(props: PreviewButtonProps): JSX.Element {
  return (
    <IconButton
      icon="eye"
      label={t('composer.preview')}
      isPressed={props.isPreview}
      isDisabled={props.isEmpty}
      work={() => props.setPreview(!props.isPreview)}
    />
  )
}
