import { type Accessor, createResource, For, type JSX, onCleanup, Show } from 'solid-js'
import type { UserExport } from '../../../../shared/resources/realm-export.js'
import { st } from '../../language/settings-language.js'
import { ErrorNotice } from '../../look/error-notice.js'
import { SureButton } from '../../look/sure-button.js'
import { useChat } from '../chat.js'
import { useSaving } from '../dialogs/saving.js'
import { dateText } from '../moment-text.js'
import { nameOf } from '../names.js'
import { Entry } from './entry.js'

interface Listed<Export> {
  readonly exports: readonly Export[]
  readonly progress: readonly { readonly id: number; readonly percent: number }[]
}

// While an export is being written.
const lookEveryMs = 1500

/** The exports that a path lists. */
export interface Exports<Export extends UserExport> {
  readonly path: string
  /** Undefined: not read yet, or refused. */
  readonly present: Accessor<Listed<Export> | undefined>
  readonly error: Accessor<string>
  refetch(): void
}

/** Reads the exports of a path, again and again while one is being written. */
export function createExports<Export extends UserExport>(path: string): Exports<Export> {
  const chat = useChat()
  const [listed, { refetch }] = createResource(
    // The cast: the operation is not among the typed ones of the page.
    async () => (await chat.ask('GET', path)) as unknown as Listed<Export>,
  )
  const present = () => (listed.error ? undefined : listed.latest)
  const timer = setInterval(() => void (present()?.progress.length && refetch()), lookEveryMs)
  onCleanup(() => clearInterval(timer))
  return {
    path,
    present,
    error: () => (listed.error ? String(listed.error.message) : ''),
    refetch: () => void refetch(),
  }
}

interface ListProps<Export extends UserExport> {
  readonly exports: Exports<Export>
  titleOf(one: Export): string
}

/** The exports, the newest first, to download and delete. */
export function ExportList<Export extends UserExport>(props: ListProps<Export>): JSX.Element {
  const present = () => props.exports.present()
  return (
    <>
      <ErrorNotice text={props.exports.error()} />
      <ul class="entries">
        <For each={[...(present()?.exports ?? [])].reverse()} fallback={<li class="quiet">{st('exports.none')}</li>}>
          {one => (
            <li>
              <Entry>
                <One
                  one={one}
                  title={props.titleOf(one)}
                  path={props.exports.path}
                  percent={present()?.progress.find(({ id }) => id === one.id)?.percent ?? 0}
                  deleted={() => props.exports.refetch()}
                />
              </Entry>
            </li>
          )}
        </For>
      </ul>
    </>
  )
}

interface OneProps {
  readonly one: UserExport
  readonly title: string
  readonly path: string
  readonly percent: number
  deleted(): void
}

function One(props: OneProps): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const remove = async () => {
    if (await save('DELETE', `${props.path}/${props.one.id}`, {})) props.deleted()
  }
  return (
    <div class="listed">
      <span class="choice-words">
        <strong>{props.title}</strong>
        <small dir="auto">
          {[
            dateText(chat.state, props.one.export_time * 1000),
            nameOf(chat.state, props.one.acting_user_id),
            stateText(props.one),
          ]
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
                aria-label={st('exports.downloadOne', dateText(chat.state, props.one.export_time * 1000))}
              >
                {st('exports.download')}
              </a>
              <SureButton
                title={st('exports.delete')}
                label={st('exports.deleteOne', dateText(chat.state, props.one.export_time * 1000))}
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

function stateText({ failed_timestamp, deleted_timestamp, pending }: UserExport): string {
  if (pending) return st('exports.pending')
  if (failed_timestamp !== null) return st('exports.failed')
  return deleted_timestamp === null ? '' : st('exports.deleted')
}
