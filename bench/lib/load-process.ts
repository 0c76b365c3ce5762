import type { Command, Returned, RunResult } from './load-protocol.js'
import { PollTarget } from './poll-target.js'
import { serve } from './serve.js'
import { SocketTarget } from './socket-target.js'

// A separate process, so that its CPU time is not counted as a server's and other clients do not delay it.
const targets = new Map<string, SocketTarget | PollTarget>()

serve(async (command: Command): Promise<{ result?: RunResult; returned?: Returned }> => {
  if (command.do === 'open') {
    const target = command.target.polls ? new PollTarget(command.target) : new SocketTarget(command.target)
    targets.set(command.target.name, target)
    await target.open()
    return {}
  }
  const target = targets.get(command.name)
  if (!target) throw new Error(`there is no ${command.name}`)
  if (command.do === 'run') return { result: await target.run(command.run) }
  if (command.do === 'settle') target.settle()
  else if (!(target instanceof SocketTarget)) throw new Error('polls do not come back')
  else if (command.do === 'leave') target.leave()
  else return { returned: await target.comeBack(command.missed) }
  return {}
})
