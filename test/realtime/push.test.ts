import t from 'tap'
import { FakeSocket, rises, startRig, until } from './rig.js'

/** Takes some time per frame, as the kernel does with thousands of sockets. */
class SlowSocket extends FakeSocket {
  override send(frame: Uint8Array | string): boolean {
    const end = performance.now() + 0.2
    while (performance.now() < end);
    return super.send(frame)
  }
}

t.test('a frame for many sockets lets other work in between, and events keep their order', async t => {
  const rig = await startRig(t)
  const worker = await rig.worker()
  const users = [...Array(300).keys()].map(i => i + 1)
  const sockets = await Promise.all(
    users.map(async user => {
      const socket = new SlowSocket()
      const queue = await rig.queue(worker, user)
      return { socket, queue, user, attachment: await worker.engine.attach(queue, user, -1, socket) }
    }),
  )
  const has = (count: number) => sockets.filter(({ socket }) => socket.numbers.length >= count).length
  let seen = 0
  let between = 0
  const look = setInterval(() => {
    const now = has(1)
    if (now > seen && now < users.length) between++
    seen = now
  }, 1)
  rig.write(worker, [1], users)
  await until(() => has(1) > 0)
  // During the first push one client detaches, another one moves to a new socket, and all get more events.
  const [leaver, moved] = sockets.slice(-2) as [(typeof sockets)[number], (typeof sockets)[number]]
  leaver.attachment.detach()
  const other = new FakeSocket()
  await worker.engine.attach(moved.queue, moved.user, -1, other)
  rig.write(worker, [2, 3], users)
  await until(() => has(3) === users.length - 2)
  clearInterval(look)
  t.ok(between > 0, 'other work came in between')
  for (const { socket } of sockets.slice(0, -2)) {
    t.same(socket.numbers, [1, 2, 3])
    t.ok(rises(socket.events.map(({ id }) => id)))
  }
  await until(() => other.numbers.length === 3)
  t.same(other.numbers, [1, 2, 3], 'the new reader has all of it')
  t.notMatch(leaver.socket.numbers, [2], 'nothing comes after the end')
  const resumed = new FakeSocket()
  await worker.engine.attach(leaver.queue, leaver.user, -1, resumed)
  await until(() => resumed.numbers.length === 3)
  t.same(resumed.numbers, [1, 2, 3])
})
