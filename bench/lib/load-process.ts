import type { Answer, Command } from './load-protocol.js'
import { LoadTarget } from './load-target.js'
import type { LoadedTarget } from './loaded-target.js'
import { PollTarget } from './poll-target.js'

// A separate process, so that its CPU time is not counted as a server's and other clients do not delay it.
const targets = new Map<string, LoadedTarget>()

const answer = (message: Answer) => process.send?.(message)

// Fails at once for an error in any part: figures of a server that lost events must not be printed.
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
