import type { Answer, Command } from './load-protocol.js'
import { LoadTarget } from './load-target.js'
import type { LoadedTarget } from './loaded-target.js'
import { PollTarget } from './poll-target.js'

// A process of its own: its CPU time is no server's, and its waits are nobody else's.
const targets = new Map<string, LoadedTarget>()

const answer = (message: Answer) => process.send?.(message)

// Loud and at once, wherever it was found: figures of a server that lost something must not come out.
process.on('uncaughtException', error => {
  process.send?.({ ok: false, reason: error.message } satisfies Answer, () => process.exit(1))
})

async function obey(command: Command): Promise<Answer> {
  if (command.do === 'open') {
    const target = command.target.polls ? new PollTarget(command.target) : new LoadTarget(command.target)
    targets.set(command.target.name, target)
    await target.open()
    return { ok: true }
  }
  const target = targets.get(command.name)
  if (!target) throw new Error(`there is no ${command.name}`)
  if (command.do === 'run') return { ok: true, result: await target.run(command.run) }
  target.settle()
  return { ok: true }
}

process.on('message', (command: Command) => {
  void obey(command).then(answer)
})
process.on('disconnect', () => process.exit(0))
