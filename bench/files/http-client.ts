import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Account } from '../lib/load-protocol.js'

export interface Ask {
  readonly port: number
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly who: Account
  readonly headers?: Readonly<Record<string, string | number>>
  /** Written as fast as the server reads it. */
  readonly body?: Iterable<Uint8Array>
}

// Shorter than the server's keep-alive timeout: a request on a connection that the server closes would fail.
const agent = new Agent({ keepAlive: true, timeout: 4000 })

/** Resolves with the head of the answer. */
export function ask({ port, method, path, who, headers, body = [] }: Ask): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(`${who.email}:${who.api_key}`).toString('base64')}`
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers: { authorization, ...headers } })
    asked.once('response', resolve)
    asked.once('error', reject)
    pipeline(Readable.from(body), asked).catch(reject)
  })
}

/** The number of bytes of an answer. @throws unless its status is 200 and it is complete */
export async function sizeOf(answer: IncomingMessage): Promise<number> {
  let size = 0
  for await (const chunk of answer) size += (chunk as Buffer).length
  if (answer.statusCode !== 200) throw new Error(`the file was refused: ${answer.statusCode}`)
  return size
}

/** The JSON of an answer. @throws unless it succeeded */
export async function jsonOf(answer: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  if (answer.statusCode !== 200) throw new Error(`refused: ${answer.statusCode} ${text}`)
  return JSON.parse(text)
}

/** Sends a message to a channel. @throws if it is refused */
export async function sendMessage(
  { port, who, channelId }: { readonly port: number; readonly who: Account; readonly channelId: number },
  content: string,
): Promise<void> {
  const form = new URLSearchParams({ type: 'stream', to: String(channelId), topic: 'files', content })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = [Buffer.from(form.toString())]
  await jsonOf(await ask({ port, method: 'POST', path: '/api/v1/messages', who, headers, body }))
}

/** Sends a file in a form, and returns its address. `bytes`: chunks that have `size` bytes together. */
export async function sendForm(
  { port, sender }: { readonly port: number; readonly sender: Account },
  type: string,
  size: number,
  bytes: Iterable<Uint8Array>,
): Promise<string> {
  const before = Buffer.from(
    `--edge\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: ${type}\r\n\r\n`,
  )
  const after = Buffer.from('\r\n--edge--\r\n')
  function* body() {
    yield before
    yield* bytes
    yield after
  }
  const headers = {
    'content-type': 'multipart/form-data; boundary=edge',
    'content-length': before.length + size + after.length,
  }
  const path = '/api/v1/user_uploads'
  return String((await jsonOf(await ask({ port, method: 'POST', path, who: sender, headers, body: body() }))).url)
}
