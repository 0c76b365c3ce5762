// Workers are killed while files arrive, thumbnails are made and people vote. Each acknowledged file and vote exists once afterwards; files that
// were not acknowledged are removed.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { readFile, upload } from '../support/files.js'
import { basic } from '../support/http.js'
import type { Person } from '../support/people.js'
import { patchHead, type TusAnswer, TusClient } from '../support/tus.js'
import { rounds } from './support/amounts.js'
import { call } from './support/call.js'
import { Program } from './support/program.js'
import { registerQueue } from './support/queue.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const killWorkers = (program: Program) => {
  for (const pid of workersOf(program.pid)) signal(pid, 'SIGKILL')
}
const isReady = (person: Person) => async () => (await call(person, 'GET', '/users/me', { params: {} })).status === 200
const storedFiles = async ({ filesDirectory }: Program): Promise<string[]> =>
  (await readdir(filesDirectory, { recursive: true, withFileTypes: true }))
    .filter(one => one.isFile())
    .map(one => one.name)

/** Sends half of a file and then nothing. Resolves when the connection ends. */
function halfUpload(person: Person): Promise<void> {
  const head =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="half.bin"\r\nContent-Type: application/x-half\r\n\r\n'
  const headers = {
    Authorization: basic(person.who ?? { email: '', api_key: '' }),
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': 20_000_000,
  }
  return new Promise(resolve => {
    const asked = request(`${person.url}/api/v1/user_uploads`, { method: 'POST', headers, agent: false })
    asked.on('error', () => resolve())
    asked.on('response', () => resolve())
    asked.write(head)
    asked.write(Buffer.alloc(5_000_000))
  })
}

async function uploads(t: Test, program: Program, author: Person): Promise<void> {
  await mkdir(program.filesDirectory, { recursive: true })
  const broken = Promise.all(Array.from({ length: 5 }, () => halfUpload(author)))
  await eventually('files arrive', async () => (await program.sql`select from loose_files`).length >= 5)
  killWorkers(program)
  await broken
  await eventually('the workers are back', isReady(author))
  t.same((await author.ok('GET', '/attachments')).attachments, [], 'nothing half is a file')
  // As if a day had passed.
  await program.sql`update loose_files set remove_after = now()`
  await eventually('the bytes are removed', async () => (await program.sql`select from loose_files`).length === 0)
  const unfinished = await storedFiles(program)
  t.ok(unfinished.length > 0, 'the dead workers left what had arrived')
  const yesterday = new Date(Date.now() - 2 * 86_400_000)
  for (const name of unfinished) await utimes(join(program.filesDirectory, 'unfinished', name), yesterday, yesterday)
  // As if the hours had passed after which a worker looks for it.
  await program.sql`update jobs set due = now() where kind = 'forget-files'`
  killWorkers(program)
  await eventually('nothing is left', async () => (await storedFiles(program)).length === 0)
}

/** An upload in parts whose workers are killed while it sends: the client asks how much arrived, and sends the rest. */
async function resumed(t: Test, program: Program, author: Person): Promise<void> {
  const who = author.who ?? { email: '', api_key: '' }
  const tus = new TusClient(program.url)
  const bytes = randomBytes(30_000_000)
  const path = await tus.begin(who, bytes.length)
  const { hostname, port } = new URL(program.url)
  const isFree = async () =>
    (await tus.send(who, path, await tus.offsetOf(who, path), new Uint8Array(0))).status === 204
  for (let kills = 0; kills < 2; kills++) {
    await eventually('the dead worker gives way', isFree)
    const from = await tus.offsetOf(who, path)
    const socket = connect(Number(port), hostname)
    const gone = new Promise(resolve => socket.on('close', resolve))
    socket.on('error', () => {})
    socket.write(patchHead(who, path, from, `Content-Length: ${bytes.length - from}`))
    socket.write(bytes.subarray(from, from + 10_000_000))
    const received = async () => (await program.sql`select from resumable_uploads where received > ${from}`).length > 0
    await eventually('a part is stored', received)
    killWorkers(program)
    await gone
    await eventually('the workers are back', isReady(author))
  }
  let last: TusAnswer | undefined
  await eventually('the dead worker gives way', async () => {
    const from = await tus.offsetOf(who, path)
    t.ok(from >= 8_000_000, 'what was stored is still there')
    last = await tus.send(who, path, from, bytes.subarray(from))
    return last.status !== 423
  })
  t.equal(last?.status, 200)
  const file = await readFile(program.url, who, last?.body.url)
  t.ok(bytes.equals(Buffer.from(await file.arrayBuffer())), 'the file is what was sent')
  const { attachments } = await author.ok('GET', '/attachments')
  t.equal(attachments.length, 1)
  await author.ok('DELETE', `/attachments/${attachments[0].id}`)
  // As if a day had passed: the dead workers had begun parts that nothing continues.
  await program.sql`update loose_files set remove_after = now()`
  await eventually('no part is left', async () => (await program.sql`select from loose_files`).length === 0)
}

async function thumbnails(t: Test, program: Program, author: Person): Promise<void> {
  const bytes = (await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#357' } })
    .png()
    .toBuffer()) as Uint8Array<ArrayBuffer>
  const ids: number[] = []
  for (let i = 0; i < 6; i++) {
    const url = await upload(program.url, author.who ?? { email: '', api_key: '' }, {
      name: `photo${i}.png`,
      type: 'image/png',
      bytes,
    })
    const content = `[photo](${url})`
    ids.push((await author.ok('POST', '/messages', { type: 'direct', to: [author.id], content })).id)
  }
  killWorkers(program)
  await eventually('the workers are back', isReady(author))
  // As if the minute had passed that a worker has for a picture.
  await program.sql`update attachments set thumbnail_due = now() where thumbnail_due is not null`
  await eventually('all messages show their pictures', async () => {
    const rows = await program.sql`
      select from messages where id = any(${ids}::bigint[]) and rendered_content like '%/user_uploads/thumbnail/%'
        and rendered_content not like '%image-loading-placeholder%'`
    return rows.length === ids.length
  })
  const made = (await storedFiles(program)).filter(name => name === '840x560.webp')
  t.equal(made.length, ids.length, 'each thumbnail is stored once')
}

async function votes(t: Test, program: Program, author: Person, voters: readonly Person[]): Promise<void> {
  const message = { type: 'stream', to: 'order', topic: 'talk', content: '/poll Which?' }
  const { id: message_id } = await author.ok('POST', '/messages', message)
  const { queueId, last } = await registerQueue(author, { event_types: ['submessage'] })
  const acknowledged: string[] = []
  let isOver = false
  const voting = voters.map(async (voter, place) => {
    for (let n = 0; !isOver; n++) {
      const option = `${place} ${n}`
      const content = JSON.stringify({ type: 'new_option', option, idx: n % 1000 })
      const { status } = await call(voter, 'POST', '/submessage', {
        params: { message_id, msg_type: 'widget', content },
      })
      if (status === 200) acknowledged.push(option)
      else await sleep(20)
    }
  })
  for (let kills = 0; kills < 3; kills++) {
    const soFar = acknowledged.length
    await eventually('votes are acknowledged', () => acknowledged.length > soFar + 30)
    killWorkers(program)
  }
  await eventually('votes are acknowledged', isReady(author))
  isOver = true
  await Promise.all(voting)
  const stored = (await author.ok('GET', `/messages/${message_id}`)).message.submessages.slice(1)
  const options = stored.map((one: { content: string }) => JSON.parse(one.content).option as string)
  t.same(
    acknowledged.filter(option => options.filter((one: string) => one === option).length !== 1),
    [],
    'each acknowledged vote is stored once',
  )
  const received: number[] = []
  let from = last
  await eventually('all votes are delivered', async () => {
    const { status, body } = await author.get('/events', { queue_id: queueId, last_event_id: from, dont_block: true })
    if (status !== 200) return false
    for (const event of body.events) {
      from = event.id
      if (event.type === 'submessage') received.push(event.submessage_id)
    }
    return received.length >= stored.length
  })
  t.same(
    received,
    stored.map((one: { id: number }) => one.id),
    'every queue gets each vote once, in the order in which they are stored',
  )
}

t.test('files, thumbnails and votes survive the death of all workers', async t => {
  const program = await Program.start(t, { WORKERS: '2', RATE_LIMIT_USER: '0' })
  const author = await program.person()
  const voters = [await program.person(), await program.person(), await program.person()]
  for (const person of [author, ...voters]) {
    await person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'order' }] })
  }
  for (let round = 0; round < rounds; round++) {
    if (round === 0) await uploads(t, program, author)
    await resumed(t, program, author)
    await votes(t, program, author, voters)
    if (round === 0) await thumbnails(t, program, author)
  }
})
