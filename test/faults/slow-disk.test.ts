// The disk of the files is slow: for longer than the time after which uWebSockets gives a silent connection up, it takes nothing, or does not
// say that it has stored what it took. Uploads wait for it and succeed.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Storage } from '../../server/storage/storage.js'
import { readFile, upload } from '../support/files.js'
import { startServer } from '../support/server.js'
import { TusClient } from '../support/tus.js'

// uWebSockets closes a connection 10 to 14 s after the last sign of it.
const slowMs = 16_000
const size = 3_000_000

type Write = Storage['write']

const slow: Record<string, (write: Write) => Write> = {
  'takes nothing': write => async (key, source) => {
    await sleep(slowMs)
    return write(key, source)
  },
  'stops in the middle': write => (key, source) => write(key, pausing(source)),
  'is late with its answer': write => async (key, source) => {
    const stored = await write(key, source)
    await sleep(slowMs)
    return stored
  },
}

// At the same time, because each takes as long as the disk is slow.
for (const [what, slowed] of Object.entries(slow)) {
  t.test(`uploads outlast a disk that ${what}`, { buffered: true }, async t => {
    const server = await startServer(t)
    const { storage } = server.ctx
    const write: Write = storage.write.bind(storage)
    const person = await server.person()
    const tus = new TusClient(server.url)
    const paths = [await tus.begin(person, size), await tus.begin(person, size)]
    const bytes = randomBytes(size)
    // Only the first write of each upload: the last one of a resumable upload joins its parts.
    storage.write = (key, source) =>
      paths.some(path => path.endsWith(key)) ? write(key, source) : slowed(write)(key, source)
    const form = () =>
      upload(server.url, person, { name: 'slow.bin', type: 'application/octet-stream', bytes: new Uint8Array(bytes) })
    // Together more than a worker holds, so that they also wait for each other.
    const urls = await Promise.all([
      form(),
      form(),
      ...paths.map(async path => String((await tus.send(person, path, 0, bytes)).body.url)),
    ])
    for (const url of urls) {
      const file = await readFile(server.url, person, url)
      t.ok(bytes.equals(Buffer.from(await file.arrayBuffer())), url)
    }
  })
}
t.jobs = Object.keys(slow).length

async function* pausing(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isFirst = true
  for await (const chunk of source) {
    yield chunk
    if (isFirst) await sleep(slowMs)
    isFirst = false
  }
}
