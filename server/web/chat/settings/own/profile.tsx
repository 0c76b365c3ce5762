import { For, type JSX } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
import type { ProfileFieldObject } from '../../../../../shared/resources/custom-profile-field.js'
import { t } from '../../../language/language.js'
import { isAdministrator } from '../../../state/permissions.js'
import { Avatar } from '../../avatar.js'
import { useChat } from '../../chat.js'
import { useSaving } from '../../dialogs/saving.js'
import { nameOf } from '../../names.js'
import { useView } from '../../view.js'
import { Entry } from '../entry.js'
import { ProfileFieldInput } from '../profile-field-input.js'
import { TimeZone } from './time-zone.js'

/** What other users see of this one. */
export function Profile(): JSX.Element {
  const chat = useChat()
  const view = useView()
  return (
    <>
      <div class="person-head">
        <Avatar userId={chat.state.user_id} size="large" />
        <button type="button" class="button" onClick={() => view.open('avatar')}>
          {t('settings.changePicture')}
        </button>
        <button type="button" class="button" onClick={() => view.open('status')}>
          {t('settings.setStatus')}
        </button>
      </div>
      <Entry name="full_name">
        <OwnName />
      </Entry>
      <TimeZone />
      <For each={chat.state.custom_profile_fields}>
        {field => (
          <Entry>
            <OwnValue field={field} />
          </Entry>
        )}
      </For>
    </>
  )
}

function OwnName(): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const mayRename = () => isAdministrator(chat.state) || !chat.state.realm_name_changes_disabled
  return (
    <label class="field">
      {t('words.name')}
      <input
        class="input"
        dir="auto"
        autocomplete="name"
        minLength={2}
        maxLength={limits.user_full_name_length}
        disabled={!mayRename()}
        value={nameOf(chat.state, chat.state.user_id)}
        onChange={event => void save('PATCH', '/settings', { full_name: event.currentTarget.value.trim() })}
      />
    </label>
  )
}

function OwnValue(props: { field: ProfileFieldObject }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  return (
    <ProfileFieldInput
      field={props.field}
      userId={chat.state.user_id}
      isLocked={!props.field.editable_by_user && !isAdministrator(chat.state)}
      set={value => save('PATCH', '/users/me/profile_data', { data: [{ id: props.field.id, value }] })}
    />
  )
}
