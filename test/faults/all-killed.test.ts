// The machine falls: supervisor, workers, PostgreSQL and Redis are ended at once and started again on the same data. The
// supervisor falls alone. And all fall, and Redis's file has lost its end. Redis writes to its file before it answers, unless the disk is still busy with what it wrote before: then
// the last moment may be lost with all who knew of it, and its readers are told so.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { rounds } from './support/amounts.js'
import { AppendOnlyFile, lostMs } from './support/append-only-file.js'
import { randomOf, startScene } from './support/begin.js'
import { ClientReader } from './support/client-reader.js'
import { countUntilLoss } from './support/count-until-loss.js'
import { Program } from './support/program.js'
import type { Reader } from './support/reader.js'
import { signal } from './support/workers.js'

const settings = { WORKERS: '2', HEARTBEAT_SECONDS: '2' }

t.test(
  'all processes are killed at once, the supervisor alone, and all with the last moment of Redis’s file',
  async t => {
    const random = randomOf(t)
    const program = await Program.start(t, settings)
    const scene = await startScene(t, program, { random })
    const gone: Reader[] = []
    t.teardown(() => Promise.all(gone.map(reader => reader.stop())))
    const passes = async () => {
      await scene.passes(50)
      const lost = await scene.takeLost(t)
      gone.push(...lost)
      if (lost.length === 0) return
      const { person, sees } = await scene.follower()
      const fresh = await ClientReader.start(`registered after ${gone.length} were told`, sees, person, 'json')
      fresh.after = scene.ledger.sends.length
      scene.readers.push(fresh)
    }
    scene.send()
    for (let round = 0; round < rounds; round++) {
      await scene.passes(50)
      await sleep(random(500))
      await program.kill()
      await program.begin()
      await passes()
    }
    await sleep(random(500))
    const orphans = program.processes().slice(1)
    await program.kill([program.pid])
    // It ends what is left of the first one, and goes on with its data.
    await program.begin()
    await passes()
    const file = new AppendOnlyFile(program.appendOnlyDirectory)
    t.teardown(() => file.stop())
    await scene.passes(50)
    await sleep(lostMs + random(lostMs))
    await program.kill()
    file.loseSince(random(lostMs))
    await program.begin()
    await passes()
    await scene.passes(50)
    await scene.settle(t)
    await countUntilLoss(t, program.sql, scene.readers, gone, { isEndLost: true })
    const now = program.processes()
    t.same(
      orphans.filter(pid => !now.includes(pid) && signal(pid, 'SIGCONT')),
      [],
      'nothing of the first one is left',
    )
  },
)
