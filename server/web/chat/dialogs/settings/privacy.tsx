import type { JSX } from 'solid-js'
import { t } from '../../../language/language.js'
import { Choice, Toggle } from './controls.js'

/** What other users learn of this one. */
export function Privacy(): JSX.Element {
  return (
    <>
      <fieldset class="group">
        <legend>{t('settings.letSee')}</legend>
        <Toggle name="presence_enabled" title={t('settings.letSeePresence')} />
        <Toggle name="send_read_receipts" title={t('settings.letSeeRead')} />
        <Toggle name="send_private_typing_notifications" title={t('settings.letSeeTypingDirect')} />
        <Toggle name="send_stream_typing_notifications" title={t('settings.letSeeTypingChannel')} />
      </fieldset>
      <Choice
        name="email_address_visibility"
        title={t('settings.emailVisibility')}
        options={[
          [1, t('settings.emailVisible.all')],
          [2, t('settings.emailVisible.members')],
          [5, t('settings.emailVisible.moderators')],
          [3, t('settings.emailVisible.administrators')],
          [4, t('settings.emailVisible.none')],
        ]}
      />
    </>
  )
}
