import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { passOn, type TestOrganization } from '../../support/server.js'

/** Starts a worker in a process of its own, and resolves when it serves. `kill`: by SIGKILL; resolves when it has ended. */
export async function startWorker(
  t: Test,
  organization: TestOrganization,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ url: string; pid: number; kill(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('website-worker.js', import.meta.url)), {
    env: { ...process.env, ...organization.env({ LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal', ...settings }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  passOn(child)
  const kill = async () => {
    if (!child.kill('SIGKILL')) return
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  t.teardown(kill)
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', message => resolve((message as { port: number }).port))
    child.once('exit', code => reject(new Error(`the worker ended with ${code} before it was ready`)))
  })
  return { url: `http://127.0.0.1:${port}`, pid: child.pid as number, kill }
}
