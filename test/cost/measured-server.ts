import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nativeEnvironment } from '../../server/config/native-environment.js'
import type { NativeRoute } from '../../server/http/native-routes.js'
import { passOn, type TestOrganization } from '../support/server.js'
import type { Teardown } from '../support/services.js'

interface Started {
  readonly port: number
  readonly slowness: number
  readonly nativeRoutes: readonly NativeRoute[]
}

/** One worker in a process of its own, whose CPU time can be read between two requests; needs /proc of Linux. */
export class MeasuredServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** How often slower this machine was at the start than the one that the bounds were chosen for; at least 1. */
    readonly slowness: number,
    readonly nativeRoutes: readonly NativeRoute[],
  ) {}

  static async start(t: Teardown, organization: TestOrganization): Promise<MeasuredServer> {
    const limits = { RATE_LIMIT_USER: '0', RATE_LIMIT_ADDRESS: '0', SIGN_IN_LIMIT_ADDRESS: '0', LOG_LEVEL: 'fatal' }
    const child = fork(fileURLToPath(new URL('measured-process.js', import.meta.url)), {
      env: { ...process.env, ...nativeEnvironment, ...organization.env(limits) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    passOn(child)
    t.teardown(async () => {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    })
    const { port, slowness, nativeRoutes } = await answerOf<Started>(child)
    return new MeasuredServer(child, `http://127.0.0.1:${port}`, slowness, nativeRoutes)
  }

  /** How often slower this machine is now: others may use it, too. */
  slownessNow(): Promise<number> {
    const answer = answerOf<number>(this.child)
    this.child.send('slowness')
    return answer
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  /** CPU time in ms of the worker while `work` runs, and what it returns. */
  async cpuOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; cpuMs: number }> {
    const before = this.cpuMs()
    const result = await work()
    return { result, cpuMs: this.cpuMs() - before }
  }

  /** CPU time of all threads so far, as the kernel counts it in nanoseconds. */
  private cpuMs(): number {
    const tasks = `/proc/${this.child.pid}/task`
    const times = readdirSync(tasks).map(task => readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0])
    return times.reduce((sum, ns) => sum + Number(ns), 0) / 1e6
  }
}

/** The next message of the child. @throws when it ends before. */
async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const ended = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([answer]) => answer as Answer),
      once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`the worker ended with ${code}`)
      }),
    ])
  } finally {
    ended.abort()
  }
}
