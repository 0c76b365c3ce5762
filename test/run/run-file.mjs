import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../server/bin/prepare.mjs'

// In ms; a hanging file reports where it hangs, and ends; if it cannot, the runner kills it.
const patienceMs = 30_000
// Characters of standard error kept: the failures are in the results.
const mostErrors = 16_384
// In ms; processes that a file started may keep its outputs open, but its own output has arrived by then.
const lastOutputMs = 5000

/**
 * Runs one file as a plain Node program. The tap runner would load its hooks into the file and, by the environment,
 * into every server and command that it starts: each would start half as fast, and would differ from what users run.
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
