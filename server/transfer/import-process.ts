import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.js'
import type { StoredChoices } from '../store/imports/import-requests.js'
import type { Plan } from './plan.js'
import { UnusableArchive } from './source.js'

const program = fileURLToPath(new URL('../admin/import/import-program.js', import.meta.url))
// Archives of any size are read in pieces.
const engine = ['--max-old-space-size=256', '--max-semi-space-size=16']

/** What the process does: it reads an archive, imports it, or takes its import away. */
export type Order = { readonly requesterId: number } & (
  | { readonly kind: 'plan'; readonly file: string }
  | { readonly kind: 'run'; readonly file: string; readonly choices: StoredChoices }
  | { readonly kind: 'undo'; readonly digest: string }
)

/** What the process gets when it has started. */
export interface Errand {
  readonly config: Config
  readonly order: Order
}

/** Its answer. `refused`: why the archive cannot be imported; `isLater`: it can when another import has ended. */
export type Reply =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | { readonly kind: 'imported' }
  | { readonly kind: 'undone' }
  | { readonly kind: 'refused'; readonly reason: string; readonly isLater: boolean }

/**
 * Follows the order as the command line does, in a process of its own behind the workers, which answer requests meanwhile. It ends with
 * the worker, and when `signal` aborts: an import goes on where it was.
 * @throws {UnusableArchive} {Error} the process has ended without an answer, or another import runs
 */
export async function inImportProcess(config: Config, order: Order, signal: AbortSignal): Promise<Reply> {
  const child = fork(program, [], { execArgv: engine, serialization: 'advanced', stdio: ['ignore', 2, 2, 'ipc'] })
  const stop = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const reply = await new Promise<Reply>((resolve, reject) => {
      child.once('message', message => resolve(message as Reply))
      child.once('error', reject)
      child.once('exit', (code, by) =>
        reject(new Error(`the import ${by ? `was ended by ${by}` : `exited with ${code}`}`)),
      )
      child.send({ config, order } satisfies Errand, error => error && reject(error))
    })
    if (reply.kind !== 'refused') return reply
    throw reply.isLater ? new Error(reply.reason) : new UnusableArchive(reply.reason)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
