import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Config, ConfigError } from '../config.js'

/** Checks certificate and key, so that a wrong file fails the start with one sentence. @throws {ConfigError} */
export function requireUsableCertificate({ tls }: Pick<Config, 'tls'>): void {
  if (!tls) return
  const cert = read('TLS_CERT', tls.cert)
  const key = read('TLS_KEY', tls.key)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    // OpenSSL's message names the problem and contains nothing of the key.
    throw new ConfigError(`The settings TLS_CERT and TLS_KEY do not fit together: ${(error as Error).message}.`)
  }
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConfigError(`The setting ${setting} names a file that cannot be read: ${(error as Error).message}.`)
  }
}
