import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import { codePoints, limits } from '../../../../shared/limits.js'
import type { SavedSnippet } from '../../../../shared/resources/saved-snippet.js'
import { t } from '../../language/language.js'
import { createAttempts } from '../../look/attempts.js'
import { ErrorNotice } from '../../look/error-notice.js'
import { IconButton } from '../../look/icon-button.js'
import { type Chat, useChat } from '../chat.js'
import { insertText } from '../composer/editing.js'
import { useView, type View } from '../view.js'
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
  const { error, attempt } = createAttempts()
  const change = (method: string, path: string, fields: Record<string, unknown> = {}) =>
    void attempt(async () => {
      await chat.ask(method, path, fields)
      edit(undefined)
      await refetch()
    })
  const store = (snippet: SavedSnippet | null, fields: { title: string; content: string }) =>
    snippet ? change('PATCH', `/saved_snippets/${snippet.id}`, fields) : change('POST', '/saved_snippets', fields)
  return (
    <Dialog title={t('snippets.title')}>
      <ErrorNotice text={error() || snippets.error?.message} />
      <Show
        when={editing() === undefined}
        fallback={
          <SnippetForm
            snippet={editing() ?? null}
            text={view.composer?.value ?? ''}
            store={fields => store(editing() ?? null, fields)}
            cancel={() => edit(undefined)}
          />
        }
      >
        <ul class="choices" aria-label={t('snippets.title')}>
          <For
            each={snippets.error ? [] : snippets.latest}
            fallback={<li class="quiet">{snippets.loading ? '' : t('snippets.none')}</li>}
          >
            {snippet => (
              <SnippetRow
                snippet={snippet}
                insert={() => insert(chat, view, snippet.content)}
                change={() => edit(snippet)}
                remove={() => change('DELETE', `/saved_snippets/${snippet.id}`)}
              />
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

/** Puts a snippet into the composer of the open view. */
function insert(chat: Chat, view: View, content: string): void {
  const box = view.composer
  view.open(undefined)
  if (box?.isConnected) insertText(box, content)
  else chat.say(t('snippets.nowhere'), 'bad')
}

interface RowProps {
  readonly snippet: SavedSnippet
  insert(): void
  change(): void
  remove(): void
}

function SnippetRow(props: RowProps): JSX.Element {
  return (
    <li class="choice">
      <button type="button" class="choice-main" onClick={() => props.insert()}>
        <span class="choice-words">
          <strong dir="auto">{props.snippet.title}</strong>
          <small dir="auto">{props.snippet.content}</small>
        </span>
      </button>
      <IconButton
        icon="edit"
        label={t('snippets.change', props.snippet.title)}
        title={t('words.change')}
        work={() => props.change()}
      />
      <IconButton
        icon="trash"
        label={t('snippets.delete', props.snippet.title)}
        title={t('words.delete')}
        work={() => props.remove()}
      />
    </li>
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
      <ErrorNotice text={error()} />
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
