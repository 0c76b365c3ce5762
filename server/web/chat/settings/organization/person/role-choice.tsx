import { For, type JSX, Show } from 'solid-js'
import { roleObstacle } from '../../../../../../shared/resources/account-rights.js'
import { t } from '../../../../language/language.js'
import { st } from '../../../../language/settings-language.js'
import { accountChange } from '../../../../state/organization-people.js'
import { personOf } from '../../../../state/people.js'
import { useChat } from '../../../chat.js'
import { useSaving } from '../../../dialogs/saving.js'
import { pathOf, type Whose } from './whose.js'

const roles = [100, 200, 300, 400, 600] as const

/** The roles; those that the server would refuse cannot be chosen. */
export function RoleChoice(props: Whose): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const now = () => personOf(chat.state, props.userId)?.role
  const obstacle = (role: number) =>
    role === now() ? undefined : roleObstacle(accountChange(chat.state, props.userId), role)
  const others = () => roles.filter(role => role !== now())
  /** Why no other role is possible. */
  const reason = () => {
    const [first] = others().map(obstacle)
    return first && others().every(obstacle) ? st(`people.obstacle.${first}`) : undefined
  }
  const change = async (element: HTMLSelectElement) => {
    if (!(await save('PATCH', pathOf(props), { role: Number(element.value) }))) element.value = String(now())
  }
  return (
    <label class="field">
      {st('people.role')}
      <select class="input" disabled={reason() !== undefined} onChange={event => void change(event.currentTarget)}>
        <For each={roles}>
          {role => (
            <option value={role} selected={role === now()} disabled={obstacle(role) !== undefined}>
              {t(`person.role.${role}`)}
            </option>
          )}
        </For>
      </select>
      <Show when={reason()}>
        <small class="quiet">{reason()}</small>
      </Show>
    </label>
  )
}
