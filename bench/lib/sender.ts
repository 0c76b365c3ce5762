import { Agent, request } from 'node:http'
import type { Target } from './load-protocol.js'
import { textOf } from './receivers.js'

// Filler in the style of chat messages; with it a message has about 1 kB on the wire.
const filler = 'the quick brown fox jumps over the lazy dog and says that all of this has been said before '

/** Returns a function that sends the event with a number and resolves when the server has accepted it. */
export function senderFor(target: Target): (number: number) => Promise<void> {
  // Shorter than the server's keep-alive timeout: a request on a connection that the server closes would fail.
  const agent = new Agent({ keepAlive: true, timeout: 4000 })
  const { host, port, sender, channelId, textLength } = target
  const authorization = `Basic ${Buffer.from(`${sender.email}:${sender.api_key}`).toString('base64')}`
  const padding = filler.repeat(Math.ceil(textLength / filler.length))

  const post = (path: string, body: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = {
        authorization,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      }
      const call = request({ agent, host, port, path, method: 'POST', headers }, response => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', chunk => {
          answer += chunk
        })
        response.on('end', () => {
          if (response.statusCode === 200) resolve()
          else reject(new Error(`POST ${path}: ${response.statusCode} ${answer}`))
        })
      })
      call.on('error', reject)
      call.end(body)
    })

  if (target.isFloor) return () => post('/publish', '')
  return number => {
    const content = `${textOf(number)} ${padding}`.slice(0, textLength)
    const form = new URLSearchParams({ type: 'stream', to: String(channelId), topic: 'measurement', content })
    return post('/api/v1/messages', form.toString())
  }
}
