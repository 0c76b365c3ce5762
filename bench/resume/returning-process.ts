import type { ReturningAnswer, ReturningCommand } from './protocol.js'
import { ReturningClients } from './returning-clients.js'

// A separate process, so that its CPU time is not counted as a server's.
let clients: ReturningClients | undefined

const answer = (message: ReturningAnswer) => process.send?.(message)

process.on('uncaughtException', error => {
  process.send?.({ ok: false, reason: error.message } satisfies ReturningAnswer, () => process.exit(1))
})

async function obey(command: ReturningCommand): Promise<ReturningAnswer> {
  if (command.do === 'open') {
    clients = new ReturningClients(command.target)
    await clients.open()
    return { ok: true }
  }
  if (!clients) throw new Error('there are no clients')
  if (command.do === 'return') return { ok: true, returned: await clients.return(command.missed) }
  clients.leave()
  return { ok: true }
}

process.on('message', (command: ReturningCommand) => {
  void obey(command).then(answer)
})
process.on('disconnect', () => process.exit(0))
