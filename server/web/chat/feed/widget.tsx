import { createMemo, For, type JSX, Match, Switch } from 'solid-js'
import { listText, numberText } from '../../language/format.js'
import { t } from '../../language/language.js'
import type { Message } from '../../state/chat-state.js'
import { nextNumber, type Poll, type Tasks, widgetOf } from '../../state/widgets.js'
import { useChat } from '../chat.js'
import { nameOf } from '../names.js'

type Act = (content: Readonly<Record<string, unknown>>) => void
interface Shown {
  readonly act: Act
  readonly number: () => number
}

/** A poll or a to-do list in place of its message's text. */
export function Widget(props: { message: Message }): JSX.Element {
  const chat = useChat()
  const widget = createMemo(() => widgetOf(props.message.submessages))
  const shown: Shown = {
    number: () => nextNumber(props.message.submessages, chat.state.user_id),
    act(content) {
      const params = { message_id: props.message.id, msg_type: 'widget', content: JSON.stringify(content) }
      chat.ask('POST', '/submessage', params).catch(chat.sayFailure)
    },
  }
  const poll = () => {
    const now = widget()
    return now && 'poll' in now ? now.poll : undefined
  }
  const tasks = () => {
    const now = widget()
    return now && 'tasks' in now ? now.tasks : undefined
  }
  return (
    <Switch>
      <Match when={poll()}>{given => <PollBox poll={given()} {...shown} />}</Match>
      <Match when={tasks()}>{given => <TaskBox tasks={given()} {...shown} />}</Match>
    </Switch>
  )
}

function PollBox(props: Shown & { poll: Poll }): JSX.Element {
  const chat = useChat()
  const me = () => chat.state.user_id
  const texts = createMemo(() => props.poll.options.map(option => option.key), [], {
    equals: (a, b) => a.join() === b.join(),
  })
  const optionOf = (key: string) => props.poll.options.find(option => option.key === key)
  return (
    <section class="widget" aria-label={t('widget.pollLabel', props.poll.question)}>
      <h2 class="widget-title" dir="auto">
        {props.poll.question || t('widget.poll')}
      </h2>
      <ul class="widget-list">
        <For each={texts()}>
          {key => {
            const voters = () => optionOf(key)?.voters ?? []
            const isOwn = () => voters().includes(me())
            const who = () => listText(voters().map(id => nameOf(chat.state, id)))
            return (
              <li class="widget-row">
                <button
                  type="button"
                  class="vote"
                  aria-pressed={isOwn()}
                  aria-label={t('widget.votes', optionOf(key)?.text ?? '', voters().length)}
                  onClick={() => props.act({ type: 'vote', key, vote: isOwn() ? -1 : 1 })}
                >
                  {numberText(voters().length)}
                </button>
                <span dir="auto">{optionOf(key)?.text}</span>
                <small class="widget-who">{who()}</small>
              </li>
            )
          }}
        </For>
      </ul>
      <NewLine
        label={t('widget.newOption')}
        add={option => props.act({ type: 'new_option', option, idx: props.number() })}
      />
    </section>
  )
}

function TaskBox(props: Shown & { tasks: Tasks }): JSX.Element {
  const keys = createMemo(() => props.tasks.tasks.map(task => task.key), [], {
    equals: (a, b) => a.join() === b.join(),
  })
  const taskOf = (key: string) => props.tasks.tasks.find(task => task.key === key)
  return (
    <section class="widget" aria-label={t('widget.tasksLabel', props.tasks.title)}>
      <h2 class="widget-title" dir="auto">
        {props.tasks.title || t('widget.tasks')}
      </h2>
      <ul class="widget-list">
        <For each={keys()}>
          {key => (
            <li class="widget-row">
              <label>
                <input
                  type="checkbox"
                  checked={taskOf(key)?.isDone}
                  onChange={() => props.act({ type: 'strike', key })}
                />{' '}
                <bdi>{taskOf(key)?.task}</bdi>
              </label>
              <small class="widget-who">{taskOf(key)?.desc}</small>
            </li>
          )}
        </For>
      </ul>
      <NewLine
        label={t('widget.newTask')}
        add={task => props.act({ type: 'new_task', key: props.number(), task, desc: '', completed: false })}
      />
    </section>
  )
}

function NewLine(props: { label: string; add: (text: string) => void }): JSX.Element {
  return (
    <form
      class="widget-new"
      onSubmit={event => {
        event.preventDefault()
        const form = event.currentTarget
        const text = String(new FormData(form).get('text')).trim()
        if (text === '') return
        props.add(text)
        form.reset()
      }}
    >
      <input class="input" dir="auto" name="text" aria-label={props.label} placeholder={props.label} maxLength={500} />
      <button type="submit" class="button">
        {t('words.add')}
      </button>
    </form>
  )
}
