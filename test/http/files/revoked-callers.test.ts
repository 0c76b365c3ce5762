// A worker whose memory is behind: it authenticates a caller whose credentials another worker has revoked, and whose revocation was confirmed.

import { once } from 'node:events'
import { connect } from 'node:net'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { readFile, sendFiles, upload } from '../../support/files.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { patchHead, TusClient } from '../../support/tus.js'
import { until } from '../until.js'

const server = await startServer(t)
const behind = await startServer(t, { DATA_DIR: server.config.dataDir }, server.organization)
const admin = await server.person({ role: 200 })
const tus = new TusClient(behind.url)
const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

/** Holds the directory of `behind` as it is, until so many requests have asked for a newer one or have been answered without it. */
function hold(times: number): { noteAnswer(): void } {
  const { directory } = behind.ctx
  const fresh = directory.fresh
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  let count = 0
  const note = () => {
    if (++count < times) return
    directory.fresh = fresh
    open()
  }
  directory.fresh = async () => {
    note()
    await opened
    return fresh.call(directory)
  }
  return { noteAnswer: note }
}

type Ask = () => Promise<{ readonly status: number }>

/** What an account asks of its files: by operations, and at the other doors. */
async function requestsOf(person: Person): Promise<{ doors: Record<string, Ask>; operations: Record<string, Ask> }> {
  const url = await upload(server.url, person, { name: 'own.png', type: 'image/png', bytes: new Uint8Array(picture) })
  const path = await tus.begin(person, 3)
  const [{ id }] = (await person.ok('GET', '/attachments')).attachments
  const api = behind.api(person)
  const below = (folder: string) => url.replace('/user_uploads/', folder)
  return {
    doors: {
      'the file': () => readFile(behind.url, person, url),
      'the file as a download': () => readFile(behind.url, person, below('/user_uploads/download/')),
      'its thumbnail': () => readFile(behind.url, person, `${below('/user_uploads/thumbnail/')}/840x560.webp`),
      'the file, by a key in the query': () => readFile(behind.url, null, `${url}?api_key=${person.api_key}`),
      'an upload that begins': () => tus.post(person, { 'Upload-Length': '1' }),
      'its state': () => tus.ask(person, 'HEAD', path),
      'its bytes': () => tus.send(person, path, 0, Buffer.from('abc')),
      'its end': () => tus.ask(person, 'DELETE', path),
    },
    operations: {
      'a temporary address': () => api.get(url),
      'the state of its thumbnails': () => api.get(below('/thumbnail/status/')),
      'the list of files': () => api.get('/attachments'),
      'a removal': () => api.delete(`/attachments/${id}`),
      'a form': () => sendFiles(behind.url, person, '/user_uploads', { files: [{ name: 'a', bytes: 'a' }] }),
    },
  }
}

async function allRefused(t: Test, requests: Readonly<Record<string, Ask>>, revoke: () => Promise<unknown>) {
  const { noteAnswer } = hold(Object.keys(requests).length)
  await revoke()
  const answers = Object.entries(requests).map(async ([what, ask]) => {
    const { status } = await ask()
    noteAnswer()
    t.equal(status, 401, what)
  })
  await Promise.all(answers)
}

t.test('an account that was deactivated', async t => {
  const person = await server.person()
  const { doors, operations } = await requestsOf(person)
  await allRefused(t, { ...doors, ...operations }, () => admin.ok('DELETE', `/users/${person.id}`))
})

t.test('a key that was replaced', async t => {
  const person = await server.person()
  const { doors } = await requestsOf(person)
  await allRefused(t, doors, () => person.ok('POST', '/users/me/api_key/regenerate'))
})

t.test('an upload that was under way becomes no file', async t => {
  const person = await server.person()
  const path = await tus.begin(person, 6)
  const socket = connect(Number(new URL(behind.url).port), '127.0.0.1')
  socket.write(`${patchHead(person, path, 0, 'Content-Length: 6')}abc`)
  await until(async () => (await server.sql`select from resumable_uploads where writer_until > now()`).length > 0)
  await admin.ok('DELETE', `/users/${person.id}`)
  socket.write('def')
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1.1 401 /)
  socket.destroy()
  t.same(await server.sql`select from attachments where user_id = ${person.id}`, [])
})
