import { type JSX, Show } from 'solid-js'
import { useChat } from '../chat.js'

/** The state of the connection, the rate of events and the response time. */
export function Corner(): JSX.Element {
  const chat = useChat()
  const words = () =>
    ({ connecting: 'Connecting …', live: 'Connected', resuming: 'Resuming …', closed: 'Signed out' })[chat.phase()]
  const delay = () => {
    const ms = chat.meter.delay()
    return ms === undefined ? undefined : ms < 10 ? ms.toFixed(1) : String(Math.round(ms))
  }
  const unsent = () => chat.state.outbox.filter(one => one.status !== 'refused').length
  return (
    <footer class="corner" data-phase={chat.phase()}>
      <span class="corner-state" role="status">
        <i class="corner-dot" />
        {words()}
      </span>
      <Show
        when={chat.phase() === 'live'}
        fallback={<Show when={unsent()}>{count => <span>{count()} to send</span>}</Show>}
      >
        <span title="Events of the last five seconds, per second">{chat.meter.rate().toFixed(1)} ev/s</span>
        <Show when={delay()}>
          {ms => <span title="From a request to its answer, of the last five">{ms()} ms</span>}
        </Show>
      </Show>
    </footer>
  )
}
