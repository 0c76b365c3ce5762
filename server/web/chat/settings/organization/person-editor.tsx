import { createSignal, For, type JSX, Show } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
import { deactivationObstacle, roleObstacle } from '../../../../../shared/resources/account-rights.js'
import type { ProfileFieldObject } from '../../../../../shared/resources/custom-profile-field.js'
import { locale, t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { Icon } from '../../../look/icon.js'
import { accountChange } from '../../../state/organization-people.js'
import { personOf } from '../../../state/people.js'
import { isAdministrator } from '../../../state/permissions.js'
import { roleOf } from '../../../state/profile.js'
import { settingsAddress } from '../../../state/settings-place.js'
import { Avatar } from '../../avatar.js'
import { useChat } from '../../chat.js'
import { Fact } from '../../dialogs/fact.js'
import { SavedText } from '../../dialogs/saved-text.js'
import { useSaving } from '../../dialogs/saving.js'
import { SureButton } from '../../dialogs/sure-button.js'
import { useView } from '../../view.js'
import { Entry } from '../entry.js'
import { ProfileFieldInput } from '../profile-field-input.js'
import { lastSeen } from './last-seen.js'

interface Whose {
  readonly userId: number
}

/** An account: for administrators to change, for all others to read. */
export function PersonEditor(props: Whose): JSX.Element {
  const chat = useChat()
  const view = useView()
  const person = () => personOf(chat.state, props.userId)
  const isActive = () => props.userId in chat.state.realm_users
  const facts = (): [string, string][] => {
    const known = person()
    if (!known) return []
    const joined = new Date(known.date_joined).toLocaleDateString(locale(), { dateStyle: 'long' })
    const all: [string, string][] = [
      [t('person.email'), known.delivery_email ?? ''],
      [t('person.joined'), joined],
      [st('people.activity'), lastSeen(chat, props.userId)],
    ]
    return all.filter(([, text]) => text !== '')
  }
  return (
    <>
      <p>
        <a class="back-link" href={`#${settingsAddress({ about: 'organization', section: 'people' })}`}>
          <Icon name="back" />
          {st('people.all')}
        </a>
      </p>
      <div class="person-head">
        <Avatar userId={props.userId} size="large" hasPresence={isActive()} />
        <div>
          <h3 dir="auto">{person()?.full_name}</h3>
          <p class="quiet">
            {[
              person() && roleOf(person() as NonNullable<ReturnType<typeof person>>),
              !isActive() && t('person.deactivated'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <button type="button" class="button" onClick={() => view.open({ person: props.userId })}>
          {st('people.profile')}
        </button>
      </div>
      <dl class="facts">
        <For each={facts()}>{([name, text]) => <Fact name={name}>{text}</Fact>}</For>
      </dl>
      <Show when={isAdministrator(chat.state)}>
        <Entry>
          <Name userId={props.userId} />
        </Entry>
        <Entry>
          <Role userId={props.userId} />
        </Entry>
        <Show when={!person()?.is_bot}>
          <For each={chat.state.custom_profile_fields}>
            {field => (
              <Entry>
                <FieldValue userId={props.userId} field={field} />
              </Entry>
            )}
          </For>
        </Show>
        <Entry>
          <Show when={isActive()} fallback={<Reactivation userId={props.userId} />}>
            <Deactivation userId={props.userId} />
          </Show>
        </Entry>
      </Show>
    </>
  )
}

const pathOf = ({ userId }: Whose): string => `/users/${userId}`

function Name(props: Whose): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  return (
    <SavedText
      title={t('words.name')}
      value={personOf(chat.state, props.userId)?.full_name ?? ''}
      maxLength={limits.user_full_name_length}
      save={full_name => save('PATCH', pathOf(props), { full_name })}
    />
  )
}

const roles = [100, 200, 300, 400, 600] as const

/** The roles; those that the server would refuse cannot be chosen. */
function Role(props: Whose): JSX.Element {
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

function FieldValue(props: Whose & { field: ProfileFieldObject }): JSX.Element {
  const { save } = useSaving()
  return (
    <ProfileFieldInput
      field={props.field}
      userId={props.userId}
      isLocked={false}
      set={value => save('PATCH', pathOf(props), { profile_data: [{ id: props.field.id, value }] })}
    />
  )
}

const erasures = [
  'delete_profile',
  'delete_public_channel_messages',
  'delete_private_channel_messages',
  'delete_direct_messages',
] as const

/** Ends the account, with what the boxes name. */
function Deactivation(props: Whose): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const [chosen, setChosen] = createSignal<readonly (typeof erasures)[number][]>([])
  const obstacle = () => deactivationObstacle(accountChange(chat.state, props.userId))
  const toggle = (name: (typeof erasures)[number], isOn: boolean) =>
    setChosen([...chosen().filter(one => one !== name), ...(isOn ? [name] : [])])
  const deactivate = () => {
    const actions = Object.fromEntries(chosen().map(name => [name, true]))
    return save('DELETE', pathOf(props), chosen().length > 0 ? { actions } : {})
  }
  return (
    <fieldset class="group settings-part">
      <legend>{st('people.deactivate')}</legend>
      <Show when={!obstacle()} fallback={<p class="quiet">{st(`people.obstacle.${obstacle() ?? 'owner'}`)}</p>}>
        <p class="quiet">{st('people.deactivateMeaning')}</p>
        <For each={erasures}>
          {name => (
            <label class="check">
              <input type="checkbox" onChange={event => toggle(name, event.currentTarget.checked)} />
              {st(`people.erase.${name}`)}
            </label>
          )}
        </For>
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

function Reactivation(props: Whose): JSX.Element {
  const { save } = useSaving()
  return (
    <p>
      <button type="button" class="button" onClick={() => void save('POST', `${pathOf(props)}/reactivate`, {})}>
        {st('people.reactivate')}
      </button>
    </p>
  )
}
