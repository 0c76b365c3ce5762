import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { StartError } from '../failures/start-error.js'
import type { Log } from '../log.js'

// Functions and multi-part append-only files need Redis 7.
const oldestVersion = 7
const programs = ['redis-server', 'valkey-server']
const policyFile = '/usr/sbin/policy-rc.d'

/** The program of Redis or Valkey on this machine; root on Debian installs it with apt-get if it is missing. */
export function redisProgram(log: Log): string {
  const found = findProgram() ?? (mayInstall() ? install(log) : undefined)
  if (!found) throw new StartError(`Redis is missing. ${howToInstall()}, or set REDIS_URL to a Redis of your own.`)
  if (found.version < oldestVersion)
    throw new StartError(
      `${found.program} is version ${found.version}: install 7 or newer, or set REDIS_URL to a Redis of your own.`,
    )
  return found.program
}

/** For machines on which this program does not install it. */
function howToInstall(): string {
  if (process.platform === 'darwin') return 'Install it with `brew install redis`'
  if (process.platform === 'win32') return 'Run this server in WSL (`wsl --install`) and install redis-server there'
  return 'Install redis-server 7 or newer (on Debian, Ubuntu and WSL: `sudo apt-get install redis-server`)'
}

function findProgram(): { program: string; version: number } | undefined {
  const all = programs.flatMap(program => {
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    const version = /\bv=(\d+)/.exec(stdout ?? '')?.[1]
    return version ? [{ program, version: Number(version) }] : []
  })
  return all.find(({ version }) => version >= oldestVersion) ?? all[0]
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
}

function install(log: Log) {
  log.info('installing redis-server with apt-get')
  withoutServices(() => {
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', 'redis-server')
  })
  return findProgram()
}

function aptGet(...args: string[]): void {
  // Its output goes to standard error: standard output carries only the `ready` line.
  const { status } = spawnSync('apt-get', ['-q', ...args], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  })
  if (status !== 0) throw new StartError('Redis could not be installed with apt-get: install redis-server yourself.')
}

/** Without a policy the package would start a second Redis on the default port. An existing policy file stays unchanged. */
function withoutServices(work: () => void): void {
  const isOurs = !existsSync(policyFile)
  if (isOurs) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    work()
  } finally {
    if (isOurs) rmSync(policyFile)
  }
}
