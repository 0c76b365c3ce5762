import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { t } from '../../../../language/language.js'
import { st } from '../../../../language/settings-language.js'
import { createAttempts } from '../../../../look/attempts.js'
import { ErrorNotice } from '../../../../look/error-notice.js'
import { useChat } from '../../../chat.js'
import { AuditEntry, type ListedChange } from './audit-entry.js'
import { type AuditFilter, AuditFilterForm, filterParams } from './audit-filter.js'

const perPage = 50
const noFilter: AuditFilter = { event: '', from: '', to: '' }

/** Who changed what, the newest first, page by page. */
export function AuditLog(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const [filter, setFilter] = createSignal(noFilter)
  const [entries, setEntries] = createSignal<readonly ListedChange[]>([])
  const [next, setNext] = createSignal<number | null>(null)
  const read = (before?: number) =>
    attempt(async () => {
      const asked = filter()
      const place = before === undefined ? {} : { before }
      const answer = await chat.ask('GET', '/realm/audit_log', { ...filterParams(asked), ...place, limit: perPage })
      if (asked !== filter()) return
      const found = answer.entries as readonly ListedChange[]
      setEntries(present => (before === undefined ? found : [...present, ...found]))
      setNext(answer.next_before as number | null)
    })
  createEffect(on(filter, () => void read()))
  return (
    <>
      <AuditFilterForm filter={filter()} change={setFilter} />
      <Downloads filter={filter()} />
      <ErrorNotice text={error()} />
      <ol class="entries" aria-label={st('sections.audit-log')} aria-busy={isBusy()}>
        <For each={entries()} fallback={<li class="quiet">{isBusy() ? t('words.loading') : st('audit.none')}</li>}>
          {entry => <AuditEntry entry={entry} />}
        </For>
      </ol>
      <Show when={next()}>
        {before => (
          <button type="button" class="button" disabled={isBusy()} onClick={() => void read(before())}>
            {st('audit.more')}
          </button>
        )}
      </Show>
    </>
  )
}

/** The same changes as files. */
function Downloads(props: { filter: AuditFilter }): JSX.Element {
  const query = () => {
    const params = Object.entries(filterParams(props.filter)).map(([name, value]) => [name, String(value)])
    return params.length > 0 ? `?${new URLSearchParams(params)}` : ''
  }
  return (
    <p class="audit-files">
      <a class="button" download="audit-log.csv" href={`/audit-log.csv${query()}`}>
        {st('audit.table')}
      </a>
      <a class="button" download="audit-log.jsonl" href={`/audit-log.jsonl${query()}`}>
        {st('audit.lines')}
      </a>
    </p>
  )
}
