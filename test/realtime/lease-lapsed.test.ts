// A pause of the process beyond the lease of its workers does not mean that Redis lost data.
import t from 'tap'
import { numbersOf, type Rig, startRig, until } from './rig.js'

const pauseMs = 1500

/** Blocks the event loop of this process, with all workers of the rig. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
}

/** The workers' log messages at levels info and warn. */
function messagesOf(rig: Rig): string[] {
  const messages: string[] = []
  const note = (...said: unknown[]) => void messages.push(String(said.at(-1)))
  rig.log.info = note as never
  rig.log.warn = note as never
  return messages
}

t.test('after a pause of the event loop a worker takes its lease again, and does not suspect Redis', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1, 2], [1])
  await rig.settled(worker)
  const messages = messagesOf(rig)
  pause()
  await until(() => messages.length > 0)
  rig.write(worker, [3], [1])
  t.same(numbersOf(await rig.drain(worker, queue, 1, { last: -1, count: 3 })), [1, 2, 3])
  t.same([...new Set(messages)], ['the lease expired during a pause: checking whether other workers adopted queues'])
})

t.test('a lease that Redis lost is distinguished from one that expired', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const queue = await rig.queue(worker, 1)
  rig.write(worker, [1, 2], [1])
  await rig.settled(worker)
  const messages = messagesOf(rig)
  const lost = (await worker.redis.command('KEYS', `${rig.prefix}:*`)) as Buffer[]
  await worker.redis.command('DEL', ...lost)
  await until(() => messages.length > 0)
  rig.write(worker, [3], [1])
  t.same(numbersOf(await rig.drain(worker, queue, 1, { last: -1, count: 3 })), [1, 2, 3])
  t.match(messages[0], /^Redis restarted or failed over/)
})
