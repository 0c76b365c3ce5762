import type { JSX } from 'solid-js'
import { peopleOf } from '../../../../../shared/resources/place.js'
import { t } from '../../../language/language.js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { useChat } from '../../chat.js'
import { momentText } from '../../moment-text.js'
import { placeName } from '../../names.js'
import { useView, type Written } from '../../view.js'
import { Dialog } from '../dialog.js'
import { TimeChoice } from './time-choice.js'

/** Asks when the server is to send the message of the composer. */
export function SendLater(props: { written: Written }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const { error, attempt } = createAttempts()
  const schedule = (at: number) =>
    void attempt(async () => {
      const { place, content, done } = props.written
      const to =
        'direct' in place
          ? { type: 'direct', to: peopleOf(place.direct) }
          : { type: 'channel', to: place.channelId, topic: place.topic }
      const scheduled_delivery_timestamp = Math.floor(at / 1000)
      await chat.ask('POST', '/scheduled_messages', { ...to, content, scheduled_delivery_timestamp })
      done()
      view.open(undefined)
      chat.say(st('scheduled.isScheduled', momentText(chat.state, at)), 'plain', {
        title: st('scheduled.show'),
        work: () => view.go({ kind: 'scheduled' }),
      })
    })
  return (
    <Dialog title={t('composer.later')}>
      <p class="quiet" dir="auto">
        {st('scheduled.sendTo', placeName(chat.state, props.written.place))}
      </p>
      <TimeChoice submit={st('scheduled.schedule')} take={schedule} />
      <ErrorNotice text={error()} />
    </Dialog>
  )
}
