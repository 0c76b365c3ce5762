import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from '../../server/bin/prepare.mjs'
import { endedEarly, noResults, resultsOf } from './results.mjs'

const program = fileURLToPath(new URL('worker.mjs', import.meta.url))
// In ms, beyond the time of a file: it reports where it hangs; if it cannot, the runner kills its process.
const patienceMs = 30_000
// In MiB: most objects of a test file die young, and with Node's 16 MiB a tenth of the time is garbage collection.
const youngObjects = '--max-semi-space-size=64'
// Characters of standard output and error kept per file: the failures are in the results.
const maxOutput = 16_384
// In ms; processes that a file started may keep its outputs open, but its own output has arrived by then.
const lastOutputMs = 5000

/**
 * A process that runs test files one after the other. It is a plain Node program: the tap runner would load its hooks
 * into the files and, by the environment, into every server and command that they start.
 */
export class TestProcess {
  #child
  #ended
  #files = []
  #output = ''

  /**
   * `env`: settings in addition to those of this process. The process ends when `ending` aborts. `preloads`: it loads the server
   * before its first file comes.
   */
  constructor(env, ending, { preloads = false } = {}) {
    this.#child = spawn(process.execPath, [youngObjects, program, ...(preloads ? ['--preload'] : [])], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const end = () => this.#child.kill('SIGTERM')
    ending.addEventListener('abort', end)
    this.#child.once('exit', () => ending.removeEventListener('abort', end))
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        this.#output = (this.#output + text).slice(-maxOutput)
      })
    }
    this.#ended = this.#end()
  }

  /** Runs a file: its results, its seconds, and those of CPU that this process took. `env`: settings that were not known when the process started. */
  async run(file, { secondsPerFile, recording, env }) {
    const began = performance.now()
    this.#files.push(file)
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), secondsPerFile * 1000 + patienceMs)
    const result = new Promise(resolve => {
      // tap uses the same channel for messages of its own.
      this.#child.on('message', ({ text, cpuSeconds }) => text !== undefined && resolve({ text, cpuSeconds }))
    })
    // A process that has ended receives nothing: its end is the result.
    this.#child.send({ file, timeoutMs: secondsPerFile * 1000, recording, env }, () => undefined)
    const { text, cpuSeconds = 0, ...end } = await Promise.race([result, this.#ended])
    clearTimeout(timer)
    this.#child.removeAllListeners('message')
    const errors = this.#output
    this.#output = ''
    const results = text === undefined ? endedEarly(file, end, errors) : await resultsOf({ file, text, errors })
    return { file, ...results, seconds: (performance.now() - began) / 1000, cpuSeconds }
  }

  /** Lets the process end by itself; the results have a failure if something keeps it alive: see worker.mjs. */
  async end() {
    if (this.#child.connected) this.#child.disconnect()
    const end = await this.#ended
    const file = `the process of ${this.#files.join(' ')}`
    return { file, ...(end.status === 0 ? noResults : endedEarly(file, end, this.#output)) }
  }

  async #end() {
    // Not the process's own `close`: Node does not emit it after `disconnect` of this side.
    const closed = Promise.all([this.#child.stdout, this.#child.stderr].map(stream => once(stream, 'close')))
    const [status, signal] = await once(this.#child, 'exit')
    await Promise.race([closed, sleep(lastOutputMs, undefined, { ref: false })])
    return { status, signal }
  }
}
