// SIGKILL of Redis at random moments under load, and its return with what its append-only file holds: all of it, or all but
// the last second, as after a loss of power.
import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { rounds } from './support/amounts.js'
import { begin } from './support/begin.js'
import { startStores } from './support/stores.js'

const sampleMs = 100
// What appendfsync everysec may lose.
const lostMs = 1000

t.test('Redis is killed and started again, with all of its file and without its last second', async t => {
  const stores = await startStores(t)
  const { random, scene } = await begin(t, { workers: 2, stores })
  const file = new AppendOnlyFile(join(stores.dataDir, 'redis', 'appendonlydir'))
  t.teardown(() => file.stop())
  scene.send()
  for (let round = 0; round < rounds; round++) {
    for (const loses of [false, true]) {
      await scene.passes(50)
      // More than may be lost, so that something of this run stays.
      await sleep(lostMs + random(lostMs))
      await stores.redis.kill()
      if (loses) file.loseSince(random(lostMs))
      await sleep(random(500))
      await stores.redis.start()
    }
  }
  await scene.settle(t)
  t.comment(scene.ledger.count('acknowledged'), 'acknowledged', scene.ledger.failures())
  t.same(scene.ledger.failures(), {}, 'senders notice nothing: what they send is in PostgreSQL')
})

/** How long the newest file was when: what a loss of power would leave of it. */
class AppendOnlyFile {
  private samples: { file: string; size: number; at: number }[] = []
  private readonly timer = setInterval(() => this.look(), sampleMs)

  constructor(private readonly directory: string) {}

  private look(): void {
    const file = this.newest()
    this.samples.push({ file, size: statSync(file).size, at: performance.now() })
    if (this.samples.length > (2 * lostMs) / sampleMs) this.samples.shift()
  }

  private newest(): string {
    const number = (name: string) => Number(/\.(\d+)\.incr\.aof$/.exec(name)?.[1] ?? 0)
    const names = readdirSync(this.directory).filter(name => number(name) > 0)
    return join(this.directory, names.sort((a, b) => number(b) - number(a))[0] ?? '')
  }

  loseSince(milliseconds: number): void {
    const now = performance.now()
    const file = this.newest()
    const kept = this.samples.find(sample => sample.file === file && sample.at >= now - milliseconds)
    if (kept) truncateSync(file, kept.size)
  }

  stop(): void {
    clearInterval(this.timer)
  }
}
