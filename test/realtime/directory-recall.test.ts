// Workers give up their directory leases when another one asks, and one that cannot be asked keeps the others waiting.
import t from 'tap'
import { type Rig, startRig, startRigWithRedis, until, type Worker } from './rig.js'

const longMs = 60_000
const shortMs = 100

/** A worker that counts the recalls that reach it. */
async function counting(rig: Rig): Promise<Worker & { recalls: number }> {
  const worker = { ...(await rig.worker()), recalls: 0 }
  worker.engine.onDirectoryRecall(() => worker.recalls++)
  return worker
}

t.test('a worker without others need not wait', async t => {
  const rig = await startRig(t)
  const worker = await counting(rig)
  t.equal(await worker.engine.recallDirectories(longMs), true)
  t.equal(worker.recalls, 0)
})

t.test('every other worker has given up its lease when the recall is complete', async t => {
  const rig = await startRig(t)
  const [asker, ...others] = [await counting(rig), await counting(rig), await counting(rig)] as const
  await until(() => asker.engine.recallDirectories(shortMs))
  for (const other of others) other.recalls = 0
  const all = await Promise.all([1, 2, 3].map(() => asker.engine.recallDirectories(longMs)))
  t.same(all, [true, true, true])
  t.same(
    others.map(({ recalls }) => recalls),
    [3, 3],
  )
  t.equal(asker.recalls, 0)
})

t.test('what is revoked is refused by every other worker before the asker goes on', async t => {
  const rig = await startRig(t)
  const [asker, ...others] = [await counting(rig), await counting(rig), await counting(rig)] as const
  await until(() => asker.engine.recallDirectories(shortMs))
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const done: (readonly number[])[] = []
  asker.engine.onRevocation(async () => {
    t.fail('the asker is not asked')
  })
  for (const { engine } of others) {
    engine.onRevocation(async userIds => {
      await held
      done.push(userIds)
    })
  }
  t.equal(await asker.engine.revokeElsewhere([7, 8], shortMs), false, 'the wait has a bound')
  const revoked = asker.engine.revokeElsewhere([9], longMs)
  release()
  t.equal(await revoked, true)
  t.equal(done.filter(ids => ids[0] === 9).length, 2)
  others[0]?.engine.onRevocation(async () => {
    throw new Error('the database is away')
  })
  t.equal(await asker.engine.revokeElsewhere([9], shortMs), false, 'what fails is no answer')
})

t.test('a dead worker is waited for until the others have adopted its queues', async t => {
  const rig = await startRig(t)
  const [asker, victim] = [await counting(rig), await counting(rig)]
  await until(() => asker.engine.recallDirectories(shortMs))
  await victim.kill()
  t.equal(await asker.engine.recallDirectories(shortMs), false)
  await until(() => asker.engine.recallDirectories(shortMs))
  t.pass('it is no longer in the list')
})

t.test('a worker that stops no longer counts as reachable', async t => {
  const rig = await startRig(t)
  const worker = await counting(rig)
  t.ok(worker.engine.isReachable(1))
  await worker.stop()
  t.notOk(worker.engine.isReachable(1))
})

t.test('when Redis has lost the list of workers, a recall is not complete until all are in it again', async t => {
  const rig = await startRig(t)
  const [asker, other] = [await counting(rig), await counting(rig)]
  await until(() => asker.engine.recallDirectories(shortMs))
  const lost = (await asker.redis.command('KEYS', `${rig.prefix}:*`)) as Buffer[]
  await asker.redis.command('DEL', ...lost)
  other.recalls = 0
  t.equal(await asker.engine.recallDirectories(shortMs), false)
  await until(() => asker.engine.recallDirectories(shortMs))
  t.ok(other.recalls > 0, 'the other worker was asked')
})

t.test('without Redis no recall is complete, and no worker counts as reachable for long', async t => {
  const { rig, redis } = await startRigWithRedis(t)
  const [asker, other] = [await counting(rig), await counting(rig)]
  await until(() => asker.engine.recallDirectories(shortMs))
  t.ok(other.engine.isReachable(1))
  await redis.kill()
  t.equal(await asker.engine.recallDirectories(shortMs), false)
  await until(() => !other.engine.isReachable(1) && !asker.engine.isReachable(1))
  await redis.start()
  await until(() => asker.engine.recallDirectories(shortMs))
  await until(() => asker.engine.isReachable(1) && other.engine.isReachable(1))
})
