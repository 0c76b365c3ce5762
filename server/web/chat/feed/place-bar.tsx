import { type JSX, Show } from 'solid-js'
import { placeOf } from '../../../../shared/resources/place.js'
import { Icon } from '../../look/icon.js'
import type { Message } from '../../state/chat-state.js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { channelName, conversationName, topicName } from '../names.js'
import { ChannelSign } from '../sidebar/channel-sign.js'
import { useView } from '../view.js'

/** The place of the messages below it, in views with several places. */
export function PlaceBar(props: { message: Message; narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const channel = () => {
    const place = placeOf(props.message, chat.state.user_id)
    return 'direct' in place ? undefined : place
  }
  const direct = () => {
    const place = placeOf(props.message, chat.state.user_id)
    return 'direct' in place ? place.direct : ''
  }
  return (
    <div class="place-bar">
      <Show
        when={channel()}
        fallback={
          <button type="button" class="place-name" onClick={() => view.go({ kind: 'direct', key: direct() })}>
            <Icon name="mention" size={15} /> {conversationName(chat.state, direct())}
          </button>
        }
      >
        {place => (
          <>
            <Show when={props.narrow.kind !== 'channel'}>
              <button
                type="button"
                class="place-name"
                onClick={() => view.go({ kind: 'channel', channelId: place().channelId })}
              >
                <ChannelSign id={place().channelId} /> {channelName(chat.state, place().channelId)}
              </button>
              <span class="place-step" aria-hidden="true">
                ›
              </span>
            </Show>
            <button type="button" class="place-name topic" onClick={() => view.go({ kind: 'topic', ...place() })}>
              {topicName(chat.state, place().topic)}
            </button>
          </>
        )}
      </Show>
    </div>
  )
}
