import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import type { RealmExport } from '../../../../../shared/resources/realm-export.js'
import { st } from '../../../language/settings-language.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../../dialogs/saving.js'
import { dateText } from '../../moment-text.js'
import { Entry } from '../entry.js'
import { createExports, ExportList } from '../export-list.js'

const kinds = ['public', 'full_with_consent', 'full_without_consent'] as const
type Kind = (typeof kinds)[number]

/** The exports of the organization, and a form for a new one. */
export function Exports(): JSX.Element {
  const exports = createExports<RealmExport>('/export/realm')
  return (
    <>
      <Entry>
        <Request done={exports.refetch} earlier={exports.present()?.exports ?? []} />
      </Entry>
      <h3 class="part-title">{st('exports.listed')}</h3>
      <ExportList exports={exports} titleOf={one => st(`exports.kinds.${one.export_type}`)} />
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
            {st('exports.since', dateText(chat.state, one().export_time * 1000))}
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
