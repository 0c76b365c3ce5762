import { type JSX, Show } from 'solid-js'
import { placeOf } from '../../../../shared/resources/place.js'
import { Icon } from '../../look/icon.js'
import type { Match, Message } from '../../state/chat-state.js'
import type { Narrow } from '../../state/narrow.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { Description } from '../description.js'
import { channelName, conversationName, topicName } from '../names.js'
import { useView } from '../view.js'

const several: ReadonlySet<Narrow['kind']> = new Set(['search', 'mentions', 'starred'])

/** The place of the messages below it, in views with several places. */
export function PlaceBar(props: { message: Message; narrow: Narrow; match?: Match | undefined }): JSX.Element {
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
  /** Where single messages of many places are shown, their places open at them. */
  const at = () => (several.has(props.narrow.kind) ? { near: props.message.id } : {})
  return (
    <div class="place-bar">
      <Show
        when={channel()}
        fallback={
          <button
            type="button"
            class="place-name"
            dir="auto"
            onClick={() => view.go({ kind: 'direct', key: direct() }, at())}
          >
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
                dir="auto"
                onClick={() => view.go({ kind: 'channel', channelId: place().channelId })}
              >
                <ChannelSign id={place().channelId} /> {channelName(chat.state, place().channelId)}
              </button>
              <span class="place-step" aria-hidden="true">
                ›
              </span>
            </Show>
            <button
              type="button"
              class="place-name topic"
              dir="auto"
              onClick={() => view.go({ kind: 'topic', ...place() }, at())}
            >
              <Show when={props.match?.subject} fallback={topicName(chat.state, place().topic)}>
                {html => <Description html={html()} />}
              </Show>
            </button>
          </>
        )}
      </Show>
    </div>
  )
}
