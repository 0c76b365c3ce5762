import { For, type JSX, Show } from 'solid-js'
import { limits } from '../../../../../../shared/limits.js'
import { accessObstacle } from '../../../../../../shared/resources/account-rights.js'
import type { ProfileFieldObject } from '../../../../../../shared/resources/custom-profile-field.js'
import { locale, t } from '../../../../language/language.js'
import { st } from '../../../../language/settings-language.js'
import { Icon } from '../../../../look/icon.js'
import { accountChange } from '../../../../state/organization-people.js'
import { isOwner } from '../../../../state/organization-rights.js'
import { personOf } from '../../../../state/people.js'
import { isAdministrator } from '../../../../state/permissions.js'
import { roleOf } from '../../../../state/profile.js'
import { settingsAddress } from '../../../../state/settings-place.js'
import { Avatar } from '../../../avatar.js'
import { useChat } from '../../../chat.js'
import { Fact } from '../../../dialogs/fact.js'
import { SavedText } from '../../../dialogs/saved-text.js'
import { useSaving } from '../../../dialogs/saving.js'
import { keepProfile } from '../../../people/profile.js'
import { useView } from '../../../view.js'
import { Entry } from '../../entry.js'
import { PersonExports } from '../../person-exports.js'
import { ProfileFieldInput } from '../../profile-field-input.js'
import { lastSeen } from '../last-seen.js'
import { Access } from './access.js'
import { Deactivation, Reactivation } from './deactivation.js'
import { ErasureOfPerson } from './erasure.js'
import { RoleChoice } from './role-choice.js'
import { UploadSpace } from './upload-space.js'
import { pathOf, type Whose } from './whose.js'

/** An account: for administrators to change, for all others to read. */
export function PersonEditor(props: Whose): JSX.Element {
  const chat = useChat()
  keepProfile(chat, () => props.userId)
  return (
    <>
      <p>
        <a class="back-link" href={`#${settingsAddress({ about: 'organization', section: 'people' })}`}>
          <Icon name="back" />
          {st('people.all')}
        </a>
      </p>
      <PersonHead userId={props.userId} />
      <Facts userId={props.userId} />
      <Show when={isAdministrator(chat.state)}>
        <Changes userId={props.userId} />
      </Show>
    </>
  )
}

function PersonHead(props: Whose): JSX.Element {
  const chat = useChat()
  const view = useView()
  const person = () => personOf(chat.state, props.userId)
  const isActive = () => props.userId in chat.state.realm_users
  const kind = () => {
    const known = person()
    return [known && roleOf(known), !isActive() && t('person.deactivated')].filter(Boolean).join(' · ')
  }
  return (
    <div class="person-head">
      <Avatar userId={props.userId} size="large" hasPresence={isActive()} />
      <div>
        <h3 dir="auto">{person()?.full_name}</h3>
        <p class="quiet">{kind()}</p>
      </div>
      <button type="button" class="button" onClick={() => view.open({ person: props.userId })}>
        {st('people.profile')}
      </button>
    </div>
  )
}

function Facts(props: Whose): JSX.Element {
  const chat = useChat()
  const facts = (): [string, string][] => {
    const known = personOf(chat.state, props.userId)
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
    <dl class="facts">
      <For each={facts()}>{([name, text]) => <Fact name={name}>{text}</Fact>}</For>
    </dl>
  )
}

/** What administrators change of the account. */
function Changes(props: Whose): JSX.Element {
  const chat = useChat()
  const isActive = () => props.userId in chat.state.realm_users
  const isBot = () => personOf(chat.state, props.userId)?.is_bot === true
  const isErased = () => personOf(chat.state, props.userId)?.is_deleted === true
  return (
    <>
      <Entry>
        <Name userId={props.userId} />
      </Entry>
      <Entry>
        <RoleChoice userId={props.userId} />
      </Entry>
      <Show when={!isBot()}>
        <For each={chat.state.custom_profile_fields}>
          {field => (
            <Entry>
              <FieldValue userId={props.userId} field={field} />
            </Entry>
          )}
        </For>
      </Show>
      <Show when={isActive() && !isBot()}>
        <Entry>
          <Access userId={props.userId} />
        </Entry>
      </Show>
      <Show when={!accessObstacle(accountChange(chat.state, props.userId)) && !isErased()}>
        <Entry>
          <UploadSpace userId={props.userId} />
        </Entry>
        <Show when={!isBot()}>
          <Entry>
            <fieldset class="group settings-part">
              <legend>{st('people.data')}</legend>
              <PersonExports userId={props.userId} />
            </fieldset>
          </Entry>
        </Show>
      </Show>
      <Entry>
        <Show when={isActive()} fallback={<Reactivation userId={props.userId} />}>
          <Deactivation userId={props.userId} />
        </Show>
      </Entry>
      <Show when={isOwner(chat.state) && props.userId !== chat.state.user_id}>
        <Entry>
          <ErasureOfPerson userId={props.userId} />
        </Entry>
      </Show>
    </>
  )
}

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

function FieldValue(props: Whose & { field: ProfileFieldObject }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  return (
    <ProfileFieldInput
      field={props.field}
      userId={props.userId}
      isLocked={!personOf(chat.state, props.userId)?.profile_data}
      set={value => save('PATCH', pathOf(props), { profile_data: [{ id: props.field.id, value }] })}
    />
  )
}
