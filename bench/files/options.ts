import { parseArgs } from 'node:util'
import { wholeNumber } from '../lib/arguments.js'

const options = {
  megabytes: { type: 'string', default: '100' },
  together: { type: 'string', default: '20' },
  downloads: { type: 'string', default: '2000' },
  photographs: { type: 'string', default: '100' },
  rounds: { type: 'string', default: '3' },
  /** One of `uploads`, `downloads`, `photographs`; default: all. */
  only: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

export type FilesOptions = ReturnType<typeof readFilesOptions>

export function readFilesOptions(args: string[]) {
  const { values } = parseArgs({ args, options })
  const count = (name: 'megabytes' | 'together' | 'downloads' | 'photographs' | 'rounds') =>
    wholeNumber(name, values[name])
  return {
    megabytes: count('megabytes'),
    together: count('together'),
    downloads: count('downloads'),
    photographs: count('photographs'),
    rounds: count('rounds'),
    only: values.only,
    json: values.json,
  }
}
