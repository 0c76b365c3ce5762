import { createResource, For, type JSX, onCleanup, Show } from 'solid-js'
import type { ImportRequest } from '../../../../../../shared/resources/import-request.js'
import { st } from '../../../../language/settings-language.js'
import { sizeText } from '../../../../language/size-text.js'
import { ErrorNotice } from '../../../../look/error-notice.js'
import { SureButton } from '../../../../look/sure-button.js'
import { useChat } from '../../../chat.js'
import { useSaving } from '../../../dialogs/saving.js'
import { dateText } from '../../../moment-text.js'
import { nameOf } from '../../../names.js'
import { Entry } from '../../entry.js'
import { ArchiveForm } from './archive-form.js'
import { ImportDetail } from './import-detail.js'

// While a check or an import runs.
const lookEveryMs = 1500

const isAtWork = ({ state }: ImportRequest): boolean => ['checking', 'running', 'undoing'].includes(state)

/** The archives of other chat servers: a form to upload one, and from each its plan to its report. */
export function Imports(): JSX.Element {
  const chat = useChat()
  const [listed, { refetch }] = createResource(
    async () => (await chat.ask('GET', '/imports')).imports as readonly ImportRequest[],
  )
  const present = () => (listed.error ? undefined : listed.latest) ?? []
  const timer = setInterval(() => void (present().some(isAtWork) && refetch()), lookEveryMs)
  onCleanup(() => clearInterval(timer))
  const changed = () => void refetch()
  // By ids: what was chosen stays when the list is read again.
  const ids = () =>
    present()
      .map(({ id }) => id)
      .reverse()
  return (
    <>
      <Entry>
        <ArchiveForm done={changed} />
      </Entry>
      <h3 class="part-title">{st('imports.listed')}</h3>
      <ErrorNotice text={listed.error ? String(listed.error.message) : ''} />
      <ul class="entries">
        <For each={ids()} fallback={<li class="quiet">{st('imports.none')}</li>}>
          {id => (
            <Show when={present().find(one => one.id === id)}>
              {one => (
                <li>
                  <Entry>
                    <One one={one()} changed={changed} />
                  </Entry>
                </li>
              )}
            </Show>
          )}
        </For>
      </ul>
    </>
  )
}

function One(props: { one: ImportRequest; changed(): void }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const remove = async () => {
    if (await save('DELETE', `/imports/${props.one.id}`, {})) props.changed()
  }
  const words = () => [
    props.one.source,
    sizeText(props.one.size),
    dateText(chat.state, props.one.requested * 1000),
    nameOf(chat.state, props.one.acting_user_id),
    st(`imports.states.${props.one.state}`),
  ]
  return (
    <>
      <div class="listed">
        <span class="choice-words">
          <strong dir="auto">{props.one.name}</strong>
          <small dir="auto">{words().filter(Boolean).join(' · ')}</small>
        </span>
        <span class="listed-tools">
          <Show
            when={isAtWork(props.one)}
            fallback={
              <SureButton
                title={st('imports.remove')}
                label={st('imports.removeOne', props.one.name)}
                sureTitle={st('frame.reallyRemove')}
                work={remove}
              />
            }
          >
            <Show
              when={props.one.percent !== null}
              fallback={<progress aria-label={st(`imports.states.${props.one.state}`)} />}
            >
              <progress aria-label={st(`imports.states.${props.one.state}`)} max={100} value={props.one.percent ?? 0} />
            </Show>
          </Show>
        </span>
      </div>
      <Show when={props.one.state === 'failed'}>
        <p class="notice bad">{props.one.reason || st('imports.failure')}</p>
      </Show>
      <Show when={!isAtWork(props.one)}>
        <ImportDetail id={props.one.id} name={props.one.name} state={props.one.state} changed={props.changed} />
      </Show>
    </>
  )
}
