import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly linux: string
  readonly node: string
}

export function machine(): Machine {
  const [, model = 'unknown'] = /^model name\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? []
  return {
    cpu: model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    linux: release(),
    node: process.version,
  }
}
