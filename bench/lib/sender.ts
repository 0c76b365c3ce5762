import { formOf, HttpClient, jsonOf } from './http-client.js'
import type { Target } from './load-protocol.js'
import { textOf } from './receivers.js'

// Filler in the style of chat messages; with it a message has about 1 kB on the wire.
const filler = 'the quick brown fox jumps over the lazy dog and says that all of this has been said before '

/** A text of this length that begins with `start`. */
export const paddedText = (start: string, length: number): string =>
  `${start} ${filler.repeat(Math.ceil(length / filler.length))}`.slice(0, length)

/** Returns a function that sends the event with a number and resolves when the server has accepted it. */
export function senderFor(
  target: Pick<Target, 'port' | 'isFloor' | 'sender' | 'channelId' | 'textLength'>,
): (number: number) => Promise<void> {
  const { port, isFloor, sender, channelId, textLength } = target
  const client = new HttpClient({ port })
  const post = async (path: string, params: Readonly<Record<string, string>>) => {
    const body = formOf(params)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    jsonOf(await client.send({ method: 'POST', path, who: sender, headers, body }), `POST ${path}`)
  }
  if (isFloor) return () => post('/publish', {})
  return number => {
    const content = paddedText(textOf(number), textLength)
    return post('/api/v1/messages', { type: 'stream', to: String(channelId), topic: 'measurement', content })
  }
}
