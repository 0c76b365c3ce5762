import { type JSX, Show } from 'solid-js'
import { numberText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { useChat } from '../chat.js'

/** The state of the connection; its title has the rate of events and the response time. */
export function Corner(): JSX.Element {
  const chat = useChat()
  const delay = () => {
    const ms = chat.meter.delay()
    return ms === undefined ? undefined : ms < 10 ? oneDigit(ms) : numberText(Math.round(ms))
  }
  const figures = () => {
    const ms = delay()
    return `${t('sidebar.rate', oneDigit(chat.meter.rate()))}${ms === undefined ? '' : `\n${t('sidebar.delay', ms)}`}`
  }
  const unsent = () => chat.state.outbox.filter(one => one.status !== 'refused').length
  return (
    <footer class="corner" data-phase={chat.phase()}>
      <span class="corner-state" role="status" title={chat.phase() === 'live' ? figures() : undefined}>
        <i class="corner-dot" />
        {t(`sidebar.state.${chat.phase()}`)}
      </span>
      <Show when={chat.phase() !== 'live' && unsent()}>{count => <span>{t('sidebar.toSend', count())}</span>}</Show>
    </footer>
  )
}

const oneDigit = (value: number): string => numberText(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
