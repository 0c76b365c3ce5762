import { randomBytes } from 'node:crypto'
import { HttpClient, jsonOf } from '../lib/http-client.js'
import type { Account } from '../lib/load-protocol.js'
import { serve } from '../lib/serve.js'

interface Sent {
  readonly port: number
  readonly sender: Account
}

/** Files that are sent at the same time, each at a connection of its own. */
export interface Uploads extends Sent {
  readonly do: 'upload'
  readonly kind: 'form' | 'tus'
  readonly together: number
  readonly bytes: number
}

/** A file that is read again and again; `bytes`: what each answer must have. */
export interface Downloads {
  readonly do: 'download'
  readonly port: number
  readonly path: string
  readonly readers: readonly Account[]
  readonly inFlight: number
  readonly count: number
  readonly bytes: number
}

/** Files that are sent one after the other, each followed by a message that shows it. */
export interface Shown extends Sent {
  readonly do: 'show'
  readonly channelId: number
  readonly type: string
  readonly file: Uint8Array
  readonly count: number
}

export type FileCommand = Uploads | Downloads | Shown

// The clients, in a separate process. Every request must succeed, and every answer must be whole.
serve(async (command: FileCommand): Promise<{ paths: readonly string[] }> => {
  const client = new HttpClient(command)
  if (command.do === 'download') await download(client, command)
  if (command.do === 'upload')
    await Promise.all(Array.from({ length: command.together }, () => upload(client, command)))
  return { paths: command.do === 'show' ? await show(client, command) : [] }
})

// Bytes that do not repeat within a chunk; the content of a file does not matter.
const chunk = randomBytes(256 * 1024)

function* bytesOf(size: number): Iterable<Uint8Array> {
  for (let at = 0; at < size; at += chunk.length) yield chunk.subarray(0, Math.min(chunk.length, size - at))
}

const upload = (client: HttpClient, { kind, sender, bytes }: Uploads): Promise<unknown> =>
  kind === 'form'
    ? sendForm(client, sender, { type: 'application/octet-stream', size: bytes, bytes: bytesOf(bytes) })
    : sendTus(client, sender, bytes)

async function sendTus(client: HttpClient, who: Account, bytes: number): Promise<void> {
  const version = { 'Tus-Resumable': '1.0.0' }
  const begin = { ...version, 'Upload-Length': bytes }
  const { status, headers: made } = await client.send({ method: 'POST', path: '/api/v1/tus/', who, headers: begin })
  if (status !== 201) throw new Error(`no upload: ${status}`)
  const path = new URL(String(made.location)).pathname
  const type = 'application/offset+octet-stream'
  const headers = { ...version, 'Upload-Offset': 0, 'Content-Type': type, 'Content-Length': bytes }
  jsonOf(await client.send({ method: 'PATCH', path, who, headers, body: bytesOf(bytes) }), 'tus')
}

/** Sends a file in a form, and returns its address. `bytes`: chunks that have `size` bytes together. */
async function sendForm(
  client: HttpClient,
  who: Account,
  { type, size, bytes }: { readonly type: string; readonly size: number; readonly bytes: Iterable<Uint8Array> },
) {
  const head = `--edge\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: ${type}\r\n\r\n`
  const [before, after] = [Buffer.from(head), Buffer.from('\r\n--edge--\r\n')]
  function* body() {
    yield before
    yield* bytes
    yield after
  }
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=edge',
    'Content-Length': before.length + size + after.length,
  }
  const path = '/api/v1/user_uploads'
  return String(jsonOf(await client.send({ method: 'POST', path, who, headers, body: body() }), 'upload').url)
}

async function download(client: HttpClient, { path, readers, inFlight, count, bytes }: Downloads): Promise<void> {
  let left = count
  const loop = async (_: unknown, i: number) => {
    const who = readers[i % readers.length] as Account
    while (left-- > 0) {
      const { status, body } = await client.send({ method: 'GET', path, who })
      if (status !== 200 || body.length !== bytes)
        throw new Error(`${status} with ${body.length} bytes in place of ${bytes}`)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, loop))
}

async function show(client: HttpClient, { sender, channelId, type, file, count }: Shown): Promise<string[]> {
  const paths: string[] = []
  for (let i = 0; i < count; i++) {
    const path = await sendForm(client, sender, { type, size: file.length, bytes: [file] })
    const message = { type: 'stream', to: channelId, topic: 'files', content: `[file](${path})` }
    await client.call(sender, 'POST', '/messages', message)
    paths.push(path)
  }
  return paths
}
