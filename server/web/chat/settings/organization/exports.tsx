import { createResource, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import type { RealmExport } from '../../../../../shared/resources/realm-export.js'
import { locale } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { SureButton } from '../../../look/sure-button.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../../dialogs/saving.js'
import { nameOf } from '../../names.js'
import { Entry } from '../entry.js'

const kinds = ['public', 'full_with_consent', 'full_without_consent'] as const
type Kind = (typeof kinds)[number]

interface Listed {
  readonly exports: readonly RealmExport[]
  readonly progress: readonly { readonly id: number; readonly percent: number }[]
}

// While an export is being written.
const lookEveryMs = 1500

/** The exports of the organization, and a form for a new one. */
export function Exports(): JSX.Element {
  const chat = useChat()
  const [listed, { refetch }] = createResource(
    // The cast: the operation is not among the typed ones of the page.
    async () => (await chat.ask('GET', '/export/realm')) as unknown as Listed,
  )
  const present = () => (listed.error ? undefined : listed.latest)
  const timer = setInterval(() => void (present()?.progress.length && refetch()), lookEveryMs)
  onCleanup(() => clearInterval(timer))
  return (
    <>
      <Entry>
        <Request done={() => void refetch()} earlier={present()?.exports ?? []} />
      </Entry>
      <ErrorNotice text={listed.error && String(listed.error.message)} />
      <h3 class="part-title">{st('exports.listed')}</h3>
      <ul class="entries">
        <For each={[...(present()?.exports ?? [])].reverse()} fallback={<li class="quiet">{st('exports.none')}</li>}>
          {one => (
            <li>
              <Entry>
                <One
                  one={one}
                  percent={present()?.progress.find(({ id }) => id === one.id)?.percent ?? 0}
                  deleted={() => void refetch()}
                />
              </Entry>
            </li>
          )}
        </For>
      </ul>
    </>
  )
}

function Request(props: { done(): void; earlier: readonly RealmExport[] }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const [kind, setKind] = createSignal<Kind>('public')
  const [isFurther, setFurther] = createSignal(false)
  const [consents] = createResource(async () => {
    const all = (await chat.ask('GET', '/export/realm/consents')).export_consents as readonly { consented: boolean }[]
    return { all: all.length, agreed: all.filter(({ consented }) => consented).length }
  })
  const earlier = () =>
    props.earlier.findLast(one => one.export_type === kind() && !one.pending && !one.failed_timestamp)
  const request = async () => {
    const since = isFurther() && earlier()
    const params = { export_type: kind(), ...(since && { since_export_id: since.id }) }
    if (await save('POST', '/export/realm', params)) props.done()
  }
  return (
    <>
      <p>{st('exports.meaning')}</p>
      <label class="field">
        {st('exports.kind')}
        <select class="input" onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}>
          <For each={kinds}>{one => <option value={one}>{st(`exports.kinds.${one}`)}</option>}</For>
        </select>
      </label>
      <Show when={!consents.error && consents()}>
        {found => <p class="quiet">{st('exports.consents', found().agreed, found().all)}</p>}
      </Show>
      <Show when={earlier()}>
        {one => (
          <label class="choice">
            <input type="checkbox" checked={isFurther()} onChange={event => setFurther(event.currentTarget.checked)} />
            {st('exports.since', timeText(one().export_time))}
          </label>
        )}
      </Show>
      <p>
        <button type="button" class="button" onClick={() => void request()}>
          {st('exports.request')}
        </button>
      </p>
    </>
  )
}

function One(props: { one: RealmExport; percent: number; deleted(): void }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const title = () => st(`exports.kinds.${props.one.export_type}`)
  const remove = async () => {
    if (await save('DELETE', `/export/realm/${props.one.id}`, {})) props.deleted()
  }
  return (
    <div class="listed">
      <span class="choice-words">
        <strong>{title()}</strong>
        <small dir="auto">
          {[timeText(props.one.export_time), nameOf(chat.state, props.one.acting_user_id), stateText(props.one)]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
      <span class="listed-tools">
        <Show when={props.one.pending}>
          <progress aria-label={st('exports.written', props.percent)} max={100} value={props.percent} />
        </Show>
        <Show when={props.one.export_url}>
          {url => (
            <>
              <a
                class="button"
                href={new URL(url()).pathname}
                download=""
                aria-label={st('exports.downloadOne', timeText(props.one.export_time))}
              >
                {st('exports.download')}
              </a>
              <SureButton
                title={st('exports.delete')}
                label={st('exports.deleteOne', timeText(props.one.export_time))}
                sureTitle={st('frame.reallyRemove')}
                work={remove}
              />
            </>
          )}
        </Show>
      </span>
    </div>
  )
}

const timeText = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' })

function stateText({ failed_timestamp, deleted_timestamp, pending }: RealmExport): string {
  if (pending) return st('exports.pending')
  if (failed_timestamp !== null) return st('exports.failed')
  return deleted_timestamp === null ? '' : st('exports.deleted')
}
