import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Result } from '../lib/result.js'

const program = fileURLToPath(new URL('../main.js', import.meta.url))

// Characters of a failed scenario's output: enough for its message and a stack.
const tailLength = 2000

/**
 * Runs a scenario in a separate process, so that memory and timers of earlier ones do not affect it.
 * @throws with the end of its output if it has no result.
 */
export function runScenario(name: string, args: readonly string[]): Promise<Result> {
  const child = spawn(process.execPath, [program, name, ...args, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let tail = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text)
    tail = (tail + text).slice(-tailLength)
  })
  const end = () => void child.kill('SIGTERM')
  process.on('SIGTERM', end)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('SIGTERM', end)
      if (code !== 0) return reject(new Error(tail.trim() || `ended with ${signal ?? code}`))
      try {
        resolve(JSON.parse(output) as Result)
      } catch {
        reject(new Error(`printed no result: ${output.slice(0, 200)}`))
      }
    })
  })
}
