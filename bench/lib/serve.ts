import { type TemplatedApp, us_socket_local_port } from 'uWebSockets.js'

/**
 * Executes the commands of the process that started this one; `perform` may return an object, whose fields are the answer. An error, in whatever part, is the answer to the present command: figures of a
 * server that lost events must not be printed.
 */
export function serve<Command>(perform: (command: Command) => unknown): void {
  const answer = async (command: Command) => {
    const found = (await perform(command)) as object | undefined
    process.send?.({ ok: true, ...found })
  }
  const failed = (error: unknown) =>
    process.send?.({ ok: false, reason: error instanceof Error ? error.message : String(error) }, () => process.exit(1))
  process.on('uncaughtException', failed)
  process.on('message', (command: Command) => void answer(command).catch(failed))
  process.on('disconnect', () => process.exit(0))
}

/** Tells the port of a floor to the process that started it. */
export function listen(app: TemplatedApp): void {
  app.listen('127.0.0.1', 0, token => {
    if (!token) throw new Error('the floor found no port')
    process.send?.({ ok: true, port: us_socket_local_port(token) })
  })
}
