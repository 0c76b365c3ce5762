import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { codePoints, limits } from '../../../../shared/limits.js'
import type { SavedSnippet } from '../../../../shared/resources/saved-snippet.js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { useChat } from '../chat.js'
import { insertText } from '../composer/editing.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'

/** Texts that the user saved for reuse: inserts, adds, changes and deletes them. */
export function Snippets(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [snippets, { refetch }] = createResource(
    async () => (await chat.ask('GET', '/saved_snippets')).saved_snippets as SavedSnippet[],
  )
  /** The changed snippet; null: a new one. */
  const [editing, edit] = createSignal<SavedSnippet | null>()
  const [error, setError] = createSignal('')
  const attempt = async (work: Promise<unknown>) => {
    setError('')
    try {
      await work
      edit(undefined)
      await refetch()
    } catch (failure) {
      setError((failure as Error).message)
    }
  }
  const insert = (content: string) => {
    const box = view.composer
    view.open(undefined)
    if (box?.isConnected) insertText(box, content)
    else chat.say(t('snippets.nowhere'), 'bad')
  }
  const store = (snippet: SavedSnippet | null, fields: { title: string; content: string }) =>
    attempt(
      snippet
        ? chat.ask('PATCH', `/saved_snippets/${snippet.id}`, fields)
        : chat.ask('POST', '/saved_snippets', fields),
    )
  return (
    <Dialog title={t('snippets.title')}>
      <Show when={error() || snippets.error}>
        <p class="notice bad" role="alert">
          {error() || (snippets.error as Error).message}
        </p>
      </Show>
      <Show
        when={editing() === undefined}
        fallback={
          <SnippetForm
            snippet={editing() ?? null}
            text={view.composer?.value ?? ''}
            store={fields => void store(editing() ?? null, fields)}
            cancel={() => edit(undefined)}
          />
        }
      >
        <ul class="choices" aria-label={t('snippets.title')}>
          <For
            each={snippets.error ? [] : snippets()}
            fallback={<li class="quiet">{snippets.loading ? '' : t('snippets.none')}</li>}
          >
            {snippet => (
              <li class="choice">
                <button type="button" class="choice-main" onClick={() => insert(snippet.content)}>
                  <span class="choice-words">
                    <strong dir="auto">{snippet.title}</strong>
                    <small dir="auto">{snippet.content}</small>
                  </span>
                </button>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={t('snippets.change', snippet.title)}
                  title={t('words.change')}
                  onClick={() => edit(snippet)}
                >
                  <Icon name="edit" />
                </button>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={t('snippets.delete', snippet.title)}
                  title={t('words.delete')}
                  onClick={() => void attempt(chat.ask('DELETE', `/saved_snippets/${snippet.id}`))}
                >
                  <Icon name="trash" />
                </button>
              </li>
            )}
          </For>
        </ul>
        <p class="snippet-new">
          <button type="button" class="button primary" onClick={() => edit(null)}>
            {t('snippets.new')}
          </button>
        </p>
      </Show>
    </Dialog>
  )
}

interface FormProps {
  readonly snippet: SavedSnippet | null
  /** What the composer holds: a new snippet begins with it. */
  readonly text: string
  store(fields: { title: string; content: string }): void
  cancel(): void
}

function SnippetForm(props: FormProps): JSX.Element {
  const [error, setError] = createSignal('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const fields = { title: String(form.get('title')).trim(), content: String(form.get('content')) }
    const tooMany = codePoints(fields.content) - limits.max_message_length
    if (tooMany > 0) setError(t('snippets.tooLong', tooMany))
    else props.store(fields)
  }
  return (
    <form class="dialog-form" onSubmit={submit}>
      <label class="field">
        {t('snippets.titleField')}
        <input
          class="input"
          dir="auto"
          name="title"
          required
          maxLength={limits.saved_snippet_title_length}
          value={props.snippet?.title ?? ''}
          ref={element => queueMicrotask(() => element.focus())}
        />
      </label>
      <label class="field">
        {t('snippets.text')}
        <textarea
          class="input"
          dir="auto"
          name="content"
          required
          rows={6}
          value={props.snippet?.content ?? props.text}
        />
      </label>
      <Show when={error()}>
        <p class="notice bad" role="alert">
          {error()}
        </p>
      </Show>
      <div class="person-deeds">
        <button type="submit" class="button primary">
          {t('words.save')}
        </button>
        <button type="button" class="button" onClick={() => props.cancel()}>
          {t('words.cancel')}
        </button>
      </div>
    </form>
  )
}
