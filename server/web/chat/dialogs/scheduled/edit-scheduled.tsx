import { createSignal, type JSX } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { laterTimes, zoneOf } from '../../../state/zoned-time.js'
import { useChat } from '../../chat.js'
import { useView } from '../../view.js'
import { FormDialog } from '../form-dialog.js'
import { OwnTime } from './time-choice.js'

/** Changes the text and the time of a scheduled message. One that failed gets another time. */
export function EditScheduled(props: { id: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const before = chat.state.scheduled_messages.find(one => one.scheduled_message_id === props.id)
  const [soonest] = laterTimes(Date.now(), zoneOf(chat.state))
  const due = (before?.scheduled_delivery_timestamp ?? 0) * 1000
  const start = before?.failed ? (soonest?.at ?? due) : due
  const [at, setAt] = createSignal(start)
  const save = async (form: FormData) => {
    const content = String(form.get('content'))
    await chat.ask('PATCH', `/scheduled_messages/${props.id}`, {
      ...(content !== before?.content && { content }),
      ...((at() !== due || before?.failed) && { scheduled_delivery_timestamp: Math.floor(at() / 1000) }),
    })
    view.open(undefined)
  }
  return (
    <FormDialog title={st('scheduled.editTitle')} submit={t('words.save')} work={save}>
      <label class="field">
        {st('scheduled.text')}
        <textarea
          class="input"
          dir="auto"
          name="content"
          rows={6}
          required
          maxLength={limits.max_message_length}
          value={before?.content ?? ''}
        />
      </label>
      <OwnTime at={at()} change={setAt} />
    </FormDialog>
  )
}
