import { topicKey } from '../../../../shared/resources/topic.js'
import { visibilityPolicy } from '../../../../shared/resources/user-topic.js'
import { isFollowed, toggleResolved } from '../../state/topics.js'
import { useChat } from '../chat.js'
import { renameTopic } from '../move-messages.js'
import { useView } from '../view.js'

export interface TopicPlace {
  readonly channelId: number
  readonly topic: string
}

/** What one does with a topic. Each function shows why the server refused. */
export interface TopicActions {
  toggleFollowed(place: TopicPlace): Promise<void>
  toggleResolved(place: TopicPlace): Promise<void>
}

export function useTopicActions(): TopicActions {
  const chat = useChat()
  const view = useView()
  return {
    toggleFollowed: ({ channelId, topic }) =>
      chat.attempt(() => {
        const { inherit, followed } = visibilityPolicy
        const policy = isFollowed(chat.state, channelId, topic) ? inherit : followed
        return chat.ask('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: policy })
      }),
    toggleResolved: place =>
      chat.attempt(async () => {
        const name = toggleResolved(place.topic)
        await renameTopic(chat, place, name, true)
        const open = view.narrow()
        const isOpen = open?.kind === 'topic' && open.channelId === place.channelId
        if (isOpen && topicKey(open.topic) === topicKey(place.topic))
          view.go({ kind: 'topic', channelId: place.channelId, topic: name })
      }),
  }
}
