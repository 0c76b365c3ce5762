import { onCleanup } from 'solid-js'
import { type Place, peopleOf, placeKey } from '../../../../shared/resources/place.js'
import type { Chat } from '../chat.js'

// The page drops a typing notice after 15 s (state/typing.ts), so it is repeated well before.
const againMs = 10_000
const stoppedMs = 5000

/** Sends a typing notice while the user writes to a place, and another one when the user stops. */
export function createTypingNotices(chat: Chat): { typed(place: Place): void; stopped(): void } {
  let sent: { place: Place; at: number } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  // The server refuses the notice if the user may not write to the place or has disabled notices; the page ignores
  // that.
  const send = (op: 'start' | 'stop', place: Place) => {
    if (chat.phase() === 'live') chat.ask('POST', '/typing', { op, ...recipientOf(place) }).catch(() => undefined)
  }
  const stopped = () => {
    clearTimeout(timer)
    if (sent) send('stop', sent.place)
    sent = undefined
  }
  onCleanup(stopped)
  return {
    typed(place) {
      if (sent && placeKey(sent.place) !== placeKey(place)) stopped()
      if (!sent || Date.now() - sent.at > againMs) {
        sent = { place, at: Date.now() }
        send('start', place)
      }
      clearTimeout(timer)
      timer = setTimeout(stopped, stoppedMs)
    },
    stopped,
  }
}

const recipientOf = (place: Place) =>
  'direct' in place
    ? { type: 'direct', to: peopleOf(place.direct) }
    : { type: 'channel', stream_id: place.channelId, topic: place.topic }
