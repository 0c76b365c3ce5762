import { readTokenKeys } from './access/token-keys.js'
import { requireUsableKeys } from './access/tokens.js'
import { type Config, ConfigError, readConfig } from './config.js'
import { StartError } from './embedded/start-error.js'
import { createLog } from './log.js'

try {
  const config = readConfig(process.env)
  await checkTokenKeys(config)
  // Each loads only what it needs: the supervisor has no use for the server's code.
  if (process.env.PARLEY_ROLE === 'worker') {
    const { work } = await import('./worker.js')
    await work(config, createLog(config.logLevel, 'worker'))
  } else {
    const { supervise } = await import('./supervisor.js')
    await supervise(config, createLog(config.logLevel, 'supervisor'))
  }
} catch (error) {
  // Meant for the person who starts the server: a stack would only hide the sentence.
  const isSentence = error instanceof ConfigError || error instanceof StartError
  console.error(isSentence ? error.message : error)
  process.exit(1)
}

/** A wrong key must stop the start, not the first sign-in. */
async function checkTokenKeys({ jwtSecrets }: Config): Promise<void> {
  try {
    await requireUsableKeys(readTokenKeys(jwtSecrets))
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}
