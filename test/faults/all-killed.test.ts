// Kills supervisor, workers, PostgreSQL and Redis at once and restarts them on the same data; kills the supervisor
// alone; and kills everything and truncates Redis's file. Redis writes to its file before it answers, unless the disk
// is still busy with earlier writes: then the last moment may be lost with every process that knew of it, and the
// server reports that to its readers.
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
      const fresh = await ClientReader.start(`registered after ${gone.length} were told`, sees, person, {
        codec: 'json',
      })
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
    // The new supervisor stops the remaining processes and continues with their data.
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
    await countUntilLoss(t, program.sql, { others: scene.readers, gone, isEndLost: true })
    const now = program.processes()
    t.same(
      orphans.filter(pid => !now.includes(pid) && signal(pid, 'SIGCONT')),
      [],
      'nothing of the first one is left',
    )
  },
)
