import { createResource, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { deactivationObstacle } from '../../../../../../shared/resources/account-rights.js'
import { st } from '../../../../language/settings-language.js'
import { ErrorNotice } from '../../../../look/error-notice.js'
import { accountChange } from '../../../../state/organization-people.js'
import { personOf } from '../../../../state/people.js'
import { useChat } from '../../../chat.js'
import { useSaving } from '../../../dialogs/saving.js'
import { pathOf, type Whose } from './whose.js'

interface Found {
  readonly state: 'none' | 'pending' | 'failed'
  readonly found: Readonly<Record<string, number>>
}

// While a job erases the person.
const lookEveryMs = 1500

/** Erases the person for good, once its name is typed. */
export function ErasureOfPerson(props: Whose): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const [name, setName] = createSignal('')
  const [deletesMessages, setDeletesMessages] = createSignal(false)
  const messages = () => (deletesMessages() ? 'delete' : 'keep')
  const obstacle = () => deactivationObstacle(accountChange(chat.state, props.userId))
  const [found, { refetch }] = createResource(
    () => !obstacle() && messages(),
    // The cast: the operation is not among the typed ones of the page.
    async messages => (await chat.ask('GET', `${pathOf(props)}/erasure`, { messages })) as unknown as Found,
  )
  const present = () => (found.error ? undefined : found.latest)
  const timer = setInterval(() => void (present()?.state === 'pending' && refetch()), lookEveryMs)
  onCleanup(() => clearInterval(timer))
  const fullName = () => personOf(chat.state, props.userId)?.full_name ?? ''
  const isConfirmed = () => name().trim() === fullName().trim()
  const erase = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isConfirmed() || !(await save('POST', `${pathOf(props)}/erase`, { messages: messages() }))) return
    setName('')
    await refetch()
  }
  return (
    <fieldset class="group settings-part">
      <legend>{st('erasure.title')}</legend>
      <Show when={!obstacle()} fallback={<p class="quiet">{st(`people.obstacle.${obstacle() ?? 'owner'}`)}</p>}>
        <form class="settings-form" onSubmit={event => void erase(event)}>
          <p class="quiet">{st('erasure.meaning')}</p>
          <label class="check">
            <input type="checkbox" onChange={event => setDeletesMessages(event.currentTarget.checked)} />
            {st('erasure.messages')}
          </label>
          <p role="status">{present() && stateText(present() as Found)}</p>
          <label class="field">
            {st('erasure.confirm', fullName())}
            <input
              class="input"
              autocomplete="off"
              value={name()}
              onInput={event => setName(event.currentTarget.value)}
            />
          </label>
          <p>
            <button type="submit" class="button danger" disabled={!isConfirmed() || present()?.state === 'pending'}>
              {st('erasure.erase')}
            </button>
          </p>
        </form>
        <ErrorNotice text={found.error && String(found.error.message)} />
      </Show>
    </fieldset>
  )
}

function stateText({ state, found }: Found): string {
  if (state === 'pending') return st('erasure.pending')
  if (state === 'failed') return st('erasure.failed')
  const { messages = 0, files = 0, reactions = 0 } = found
  const all = Object.values(found).reduce((sum, count) => sum + count, 0)
  if (all === 0) return st('erasure.nothing')
  return st('erasure.found', messages, files, reactions, all - messages - files - reactions)
}
