import { createSignal } from 'solid-js'
import type { Chat, Said } from './chat.js'

const saidMs = 6000
const offeredMs = 30_000

/** The short notice of the page: one at a time, for some seconds. */
export function createSaid(): Pick<Chat, 'said' | 'say' | 'sayFailure' | 'attempt'> {
  const [said, setSaid] = createSignal<Said>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const say: Chat['say'] = (sentence, manner = 'plain', offer) => {
    clearTimeout(timer)
    setSaid({ sentence, manner, ...(offer && { offer }) })
    timer = setTimeout(() => setSaid(undefined), offer ? offeredMs : saidMs)
  }
  const sayFailure = (error: unknown) => say((error as Error).message, 'bad')
  return {
    said,
    say,
    sayFailure,
    async attempt(work) {
      try {
        await work()
      } catch (error) {
        sayFailure(error)
      }
    },
  }
}
