import { createSignal, For, type JSX, Show } from 'solid-js'
import { accessObstacle, deactivationObstacle } from '../../../../../../shared/resources/account-rights.js'
import { st } from '../../../../language/settings-language.js'
import { SureButton } from '../../../../look/sure-button.js'
import { accountChange } from '../../../../state/organization-people.js'
import { useChat } from '../../../chat.js'
import { useSaving } from '../../../dialogs/saving.js'
import { pathOf, type Whose } from './whose.js'

const erasures = [
  'delete_profile',
  'delete_public_channel_messages',
  'delete_private_channel_messages',
  'delete_direct_messages',
] as const
type Erasure = (typeof erasures)[number]

/** Ends the account, with what the boxes name. */
export function Deactivation(props: Whose): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const [chosen, setChosen] = createSignal<readonly Erasure[]>([])
  const obstacle = () => deactivationObstacle(accountChange(chat.state, props.userId))
  const deactivate = () => {
    const actions = Object.fromEntries(chosen().map(name => [name, true]))
    return save('DELETE', pathOf(props), chosen().length > 0 ? { actions } : {})
  }
  return (
    <fieldset class="group settings-part">
      <legend>{st('people.deactivate')}</legend>
      <Show when={!obstacle()} fallback={<p class="quiet">{st(`people.obstacle.${obstacle() ?? 'owner'}`)}</p>}>
        <p class="quiet">{st('people.deactivateMeaning')}</p>
        <Erasures chosen={chosen()} choose={setChosen} />
        <p>
          <SureButton
            title={st('people.deactivate')}
            sureTitle={chosen().length > 0 ? st('people.reallyErase') : st('people.reallyDeactivate')}
            work={deactivate}
          />
        </p>
      </Show>
    </fieldset>
  )
}

/** What is deleted with the account. */
function Erasures(props: { chosen: readonly Erasure[]; choose(erasures: readonly Erasure[]): void }): JSX.Element {
  const toggle = (name: Erasure, isOn: boolean) =>
    props.choose([...props.chosen.filter(one => one !== name), ...(isOn ? [name] : [])])
  return (
    <For each={erasures}>
      {name => (
        <label class="check">
          <input type="checkbox" onChange={event => toggle(name, event.currentTarget.checked)} />
          {st(`people.erase.${name}`)}
        </label>
      )}
    </For>
  )
}

export function Reactivation(props: Whose): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const obstacle = () => accessObstacle(accountChange(chat.state, props.userId))
  return (
    <Show when={!obstacle()} fallback={<p class="quiet">{st(`people.obstacle.${obstacle() ?? 'owner'}`)}</p>}>
      <p>
        <button type="button" class="button" onClick={() => void save('POST', `${pathOf(props)}/reactivate`, {})}>
          {st('people.reactivate')}
        </button>
      </p>
    </Show>
  )
}
