import { randomBytes } from 'node:crypto'
import { ask, jsonOf, sendForm, sendMessage, sizeOf } from './http-client.js'
import type { Downloads, FileCommand, Photographs, Uploads } from './protocol.js'

// The clients, in a separate process. Every request must succeed, and every answer must be whole.
process.on('disconnect', () => process.exit(0))
process.on('message', async (command: FileCommand) => {
  const begun = performance.now()
  const answer = await perform(command).then(
    urls => ({ ok: true, elapsedMs: performance.now() - begun, urls }),
    error => ({ ok: false, reason: String(error) }),
  )
  process.send?.(answer)
})

function perform(command: FileCommand): Promise<string[]> {
  switch (command.do) {
    case 'upload':
      return Promise.all(Array.from({ length: command.together }, () => upload(command)))
    case 'download':
      return download(command)
    case 'photographs':
      return photographs(command)
  }
}

// Bytes that do not repeat within a chunk; the content of a file does not matter.
const chunk = randomBytes(256 * 1024)

function* bytesOf(size: number): Iterable<Uint8Array> {
  for (let at = 0; at < size; at += chunk.length) yield chunk.subarray(0, Math.min(chunk.length, size - at))
}

const upload = (command: Uploads): Promise<string> =>
  command.kind === 'form'
    ? sendForm(command, 'application/octet-stream', command.bytes, bytesOf(command.bytes))
    : sendTus(command)

async function sendTus({ port, sender, bytes }: Uploads): Promise<string> {
  const version = { 'tus-resumable': '1.0.0' }
  const begin = { ...version, 'upload-length': bytes, 'content-length': 0 }
  const created = await ask({ port, method: 'POST', path: '/api/v1/tus/', who: sender, headers: begin })
  created.resume()
  const { location } = created.headers
  if (created.statusCode !== 201 || location === undefined) throw new Error(`no upload: ${created.statusCode}`)
  const path = new URL(location).pathname
  const type = 'application/offset+octet-stream'
  const headers = { ...version, 'upload-offset': 0, 'content-type': type, 'content-length': bytes }
  const body = bytesOf(bytes)
  return String((await jsonOf(await ask({ port, method: 'PATCH', path, who: sender, headers, body }))).url)
}

async function download({ port, path, readers, inFlight, count, bytes }: Downloads): Promise<string[]> {
  let left = count
  await Promise.all(
    Array.from({ length: inFlight }, async (_, i) => {
      const who = readers[i % readers.length]
      if (!who) throw new Error('there is no reader')
      while (left-- > 0) {
        const size = await sizeOf(await ask({ port, method: 'GET', path, who }))
        if (size !== bytes) throw new Error(`an answer has ${size} bytes in place of ${bytes}`)
      }
    }),
  )
  return []
}

async function photographs({ port, sender, channelId, jpeg, count }: Photographs): Promise<string[]> {
  const urls: string[] = []
  for (let i = 0; i < count; i++) {
    const url = await sendForm({ port, sender }, 'image/jpeg', jpeg.length, [jpeg])
    await sendMessage({ port, who: sender, channelId }, `[photograph](${url})`)
    urls.push(url)
  }
  return urls
}
