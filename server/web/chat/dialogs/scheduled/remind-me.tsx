import { createSignal, type JSX } from 'solid-js'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { useChat } from '../../chat.js'
import { momentText } from '../../moment-text.js'
import { useView } from '../../view.js'
import { Dialog } from '../dialog.js'
import { TimeChoice } from './time-choice.js'

// As the operation allows it.
const longestNote = 1_000

/** Asks when the notification bot is to remind the user of a message, and takes a note. */
export function RemindMe(props: { messageId: number }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [note, setNote] = createSignal('')
  const { error, attempt } = createAttempts()
  const remind = (at: number) =>
    void attempt(async () => {
      await chat.ask('POST', '/reminders', {
        message_id: props.messageId,
        scheduled_delivery_timestamp: Math.floor(at / 1000),
        note: note().trim(),
      })
      view.open(undefined)
      chat.say(st('scheduled.isReminded', momentText(chat.state, at)), 'plain', {
        title: st('scheduled.show'),
        work: () => view.go({ kind: 'scheduled' }),
      })
    })
  return (
    <Dialog title={t('message.remind')}>
      <label class="field">
        {st('scheduled.note')}
        <textarea
          class="input"
          dir="auto"
          rows={2}
          maxLength={longestNote}
          value={note()}
          onInput={event => setNote(event.currentTarget.value)}
        />
      </label>
      <TimeChoice submit={st('scheduled.remind')} take={remind} />
      <ErrorNotice text={error()} />
    </Dialog>
  )
}
