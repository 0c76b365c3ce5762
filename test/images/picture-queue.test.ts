import sharp from 'sharp'
import t, { type Test } from 'tap'
import { budgets } from '../../server/config/budgets.js'
import type { Drawing } from '../../server/images/drawing.js'
import { DecoderFailure, PictureQueue } from '../../server/images/picture-queue.js'
import { createLog } from '../../server/log.js'
import { until } from '../http/until.js'

// Longer than a test takes.
const longMs = 100_000
const square: Drawing = { kind: 'square' }
const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

function open(t: Test, times: { decodeMs?: number; waitMs?: number } = {}): PictureQueue {
  const queue = new PictureQueue(createLog('silent', 'test'), undefined, { decodeMs: longMs, waitMs: longMs, ...times })
  t.teardown(() => queue.stop())
  return queue
}

/** Begins a picture that is never ready, because its decoder is stopped. Returns the decoder. */
async function begin(queue: PictureQueue, signal?: AbortSignal) {
  // A decoder that waits for a picture is stopped before it can be ready with this one; a new one needs a while to start.
  const idle = queue.decoderPid
  if (idle !== undefined) process.kill(idle, 'SIGSTOP')
  const slow = queue.draw({ account: 1, file: png, signal }, square)
  // A test that looks at the outcome gets it, too.
  slow.catch(() => undefined)
  await until(() => queue.decoderPid !== undefined)
  const pid = queue.decoderPid as number
  process.kill(pid, 'SIGSTOP')
  return { slow, pid, goOn: () => process.kill(pid, 'SIGCONT') }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test('an account with many pictures delays another one by the picture that is being decoded', async t => {
  const queue = open(t)
  const { slow, goOn } = await begin(queue)
  const order: string[] = []
  const note = (name: string) => () => order.push(name)
  const most = budgets.picturesWaiting.most
  const many = Array.from({ length: most }, () => queue.draw({ account: 1, file: png }, square).then(note('many')))
  const other = queue.draw({ account: 2, file: png }, square).then(note('other'))
  t.equal(queue.waiting, most + 1)
  await t.rejects(queue.draw({ account: 1, file: png }, square), { code: 'SERVER_NOT_READY', message: /your pictures/ })
  goOn()
  await Promise.all([slow, other, ...many])
  t.same(order, ['other', ...Array(most).fill('many')])
})

t.test('the size of a picture comes before all drawings', async t => {
  const queue = open(t)
  const { slow, goOn } = await begin(queue)
  const order: string[] = []
  const drawing = queue.draw({ account: 2, file: png }, square).then(() => order.push('drawing'))
  const header = queue.draw({ account: 1, file: png }, { kind: 'header' }).then(() => order.push('header'))
  goOn()
  await Promise.all([slow, drawing, header])
  t.same(order, ['header', 'drawing'])
})

t.test('a picture whose caller leaves is not decoded', async t => {
  const queue = open(t)
  const { slow, goOn } = await begin(queue)
  const caller = new AbortController()
  let reads = 0
  const file = async () => {
    reads++
    return png
  }
  const waiting = queue.draw({ account: 1, file, signal: caller.signal }, square)
  const late = queue.draw({ account: 1, file, signal: AbortSignal.abort() }, square)
  await t.rejects(late, { code: 'SERVER_NOT_READY' })
  caller.abort()
  await t.rejects(waiting, { code: 'SERVER_NOT_READY' })
  t.equal(queue.waiting, 0)
  goOn()
  await slow
  t.equal(reads, 0)
})

t.test('the decoder ends when the caller of its picture leaves, and the next picture gets another one', async t => {
  const queue = open(t)
  const caller = new AbortController()
  const { slow, pid } = await begin(queue, caller.signal)
  const next = queue.draw({ account: 2, file: png }, square)
  caller.abort()
  await t.rejects(slow, { code: 'SERVER_NOT_READY' })
  t.equal((await next).made.length, 2)
  t.equal(isRunning(pid), false)
  t.match(queue.counts, { abandoned: 1, drawn: 1, died: 0 })
})

t.test('while the server drains, the signals of requests do not stop their pictures', async t => {
  const queue = open(t)
  const caller = new AbortController()
  const { slow, goOn } = await begin(queue, caller.signal)
  queue.drain()
  caller.abort()
  goOn()
  t.equal((await slow).made.length, 2)
})

t.test('a deadline ends the decoder', async t => {
  const queue = open(t, { decodeMs: 3000 })
  const { slow, pid } = await begin(queue)
  await t.rejects(slow, new DecoderFailure())
  t.equal(isRunning(pid), false)
  t.equal((await queue.draw({ account: 1, file: png }, square)).made.length, 2)
  t.match(queue.counts, { deadline: 1, drawn: 1 })
})

t.test('a picture waits only so long for its turn', async t => {
  const queue = open(t, { waitMs: 50 })
  const { slow, goOn } = await begin(queue)
  await t.rejects(queue.draw({ account: 2, file: png }, square), { code: 'SERVER_NOT_READY', message: /Too many/ })
  const patient = queue.draw({ account: 2, file: png, waitMs: longMs }, square)
  goOn()
  await Promise.all([slow, patient])
})

t.test('a picture whose decoder is killed is decoded by another one, once', async t => {
  const queue = open(t)
  const first = await begin(queue)
  process.kill(first.pid, 'SIGKILL')
  await until(() => queue.decoderPid !== undefined && queue.decoderPid !== first.pid)
  t.equal((await first.slow).made.length, 2)

  const second = await begin(queue)
  process.kill(second.pid, 'SIGKILL')
  await until(() => queue.decoderPid !== undefined && queue.decoderPid !== second.pid)
  process.kill(queue.decoderPid as number, 'SIGKILL')
  await t.rejects(second.slow, new DecoderFailure())
  t.equal((await queue.draw({ account: 1, file: png }, square)).made.length, 2)
})

t.test('forms in the queue take a bounded amount of memory: what would come last is refused', async t => {
  const queue = open(t)
  const { slow, goOn } = await begin(queue)
  const large = Buffer.concat([png, Buffer.alloc(budgets.pictureBytesWaiting.most / 4 - png.length)])
  const accounts = [11, 12, 13, 14]
  const kept = accounts.map(account => queue.draw({ account, file: large }, square))
  // Stored files do not count.
  const stored = queue.draw({ account: 10, file: async () => large }, square)
  queue.use.add(12, 60_000)
  const newcomer = queue.draw({ account: 15, file: large }, square)
  await t.rejects(kept[1] as Promise<unknown>, { code: 'SERVER_NOT_READY' })
  goOn()
  await Promise.all([slow, stored, newcomer, kept[0], kept[2], kept[3]])
})

t.test('the error of a file that cannot be read goes to its caller', async t => {
  const queue = open(t)
  const file = () => Promise.reject(new Error('the store is away'))
  await t.rejects(queue.draw({ account: 1, file }, square), { message: 'the store is away' })
  t.equal((await queue.draw({ account: 1, file: png }, square)).made.length, 2)
})

t.test('a queue that stops refuses what waits, and leaves no process', async t => {
  const queue = open(t)
  const { slow, pid } = await begin(queue)
  const waiting = queue.draw({ account: 1, file: png }, square)
  queue.stop()
  await t.rejects(waiting, { code: 'SERVER_NOT_READY' })
  await t.rejects(slow, { code: 'SERVER_NOT_READY' })
  await t.rejects(queue.draw({ account: 1, file: png }, square), { code: 'SERVER_NOT_READY' })
  t.equal(isRunning(pid), false)
})

t.test('drawings wait for the turn of the machine, sizes do not', async t => {
  let give = () => {}
  let ended = 0
  const turn = () =>
    new Promise<() => void>(resolve => {
      give = () => resolve(() => ended++)
    })
  const queue = new PictureQueue(createLog('silent', 'test'), turn)
  t.teardown(() => queue.stop())
  const drawing = queue.draw({ account: 1, file: png }, square)
  const { header } = await queue.draw({ account: 1, file: png }, { kind: 'header' })
  t.same(header, { format: 'png', width: 30, height: 20, frames: 1 })
  t.equal(queue.waiting, 1)
  give()
  await drawing
  await until(() => ended === 1)
})

t.test('a turn that comes when its drawing has left is given back, and does not hold up sizes', async t => {
  let give = () => {}
  let ended = 0
  const turn = () =>
    new Promise<() => void>(resolve => {
      give = () => resolve(() => ended++)
    })
  const queue = new PictureQueue(createLog('silent', 'test'), turn)
  t.teardown(() => queue.stop())
  const caller = new AbortController()
  const drawing = queue.draw({ account: 1, file: png, signal: caller.signal }, square)
  caller.abort()
  await t.rejects(drawing)
  let read = () => {}
  const file = () =>
    new Promise<Buffer>(resolve => {
      read = () => resolve(png)
    })
  const size = queue.draw({ account: 1, file }, { kind: 'header' })
  give()
  const next = queue.draw({ account: 1, file: png }, { kind: 'header' })
  read()
  await Promise.all([size, next])
  await until(() => ended === 1)
})
