import { createSignal, type JSX, Match, Switch } from 'solid-js'
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
        <legend>Notify this desktop of</legend>
        <Toggle name="enable_desktop_notifications" title="Direct messages, mentions and alert words" />
        <Toggle name="enable_followed_topic_desktop_notifications" title="Messages in topics that you follow" />
        <Toggle name="enable_stream_desktop_notifications" title="All messages in channels" />
      </fieldset>
      <fieldset class="group">
        <legend>Play a sound for</legend>
        <Toggle name="enable_sounds" title="A message to you, a mention or an alert word" />
        <Toggle name="enable_followed_topic_audible_notifications" title="A message in a topic that you follow" />
        <Toggle name="enable_stream_audible_notifications" title="Any message in a channel" />
        <Choice name="notification_sound" title="Sound" options={sounds} />
        <p>
          <button
            type="button"
            class="button"
            disabled={chat.state.user_settings.notification_sound === 'none'}
            onClick={() => void playSound(chat.state.user_settings.notification_sound)}
          >
            Play it
          </button>
        </p>
      </fieldset>
      <fieldset class="group">
        <legend>How</legend>
        <Toggle name="pm_content_in_desktop_notifications" title="Show the text of direct messages" />
        <Toggle name="wildcard_mentions_notify" title="Mentions of all count as mentions of you" />
        <Toggle
          name="enable_followed_topic_wildcard_mentions_notify"
          title="Mentions of all count in topics that you follow"
        />
      </fieldset>
      <fieldset class="group">
        <legend>Topics</legend>
        <Choice name="automatically_follow_topics_policy" title="Follow topics" options={acts} />
        <Toggle name="automatically_follow_topics_where_mentioned" title="Follow topics in which you are mentioned" />
        <Choice
          name="automatically_unmute_topics_in_muted_streams_policy"
          title="Unmute topics of muted channels"
          options={acts}
        />
      </fieldset>
    </>
  )
}

const acts = [
  [1, 'in which you take part'],
  [2, 'in which you write'],
  [3, 'that you start'],
  [4, 'never by themselves'],
] as const

/** Asks the browser, which asks the user once. */
function Permission(): JSX.Element {
  const [permission, setPermission] = createSignal(hasNotifications ? Notification.permission : undefined)
  return (
    <Switch>
      <Match when={permission() === 'granted'}>
        <p class="quiet">This browser shows notifications while another window has the focus.</p>
      </Match>
      <Match when={permission() === 'default'}>
        <p>
          <button
            type="button"
            class="button primary"
            onClick={() => void Notification.requestPermission().then(setPermission)}
          >
            Allow notifications in this browser
          </button>
        </p>
      </Match>
      <Match when={permission() === 'denied'}>
        <p class="notice">This browser blocks the notifications of this page. Its own settings can allow them.</p>
      </Match>
      <Match when={permission() === undefined}>
        <p class="notice">This browser has no notifications.</p>
      </Match>
    </Switch>
  )
}
