import { createEffect, createMemo, For, type JSX, on, Show } from 'solid-js'
import { conversationKey, type Place } from '../../../../shared/resources/place.js'
import type { Reminder } from '../../../../shared/resources/reminder.js'
import type { ScheduledMessage } from '../../../../shared/resources/scheduled-message.js'
import { language, t } from '../../language/language.js'
import { openSettingsTexts, st } from '../../language/settings-language.js'
import { Icon } from '../../look/icon.js'
import { SureButton } from '../../look/sure-button.js'
import { narrowOfPlace } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { markupOf, readerOf } from '../markup.js'
import { momentText } from '../moment-text.js'
import { placeName } from '../names.js'
import { useView } from '../view.js'
import './scheduled.css'

/** Messages and reminders of a later time, each list with the next one first. */
export function ScheduledList(): JSX.Element {
  const chat = useChat()
  createEffect(on(language, () => void chat.attempt(openSettingsTexts), { defer: true }))
  const messages = () => chat.state.scheduled_messages
  const reminders = () => chat.state.reminders
  return (
    <>
      <Show when={messages().length + reminders().length === 0}>
        <div class="home-empty">
          <Icon name="clock" size={36} />
          <p>{st('scheduled.none')}</p>
        </div>
      </Show>
      <Part title={st('scheduled.messages')} ids={messages().map(one => one.scheduled_message_id)}>
        {id => (
          <Show when={messages().find(one => one.scheduled_message_id === id)}>
            {message => <MessageItem message={message()} />}
          </Show>
        )}
      </Part>
      <Part title={st('scheduled.reminders')} ids={reminders().map(one => one.reminder_id)}>
        {id => (
          <Show when={reminders().find(one => one.reminder_id === id)}>
            {reminder => <ReminderItem reminder={reminder()} />}
          </Show>
        )}
      </Part>
    </>
  )
}

/** By ids, so that a change of one entry keeps the others, and the focus. */
function Part(props: { title: string; ids: readonly number[]; children: (id: number) => JSX.Element }): JSX.Element {
  return (
    <Show when={props.ids.length > 0}>
      <section aria-label={props.title}>
        <h2 class="home-title">{props.title}</h2>
        <ul class="scheduled-list">
          <For each={props.ids}>{id => <li class="scheduled card">{props.children(id)}</li>}</For>
        </ul>
      </section>
    </Show>
  )
}

function MessageItem(props: { message: ScheduledMessage }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const id = () => props.message.scheduled_message_id
  const place = createMemo(() => placeOf(props.message, chat.state.user_id))
  const name = () => placeName(chat.state, place())
  // An edit of the time sends it within a second, and never twice.
  const sendNow = () => change('PATCH', { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 1 })
  const change = (method: 'PATCH' | 'DELETE', params = {}) =>
    chat.attempt(() => chat.ask(method, `/scheduled_messages/${id()}`, params))
  return (
    <>
      <header class="scheduled-head">
        <button type="button" class="scheduled-place" dir="auto" onClick={() => view.go(narrowOfPlace(place()))}>
          {name()}
        </button>
        <Due at={props.message.scheduled_delivery_timestamp} isFailed={props.message.failed} />
      </header>
      <Failure text={props.message.failed ? st('scheduled.failed') : undefined} />
      <Content html={props.message.rendered_content} />
      <div class="scheduled-deeds">
        <button
          type="button"
          class="button"
          aria-label={st('scheduled.editOne', name())}
          onClick={() => view.open({ scheduled: id() })}
        >
          {st('scheduled.edit')}
        </button>
        <button
          type="button"
          class="button"
          aria-label={st('scheduled.sendOneNow', name())}
          onClick={() => void sendNow()}
        >
          {st('scheduled.sendNow')}
        </button>
        <SureButton
          title={t('words.delete')}
          label={st('scheduled.deleteOne', name())}
          sureTitle={st('scheduled.reallyDelete')}
          work={() => change('DELETE')}
        />
      </div>
    </>
  )
}

function ReminderItem(props: { reminder: Reminder }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const remove = () => chat.attempt(() => chat.ask('DELETE', `/reminders/${props.reminder.reminder_id}`))
  return (
    <>
      <header class="scheduled-head">
        <Due at={props.reminder.scheduled_delivery_timestamp} isFailed={props.reminder.failed} />
      </header>
      <Failure text={props.reminder.failed ? st('scheduled.reminderFailed') : undefined} />
      <Content html={props.reminder.rendered_content} />
      <div class="scheduled-deeds">
        <button
          type="button"
          class="button"
          onClick={() => view.follow(`#narrow/near/${props.reminder.reminder_target_message_id}`)}
        >
          {st('scheduled.showMessage')}
        </button>
        <SureButton
          title={t('words.delete')}
          label={st('scheduled.deleteReminder')}
          sureTitle={st('scheduled.reallyDelete')}
          work={remove}
        />
      </div>
    </>
  )
}

function Failure(props: { text: string | undefined }): JSX.Element {
  return <Show when={props.text}>{text => <p class="notice bad">{text()}</p>}</Show>
}

/** `at` in UNIX seconds. */
function Due(props: { at: number; isFailed: boolean }): JSX.Element {
  const chat = useChat()
  const time = () => new Date(props.at * 1000)
  return (
    <time class="scheduled-time" classList={{ failed: props.isFailed }} dateTime={time().toISOString()}>
      {momentText(chat.state, time().getTime())}
    </time>
  )
}

function Content(props: { html: string }): JSX.Element {
  const chat = useChat()
  let place: HTMLDivElement | undefined
  createEffect(() => place?.replaceChildren(markupOf(props.html, readerOf(chat))))
  return <div class="content scheduled-text" dir="auto" ref={place} />
}

const placeOf = ({ type, to, topic = '' }: ScheduledMessage, me: number): Place =>
  type === 'stream' ? { channelId: Number(to), topic } : { direct: conversationKey([to].flat(), me) }
