import { createSignal, type JSX, Match, Switch } from 'solid-js'
import { t } from '../../../language/language.js'
import { useChat } from '../../chat.js'
import { hasNotifications } from '../../notifications.js'
import { playSound, sounds } from '../../sound.js'
import { Choice, Toggle } from './controls.js'

/** What the user is notified of, and which topics the user follows. */
export function Notifications(): JSX.Element {
  const chat = useChat()
  return (
    <>
      <Permission />
      <fieldset class="group">
        <legend>{t('settings.notify')}</legend>
        <Toggle name="enable_desktop_notifications" title={t('settings.notifyDirect')} />
        <Toggle name="enable_followed_topic_desktop_notifications" title={t('settings.notifyFollowed')} />
        <Toggle name="enable_stream_desktop_notifications" title={t('settings.notifyChannels')} />
      </fieldset>
      <fieldset class="group">
        <legend>{t('settings.play')}</legend>
        <Toggle name="enable_sounds" title={t('settings.playDirect')} />
        <Toggle name="enable_followed_topic_audible_notifications" title={t('settings.playFollowed')} />
        <Toggle name="enable_stream_audible_notifications" title={t('settings.playChannels')} />
        <Choice
          name="notification_sound"
          title={t('settings.sound')}
          options={sounds.map(name => [name, t(`settings.sounds.${name}`)] as const)}
        />
        <p>
          <button
            type="button"
            class="button"
            disabled={chat.state.user_settings.notification_sound === 'none'}
            onClick={() => void playSound(chat.state.user_settings.notification_sound)}
          >
            {t('settings.playIt')}
          </button>
        </p>
      </fieldset>
      <fieldset class="group">
        <legend>{t('settings.how')}</legend>
        <Toggle name="pm_content_in_desktop_notifications" title={t('settings.showDirect')} />
        <Toggle name="wildcard_mentions_notify" title={t('settings.wildcards')} />
        <Toggle name="enable_followed_topic_wildcard_mentions_notify" title={t('settings.wildcardsFollowed')} />
      </fieldset>
      <fieldset class="group">
        <legend>{t('settings.topics')}</legend>
        <Choice name="automatically_follow_topics_policy" title={t('settings.follow')} options={acts()} />
        <Toggle name="automatically_follow_topics_where_mentioned" title={t('settings.followMentioned')} />
        <Choice
          name="automatically_unmute_topics_in_muted_streams_policy"
          title={t('settings.unmute')}
          options={acts()}
        />
      </fieldset>
    </>
  )
}

const acts = () =>
  [
    [1, t('settings.acts.takePart')],
    [2, t('settings.acts.write')],
    [3, t('settings.acts.start')],
    [4, t('settings.acts.never')],
  ] as const

/** Asks the browser, which asks the user once. */
function Permission(): JSX.Element {
  const [permission, setPermission] = createSignal(hasNotifications ? Notification.permission : undefined)
  return (
    <Switch>
      <Match when={permission() === 'granted'}>
        <p class="quiet">{t('settings.granted')}</p>
      </Match>
      <Match when={permission() === 'default'}>
        <p>
          <button
            type="button"
            class="button primary"
            onClick={() => void Notification.requestPermission().then(setPermission)}
          >
            {t('settings.allow')}
          </button>
        </p>
      </Match>
      <Match when={permission() === 'denied'}>
        <p class="notice">{t('settings.denied')}</p>
      </Match>
      <Match when={permission() === undefined}>
        <p class="notice">{t('settings.missing')}</p>
      </Match>
    </Switch>
  )
}
