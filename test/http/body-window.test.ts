import type { HttpResponse } from 'uWebSockets.js'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { BodyStream } from '../../server/http/body-stream.js'
import { BodyWindow, blockBytes } from '../../server/http/body-window.js'
import { awayMessage, StorageFailure } from '../../server/storage/storage-failure.js'
import type { Teardown } from '../support/services.js'
import { until } from './until.js'

/** A connection that only knows whether it is read. */
class Source {
  isRead = false
  hold(): void {
    this.isRead = false
  }
  proceed(): void {
    this.isRead = true
  }
}

/** The part of a native response that a stream uses. */
class Native {
  isRead = true
  arrive: (chunk: ArrayBuffer, isLast: boolean) => void = () => {}
  onData(take: (chunk: ArrayBuffer, isLast: boolean) => void): void {
    this.arrive = take
  }
  pause(): void {
    this.isRead = false
  }
  resume(): void {
    this.isRead = true
  }
}

const minuteMs = 60_000

const temporary = mkdtempSync(join(tmpdir(), 'parley-body-'))
t.teardown(() => rmSync(temporary, { recursive: true }))
const spool = join(temporary, 'spool')

const windowOf = (blocks: number, patienceMs = minuteMs, directory = spool) =>
  new BodyWindow(blocks * blockBytes, patienceMs, directory)

/** A window with room for two blocks. */
const smallWindow = (patienceMs = minuteMs) => windowOf(2, patienceMs)

/** The number of open files in the directory, also of those without a name. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(spool)
    } catch {
      return false
    }
  }).length

function connected(t: Teardown, window: BodyWindow, seconds = 60) {
  const native = new Native()
  const stream = new BodyStream(native as unknown as HttpResponse, window, seconds)
  t.teardown(() => {
    stream.abandon()
    stream.settle()
  })
  return { native, stream }
}

const bytesOf = (size: number) => new Uint8Array(randomBytes(size)).buffer as ArrayBuffer
const textOf = ({ value }: IteratorResult<Uint8Array>) => Buffer.from(value).toString()
const chunk = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer

t.test('connections are read while there is room, and again when half of the blocks are given back', async t => {
  const window = windowOf(4)
  const [first, second, late] = [new Source(), new Source(), new Source()]
  window.want(first)
  window.want(second)
  t.ok(first.isRead && second.isRead)
  const blocks = [1, 2, 3].map(() => window.takeBlock())
  t.ok(first.isRead && second.isRead, 'below the bound')
  blocks.push(window.takeBlock(), window.takeBlock())
  t.notOk(first.isRead || second.isRead, 'all wait, not only the one that brought the bytes')
  window.want(late)
  t.notOk(late.isRead, 'a further one waits')
  const giveOne = () => window.giveBlock(blocks.pop() as Buffer)
  giveOne()
  giveOne()
  t.notOk(first.isRead, 'more than half is left')
  giveOne()
  t.ok(first.isRead && second.isRead && late.isRead)
})

t.test('a connection whose reader wants nothing, or that is gone, is left alone', async t => {
  const window = windowOf(1)
  const [gone, other] = [new Source(), new Source()]
  window.want(gone)
  window.want(other)
  const block = window.takeBlock()
  window.leave(gone)
  window.giveBlock(block)
  t.notOk(gone.isRead)
  t.ok(other.isRead)
})

t.test('a body arrives whole, in whatever pieces, and its connection is read only for a reader that waits', async t => {
  const { native, stream } = connected(t, smallWindow())
  t.notOk(native.isRead, 'no reader yet')
  // Of each group, all but the first arrive although the connection is not read.
  const groups = [[1], [blockBytes, 100], [3 * blockBytes + 5], [0, 17, 0, blockBytes - 1]]
  const sent: Buffer[] = []
  const got: Buffer[] = []
  for (const group of groups) {
    let next = stream.next()
    t.ok(native.isRead)
    for (const size of group) {
      const bytes = bytesOf(size)
      sent.push(Buffer.from(bytes))
      native.arrive(bytes, false)
    }
    t.notOk(native.isRead)
    for (let left = group.reduce((sum, size) => sum + size, 0); ; next = stream.next()) {
      const { value } = await next
      got.push(Buffer.from(value))
      left -= value.length
      if (left === 0) break
    }
  }
  const last = stream.next()
  native.arrive(bytesOf(0), true)
  t.match(await last, { done: true })
  t.ok(Buffer.concat(got).equals(Buffer.concat(sent)))
})

t.test('what does not fit into the window waits in a file without a name, in order', async t => {
  const { native, stream } = connected(t, smallWindow())
  for (let round = 0; round < 2; round++) {
    const sent = Buffer.from(bytesOf(30 * blockBytes + 9))
    let next = stream.next()
    for (let at = 0; at < sent.length; at += 4 * blockBytes) {
      native.arrive(new Uint8Array(sent.subarray(at, at + 4 * blockBytes)).buffer, false)
    }
    t.equal(openFiles(), 1)
    t.same(readdirSync(spool), [])
    t.notOk(native.isRead, 'its connection waits until the reader has used all')
    const got: Buffer[] = []
    for (let left = sent.length; ; next = stream.next()) {
      const { value } = await next
      got.push(Buffer.from(value))
      left -= value.length
      if (left === 0) break
    }
    t.ok(Buffer.concat(got).equals(sent))
  }
  stream.settle()
  t.equal(openFiles(), 0)
})

t.test('while the store stands still, what arrives goes to memory, and everything keeps its order', async t => {
  const { native, stream } = connected(t, smallWindow())
  const sent = Buffer.from(bytesOf(14 * blockBytes))
  const got: Buffer[] = []
  let at = 0
  const arrive = (blocks: number) => {
    native.arrive(new Uint8Array(sent.subarray(at, at + blocks * blockBytes)).buffer, false)
    at += blocks * blockBytes
  }
  const readOne = async () => got.push(Buffer.from((await stream.next()).value))
  const first = stream.next()
  arrive(1)
  got.push(Buffer.from((await first).value))
  arrive(1)
  t.equal(openFiles(), 0)
  await sleep(600)
  arrive(3)
  t.equal(openFiles(), 0, 'nothing was stored for half a second')
  await readOne()
  arrive(4)
  t.equal(openFiles(), 1, 'the store makes progress')
  await sleep(600)
  arrive(3)
  await readOne()
  arrive(2)
  while (got.length < 14) await readOne()
  t.ok(Buffer.concat(got).equals(sent))
})

t.test('two bodies that do not fit keep their bytes apart, and a third one waits for both', async t => {
  const window = smallWindow()
  const bodies = [connected(t, window), connected(t, window)].map(body => ({ ...body, sent: bytesOf(5 * blockBytes) }))
  const firsts = bodies.map(({ stream }) => stream.next())
  for (const { native, sent } of bodies) native.arrive(sent, true)
  const other = new Source()
  window.want(other)
  t.notOk(other.isRead)
  for (const [i, { stream, sent }] of bodies.entries()) {
    const got = [Buffer.from((await firsts[i])?.value)]
    for await (const bytes of stream) got.push(Buffer.from(bytes))
    t.ok(Buffer.concat(got).equals(Buffer.from(sent)))
    stream.settle()
  }
  t.ok(other.isRead)
  t.equal(openFiles(), 0)
})

t.test('a body whose file cannot be written is refused as a failure of the store, and gives its room back', async t => {
  const file = join(temporary, 'file')
  writeFileSync(file, '')
  const window = windowOf(1, minuteMs, join(file, 'spool'))
  const { native, stream } = connected(t, window)
  const other = new Source()
  const first = stream.next()
  native.arrive(bytesOf(blockBytes), false)
  await first
  native.arrive(bytesOf(2 * blockBytes), false)
  window.want(other)
  t.notOk(other.isRead)
  await t.rejects(stream.next(), { constructor: StorageFailure, message: awayMessage })
  t.ok(other.isRead)
})

t.test('a chunk that a reader uses is not written over, also when its client leaves', async t => {
  const window = windowOf(100)
  const [gone, other] = [connected(t, window), connected(t, window)]
  const first = gone.stream.next()
  gone.native.arrive(chunk('first'), false)
  const taken = await first
  gone.native.arrive(chunk('second'), false)
  gone.stream.abandon()
  const reading = other.stream.next()
  other.native.arrive(chunk('other'), true)
  t.equal(textOf(await reading), 'other')
  t.equal(textOf(taken), 'first')
  await t.rejects(gone.stream.next(), { message: 'The connection ended before the body did.' })
})

t.test('a body that breaks off, is refused or answered gives its room back', async t => {
  const ends: Record<string, (stream: BodyStream) => unknown> = {
    'its client leaves': stream => stream.abandon(),
    'the request is refused': stream => stream.destroy(new Error('refused')),
    'the request is answered': stream => stream.settle(),
    'the server stops': stream => stream.destroy(new DOMException('stops', 'AbortError')),
  }
  for (const [what, end] of Object.entries(ends)) {
    const window = smallWindow()
    const { native, stream } = connected(t, window)
    const other = new Source()
    void stream.next()
    native.arrive(bytesOf(3 * blockBytes), false)
    window.want(other)
    t.notOk(other.isRead)
    end(stream)
    t.ok(other.isRead, what)
  }
})

t.test('a chunk in use counts until its reader asks for more, or the request has its answer', async t => {
  for (const done of [(stream: BodyStream) => stream.next(), (stream: BodyStream) => stream.settle()]) {
    const window = windowOf(1)
    const { native, stream } = connected(t, window)
    const other = new Source()
    const next = stream.next()
    native.arrive(chunk('x'), false)
    await next
    window.want(other)
    stream.abandon()
    t.notOk(other.isRead)
    await Promise.resolve(done(stream)).catch(() => {})
    t.ok(other.isRead)
  }
})

t.test('a client that sends nothing is given up although its connection is not read again and again', async t => {
  const window = windowOf(1)
  const { stream } = connected(t, window, 1)
  const flips = setInterval(() => window.giveBlock(window.takeBlock()), 100)
  t.teardown(() => clearInterval(flips))
  await t.rejects(stream.next(), { code: 'REQUEST_TIMEOUT' })
})

t.test('an upload whose store stands still is refused after a time, and its room goes to the others', async t => {
  const window = smallWindow(1000)
  const [stuck, other] = [connected(t, window), new Source()]
  const next = stuck.stream.next()
  stuck.native.arrive(bytesOf(4 * blockBytes), true)
  await next
  window.want(other)
  t.notOk(other.isRead)
  await until(() => other.isRead)
  await t.rejects(stuck.stream.next(), { code: 'SERVER_NOT_READY' }, 'the store works again')
})

t.test('an upload that waits for room for too long is refused', async t => {
  const window = smallWindow(1000)
  const { native, stream } = connected(t, window)
  window.takeBlock()
  window.takeBlock()
  const next = stream.next()
  t.notOk(native.isRead)
  await t.rejects(next, { code: 'SERVER_NOT_READY' })
})
