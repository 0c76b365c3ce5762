import { For, type JSX } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
import { t } from '../../../language/language.js'
import { isAdministrator } from '../../../state/permissions.js'
import { Avatar } from '../../avatar.js'
import { useChat } from '../../chat.js'
import { nameOf } from '../../names.js'
import { useView } from '../../view.js'
import { SavedChoice } from '../saved-choice.js'
import { ProfileFieldInput } from './profile-field-input.js'
import { useSaving } from './saving.js'

/** What other users see of this one. */
export function Profile(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const { save } = useSaving()
  const name = () => nameOf(chat.state, chat.state.user_id)
  const mayRename = () => isAdministrator(chat.state) || !chat.state.realm_name_changes_disabled
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
      <label class="field">
        {t('words.name')}
        <input
          class="input"
          dir="auto"
          autocomplete="name"
          minLength={2}
          maxLength={limits.user_full_name_length}
          disabled={!mayRename()}
          value={name()}
          onChange={event => void save('PATCH', '/settings', { full_name: event.currentTarget.value.trim() })}
        />
      </label>
      <TimeZone />
      <For each={chat.state.custom_profile_fields}>{field => <ProfileFieldInput field={field} />}</For>
    </>
  )
}

function TimeZone(): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const now = () => chat.state.user_settings.timezone
  // The server may know a zone that this browser does not.
  const zones = () => [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', now()])].filter(Boolean).sort()
  return (
    <SavedChoice
      title={t('settings.timeZone')}
      value={now()}
      options={[['', t('settings.timeZoneHidden')], ...zones().map(zone => [zone, zone.replaceAll('_', ' ')] as const)]}
      save={timezone => save('PATCH', '/settings', { timezone })}
    />
  )
}
