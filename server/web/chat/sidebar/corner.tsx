import { type JSX, Show } from 'solid-js'
import { numberText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { useChat } from '../chat.js'

/** The state of the connection, the rate of events and the response time. */
export function Corner(): JSX.Element {
  const chat = useChat()
  const delay = () => {
    const ms = chat.meter.delay()
    return ms === undefined ? undefined : ms < 10 ? oneDigit(ms) : numberText(Math.round(ms))
  }
  const unsent = () => chat.state.outbox.filter(one => one.status !== 'refused').length
  return (
    <footer class="corner" data-phase={chat.phase()}>
      <span class="corner-state" role="status">
        <i class="corner-dot" />
        {t(`sidebar.state.${chat.phase()}`)}
      </span>
      <Show
        when={chat.phase() === 'live'}
        fallback={<Show when={unsent()}>{count => <span>{t('sidebar.toSend', count())}</span>}</Show>}
      >
        <span title={t('sidebar.rateHint')}>{t('sidebar.rate', oneDigit(chat.meter.rate()))}</span>
        <Show when={delay()}>{ms => <span title={t('sidebar.delayHint')}>{t('sidebar.delay', ms())}</span>}</Show>
      </Show>
    </footer>
  )
}

const oneDigit = (value: number): string => numberText(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
