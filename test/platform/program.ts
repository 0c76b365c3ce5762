import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { program } from '../../server/config/paths.js'
import type { Account } from '../../server/embedded/account.js'
import { dataDirectory } from './places.js'

/** The whole program, as `npm start` runs it. */
export interface Program {
  readonly process: ChildProcess
  /** The `ready` line; rejects when it ends before. */
  readonly ready: Promise<string>
  /** Its exit code (or signal) and what it said on standard error. */
  readonly ended: Promise<{ how: number | string | null; errors: string }>
  /** Process ids of its workers, or of one of its databases. */
  children(program: RegExp): number[]
}

interface ProgramOptions {
  /** The program of another tree. */
  readonly file?: string
  /** Another account, which root gives it. */
  readonly account?: Account
}

/** Starts it, and makes sure that it is gone after the test. */
export function runProgram(
  t: Test,
  env: Record<string, string>,
  { file = program, account }: ProgramOptions = {},
): Program {
  const child = spawn(account ? nodeForAll(t) : process.execPath, [file], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', WORKERS: '2', DEMO: '0', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  let output = ''
  let errors = ''
  child.stderr.on('data', data => {
    errors += data
  })
  const ended = new Promise<{ how: number | string | null; errors: string }>(resolve => {
    child.once('close', (code, signal) => resolve({ how: code ?? signal, errors }))
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', data => {
      output += data
      if (output.includes('\n')) resolve(output)
    })
    void ended.then(({ how }) => reject(new Error(`ended with ${how}: ${errors}`)))
  })
  ready.catch(() => undefined)
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { process: child, ready, ended, children: program => childrenOf(child.pid ?? 0, program) }
}

/** A copy of this Node that every account can run: npm brings it into the home of root. */
function nodeForAll(t: Test): string {
  const directory = dataDirectory(t)
  chmodSync(directory, 0o755)
  const node = join(directory, 'node')
  copyFileSync(process.execPath, node)
  return node
}

function childrenOf(pid: number, program: RegExp): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  return children.filter(child => program.test(commandOf(child)))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
