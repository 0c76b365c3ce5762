import { type JSX, Show } from 'solid-js'
import { topicKey } from '../../../../shared/resources/topic.js'
import { visibilityPolicy } from '../../../../shared/resources/user-topic.js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { mayResolveTopics } from '../../state/permissions.js'
import { isFollowed, isResolved, toggleResolved } from '../../state/topics.js'
import { useChat } from '../chat.js'
import { renameTopic } from '../move-messages.js'
import { useView } from '../view.js'

interface TopicPlace {
  readonly channelId: number
  readonly topic: string
}

/** What one does with a topic. Each function says why the server refused. */
export function useTopicDeeds() {
  const chat = useChat()
  const view = useView()
  return {
    toggleFollowed: ({ channelId, topic }: TopicPlace) =>
      chat.attempt(() =>
        chat.ask('POST', '/user_topics', {
          stream_id: channelId,
          topic,
          visibility_policy: isFollowed(chat.state, channelId, topic)
            ? visibilityPolicy.inherit
            : visibilityPolicy.followed,
        }),
      ),
    toggleResolved: (place: TopicPlace) =>
      chat.attempt(async () => {
        const name = toggleResolved(place.topic)
        await renameTopic(chat, place, name, true)
        const open = view.narrow()
        if (
          open?.kind === 'topic' &&
          open.channelId === place.channelId &&
          topicKey(open.topic) === topicKey(place.topic)
        )
          view.go({ kind: 'topic', channelId: place.channelId, topic: name })
      }),
  }
}

/** Buttons that resolve and follow the open topic; a phone has them in the menu alone. */
export function TopicDeeds(props: TopicPlace): JSX.Element {
  const chat = useChat()
  const deeds = useTopicDeeds()
  const place = () => ({ channelId: props.channelId, topic: props.topic })
  const follows = () => isFollowed(chat.state, props.channelId, props.topic)
  const resolved = () => isResolved(props.topic)
  return (
    <span class="topic-deeds">
      <Show when={props.topic !== '' && mayResolveTopics(chat.state, props.channelId)}>
        <IconButton
          icon="check"
          label={t('feed.resolved')}
          title={resolved() ? t('feed.reopen') : t('feed.resolve')}
          isPressed={resolved()}
          work={() => void deeds.toggleResolved(place())}
        />
      </Show>
      <IconButton
        icon="bell"
        label={t('feed.followed')}
        title={follows() ? t('feed.unfollow') : t('feed.follow')}
        isPressed={follows()}
        work={() => void deeds.toggleFollowed(place())}
      />
    </span>
  )
}
