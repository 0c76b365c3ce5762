import { onCleanup } from 'solid-js'
import { type Place, peopleOf, placeKey } from '../../../../shared/resources/place.js'
import type { Chat } from '../chat.js'

// The page drops a typing notice after 15 s (state/typing.ts), so it is repeated well before.
const againMs = 10_000
const stoppedMs = 5000

/** Sends a typing notice while the user writes to a place, and another one when the user stops. */
export function createTypingNotices(chat: Chat): { typed(place: Place): void; stopped(): void } {
  let told: { place: Place; at: number } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  // The server refuses the notice if the user may not write to the place or has disabled notices; the page ignores
  // that.
  const tell = (op: 'start' | 'stop', place: Place) => {
    if (chat.phase() === 'live') chat.ask('POST', '/typing', { op, ...whom(place) }).catch(() => undefined)
  }
  const stopped = () => {
    clearTimeout(timer)
    if (told) tell('stop', told.place)
    told = undefined
  }
  onCleanup(stopped)
  return {
    typed(place) {
      if (told && placeKey(told.place) !== placeKey(place)) stopped()
      if (!told || Date.now() - told.at > againMs) {
        told = { place, at: Date.now() }
        tell('start', place)
      }
      clearTimeout(timer)
      timer = setTimeout(stopped, stoppedMs)
    },
    stopped,
  }
}

const whom = (place: Place) =>
  'direct' in place
    ? { type: 'direct', to: peopleOf(place.direct) }
    : { type: 'channel', stream_id: place.channelId, topic: place.topic }
