import { createEffect, createResource, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
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
