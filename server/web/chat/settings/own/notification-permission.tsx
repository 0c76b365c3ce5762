import { createSignal, type JSX, Match, Switch } from 'solid-js'
import { t } from '../../../language/language.js'
import { useChat } from '../../chat.js'
import { hasNotifications } from '../../notifications.js'
import { playSound } from '../../sound.js'

/** Plays the sound that the user has chosen. */
export function SoundSample(): JSX.Element {
  const chat = useChat()
  const sound = () => chat.state.user_settings.notification_sound
  return (
    <p>
      <button type="button" class="button" disabled={sound() === 'none'} onClick={() => void playSound(sound())}>
        {t('settings.playIt')}
      </button>
    </p>
  )
}

/** Asks the browser, which asks the user once. */
export function NotificationPermission(): JSX.Element {
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
