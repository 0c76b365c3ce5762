import { CommanderError } from 'commander'
import { ApiError } from '../../shared/errors.js'
import { ConfigError } from '../config.js'
import { operatorMessage, StartError } from '../failures/start-error.js'
import { StorageFailure } from '../storage/storage-failure.js'
import { AdminError } from './admin-error.js'

/** 0: done; 1: refused or failed; 2: wrong command line. */
const exitCodes = { done: 0, failed: 1, usage: 2 } as const

/** Prints why a command failed and returns its exit code. */
export function printFailure(error: unknown, json: boolean): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
  const { code, message } = named(error)
  // Only unexpected errors are printed with their stack.
  const more = code === 'UNEXPECTED' && error instanceof Error ? `\n${error.stack}` : ''
  process.stderr.write(json ? `${JSON.stringify({ code, message, ...fieldsOf(error) })}\n` : `${message}${more}\n`)
  return error instanceof CommanderError ? exitCodes.usage : exitCodes.failed
}

function named(error: unknown): { code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CommanderError) return { code: 'USAGE', message: message.replace(/^error: /, '') }
  if (error instanceof AdminError || error instanceof ApiError) return { code: error.code, message }
  if (error instanceof ConfigError || error instanceof StartError) return { code: 'SETTINGS', message }
  if (error instanceof StorageFailure) return { code: 'STORAGE', message: `${message}${causeOf(error)}` }
  const outside = operatorMessage(error)
  return outside === undefined ? { code: 'UNEXPECTED', message } : { code: 'FAILED', message: outside }
}

const causeOf = ({ cause }: Error): string => (cause instanceof Error ? ` (${cause.message})` : '')

const fieldsOf = (error: unknown): object => (error instanceof ApiError ? error.fields : {})
