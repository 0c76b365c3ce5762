import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { useChat } from '../chat.js'
import { renameTopic } from '../move-messages.js'
import { topicName } from '../names.js'
import { useView } from '../view.js'

/** The name of the open topic. A change of the name moves all of the topic's messages. */
export function TopicTitle(props: { channelId: number; topic: string }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [isEditing, setEditing] = createSignal(false)
  const rename = async (name: string) => {
    setEditing(false)
    if (name === props.topic || name === '') return
    try {
      await renameTopic(chat, props, name, false)
      view.go({ kind: 'topic', channelId: props.channelId, topic: name })
    } catch (error) {
      chat.sayFailure(error)
    }
  }
  return (
    <Show
      when={isEditing()}
      fallback={
        <>
          <span class="title-text" dir="auto">
            {topicName(chat.state, props.topic)}
          </span>
          <IconButton
            icon="edit"
            size={15}
            label={t('feed.renameTopic')}
            class="small title-edit"
            work={() => setEditing(true)}
          />
        </>
      }
    >
      <input
        class="input title-input"
        dir="auto"
        aria-label={t('feed.topicName')}
        maxLength={60}
        value={props.topic}
        ref={element => queueMicrotask(() => element.select())}
        onBlur={() => setEditing(false)}
        onKeyDown={event => {
          event.stopPropagation()
          if (event.key === 'Escape') setEditing(false)
          if (event.key === 'Enter' && !event.isComposing) void rename(event.currentTarget.value.trim())
        }}
      />
    </Show>
  )
}
