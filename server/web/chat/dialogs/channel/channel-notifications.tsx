import { For, type JSX, Show } from 'solid-js'
import type { Subscription } from '../../../../../shared/events/client-state.js'
import { topicKey } from '../../../../../shared/resources/topic.js'
import type { UserSettings } from '../../../../../shared/resources/user-settings.js'
import { visibilityPolicy } from '../../../../../shared/resources/user-topic.js'
import { st } from '../../../language/settings-language.js'
import { useChat } from '../../chat.js'
import { topicName } from '../../names.js'
import { SavedChoice } from '../saved-choice.js'
import { useSaving } from '../saving.js'

/** The settings of a channel, each with the one of the account that counts while it is null. */
const settings = [
  ['desktop_notifications', 'enable_stream_desktop_notifications'],
  ['audible_notifications', 'enable_stream_audible_notifications'],
  ['push_notifications', 'enable_stream_push_notifications'],
  ['email_notifications', 'enable_stream_email_notifications'],
  ['wildcard_mentions_notify', 'wildcard_mentions_notify'],
] as const

const policies = Object.keys(visibilityPolicy) as (keyof typeof visibilityPolicy)[]

/** Of which messages of a channel the user is notified; opened from a topic, also of those of the topic. */
export function ChannelNotifications(props: { channelId: number; topic?: string | undefined }): JSX.Element {
  const chat = useChat()
  return (
    <>
      {props.topic !== undefined && <OfTopic channelId={props.channelId} topic={props.topic} />}
      <Show
        when={chat.state.subscriptions[props.channelId]}
        fallback={<p class="quiet">{st('channelNotifications.notSubscribed')}</p>}
      >
        {channel => <OfChannel channel={channel()} />}
      </Show>
    </>
  )
}

function OfTopic(props: { channelId: number; topic: string }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const policy = () =>
    chat.state.user_topics[props.channelId]?.[topicKey(props.topic)]?.visibility_policy ?? visibilityPolicy.inherit
  return (
    <SavedChoice
      title={st('channelNotifications.topic', topicName(chat.state, props.topic))}
      value={String(policy())}
      options={policies.map(name => [String(visibilityPolicy[name]), st(`channelNotifications.policies.${name}`)])}
      save={chosen => {
        const params = { stream_id: props.channelId, topic: props.topic, visibility_policy: Number(chosen) }
        return save('POST', '/user_topics', params)
      }}
    />
  )
}

function OfChannel(props: { channel: Subscription }): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const account = (): Partial<UserSettings> => chat.state.user_settings
  return (
    <>
      <h3 class="part-title">{st('channelNotifications.channel')}</h3>
      <p class="quiet">
        {props.channel.is_muted ? st('channelNotifications.muted') : st('channelNotifications.meaning')}
      </p>
      <For each={settings}>
        {([name, ofAccount]) => (
          <SavedChoice
            title={st(`channelNotifications.${name}`)}
            value={String(props.channel[name])}
            options={[
              ...(props.channel[name] === null ? [['null', asAccount(account()[ofAccount])] as const] : []),
              ['true', st('channelNotifications.on')],
              ['false', st('channelNotifications.off')],
            ]}
            save={chosen => {
              const change = { stream_id: props.channel.stream_id, property: name, value: chosen === 'true' }
              return save('POST', '/users/me/subscriptions/properties', { subscription_data: [change] })
            }}
          />
        )}
      </For>
    </>
  )
}

const asAccount = (isOn: boolean | undefined): string =>
  isOn ? st('channelNotifications.asAccountOn') : st('channelNotifications.asAccountOff')
