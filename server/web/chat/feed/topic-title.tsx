import { createSignal, type JSX, Show } from 'solid-js'
import { Icon } from '../../look/icon.js'
import { useChat } from '../chat.js'
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
      const id = await anyMessage()
      if (id !== undefined)
        await chat.ask('PATCH', `/messages/${id}`, {
          topic: name,
          propagate_mode: 'change_all',
          send_notification_to_new_thread: false,
        })
      view.go({ kind: 'topic', channelId: props.channelId, topic: name })
    } catch (error) {
      chat.say((error as Error).message, 'bad')
    }
  }
  const anyMessage = async (): Promise<number | undefined> => {
    const narrow = [
      ['channel', props.channelId],
      ['topic', props.topic],
    ]
    const answer = await chat.ask('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
    return (answer.messages as { id: number }[])[0]?.id
  }
  return (
    <Show
      when={isEditing()}
      fallback={
        <>
          <span class="title-text">{topicName(chat.state, props.topic)}</span>
          <button
            type="button"
            class="icon-button small title-edit"
            aria-label="Rename topic"
            title="Rename topic"
            onClick={() => setEditing(true)}
          >
            <Icon name="edit" size={15} />
          </button>
        </>
      }
    >
      <input
        class="input title-input"
        aria-label="Name of the topic"
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
