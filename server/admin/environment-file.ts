import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { AdminError } from './admin-error.js'

// A value whose signs systemd, Compose and Node read alike.
const plainValue = /^(?:'[^']*'|"[^"\\`$]*"|[^#\\'"`$]*)$/

/**
 * Takes the settings of a file, such as the EnvironmentFile of a systemd unit, into the environment of this process, in place of those that it
 * has. The file is data and no script: a value may have spaces and angle brackets.
 * @throws {AdminError} if the file cannot be read, or if a value would be another one for systemd
 */
export function useEnvironmentFile(file: string): void {
  const text = read(file)
  for (const [at, line] of text.split('\n').entries()) {
    const [, name, value = ''] = /^\s*(\w+)\s*=(.*)$/.exec(line) ?? []
    if (name !== undefined && !plainValue.test(value.trim()))
      throw new AdminError(`${file}, line ${at + 1}: write the value of ${name} in single quotes.`, 'SETTINGS')
  }
  Object.assign(process.env, parseEnv(text))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new AdminError(`--environment-file ${file} cannot be read: ${(error as Error).message}.`, 'SETTINGS')
  }
}
