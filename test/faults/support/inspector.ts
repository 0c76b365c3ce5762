import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import WebSocket from 'ws'
import { signal } from './workers.js'

/** Settings for a server with debuggable processes: each selects a free port for its inspector. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=0' }

/** Evaluates an expression in a process of a server, as a debugger does. Resolves when it has ended, or its process. */
export async function evaluate(server: ChildProcess, pid: number, expression: string): Promise<void> {
  const address = inspectorAddress(server)
  signal(pid, 'SIGUSR1')
  const socket = new WebSocket(await address)
  await once(socket, 'open')
  const ended = new Promise<void>(resolve => {
    for (const event of ['message', 'error', 'close']) socket.once(event, () => resolve())
  })
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
  await ended
  // A process with a debugger would wait for it at its end.
  socket.terminate()
}

/** The inspector's address of the next process that opens one. */
function inspectorAddress({ stderr }: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    let said = ''
    const read = (chunk: Buffer) => {
      said += chunk
      const address = /Debugger listening on (ws:\S+)\n/.exec(said)?.[1]
      if (address === undefined) return
      stderr?.off('data', read)
      resolve(address)
    }
    stderr?.on('data', read)
  })
}
