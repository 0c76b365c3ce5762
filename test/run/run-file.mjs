import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../server/bin/prepare.mjs'

// A file that hangs says itself where, and ends; one that cannot even do that is ended.
const patienceMs = 30_000
// Of what a file says on standard error only the end is of use, beside its failures.
const mostErrors = 16_384
// Whatever else a file started may hold its outputs open when it has ended: what it said itself is here by then.
const lastOutputMs = 5000

/**
 * Runs one file as the plain program that it is. The runner of tap would load its hooks into it, and through the environment
 * into every server and command that it starts: each would take twice as long to start, and would not be what users run.
 */
export async function runFile(file, { env, secondsPerFile, ending }) {
  const began = performance.now()
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { ...process.env, ...env, TAP_TIMEOUT: String(secondsPerFile) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  let errors = ''
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.setEncoding('utf8').on('data', text => {
    errors = (errors + text).slice(-mostErrors)
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), secondsPerFile * 1000 + patienceMs)
  const end = () => child.kill('SIGTERM')
  ending.addEventListener('abort', end)
  const closed = once(child, 'close')
  const [status, signal] = await once(child, 'exit')
  await Promise.race([closed, sleep(lastOutputMs, undefined, { ref: false })])
  clearTimeout(timer)
  ending.removeEventListener('abort', end)
  const text = Buffer.concat(output).toString()
  return { file, status, signal, text, errors, seconds: (performance.now() - began) / 1000 }
}
