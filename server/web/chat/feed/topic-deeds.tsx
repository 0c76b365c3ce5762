import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { mayResolveTopics } from '../../state/permissions.js'
import { isFollowed, isResolved } from '../../state/topics.js'
import { useChat } from '../chat.js'
import { type TopicPlace, useTopicActions } from './topic-actions.js'

/** Buttons that resolve and follow the open topic; a phone has them in the menu alone. */
export function TopicDeeds(props: TopicPlace): JSX.Element {
  const chat = useChat()
  const deeds = useTopicActions()
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
        icon="follow"
        label={t('feed.followed')}
        title={follows() ? t('feed.unfollow') : t('feed.follow')}
        isPressed={follows()}
        work={() => void deeds.toggleFollowed(place())}
      />
    </span>
  )
}
