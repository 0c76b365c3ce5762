import { readTokenKeys } from './auth/token-keys.js'
import { requireUsableKeys } from './auth/tokens.js'
import { type Config, ConfigError, readConfig } from './config.js'
import { operatorMessage } from './failures/start-error.js'
import { createLog } from './log.js'

try {
  const config = readConfig(process.env)
  await checkTokenKeys(config)
  // Imported on demand, because the supervisor does not need the worker's code.
  if (process.env.PARLEY_ROLE === 'worker') {
    const { work } = await import('./supervisor/worker.js')
    await work(config, createLog(config.logLevel, 'worker'))
  } else {
    const { supervise } = await import('./supervisor/supervisor.js')
    await supervise(config, createLog(config.logLevel, 'supervisor'))
  }
} catch (error) {
  // A stack would only hide the message for the operator.
  console.error(error instanceof ConfigError ? error.message : (operatorMessage(error) ?? error))
  process.exit(1)
}

/** An invalid key must fail the start and not the first sign-in. */
async function checkTokenKeys({ jwtSecrets }: Config): Promise<void> {
  try {
    await requireUsableKeys(readTokenKeys(jwtSecrets))
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}
