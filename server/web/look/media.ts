import { createSignal } from 'solid-js'
import { listen } from './listen.js'

/** Whether a media query holds now, as a signal. */
export function createMedia(query: string): () => boolean {
  const list = matchMedia(query)
  const [holds, set] = createSignal(list.matches)
  listen(list, 'change', () => set(list.matches))
  return holds
}

/** Whether the device has a mouse; a touch screen opens its keyboard where a text box gets the focus. */
export const hasMouse = (): boolean => matchMedia('(hover: hover)').matches
